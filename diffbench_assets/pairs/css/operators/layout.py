"""Layout operators: position, spacing and justify.

Belongs here: where each applies and how its scale runs.
"""

from __future__ import annotations

from collections.abc import Iterator

from diffbench_assets.pages.scales import TAILWIND_SCALES
from diffbench_assets.pairs.css.mutation import Edit
from diffbench_assets.pairs.css.operators.base import Element, Variant, class_variants, inline_variant, nearest

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
        extra = (Edit("style", "relative", property="position"),) if position == "static" else ()
        for side in ("top", "left"):
            yield inline_variant(side, element.style[side], nearest(element.px(side), _px(OFFSETS)), OFFSETS, extra)
    elif element.style["translate"] == "none":
        zero = OFFSETS.index("0px")
        yield inline_variant("translate", "none", zero, OFFSETS)
        yield inline_variant("translate", "none", zero, tuple(f"0px {value}" for value in OFFSETS))


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
            yield inline_variant(property, value, nearest(element.px(property), _px(SPACES)), SPACES)


def justify_variants(element: Element) -> Iterator[Variant]:
    """Distribution of the children of a flex container along its main axis; free space decides in the page."""
    if not element.children or element.style["display"] not in ("flex", "inline-flex"):
        return
    yield from class_variants(element, {"justify": "justify-content"})
    value = element.style["justify-content"]
    plain = {"normal": "flex-start", "start": "flex-start", "left": "flex-start", "end": "flex-end"}.get(value, value)
    if plain in JUSTIFY:
        yield inline_variant("justify-content", value, JUSTIFY.index(plain), JUSTIFY)
