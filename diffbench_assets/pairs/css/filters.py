"""Content filters: candidates that could pass the gate and still be unfair to ask about (DiffSpot, corpus appendix).

Belongs here: pure rules over what is known of the target. The paper's four causes: the recorded text does not show the
change because it is cut, the box is missing or clipped, glyphs are missing, the target hangs below the viewport.
"""

from __future__ import annotations

from typing import Final

from diffbench_assets.browser.gate import Box
from diffbench_assets.browser.render import VIEWPORT
from diffbench_assets.pairs.css.operators import OPERATORS
from diffbench_assets.pairs.css.operators.base import Element
from diffbench_assets.pairs.record import Mutation

MAX_SHARE_BELOW: Final = 0.30
"""Largest share of the target's height below the viewport (DiffSpot, appendix on corpus)."""


def filter_element(element: Element, missing_glyphs: str) -> str | None:
    """Why no candidate can use this element, or None."""
    if reason := filter_box(element.box):
        return reason
    if _clipped(element):
        return "box_clipped"
    if missing_glyphs and set(missing_glyphs) & set("".join(own.text for own in element.own) + element.text):
        return "missing_glyphs"
    return None


def filter_box(box: Box) -> str | None:
    """Why a target box before or after is unfair: empty, cut by the viewport, or too far below it."""
    x, y, width, height = box
    if width <= 0 or height <= 0 or x < 0 or y < 0 or x + width > VIEWPORT[0]:
        return "box_clipped"
    if y + height - VIEWPORT[1] > MAX_SHARE_BELOW * height:
        return "below_viewport"
    return None


def _clipped(element: Element) -> bool:
    """Whether an ancestor cuts the box; what only the lower edge of the viewport cuts is left to the share rule."""
    x, y, width, height = element.box
    seen = element.visible
    bottom = min(y + height, VIEWPORT[1])
    return (
        seen[0] > x + 0.5
        or seen[1] > y + 0.5
        or seen[0] + seen[2] < x + width - 0.5
        or seen[1] + seen[3] < bottom - 0.5
    )


def filter_text(mutation: Mutation, element: Element, ink: Box | None) -> str | None:
    """`text_cut` when the record or the screen does not show the characters that changed."""
    if not OPERATORS[mutation.operator].rewrites:
        return None
    if mutation.before == mutation.after or ink is None:
        return "text_cut"
    own = next(text for text in element.own if text.node == mutation.edits[0].node)
    x, y, width, height = own.visible
    inside = (
        ink[2] > 0
        and ink[0] >= x - 1
        and ink[1] >= y - 1
        and ink[0] + ink[2] <= x + width + 1
        and ink[1] + ink[3] <= y + height + 1
    )
    return None if inside and ink[1] + ink[3] <= VIEWPORT[1] else "text_cut"
