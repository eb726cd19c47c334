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
    r"\b(?:to|towards?) the (?:far |very )?(?:left|right|top|bottom|center|centre|middle)\b|\b(?:moved|shifted"
    r"|nudged|pushed|slid|displaced|repositioned|aligned)\s+(?:\w+ ){0,3}?(?:left|right|up|down)\b"
    r"|\b(?:further|farther)(?: to the)? (?:left|right|up|down)\b|\b(?:left|right|cent(?:er|re))[ -](?:aligned"
    r"|justified)"
    r"|\b(?:left|right|top|bottom|upper|lower) (?:edge|end|padding|margin|border|part)\b"
)
"""Left and right said of a move or a part of the element, not of its place on the page."""


def place_fits(masked: str, location: str) -> bool | None:
    """Whether the places a statement names agree with one of nine `location` names; None when it names none.

    Areas meet in the middle, so only opposite sides contradict each other (False); neither is None.
    """
    text = _MOVES.sub(" ", masked)
    said = {name for name, words in _PLACE_WORDS.items() if re.search(rf"(?<![\w]){'(?:' + words + ')'}(?![\w])", text)}
    if not said:
        return None
    if ("top" in said and "bottom" in location) or ("bottom" in said and "top" in location):
        return False
    if ("left" in said and "right" in location and "right" not in said) or (
        "right" in said and "left" in location and "left" not in said
    ):
        return False
    sides = {word for word in location.replace("middle", "center").split()}
    return True if said & sides else None
