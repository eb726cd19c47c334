"""A stable hash of how a page is built, whatever it says.

Belongs here: the skeleton of a page and its fingerprint. Does not belong here: comparing or grouping pages
(`near_duplicates.py`, `unique.py`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import islice
from typing import Final

from diffbench_assets.pages import dom

FEWEST_ELEMENTS: Final = 12
"""Elements, the body among them, from which equal structures mean a template; fewer are built alike by chance."""


def tells_template(html: str) -> bool:
    """Whether a page has elements enough that another one of its structure is the same page with other words."""
    return sum(1 for _ in islice(skeleton(dom.parse(html)), FEWEST_ELEMENTS)) == FEWEST_ELEMENTS


def structure_fingerprint(html: str) -> str:
    """SHA-256 (first 16 bytes, hex) of the tag and class skeleton of a page.

    The skeleton lists every element below `<body>` in document order as `depth tag class class …`, classes sorted, one
    a line, UTF-8. Text, all other attributes, the head, scripts and styles, and white space do not count.
    Source for one page per structure: DiffSpot, corpus funnel.
    """
    return fingerprint_of_tree(dom.parse(html))


def fingerprint_of_tree(tree: dom.LexborHTMLParser) -> str:
    """`structure_fingerprint` of a tree that is parsed already."""
    digest = hashlib.sha256()
    for depth, tag, classes in skeleton(tree):
        digest.update(f"{depth} {tag} {classes}\n".encode("utf-8", "replace"))
    return digest.digest()[:16].hex()


def skeleton(tree: dom.LexborHTMLParser) -> Iterator[tuple[int, str, str]]:
    """(depth below `<body>`, tag, sorted classes joined by spaces) of every element that counts, in document order."""
    for depth, node in dom.with_depth(tree.body):
        if node.tag not in ("script", "style", "link", "template", "noscript"):
            yield depth, str(node.tag), " ".join(sorted(set((node.attributes.get("class") or "").split())))
