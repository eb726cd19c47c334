"""Fast WOFF2 packing of a font that is already cut.

Belongs here: the container format. Does not belong here: choosing or cutting fonts (`fonts.py`).

fontTools also writes WOFF2, with Brotli's slowest setting and its glyph transform: 130 ms for Inter in ASCII against
3 ms here, for 15 % fewer bytes. Thousands of pages, each with a cut of its own, make the time matter more.
Format: https://www.w3.org/TR/WOFF2/.
"""

from __future__ import annotations

import struct
from typing import Final

import brotli

_KNOWN_TAGS: Final = [
    "cmap", "head", "hhea", "hmtx", "maxp", "name", "OS/2", "post", "cvt_", "fpgm", "glyf", "loca", "prep", "CFF_",
    "VORG", "EBDT", "EBLC", "gasp", "hdmx", "kern", "LTSH", "PCLT", "VDMX", "vhea", "vmtx", "BASE", "GDEF", "GPOS",
    "GSUB", "EBSC", "JSTF", "MATH", "CBDT", "CBLC", "COLR", "CPAL", "SVG_", "sbix", "acnt", "avar", "bdat", "bloc",
    "bsln", "cvar", "fdsc", "feat", "fmtx", "fvar", "gvar", "hsty", "just", "lcar", "mort", "morx", "opbd", "prop",
    "trak", "Zapf", "Silf", "Glat", "Gloc", "Feat", "Sill",
]  # fmt: skip
_INDEX: Final = {tag.replace("_", " ").encode(): index for index, tag in enumerate(_KNOWN_TAGS)}
_NULL_TRANSFORM: Final = {b"glyf": 3, b"loca": 3}
_LOSSLESS_BIT: Final = 1 << 11
_BROTLI_QUALITY: Final = 5


def pack(sfnt: bytes) -> bytes:
    """A TrueType or OpenType font (not a collection) as WOFF2; the same bytes for the same input.

    Raises `struct.error` or `ValueError` when the table directory is broken.
    """
    flavor, count = struct.unpack_from(">4sH", sfnt)
    records = [struct.unpack_from(">4sLLL", sfnt, 12 + 16 * i) for i in range(count)]
    tables = {tag: sfnt[offset : offset + length] for tag, _, offset, length in sorted(records) if tag != b"DSIG"}
    if b"head" not in tables:
        raise ValueError("not a font: it has no head table")
    head = bytearray(tables[b"head"])
    struct.pack_into(">H", head, 16, struct.unpack_from(">H", head, 16)[0] | _LOSSLESS_BIT)
    tables[b"head"] = bytes(head)
    # The format wants loca right behind glyf, which sorting by tag alone does not give.
    order = sorted(tables, key=lambda tag: (b"glyf", 1) if tag == b"loca" else (tag, 0))
    directory = b"".join(_entry(tag, len(tables[tag])) for tag in order)
    data = brotli.compress(b"".join(tables[tag] for tag in order), mode=brotli.MODE_FONT, quality=_BROTLI_QUALITY)
    sfnt_size = 12 + 16 * len(order) + sum((len(table) + 3) & ~3 for table in tables.values())
    length = 48 + len(directory) + len(data)
    padding = -length % 4
    header = struct.pack(
        ">4s4sLHHLLHHLLLLL", b"wOF2", flavor, length + padding, len(order), 0, sfnt_size, len(data), 1, 0, 0, 0, 0, 0, 0
    )
    return header + directory + data + b"\0" * padding


def _entry(tag: bytes, length: int) -> bytes:
    index = _INDEX.get(tag, 63)
    flags = bytes([index | _NULL_TRANSFORM.get(tag, 0) << 6])
    return flags + (tag if index == 63 else b"") + _base128(length)


def _base128(number: int) -> bytes:
    digits = [number & 0x7F]
    while number := number >> 7:
        digits.append(number & 0x7F | 0x80)
    return bytes(reversed(digits))
