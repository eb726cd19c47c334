"""The HTML parser that every step of the project uses, so that all of them see the same tree.

Belongs here: parsing, serialising, small tree helpers. Does not belong here: any policy about what a page may hold.

lexbor (through selectolax) follows the HTML standard and is as fast as reading the text. A stored page is a fixpoint,
`serialize(parse(html)) == html`, and its tree is the one Chromium builds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from diffbench_assets.pages.errors import PageUnusable

MAX_DEPTH: Final = 400
"""Levels of elements. Chromium flattens trees deeper than 512, so a deeper page would differ between the two."""
_MAX_ROUGH_DEPTH: Final = 5000
_MAX_ROUNDS: Final = 4

_DOCTYPE_WITH_IDS = re.compile(r"<!DOCTYPE html PUBLIC [^<>]*>")
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_NEVER_DEEP: Final = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
        "p",
        "li",
        "dt",
        "dd",
        "option",
        "optgroup",
        "tr",
        "td",
        "th",
        "thead",
        "tbody",
        "tfoot",
        "colgroup",
        "html",
        "head",
        "body",
        "a",
        "script",
        "style",
    ]
)


def parse(html: str) -> LexborHTMLParser:
    """The tree of a document. Raises PageUnusable when it nests too deeply to be parsed in reasonable time."""
    depth = deepest = 0
    for closing, name in _TAG.findall(html):
        if name.lower() not in _NEVER_DEEP:
            depth += -1 if closing else 1
            deepest = max(deepest, depth)
    if deepest > _MAX_ROUGH_DEPTH:
        raise PageUnusable(f"too_deep: about {deepest} levels")
    return LexborHTMLParser(html)


def serialize(tree: LexborHTMLParser) -> str:
    """The text of a document, its doctype as it was written: its ids decide how browsers lay tables out."""
    html: str = tree.html or ""
    written = _DOCTYPE_WITH_IDS.match((tree.raw_html or b"")[:1000].decode("utf-8", "replace"))
    return html.replace("<!DOCTYPE html>", written[0], 1) if written else html


def with_depth(root: LexborNode | None) -> Iterator[tuple[int, LexborNode]]:
    """Elements of a subtree in document order, each with its level below `root` (which is level 0)."""
    node, depth = root, 0
    while node is not None:
        if node.is_element_node:
            yield depth, node
        if node.first_child is not None:
            node, depth = node.first_child, depth + 1
            continue
        while node is not None and depth > 0 and node.next is None:
            node, depth = node.parent, depth - 1
        node = node.next if node is not None and depth > 0 else None


def check_depth(tree: LexborHTMLParser) -> None:
    """Raises PageUnusable when elements nest deeper than MAX_DEPTH."""
    deepest = max((depth for depth, _ in with_depth(tree.root)), default=0) + 1
    if deepest > MAX_DEPTH:
        raise PageUnusable(f"too_deep: {deepest} levels")


def fixpoint(html: str) -> str:
    """The text that parsing and serialising no longer change. Raises PageUnusable when there is none."""
    for _ in range(_MAX_ROUNDS):
        again = serialize(LexborHTMLParser(html))
        if again == html:
            return html
        html = again
    raise PageUnusable("no_fixpoint: parsing and serialising keep changing the page")
