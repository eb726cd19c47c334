"""Plain words for a mutation: where the target is, what it is called, and one sentence of what changed.

Belongs here: template text from a record. Does not belong here: anything a model writes.
"""

from __future__ import annotations

from typing import Any, Final

from diffbench_assets.browser.gate import Box
from diffbench_assets.pairs.css.mutation import Mutation
from diffbench_assets.pairs.css.search import area

_ROWS: Final = ("top", "middle", "bottom")
_COLUMNS: Final = ("left", "center", "right")
_NOUNS: Final = {"svg": "icon", "img": "image", "div": "box"}

_EFFECTS: Final[dict[str, tuple[str, str]]] = {
    "font_weight": ("has lighter strokes", "has bolder strokes"),
    "font_size": ("has smaller text", "has larger text"),
    "letter_spacing": ("has its letters closer together", "has its letters farther apart"),
    "line_height": ("has less height for each line of text", "has more height for each line of text"),
    "color": ("has a lighter {thing}", "has a darker {thing}"),
    "opacity": ("is more see-through", "is more solid"),
    "gradient": ("has a gradient with a lighter color at one end", "has a gradient with a darker color at one end"),
    "spacing": ("has less space inside", "has more space inside"),
    "justify": ("spreads its content differently", "spreads its content differently"),
    "border": ("has a thinner border", "has a thicker border"),
    "rounded": ("has sharper corners", "has rounder corners"),
}


def location(box: Box) -> str:
    """One of nine areas of the viewport: top left, top center, …, center, …, bottom right."""
    column, row = area(box)
    return "center" if (column, row) == (1, 1) else f"{_ROWS[row]} {_COLUMNS[column]}"


def noun(tag: str, role: str, text: str) -> str:
    """What a person would call an element of this tag and role: a plain inline element with text is that text."""
    return role or _NOUNS.get(tag) or ("text" if text else "shape")


def describe(mutation: Mutation, before: Box, after: Box) -> str:
    """One sentence: the target, where it is, what changed, from which value to which."""
    where = location(before)
    text = mutation.element["text"].strip()
    target = noun(mutation.element["tag"], mutation.element["role"], text)
    named = f'{target} "{text}"' if text else target
    thing = "background" if mutation.property == "background-color" else "text color"
    if mutation.operator == "text":
        return f'The {target} at the {where} reads "{mutation.after}" instead of "{mutation.before}".'
    if mutation.operator == "position":
        effect = _moved(after[0] - before[0], after[1] - before[1])
    else:
        effect = _EFFECTS[mutation.operator][mutation.direction > 0].format(thing=thing)
    return f"The {named} at the {where} {effect} ({mutation.property}: {mutation.before} to {mutation.after})."


def _moved(dx: float, dy: float) -> str:
    parts = [
        f"{abs(distance):g} px {toward if distance > 0 else away}"
        for distance, toward, away in ((dx, "right", "left"), (dy, "down", "up"))
        if distance
    ]
    return f"moved {' and '.join(parts)}" if parts else "moved its content"


def difference(mutation: Mutation, before: Box, after: Box) -> dict[str, Any]:
    """The difference of the pair that `mutation` makes, as `schemas.DIFFERENCE` stores it; the box is the union."""
    where = location(before)
    x, y = min(before[0], after[0]), min(before[1], after[1])
    return {
        "kind": mutation.operator,
        "target": {**mutation.element, "location": where},
        "property": mutation.property,
        "before": mutation.before,
        "after": mutation.after,
        "direction": mutation.direction,
        "magnitude": float(mutation.magnitude),
        "magnitude_unit": mutation.magnitude_unit,
        "description": describe(mutation, before, after),
        "box": {
            "x": x,
            "y": y,
            "width": max(before[0] + before[2], after[0] + after[2]) - x,
            "height": max(before[1] + before[3], after[1] + after[3]) - y,
        },
    }
