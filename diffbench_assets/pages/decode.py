"""From the bytes of an HTML file to text, or the reason why they are none.

Belongs here: encodings, size and content sniffing. Does not belong here: parsing.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from diffbench_assets.pages.errors import PageUnusable

MAX_SOURCE_BYTES: Final = 8 * 2**20
"""A larger HTML source is not read at all."""

MAX_CONTROL_SHARE: Final = 0.05
"""Share of control bytes in the first 4 KB from which a source is binary."""
_TEXT_BYTES: Final = bytes([9, 10, 11, 12, 13, 27, *range(32, 256)])

_BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([-\w:.]+)", re.IGNORECASE)
_PRESCAN: Final = 4096
# The standard reads these as their supersets; pages declare them for text that is not quite what they say.
_SUPERSETS: Final = {
    "iso8859-1": "cp1252", "ascii": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "gb2312": "gb18030",
    "gbk": "gb18030", "euc_kr": "cp949", "shift_jis": "cp932", "big5": "big5hkscs", "utf-16": "utf-8",
    "utf-16-le": "utf-8", "utf-16-be": "utf-8",
}  # fmt: skip
_LOOKS_LIKE_HTML = re.compile(
    r"<\s*(?:!doctype\s+html|html|head|body|title|meta|div|p|h[1-6]|section|main|table|ul|a|span|img|svg|header|nav"
    r"|article|form|button|style|link|center|font)\b",
    re.IGNORECASE,
)


def to_text(source: bytes | str | None) -> str:
    """The text of an HTML source, with line ends as the parser reads them.

    Raises PageUnusable: `empty`, `too_large`, `binary`, `not_html`.
    """
    if source is None or not (source.strip() if isinstance(source, str) else source.strip(b"\0 \t\r\n\f")):
        raise PageUnusable("empty")
    if len(source) > MAX_SOURCE_BYTES:
        raise PageUnusable(f"too_large: {len(source) / 2**20:.0f} MB")
    text = source if isinstance(source, str) else _decode(source)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    # Lone surrogates cannot be stored; a Python string may hold them, an HTML file cannot.
    text = text.encode("utf-8", "replace").decode("utf-8")
    if not text.strip():
        raise PageUnusable("empty")
    if not _LOOKS_LIKE_HTML.search(text):
        raise PageUnusable("not_html: no HTML tag in it")
    return text


def _decode(data: bytes) -> str:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    sample = data[:_PRESCAN]
    unmarked = _utf16_without_mark(sample) if b"\0" in sample else None
    if unmarked:
        return data.decode(unmarked, "replace")
    if len(sample.translate(None, _TEXT_BYTES)) > len(sample) * MAX_CONTROL_SHARE:
        raise PageUnusable("binary")
    declared = _META_CHARSET.search(sample)
    if declared:
        try:
            name = codecs.lookup(declared[1].decode("ascii")).name
            return data.decode(_SUPERSETS.get(name, name), "replace")
        except (LookupError, UnicodeError):
            pass  # an encoding nobody knows is as good as none
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _utf16_without_mark(sample: bytes) -> str | None:
    even, odd = sample[0::2], sample[1::2]
    if odd.count(0) > 0.7 * len(odd) and even.count(0) < 0.1 * len(even):
        return "utf-16-le"
    return "utf-16-be" if even.count(0) > 0.7 * len(even) and odd.count(0) < 0.1 * len(odd) else None
