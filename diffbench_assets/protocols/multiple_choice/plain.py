"""An answer's text made ready for reading: markup taken off, what was marked or quoted kept recognisable.

Belongs here: characters and markup. Does not belong here: which letter an answer states (`parse.py`).

A letter in brackets, quotes or emphasis ("(B)", "**B**") and the text of an option each become one stand-in character.
Stand-ins are letters of a script that no answer is written in (and are taken out of answers), so they count as words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

MARKED: Final = "".join(chr(0x10000 + index) for index in range(26))
"""Stand-ins for A to Z in brackets, quotes or emphasis."""
QUOTED: Final = "".join(chr(0x10020 + index) for index in range(4))
"""Stand-ins for the texts of options A to D."""
AMBIGUOUS: Final = chr(0x10024)
"""Stand-in for a text that several options share."""

SPACELESS: Final = "\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
"""Scripts that set no space between words, or none before a particle."""
LETTERS: Final = rf"(?:[^\W{SPACELESS}]|[\u0300-\u036f\u064b-\u065f\u0900-\u0dff])"
"""A character of a word in any other script, vowel signs included."""

_STANDINS = re.compile("[\U00010000-\U0001007f]")
_RARE = re.compile(r"[^\n\t -~]")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})|\\([\"/])")
"""How JSON writes quotes and letters beyond ASCII."""
_QUOTES = str.maketrans(
    dict.fromkeys("“”„‟«»″「」『』《》", '"')
    | dict.fromkeys("‘’‚‛`´", "'")
    | dict.fromkeys("‐‑‒−", "-")
    | dict.fromkeys("–—―", " - ")
    | dict.fromkeys("【〔", "[")
    | dict.fromkeys("】〕", "]")
    | {"。": ". ", "、": ", ", "؟": "?", "،": ","}
)
_STYLED = re.compile("[\u2460-\u24ff\uff00-\uffef\U0001d400-\U0001d7ff]")
"""Circled, full-width and mathematical letters, which stand for plain ones; others, such as ª, do not."""
_MARKUP: Final = (
    (r"~~[^~\n]+~~|<(del|strike)>[^<]*</\1>", " "),
    (r"[≠✗✘❌]|!=", " crossed "),
    (r"¬|!(?=\w)", " not "),
    (r"\b([A-Da-d]) ?\+ ?(?=[A-Da-d]\b)", r"\1 and "),
    (r"\\(?:text|math)(?:bf|rm|it|sf|tt|normal)?\b|\\(?:left|right|bf|rm|displaystyle)\b|\\[,;! ]", ""),
    (r"\\f?boxed\b|<\|?begin_of_box\|?>|\[(?=\[\W{0,4}[A-Za-z]\W{0,4}\]\])", " boxed: "),
    (r"<\|?end_of_box\|?>|<\|[^|<>\n]{1,30}\|>|</\s*[A-Za-z_]+\s*>", "\n"),
    (r"<\s*(?:final_?)?(?:answer|choice|option)\s*>", " boxed: "),
    (r"<(?:[a-z][a-z0-9_-]*|br */)>", " "),
)
_MARKED_LETTER = re.compile(
    rf"(?<!{LETTERS})(?:[*_~$\"'(\[{{<|]|\\[(\[]){{1,8}}\s?(?:(?:option|choice|statement|answer) )?([A-Za-z])[.:,)]?\s?"
    rf"(?:[*_~$\"')\]}}>|]|\\[)\]]){{1,8}}(?!{LETTERS})",
    re.IGNORECASE,
)


def _unstyled(found: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", found[0])


def _plain(text: str) -> str:
    """One way to write each character: no full-width letters, typographic quotes, control or stand-in characters."""
    text = _STYLED.sub(_unstyled, unicodedata.normalize("NFC", "\n".join(text.splitlines()))).translate(_QUOTES)
    return _RARE.sub(lambda rare: rare[0] if unicodedata.category(rare[0])[0] != "C" else "", _STANDINS.sub(" ", text))


def cleaned(text: str, options: Mapping[str, str]) -> str:
    """`text` with stand-ins for option texts and marked letters, and without markup."""
    reply = _plain(_ESCAPED.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[2], text))
    texts = {label: _words(option) for label, option in options.items()}
    for label, words in sorted(texts.items(), key=lambda item: -len(item[1])):
        if words:
            pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, words.split())) + r"(?!\w)\.?"
            same = [*texts.values()].count(words) > 1
            standin = AMBIGUOUS if same else QUOTED["ABCD".index(label)]
            reply = re.sub(pattern, f" {standin} ", reply, flags=re.IGNORECASE)
    for pattern, instead in _MARKUP:
        reply = re.sub(pattern, instead, reply)
    reply = _MARKED_LETTER.sub(lambda found: f" {MARKED[ord(found[1].upper()) - 65]} ", reply)
    reply = re.sub(r"(?<!\w)'|'(?!\w)|[*_~#$\"\\]+|^[ \t]*>", " ", reply, flags=re.MULTILINE)
    return re.sub(r"[(\[{]", ", ", re.sub(r"[\]}]", ")", reply))


@lru_cache(256)
def _words(option: str) -> str:
    return " ".join(_plain(option).casefold().split()).removesuffix(".")
