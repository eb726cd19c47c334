"""What a finished page is like: its language and how rich it is.

Belongs here: labels measured from the page itself. Does not belong here: labels that need a model or a source's word.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from selectolax.lexbor import LexborHTMLParser

_SCRIPTS: Final = (
    ("ja", re.compile("[\u3041-\u30ff]")), ("ko", re.compile("[\uac00-\ud7a3]")), ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ar", re.compile("[\u0620-\u06ff]")), ("he", re.compile("[\u05d0-\u05ea]")), ("th", re.compile("[\u0e01-\u0e5b]")),
    ("hi", re.compile("[\u0900-\u097f]")), ("bn", re.compile("[\u0980-\u09ff]")), ("ta", re.compile("[\u0b80-\u0bff]")),
    ("te", re.compile("[\u0c00-\u0c7f]")), ("ru", re.compile("[\u0400-\u04ff]")), ("el", re.compile("[\u0370-\u03ff]")),
    ("ka", re.compile("[\u10a0-\u10ff]")), ("hy", re.compile("[\u0530-\u058f]")), ("am", re.compile("[\u1200-\u137f]")),
)  # fmt: skip
_TAG = re.compile(r"[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8})*")
_SHARE: Final = 0.2
"""A script with this share of a page's letters names its language: pages mix in Latin names and numbers."""
_KANA_SHARE: Final = 0.05

MINIMAL_CHARACTERS: Final = 400
MINIMAL_ELEMENTS: Final = 40
RICH_CHARACTERS: Final = 2_500
RICH_ELEMENTS: Final = 220
"""Thresholds of `richness`, from the terciles of generated pages and of real templates."""

_SEEN_WITHOUT_TEXT: Final = frozenset(
    ["img", "svg", "canvas", "input", "button", "select", "textarea", "hr", "progress", "meter", "table", "picture"]
)


def visible_text(tree: LexborHTMLParser) -> str:
    """The text below `<body>`, without styles, in document order; one space for each run of white space."""
    parts = [
        node.text_content or ""
        for node in (tree.body.traverse(include_text=True) if tree.body is not None else ())
        if node.is_text_node and (node.parent is None or node.parent.tag != "style")
    ]
    return " ".join(" ".join(parts).split())


def language(tree: LexborHTMLParser, text: str) -> str | None:
    """BCP 47 tag: what `<html lang>` says unless the letters plainly say otherwise; None when nothing tells.

    Letters of a script that one language dominates decide by their share; Latin letters alone decide nothing.
    """
    stated = (tree.root.attributes.get("lang") or "").strip() if tree.root is not None else ""
    declared = stated if _TAG.fullmatch(stated) else None
    letters = sum(map(str.isalpha, text))
    counts = Counter({code: len(pattern.findall(text)) for code, pattern in _SCRIPTS})
    if letters and counts["ja"] >= _KANA_SHARE * letters:
        guess: str | None = "ja"
    else:
        code, count = counts.most_common(1)[0]
        guess = code if letters and count >= _SHARE * letters else None
    if declared and (guess is None or _same_script(declared, guess)):
        return declared
    return guess or declared


_SHARED_SCRIPTS: Final = (
    {"ar", "fa", "ur", "ps", "ckb", "ug"}, {"hi", "mr", "ne", "sa"}, {"ru", "uk", "bg", "sr", "be", "mk", "kk", "mn"},
    {"zh", "yue", "ja"}, {"he", "yi"}, {"am", "ti"},
)  # fmt: skip


def _same_script(declared: str, guess: str) -> bool:
    primary = declared.split("-")[0].lower()
    return primary == guess or any({primary, guess} <= group for group in _SHARED_SCRIPTS)


def richness(tree: LexborHTMLParser, text: str) -> str:
    """rich, standard or minimal, by visible characters and elements below `<body>`.

    rich: at least RICH_CHARACTERS, or at least RICH_ELEMENTS with MINIMAL_CHARACTERS. minimal: fewer than
    MINIMAL_CHARACTERS and fewer than MINIMAL_ELEMENTS. standard: the rest.
    """
    elements = count_elements(tree)
    if len(text) >= RICH_CHARACTERS or (elements >= RICH_ELEMENTS and len(text) >= MINIMAL_CHARACTERS):
        return "rich"
    if len(text) < MINIMAL_CHARACTERS and elements < MINIMAL_ELEMENTS:
        return "minimal"
    return "standard"


def count_elements(tree: LexborHTMLParser) -> int:
    """Elements below `<body>`, styles left out."""
    body = tree.body
    return sum(node.tag != "style" for node in body.traverse(include_text=False)) - 1 if body is not None else 0


def shows_something(tree: LexborHTMLParser, text: str) -> bool:
    """Whether the page has text or an element that may be drawn without any: a picture, or one that has a style."""
    if text:
        return True
    body = tree.body
    nodes = body.traverse(include_text=False) if body is not None else ()
    return any(node.tag in _SEEN_WITHOUT_TEXT or {"style", "class"} & node.attributes.keys() for node in nodes)
