"""How a thing in an image is called: its kind, the start of its text, and which ninth of the image it is in.

Belongs here: noun phrases that claims have as their subject. Does not belong here: what changed (`grammar.py`), or
whether a name fits one thing only (the pair makers).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from diffbench_assets.browser.gate import Box
from diffbench_assets.browser.render import VIEWPORT
from diffbench_assets.pairs.grammar import quoted

_ROWS: Final = ("top", "middle", "bottom")
_COLUMNS: Final = ("left", "center", "right")
_NOUNS: Final = {"svg": "icon", "img": "image", "div": "box"}
_ROLES: Final[Mapping[str, str]] = {
    name: name
    for name in (
        "link", "button", "navigation", "header", "footer", "sidebar", "image", "icon", "heading", "paragraph", "list",
        "list item", "table", "table header", "table cell", "table row", "input", "dropdown", "label", "section",
        "article", "form", "quote", "figure", "caption", "date", "main area", "tab", "checkbox", "switch", "slider",
    )
} | {
    "img": "image", "banner": "header", "contentinfo": "footer", "complementary": "sidebar", "main": "main area",
    "listitem": "list item", "menuitem": "link", "radio": "radio button", "textbox": "input", "searchbox": "input",
    "combobox": "dropdown", "progressbar": "progress bar", "row": "table row", "cell": "table cell",
    "columnheader": "table header", "alert": "message", "status": "message", "tooltip": "message",
}  # fmt: skip
"""Roles that have a plain name. Pages may set any role, so that others are not repeated."""


def area(box: Box, size: tuple[int, int] = VIEWPORT) -> tuple[int, int]:
    """Column and row (0…2) of the ninth of an image of `size` (width, height) that holds the centre of `box`."""
    column = int(3 * (box[0] + box[2] / 2) / size[0])
    row = int(3 * (box[1] + box[3] / 2) / size[1])
    return min(2, max(0, column)), min(2, max(0, row))


def location(box: Box, size: tuple[int, int] = VIEWPORT) -> str:
    """That ninth in words: top left, top center, …, center, …, bottom right."""
    column, row = area(box, size)
    return "center" if (column, row) == (1, 1) else f"{_ROWS[row]} {_COLUMNS[column]}"


def plain_noun(tag: str, role: str, text: str) -> str:
    """What a person would call an element, whatever its page writes into its role: a plain one with text is a text."""
    return _ROLES.get(role) or _NOUNS.get(tag) or ("text" if text else "shape")


def place(where: str) -> str:
    """A location as the end of a noun phrase: `at the top left`, `in the center`."""
    return "in the center" if where == "center" else f"at the {where}"


def subject(thing: str, text: str, where: str) -> str:
    """The noun phrase of a thing, with the start of its text if it has one: `the heading “About us” in the center`."""
    shown = quoted(text)
    return f"the {thing} “{shown}” {place(where)}" if shown else f"the {thing} {place(where)}"
