"""Where on the page a statement says that an element is.

Belongs here: words for places and pixel coordinates, against the recorded place. Does not belong here: moves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_PLACE_WORDS = {
    "top": r"top|upper|header|up top|first row|above the fold",
    "bottom": r"bottom|lower|foot(?:er)?",
    "left": r"left(?:-hand)?",
    "right": r"right(?:-hand)?",
    "center": r"cent(?:er|re)|middle|mid",
}


_SPANS = re.compile(
    r"\bx\W{0,3}(\d{1,5})(?:px)?\s?(?:to|-|–|\.\."
    r"|…)\s?(\d{1,5})\D{1,12}\by\W{0,3}(\d{1,5})(?:px)?\s?(?:to|-|–|\.\.|…)\s?(\d{1,5})"
)
_CORNERS = re.compile(r"[\[(](\d{1,5}), ?(\d{1,5}), ?(\d{1,5}), ?(\d{1,5})[\])]")


def at_box(text: str, box: Mapping[str, float] | None) -> bool | None:
    """Whether pixel coordinates in a statement fall on the element's box; None when it has none.

    The claimed rectangle names the element when it lies mostly inside the box, or covers it without being more
    than twice as large; a rectangle around half of the page names nothing.
    """
    if not box:
        return None
    if spans := _SPANS.search(text):
        x0, x1, y0, y1 = (float(value) for value in spans.groups())
    elif corners := _CORNERS.search(text):
        x0, y0, x1, y1 = (float(value) for value in corners.groups())
    else:
        return None
    across = min(x1, box["x"] + box["width"]) - max(x0, box["x"])
    down = min(y1, box["y"] + box["height"]) - max(y0, box["y"])
    shared, claimed = max(0.0, across) * max(0.0, down), (x1 - x0) * (y1 - y0)
    return claimed > 0 and shared >= 0.5 * claimed


_MOVES = re.compile(
    r"\b(?:to|towards?) the (?:(?:far|very|upper|lower) )*(?:left|right|top|bottom|center|centre|middle)\b"
    r"|\b(?:moved|shifted|nudged|pushed|slid|displaced|repositioned|aligned)\s+(?:\w+ ){0,3}?(?:left|right|up|down)\b"
    r"|\b(?:further|farther)(?: to the)? (?:left|right|up|down)\b|\b(?:left|right|cent(?:er|re))[ -](?:aligned"
    r"|justified)"
    r"|\b(?:its|their) (?:left|right|top|bottom|upper|lower)(?:-hand)? (?:side|half|corner)"
    r"|\b(?:left|right|top|bottom|upper|lower) (?:edge|end|padding|margin|border|part)\b"
)
"""Left and right said of a move or a part of the element, not of its place on the page."""


def place_fits(masked: str, location: str) -> bool | None:
    """Whether the places a statement names agree with one of nine `location` names; None when it names none.

    Ninths meet, so one beside the recorded one is neither right nor wrong (None); two away is wrong.
    """
    text = _MOVES.sub(" ", masked)
    said = {name for name, words in _PLACE_WORDS.items() if re.search(rf"(?<![\w]){'(?:' + words + ')'}(?![\w])", text)}
    rows = [row for row, name in enumerate(("top", "", "bottom")) if name in said]
    columns = [column for column, name in enumerate(("left", "", "right")) if name in said]
    if "center" in said:
        rows, columns = (rows or [1], columns) if columns else (rows, [1]) if rows else ([1], [1])
    if not rows and not columns:
        return None
    is_row = 0 if "top" in location else 2 if "bottom" in location else 1
    is_column = 0 if "left" in location else 2 if "right" in location else 1
    apart = [min((abs(row - is_row) for row in rows), default=0)]
    apart += [min((abs(column - is_column) for column in columns), default=0)]
    return True if max(apart) == 0 else False if max(apart) == 2 else None
