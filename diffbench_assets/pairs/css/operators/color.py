"""Color operators: color (text and background), opacity and gradient.

Belongs here: where each applies and how its scale runs. None of them can move a box.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from diffbench_assets.pages.ladders import TAILWIND_SCALES
from diffbench_assets.pairs.color_words import brightness, color_word
from diffbench_assets.pairs.colors import COLOR_PATTERN, alpha, shades
from diffbench_assets.pairs.css.operators.base import (
    Element,
    Variant,
    class_variants,
    inline_variant,
    nearest,
    same_value,
)

HUES = tuple(prefix.removeprefix("bg-") for prefix in TAILWIND_SCALES if prefix.startswith("bg-"))
OPACITIES = tuple(value for _, value in TAILWIND_SCALES["opacity"])
OPACITY_RUNG: Final = 25
"""Points of opacity from one rung to the next: the paper's judge is told of 100 to 50 and of 100 to 25 (DiffSpot,
appendix on judge rules), which Tailwind's own steps of five do not reach in the steps of a tier.
"""


def scales(*kinds: str) -> tuple[str, ...]:
    """The prefixes of classes that give a color to what `kinds` name."""
    return tuple(f"{kind}-{hue}" for kind in kinds for hue in HUES)


def color_variants(element: Element) -> Iterator[Variant]:
    """Text colour of elements with text of their own, and background colour of elements that show one."""
    if element.hits < 3:
        return
    places = {}
    if element.own and "text" not in element.style["background-clip"]:
        places["text"] = "color"
    if alpha(element.style["background-color"]) > 0:
        places["bg"] = "background-color"
    for prefix, property in places.items():
        yield from class_variants(element, {f"{prefix}-{hue}": property for hue in HUES})
        at, rungs = shades(element.style[property])
        yield inline_variant(element, property, at, rungs)


def opacity_variants(element: Element) -> Iterator[Variant]:
    """Any element that shows something; never down to 0, where it would be gone instead of faded."""
    if element.hits < 3:
        return
    at = nearest(float(element.style["opacity"]), tuple(float(value) for value in OPACITIES))
    for variant in (
        *class_variants(element, {"opacity": "opacity"}),
        inline_variant(element, "opacity", at, OPACITIES),
    ):
        if variant.at > 0:
            yield _on_rungs(variant)


def _on_rungs(variant: Variant) -> Variant:
    """Every value above 0 that lies whole rungs from where the element stands."""
    points = [round(100 * float(value)) for value in variant.values]
    rungs = [i for i, at in enumerate(points) if at > 0 and (at - points[variant.at]) % OPACITY_RUNG == 0]
    return replace(
        variant,
        at=rungs.index(variant.at),
        values=tuple(variant.values[i] for i in rungs),
        edit=lambda to: variant.edit(rungs[to]),
        expect=lambda to: variant.expect(rungs[to]),
    )


def gradient_variants(element: Element) -> Iterator[Variant]:
    """One colour stop of a gradient background moves along the shades."""
    image = element.style["background-image"]
    if "gradient(" not in image or element.hits < 2:
        return
    stops = COLOR_PATTERN.findall(image)
    prefixes = {f"{stop}-{hue}": "background-image" for stop in ("from", "via", "to") for hue in HUES}
    yield from class_variants(
        element, prefixes, lambda shown, value: any(same_value(stop, value) for stop in COLOR_PATTERN.findall(shown))
    )
    for place in (0, len(stops) - 1):
        if alpha(stops[place]) == 0:
            continue
        at, rungs = shades(stops[place])
        yield inline_variant(element, "background-image", at, tuple(_with_stop(image, place, rung) for rung in rungs))


def _with_stop(image: str, place: int, color: str) -> str:
    spans = [match.span() for match in COLOR_PATTERN.finditer(image)]
    start, end = spans[place]
    return image[:start] + color + image[end:]


def recolors(before: str, after: str, direction: int, moved: tuple[float, float]) -> tuple[tuple[str, ...], ...]:
    """Another color by name where both colors certainly have one, else lighter or darker."""
    was, now = color_word(before), color_word(after)
    if was and now and was != now and not {"black", "gray", "white"} & {was, now}:
        return (("recolored", was, now),)
    step = brightness(after) - brightness(before)
    return (("lighter" if step > 0 else "darker",),) if step else ()


def shades_gradient(before: str, after: str, direction: int, moved: tuple[float, float]) -> tuple[tuple[str, ...], ...]:
    """Lighter or darker at one end; nothing where no one stop can be told to have changed."""
    stops = COLOR_PATTERN.findall(before), COLOR_PATTERN.findall(after)
    if len(stops[0]) != len(stops[1]):
        return ()
    steps = [brightness(b) - brightness(a) for a, b in zip(*stops, strict=True) if a != b]
    if len({step > 0 for step in steps}) != 1 or not steps[0]:
        return ()
    return (("lighter_gradient" if steps[0] > 0 else "darker_gradient",),)
