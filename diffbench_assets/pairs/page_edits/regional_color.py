"""Regional color: the text or the background of one thing takes another color, or becomes lighter or darker.

Belongs here: colors that can be told by name and still be read. Does not belong here: naming them (`color_words.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from diffbench_assets.pairs.color_words import PAINTS, apart, brightness, color_word, contrast
from diffbench_assets.pairs.colors import alpha, rgb_bytes, shades
from diffbench_assets.pairs.edits import Edit
from diffbench_assets.pairs.grammar import Claim
from diffbench_assets.pairs.page_edits.loaded import LoadedPage, Thing
from diffbench_assets.pairs.page_edits.offers import Offer

LEAST_CONTRAST: Final = 2.0
"""Contrast of text and ground that every change leaves."""

COLORS: Final = 3
"""Colors offered for one place."""

RUNGS: Final = (3, 4, 5)
"""Steps on the ladder of shades that make a color lighter or darker."""


def offers(thing: Thing, page: LoadedPage, dice: np.random.Generator) -> Iterator[Offer]:
    """Other colors for the text of a thing, for its ground, or for an icon that is drawn in one color."""
    style = thing.element.style
    if float(style["opacity"]) < 1 or thing.details.glyph:
        return
    whole = thing.element.children == 0
    if whole and thing.element.own and "text" not in style["background-clip"]:
        yield from _places(thing, _text_of(thing), "color", [_ground(thing, page)], dice)
    elif thing.element.tag == "svg" and "currentColor" in thing.details.drawing:
        yield from _places(thing, thing.phrase, "color", [_ground(thing, page)], dice)
    if alpha(style["background-color"]) == 1 and style["background-image"] == "none" and not thing.details.type:
        texts = [element.style["color"] for element in page.inside(thing) if element.own or element.tag == "svg"]
        yield from _places(thing, f"the background of {thing.phrase}", "background-color", texts, dice)


def _text_of(thing: Thing) -> str:
    return thing.phrase if thing.noun == "text" else f"the text of {thing.phrase}"


def _places(thing: Thing, named: str, property: str, others: list[str], dice: np.random.Generator) -> Iterator[Offer]:
    """Offers for one color, each at LEAST_CONTRAST from `others`, which it stands against."""
    before = thing.element.style[property]
    if rgb_bytes(before) is None or alpha(before) < 1:
        return
    word = color_word(before)
    words = [name for name in PAINTS if word and apart(word, name) and _readable(PAINTS[name], others)]
    for name in dice.permutation(words)[:COLORS]:
        yield _offer(thing, Claim(named, "recolored", str(word), str(name)), property, before, PAINTS[name], 0, 1, "")
    at, rungs = shades(before)
    for direction, claim in ((-1, "lighter"), (1, "darker")):
        steps = int(dice.choice(RUNGS))
        to = at + direction * steps
        if 0 <= to < len(rungs) and rungs[to] != before and _readable(rungs[to], others):
            step = brightness(rungs[to]) - brightness(before)
            if step * direction < 0:
                yield _offer(thing, Claim(named, claim), property, before, rungs[to], direction, steps, "steps")


def _offer(
    thing: Thing, claim: Claim, property: str, before: str, after: str, direction: int, magnitude: float, unit: str
) -> Offer:
    edit = Edit(thing.selector, "style", property, after)
    return Offer(thing, claim, (edit,), property, before, after, direction, magnitude, unit)


def _readable(color: str, others: list[str]) -> bool:
    return all(contrast(color, other) >= LEAST_CONTRAST for other in others)


def _ground(thing: Thing, page: LoadedPage) -> str:
    """The most frequent color of the thing's box: what its text stands on."""
    x, y, width, height = (int(value) for value in thing.element.box)
    colors, counts = np.unique(page.pixels[y : y + height, x : x + width], return_counts=True)
    pixel = np.array([colors[counts.argmax()]], dtype=np.uint32).view(np.uint8)
    return f"rgb({pixel[0]}, {pixel[1]}, {pixel[2]})"
