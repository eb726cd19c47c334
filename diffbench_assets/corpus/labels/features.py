"""What the embedded labeller looks at: a page's words, its elements, and its class names.

Belongs here: from HTML to named features. Does not belong here: hashing, training, deciding (`classifier.py`).

Words are whole words and the first letters of long ones, so that a plural meets its singular; scripts without spaces
give pairs and triples of characters. Class names lose their colours' names, which say nothing that a shade does not.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from math import log1p
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from diffbench_assets.pages.describe import visible_text

_MAX_TEXT: Final = 20_000
_MARKS: Final = "".join(chr(code) for code in range(0x300, 0xABF0) if unicodedata.category(chr(code)).startswith("M"))
_WORD: Final = re.compile(rf"(?:[^\W\d_]|[{_MARKS}]){{3,}}")
_UNSPACED: Final = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]+")
_STEM: Final = 5
_PRICE: Final = re.compile(r"[$€£¥₹฿₩]\s?\d|\d\s?(?:€|USD|EUR|元|円|원|บาท)")
_DATE: Final = re.compile(r"\b(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|20[0-3]\d)\b")
_HUES: Final = re.compile(
    r"(?<=-)(red|orange|amber|yellow|lime|green|emerald|teal|cyan|sky|blue|indigo|violet|purple|fuchsia|pink|rose)(?=-)"
)
_GRAYS: Final = re.compile(r"(?<=-)(slate|gray|zinc|neutral|stone)(?=-)")
_NUMBER: Final = re.compile(r"(?<=-)\d+(?:\.\d+)?$")
_COUNTED_TAGS: Final = (
    "a", "article", "aside", "blockquote", "button", "details", "figure", "form", "h1", "h2", "h3", "img", "input",
    "li", "main", "nav", "p", "section", "select", "svg", "table", "td", "textarea", "time", "ul",
)  # fmt: skip


@dataclass(frozen=True)
class Features:
    """Named features of one page. `words` are distinct; `elements` and `look` carry weights."""

    words: frozenset[str]
    elements: dict[str, float]
    look: dict[str, float]


def page_features(html: str) -> Features:
    """Features of a page; a pure function of its HTML."""
    tree = LexborHTMLParser(html)
    title = tree.css_first("head title")
    text = f"{title.text() if title is not None else ''} {visible_text(tree)}"[:_MAX_TEXT]
    return Features(frozenset(text_words(text)), _elements(tree, text), _look(tree))


def text_words(text: str) -> Iterator[str]:
    """Words of a text as features, with repeats."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    for run in _UNSPACED.findall(folded):
        for length in (2, 3):
            yield from (run[start : start + length] for start in range(len(run) - length + 1))
    for word in _WORD.findall(_UNSPACED.sub(" ", folded)):
        yield word
        if len(word) > _STEM:
            yield f"{word[:_STEM]}*"


def _elements(tree: LexborHTMLParser, text: str) -> dict[str, float]:
    body = tree.body
    tags = Counter(node.tag or "" for node in body.traverse(include_text=False)) if body is not None else Counter[str]()
    found = {f"tag {tag}": log1p(tags[tag]) for tag in _COUNTED_TAGS if tags[tag]}
    found["prices"] = log1p(len(_PRICE.findall(text)))
    found["dates"] = log1p(len(_DATE.findall(text)))
    found["words per element"] = log1p(len(text.split()) / max(1, sum(tags.values())))
    return found


def _look(tree: LexborHTMLParser) -> dict[str, float]:
    classes = Counter(name for node in tree.css("[class]") for name in (node.attributes.get("class") or "").split())
    found: defaultdict[str, float] = defaultdict(float)
    hues: set[str] = set()
    for name, count in classes.items():
        weight = log1p(count)
        hues.update(_HUES.findall(name))
        plain = _GRAYS.sub("gray", _HUES.sub("hue", name))
        found[plain] = max(found[plain], weight)
        family = _NUMBER.sub("#", plain)
        found[family] = max(found[family], weight)
    return dict(found) | {"hues": float(len(hues))}
