"""What a filter reads: one page, and the settings that are not the page's own.

Belongs here: the page as filters see it, findings, settings. Does not belong here: any filter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from selectolax.lexbor import LexborHTMLParser, LexborNode

from diffbench_assets.pages import describe, dom
from diffbench_assets.pages.errors import PageUnusable

MAX_TEXT: Final = 300_000
"""Characters of a page's text that the filters read; longer pages are dropped for their length anyway."""
MIN_PAGES_FOR_BOUNDS: Final = 20


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a filter found: `detail` says what kind, never the thing itself. `count` 0 is a plain yes."""

    detail: str
    count: int = 0

    def __str__(self) -> str:
        return f"{self.detail}×{self.count}" if self.count else self.detail


@dataclass(frozen=True)
class Bounds:
    """Least and most characters of HTML below `<body>`, both allowed."""

    low: int
    high: int


@dataclass(frozen=True)
class Settings:
    """`length` None lets every length pass. `kept` names filters whose findings are noted without dropping the page."""

    length: Bounds | None = None
    kept: frozenset[str] = field(default_factory=frozenset)


def length_bounds(lengths: Sequence[int], low: float = 0.01, high: float = 0.99) -> Bounds | None:
    """Bounds at two quantiles of a source's body lengths; None for too few pages to speak of abnormal ones.

    Raises ValueError unless 0 <= low < high <= 1.
    """
    if not 0 <= low < high <= 1:
        raise ValueError(f"length quantiles must be 0 <= low < high <= 1, got {low} and {high}")
    if len(lengths) < MIN_PAGES_FOR_BOUNDS:
        return None
    first, last = np.quantile(np.asarray(lengths), [low, high], method="nearest")
    return Bounds(int(first), int(last))


@dataclass(frozen=True)
class FilteredPage:
    """A page with what several filters need of it, each read once. `text` is what a visitor reads."""

    html: str
    text: str
    screenshot: bytes | None
    settings: Settings
    status: int | None = None

    @cached_property
    def tree(self) -> LexborHTMLParser:
        """The parsed document. Raises PageUnusable when it nests too deeply to be parsed."""
        return dom.parse(self.html)

    @cached_property
    def title(self) -> str:
        node = self.tree.css_first("head title")
        return " ".join(node.text().split()) if node is not None else ""

    @cached_property
    def language(self) -> str | None:
        return describe.language(self.tree, self.text)


def page_text(html: str) -> str:
    """What a visitor reads on a page as crawled, scripts and their stand-ins left out; one space between words.

    Empty for a page that nests too deeply to be parsed.
    """
    try:
        tree = dom.parse(html)
    except PageUnusable:
        return ""
    for node in tree.css("script,style,noscript,template"):
        node.decompose()
    return describe.visible_text(tree)


def body_length(tree: LexborHTMLParser) -> int:
    """Characters of HTML below `<body>`, without scripts, styles and data addresses.

    Embedded fonts and pictures would otherwise drown what a page holds.
    """
    body = tree.body
    if body is None:
        return 0
    skipped = sum(len(node.html or "") for node in body.css("script,style") if not _inside_skipped(node))
    data = sum(
        len(value)
        for node in body.css("[src^='data:'],[href^='data:']")
        for name in ("src", "href")
        if (value := node.attributes.get(name) or "").startswith("data:")
    )
    return max(0, len(body.html or "") - skipped - data)


def _inside_skipped(node: LexborNode) -> bool:
    parent = node.parent
    return parent is not None and parent.tag in ("script", "style")
