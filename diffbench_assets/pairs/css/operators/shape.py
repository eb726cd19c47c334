"""Shape operators: border width and corner radius.

Belongs here: where each applies and how its scale runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from diffbench_assets.pages.ladders import TAILWIND_SCALES
from diffbench_assets.pairs.css.operators.base import Element, Variant, class_variants, inline_variant, nearest
from diffbench_assets.pairs.edits import Edit

WIDTHS = tuple(value for _, value in TAILWIND_SCALES["border"])
RADII = tuple(value for _, value in TAILWIND_SCALES["rounded"])
SIDES = {"border": "border-width"} | {
    f"border-{short}": f"border-{side}-width"
    for short, side in (("t", "top"), ("r", "right"), ("b", "bottom"), ("l", "left"))
}


def border_variants(element: Element) -> Iterator[Variant]:
    """The width of the whole border, or of one side that a class sets."""
    if element.hits < 3:
        return
    yield from class_variants(element, SIDES)
    width = element.style["border-width"]
    if " " in width:
        return
    none = element.style["border-top-style"] == "none"
    solid = (Edit(element.selector, "style", "border-style", "solid"),) if none else ()
    at = nearest(element.px("border-width"), tuple(float(value.removesuffix("px")) for value in WIDTHS))
    yield inline_variant(element, "border-width", at, WIDTHS, solid)


def rounded_variants(element: Element) -> Iterator[Variant]:
    """Corner radius of elements that paint something for it to cut: a fill, a border or an image.

    What they contain is no reason: cut by an edge, it mostly changes in its anti-aliasing alone.
    """
    radius = element.style["border-radius"]
    if not (element.painted or element.tag == "img") or element.hits < 3 or " " in radius:
        return
    for variant in class_variants(element, {"rounded": "border-radius"}):
        yield _up_to_half(variant, element)
    if radius.endswith("px"):
        at = nearest(element.px("border-radius"), tuple(float(value.removesuffix("px")) for value in RADII))
        yield _up_to_half(inline_variant(element, "border-radius", at, RADII), element)


def _up_to_half(variant: Variant, element: Element) -> Variant:
    """The scale up to the first radius that makes the box fully round: larger ones look the same."""
    half = min(element.box[2], element.box[3]) / 2
    radii = [float(value.removesuffix("px")) for value in variant.values]
    full = next((i for i, radius in enumerate(radii) if radius >= half), len(radii) - 1)
    return replace(variant, at=min(variant.at, full), values=variant.values[: full + 1])
