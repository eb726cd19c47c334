"""The fonts that pages are drawn with: which file covers which characters, and cuts of it ready to embed.

Belongs here: the font table, coverage, cutting, `@font-face` text. Does not belong here: making them the fonts that a
browser knows (`font_world.py`), or which of them a page uses (`used_fonts.py`).

Every font comes with a Python package under a free licence (OFL; DejaVu's own), so the same page gets the same glyphs
on every machine. All but one are variable in weight, because a change of one weight step must show.
"""

from __future__ import annotations

import base64
import importlib.util
import io
import re
import struct
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import uharfbuzz as hb
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.DefaultTable import DefaultTable

from diffbench_assets.pages import woff2

_ASKED_FOR: Final = ("frac", "numr", "dnom")
"""Features that HarfBuzz keeps by default and that draw nothing unless a page asks for them or writes a fraction."""
_FRACTION_SLASH: Final = "\u2044"
PRINTABLE_ASCII: Final = frozenset(map(chr, range(0x20, 0x7F))) | {"\u00a0"}


@dataclass(frozen=True, slots=True)
class Font:
    """One face of a packaged font file, some of its axes pinned."""

    package: str
    file: str
    face_index: int = 0
    pinned: tuple[tuple[str, float], ...] = ()


SANS: Final = Font("fontpkg_inter", "files/Inter[opsz,wght].ttf", 0, (("opsz", 14),))
SERIF: Final = Font("fontpkg_source_serif_4", "files/SourceSerif4[opsz,wght].ttf", 0, (("opsz", 14),))
MONO: Final = Font("fontpkg_jetbrains_mono", "files/JetBrainsMono[wght].ttf")

# The scripts a generated page may be written in have all nine weights, the others 400 to 700.
_FULL_WEIGHT_FONTS: Final = tuple(
    Font(f"fontpkg_noto_sans_{script.lower()}", f"files/NotoSans{script}[wdth,wght].ttf", 0, (("wdth", 100),))
    for script in ("Arabic", "Devanagari", "Thai")
)
_SCRIPTS: Final = (
    "Hebrew", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Lao",
    "Myanmar", "Khmer", "Georgian", "Armenian", "Ethiopic", "Symbols",
)  # fmt: skip
_SCRIPT_FONTS: Final = tuple(Font("manimgx_fonts", f"NotoSans{script}[wght].ttf") for script in _SCRIPTS)
_LATIN_EXTRA: Final = Font("manimgx_fonts", "NotoSans[wght].ttf")
EMOJI: Final = Font("manimgx_fonts", "NotoEmoji[wght].ttf")
# Dingbats, arrows and box drawings that Noto keeps in a font no package has. One weight; the browser makes it bold.
_SYMBOLS: Final = Font("matplotlib", "mpl-data/fonts/ttf/DejaVuSans.ttf")
MATH: Final = Font("matplotlib", "mpl-data/fonts/ttf/DejaVuSerif.ttf")
_CJK_FACES: Final = {"ja": 0, "ko": 1, "zh-hans": 2, "zh-hant": 3, "zh-hk": 4}
CJK: Final = {tag: Font("manimgx_fonts_cjk", "NotoSansCJK-VF.otf.ttc", face) for tag, face in _CJK_FACES.items()}
"""Noto Sans CJK in the glyph forms of a language."""
FALLBACKS: Final = (_LATIN_EXTRA, *_FULL_WEIGHT_FONTS, *_SCRIPT_FONTS, MONO, EMOJI, MATH, _SYMBOLS)
"""Fonts to try, in order, for what the main families lack; those of `CJK` come last."""
ALL: Final = (SANS, SERIF, *FALLBACKS, *CJK.values())


@cache
def source(package: str, file: str) -> Path:
    """The path of a packaged file. Raises ModuleNotFoundError when its package is not installed."""
    # The package is only found, not imported: some are large.
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"the font package {package} is not installed; install this project's dependencies")
    return Path(spec.submodule_search_locations[0], file)


@cache
def _blob(package: str, file: str) -> hb.Blob:
    # One blob for all faces of a collection: the CJK file has 33 MB.
    return hb.Blob.from_file_path(str(source(package, file)))


@cache
def _face(font: Font) -> hb.Face:
    return hb.Face(pinned(font) if font.pinned else _blob(font.package, font.file), font.face_index)


@cache
def pinned(font: Font) -> hb.Blob:
    """The whole font with its pinned axes gone: what is cut from it is drawn like the whole."""
    plan = hb.SubsetInput()
    plan.keep_everything()
    face = hb.Face(_blob(font.package, font.file), font.face_index)
    for axis, value in font.pinned:
        plan.pin_axis_location(face, axis, value)
    return hb.subset(face, plan).blob


@cache
def coverage(font: Font) -> frozenset[str]:
    """Every character the font has a glyph for."""
    return frozenset(map(chr, _face(font).unicodes))


@cache
def family(font: Font) -> str:
    """The name that the font gives its family."""
    names = TTFont(source(font.package, font.file), fontNumber=font.face_index, lazy=True)["name"]
    return str(names.getDebugName(1))


@lru_cache(maxsize=512)
def cut(font: Font, characters: frozenset[str], features: frozenset[str] = frozenset()) -> bytes:
    """WOFF2 of the font holding just `characters` (as far as it has them), still variable in weight.

    `features` are OpenType tags that are kept beside those that are on by themselves.
    """
    return woff2.pack(_cut(_face(font), characters, features))


def _cut(face: hb.Face, characters: Collection[str], features: Iterable[str]) -> bytes:
    plan = hb.SubsetInput()
    plan.unicode_set.update(map(ord, shaped_parts(characters)))
    if _FRACTION_SLASH not in characters:
        for tag in map(_tag, _ASKED_FOR):
            plan.layout_feature_tag_set.discard(tag)
    plan.layout_feature_tag_set.update(map(_tag, features))
    plan.name_id_set.clear()
    subset: bytes = hb.subset(face, plan).blob.data
    return subset


def _tag(name: str) -> int:
    return int.from_bytes(name.encode("ascii"), "big")


# What the Thai and Lao shapers take apart whatever the font has; Unicode calls it a compatibility decomposition.
_TAKEN_APART: Final = {"\u0e33": "\u0e4d\u0e32", "\u0eb3": "\u0ecd\u0eb2"}


def shaped_parts(characters: Iterable[str]) -> frozenset[str]:
    """Characters with those that text shaping may replace them by: without these, whole syllables become boxes.

    Hangul syllables stay whole: a font that has the syllable draws it as it is.
    """
    parts = {
        part
        for c in characters
        if not "\uac00" <= c <= "\ud7a3"
        for part in _TAKEN_APART.get(c) or unicodedata.normalize("NFD", c)
    }
    return frozenset(characters) | parts


class OwnFont:
    """A font file that a page brings itself, cut like the packaged ones."""

    def __init__(self, data: bytes) -> None:
        """Raises ValueError when the bytes are no TrueType, OpenType, WOFF or WOFF2 font that can be cut."""
        try:
            self._face = hb.Face(hb.Blob(_sfnt(data)))
            self.coverage = frozenset(map(chr, self._face.unicodes))
        except Exception as error:  # fontTools and HarfBuzz raise many kinds on broken files
            raise ValueError(f"unreadable font: {error}") from error
        if not self.coverage:
            raise ValueError("unreadable font: it maps no character")
        self._cuts: dict[tuple[frozenset[str], frozenset[str]], bytes] = {}

    def cut(self, characters: frozenset[str], features: frozenset[str] = frozenset()) -> bytes:
        """WOFF2 with `characters`, as far as the font has them. Raises ValueError when the font cannot be cut."""
        wanted = characters & self.coverage
        if (wanted, features) not in self._cuts:
            try:
                self._cuts[wanted, features] = woff2.pack(_cut(self._face, wanted, features))
            except Exception as error:
                raise ValueError(f"font cannot be cut: {error}") from error
        return self._cuts[wanted, features]


@lru_cache(maxsize=64)
def own_font(data: bytes) -> OwnFont | None:
    """A page's own font ready to be cut; None when it cannot be."""
    try:
        return OwnFont(data)
    except ValueError:
        return None


_SFNT_MAGICS: Final = (b"\0\1\0\0", b"OTTO", b"true")


def _sfnt(data: bytes) -> bytes:
    if data[:4] in _SFNT_MAGICS:
        return data
    if data[:4] not in (b"wOFF", b"wOF2"):
        raise ValueError("unknown font format")
    font = TTFont(io.BytesIO(data), lazy=True, recalcTimestamp=False)
    font.flavor = None
    out = io.BytesIO()
    font.save(out, reorderTables=None)
    return out.getvalue()


# Never drawn by any font: the box must not replace what is meant to be empty.
_INVISIBLE_RANGES: Final = (
    (0x0000, 0x0020), (0x007F, 0x00A0), (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160),
    (0x1680, 0x1680), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2000, 0x200F), (0x2028, 0x202F), (0x205F, 0x206F),
    (0x3000, 0x3000), (0x3164, 0x3164), (0xD800, 0xDFFF), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip


def is_invisible(character: str) -> bool:
    """Whether a character is blank or a control by definition, so that no font needs to have it."""
    code = ord(character)
    return any(first <= code <= last for first, last in _INVISIBLE_RANGES)


BOX_NAME: Final = "diffbench-box"


@cache
def box_font() -> bytes:
    """WOFF2 of a font that draws a hollow box for every visible code point of Unicode; under 1 KB.

    At the end of every font stack it keeps the browser from asking the system for a font. One range per gap suffices,
    as its character map (format 13) sends a whole range to one glyph.
    """
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "box"])
    pen = TTGlyphPen(None)
    for left, bottom, right, top in ((60, 0, 540, 700), (490, 50, 110, 650)):
        pen.moveTo((left, bottom))
        for point in ((left, top), (right, top), (right, bottom)):
            pen.lineTo(point)
        pen.closePath()
    box = pen.glyph()
    builder.setupGlyf({".notdef": box, "box": box})
    builder.setupHorizontalMetrics({".notdef": (600, 60), "box": (600, 60)})
    builder.setupHorizontalHeader(ascent=900, descent=-200)
    builder.setupCharacterMap({})
    builder.setupOS2(sTypoAscender=900, sTypoDescender=-200, usWinAscent=900, usWinDescent=200)
    builder.setupNameTable({"familyName": BOX_NAME, "styleName": "Regular", "psName": BOX_NAME})
    builder.setupPost(keepGlyphNames=False)
    cmap = DefaultTable("cmap")
    groups = b"".join(struct.pack(">LLL", first, last, 1) for first, last in _visible_ranges())
    subtable = struct.pack(">HHLLL", 13, 0, 16 + len(groups), 0, len(groups) // 12) + groups
    cmap.data = struct.pack(">HHHHL", 0, 1, 3, 10, 12) + subtable
    builder.font["cmap"] = cmap
    # A clock reading would make every build differ.
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    out = io.BytesIO()
    builder.save(out)
    return woff2.pack(out.getvalue())


SYSTEM_LAYER: Final = "diffbench-system"
"""Name of the lowest cascade layer of a stored page: what a browser's own stylesheet would take from the system."""


def is_stored(html: str) -> bool:
    """Whether a page was written for storing, with all its fonts inside."""
    return f"<style>@layer {SYSTEM_LAYER}{{" in html


def boxed(html: str) -> str:
    """The characters that a page draws as boxes because no font of the world has them, sorted."""
    found: set[str] = set()
    source = re.escape(base64.b64encode(box_font()).decode("ascii"))
    for match in re.finditer(rf"{source}\)[^}}]*?unicode-range:([^;}}]*)", html):
        for span in match[1].split(","):
            first, _, last = span.strip()[2:].partition("-")
            found.update(map(chr, range(int(first, 16), int(last or first, 16) + 1)))
    return "".join(sorted(found))


def _visible_ranges() -> list[tuple[int, int]]:
    ends = [-1, *(last for _, last in _INVISIBLE_RANGES)]
    starts = [*(first for first, _ in _INVISIBLE_RANGES), 0x110000]
    return [(end + 1, start - 1) for end, start in zip(ends, starts, strict=True) if start > end + 1]


ALL_WEIGHTS: Final = "font-weight:1 1000"
"""Descriptor of the packaged fonts: faces of one family with unlike weight ranges would hide each other."""


def font_face(family: str, data: bytes, unicode_range: Iterable[str] = (), descriptors: str = ALL_WEIGHTS) -> str:
    """An `@font-face` rule holding the WOFF2 bytes. `unicode_range` limits it to those characters."""
    source = base64.b64encode(data).decode("ascii")
    parts = [f"font-family:{family}", f"src:url(data:font/woff2;base64,{source})format('woff2')"]
    if descriptors:
        parts.append(descriptors)
    if ranges := unicode_ranges(unicode_range):
        parts.append(f"unicode-range:{ranges}")
    return f"@font-face{{{';'.join(parts)}}}"


def unicode_ranges(characters: Iterable[str]) -> str:
    """Characters as the value of `unicode-range`: `U+41-43,U+5d0`."""
    spans: list[list[int]] = []
    for code in sorted(map(ord, characters)):
        if spans and code == spans[-1][1] + 1:
            spans[-1][1] = code
        else:
            spans.append([code, code])
    return ",".join(f"U+{first:x}" if first == last else f"U+{first:x}-{last:x}" for first, last in spans)
