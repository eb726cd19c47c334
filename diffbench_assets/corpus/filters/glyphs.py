"""Characters that a page shows and no font of it can draw, known from the fonts instead of seen in the picture.

Belongs here: which characters those are. Does not belong here: the fonts (`pages/fonts.py`).
"""

from __future__ import annotations

from typing import Final

from diffbench_assets.corpus.filters.page import FilteredPage, Finding
from diffbench_assets.pages import describe, fonts

_SHOWN: Final = ("placeholder", "value", "alt", "label")


def missing_glyphs(page: FilteredPage) -> list[Finding]:
    """How many different characters of the page are drawn as boxes."""
    missing = missing_characters(page)
    return [Finding("missing", len(missing))] if missing else []


def missing_characters(page: FilteredPage) -> str:
    """The characters, sorted: those that a stored page declares as boxes, or that no packaged font has."""
    if fonts.is_stored(page.html):
        return fonts.boxed(page.html)
    shown = set(describe.visible_text(page.tree))
    for node in page.tree.css(",".join(f"[{name}]" for name in _SHOWN)):
        shown.update(*(node.attributes.get(name) or "" for name in _SHOWN))
    lacking = {character for character in shown if not fonts.is_invisible(character)}
    for font in fonts.ALL:
        lacking -= fonts.coverage(font) if lacking else frozenset()
    return "".join(sorted(lacking))
