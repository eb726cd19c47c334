"""A page in a few lines, for a model that reads text: title, headings, menu, buttons, first words, look.

Belongs here: what is taken from the page and how much of it. Does not belong here: what a model is asked (`llm.py`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from diffbench_assets.pages.describe import visible_text

LONGEST: Final = 4_000
"""Characters of an outline; a domain shows in less."""
_SECTIONS: Final = (
    ("headings", "h1,h2,h3", 20),
    ("menu", "nav a,header a", 15),
    ("buttons", "button,[role=button],a[class*=btn],a[class*=button],input[type=submit]", 12),
    ("fields", "label,input[placeholder]", 10),
)
_LONGEST_ITEM: Final = 80
_LONGEST_TEXT: Final = 1_500
_COMMON_CLASSES: Final = 40
_COLOR: Final = re.compile(r"#[0-9a-f]{3,8}\b|(?:rgb|hsl|oklch)a?\([^()]{3,40}\)", re.IGNORECASE)


def page_outline(html: str) -> str:
    """The outline of a page, at most LONGEST characters; a pure function of the HTML."""
    tree = LexborHTMLParser(html)
    title = tree.css_first("head title")
    summary = tree.css_first("meta[name='description' i]")
    lines = [
        f"title: {_short(title.text() if title is not None else '')}",
        f"summary: {_short((summary.attributes.get('content') or '') if summary is not None else '', 200)}",
    ]
    for name, selector, most in _SECTIONS:
        texts = (node.text(separator=" ") or node.attributes.get("placeholder") or "" for node in tree.css(selector))
        lines.append(f"{name}: {' | '.join(_distinct(texts, most))}")
    lines.append(f"text: {visible_text(tree)[:_LONGEST_TEXT]}")
    lines.append(f"elements: {_counted(_tags(tree), 20)}")
    classes = (name for node in tree.css("[class]") for name in (node.attributes.get("class") or "").split())
    lines.append(f"classes: {_counted(classes, _COMMON_CLASSES)}")
    styles = " ".join(node.attributes.get("style") or "" for node in tree.css("[style]"))
    lines.append(f"colours in styles: {_counted(_COLOR.findall(styles.lower()), 10)}")
    return "\n".join(lines)[:LONGEST]


def _short(text: str, most: int = _LONGEST_ITEM) -> str:
    return " ".join(text.split())[:most]


def _distinct(texts: Iterable[str], most: int) -> list[str]:
    return list(dict.fromkeys(filter(None, map(_short, texts))))[:most]


def _tags(tree: LexborHTMLParser) -> Iterable[str]:
    body = tree.body
    return (node.tag or "" for node in body.traverse(include_text=False)) if body is not None else ()


def _counted(items: Iterable[str], most: int) -> str:
    counts = sorted(Counter(items).items(), key=lambda item: (-item[1], item[0]))[:most]
    return ", ".join(f"{item[:_LONGEST_ITEM]} x{count}" for item, count in counts)
