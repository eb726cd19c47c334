"""Layout operators: position, spacing and justify.

Belongs here: where each applies and how its scale runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from diffbench_assets.pages.ladders import TAILWIND_SCALES
from diffbench_assets.pairs.css.operators.base import Element, Variant, class_variants, inline_variant, nearest
from diffbench_assets.pairs.edits import Edit

SPACES = tuple(value for _, value in TAILWIND_SCALES["p"] if value != "1px")
OFFSETS = tuple(f"-{value}" for value in SPACES[:0:-1]) + SPACES
JUSTIFY = tuple(value for _, value in TAILWIND_SCALES["justify"])

PADDINGS = {
    "p": "padding",
    "px": "padding-inline",
    "py": "padding-block",
    "pt": "padding-top",
    "pr": "padding-right",
    "pb": "padding-bottom",
    "pl": "padding-left",
}
SIDES = {side: side for side in ("top", "left", "right", "bottom", "inset")} | {
    "inset-x": "inset-inline",
    "inset-y": "inset-block",
}
GAPS = {"gap": "gap", "gap-x": "column-gap", "gap-y": "row-gap"}


SPREADS: Final[Mapping[str, str]] = {
    # Start and end, since left and right depend on the direction of the page.
    "normal": "gathered at its start",
    "start": "gathered at its start",
    "left": "gathered at its start",
    "flex-start": "gathered at its start",
    "center": "gathered in its middle",
    "end": "gathered at its end",
    "right": "gathered at its end",
    "flex-end": "gathered at its end",
    "space-between": "spread out to both ends",
    "space-around": "spread out with half gaps at the ends",
    "space-evenly": "spread out with equal gaps everywhere",
}


def _px(values: tuple[str, ...]) -> tuple[float, ...]:
    return tuple(float(value.removesuffix("px")) for value in values)


def position_variants(element: Element) -> Iterator[Variant]:
    """The offset of a positioned element, or a relative offset of one that is not: it moves and nothing makes room."""
    if element.hits < 3:
        return
    position = element.style["position"]
    if position != "static":
        yield from class_variants(element, SIDES)
    if position in ("static", "relative"):
        extra = (Edit(element.selector, "style", "position", "relative"),) if position == "static" else ()
        for side in ("top", "left"):
            yield inline_variant(element, side, nearest(element.px(side), _px(OFFSETS)), OFFSETS, extra)
    elif element.style["translate"] == "none":
        zero = OFFSETS.index("0px")
        yield inline_variant(element, "translate", zero, OFFSETS)
        yield inline_variant(element, "translate", zero, tuple(f"0px {value}" for value in OFFSETS))


def spacing_variants(element: Element) -> Iterator[Variant]:
    """Padding of any element with content, and the gap of flex and grid containers with two children or more."""
    if not element.own and not element.children:
        return
    properties = dict(PADDINGS)
    if element.children > 1 and element.style["display"] in ("flex", "grid", "inline-flex", "inline-grid"):
        properties |= GAPS
    yield from class_variants(element, properties)
    inline = ["padding-top", "padding-left", "padding-bottom", "padding-right", "padding"]
    if "gap" in properties:
        inline.append("gap")
    for property in inline:
        value = element.style[property]
        if value != "normal" and " " not in value:
            yield inline_variant(element, property, nearest(element.px(property), _px(SPACES)), SPACES)


def justify_variants(element: Element) -> Iterator[Variant]:
    """Distribution of the children of a flex container along its main axis; free space decides in the page."""
    if not element.children or element.style["display"] not in ("flex", "inline-flex"):
        return
    axis = _main_axis(element.style)
    for variant in class_variants(element, {"justify": "justify-content"}):
        yield replace(variant, axis=axis)
    value = element.style["justify-content"]
    plain = {"normal": "flex-start", "start": "flex-start", "left": "flex-start", "end": "flex-end"}.get(value, value)
    if plain in JUSTIFY:
        yield replace(inline_variant(element, "justify-content", JUSTIFY.index(plain), JUSTIFY), axis=axis)


def _main_axis(style: Mapping[str, str]) -> str:
    """Which way the children of a flex container follow one another."""
    forth, back = ("left", "right") if style["direction"] == "rtl" else ("right", "left")
    if style["flex-direction"].startswith("column"):
        forth, back = "down", "up"
    return back if style["flex-direction"].endswith("reverse") else forth


def moves(before: str, after: str, direction: int, moved: tuple[float, float]) -> tuple[tuple[str, ...], ...]:
    """Where the box went, along each axis on which it did."""
    right, down = moved
    across = (("moved_right" if right > 0 else "moved_left",),) if right else ()
    along = (("moved_down" if down > 0 else "moved_up",),) if down else ()
    return (*across, *along)


def spreads(before: str, after: str, direction: int, moved: tuple[float, float]) -> tuple[tuple[str, ...], ...]:
    """How the content is distributed, where it is distributed in another way."""
    was, now = SPREADS.get(before, ""), SPREADS.get(after, "")
    return (("spread", was, now),) if was and now and was != now else ()
