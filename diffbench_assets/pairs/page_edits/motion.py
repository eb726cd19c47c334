"""Motion: a thing is turned, or goes over into another state (checked, open, filled to another degree).

Belongs here: orientation and states. Does not belong here: moves (`position.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from diffbench_assets.browser.gate import Pixels
from diffbench_assets.pairs.edits import Edit
from diffbench_assets.pairs.grammar import Claim
from diffbench_assets.pairs.page_edits.loaded import LoadedPage, Thing
from diffbench_assets.pairs.page_edits.offers import Offer
from diffbench_assets.pairs.page_edits.pixels import channels

QUARTER: Final = 90
TILTS: Final = (15, 12, 8, 5)
"""Degrees of a tilt; the first at which the ends of the thing rise by no more than MOST_RISE."""

LEAST_RISE: Final = 4
MOST_RISE: Final = 40
"""CSS px between both ends of a tilted thing."""

RIVAL_SHARE: Final = 0.5
"""How much a turn must differ from the opposite one, as a share of all that is drawn."""

LEVELS: Final = (10, 25, 40, 60, 75, 90)
"""Per cent to which a bar may be filled; neighbours are told apart by eye."""

LEAST_LEVEL_STEP: Final = 15


def offers(thing: Thing, page: LoadedPage, dice: np.random.Generator) -> Iterator[Offer]:
    """Another state where the thing has states, else a turn each way."""
    details = thing.details
    if details.type in ("checkbox", "radio"):
        yield _toggle(thing, "checked", ("checked", "unchecked"))
    elif thing.element.tag == "details":
        yield _toggle(thing, "open", ("open", "closed"))
    elif details.gauge is not None:
        yield from _levels(thing, details.gauge)
    else:
        yield from _turns(thing, page)


def _toggle(thing: Thing, attribute: str, words: tuple[str, str]) -> Offer:
    on = thing.details.on
    before, after = words if on else words[::-1]
    edit = Edit(thing.selector, "attribute", attribute, None if on else "")
    claim = Claim(thing.phrase, "state", before, after)
    return Offer(thing, claim, (edit,), attribute, before, after, -1 if on else 1)


def _levels(thing: Thing, filled: float) -> Iterator[Offer]:
    """The bar filled to other levels: by its value, or by the width of the box that fills it."""
    now, (low, high) = round(100 * filled), thing.details.span
    native = thing.element.tag in ("progress", "input")
    for level in LEVELS:
        if abs(level - now) < LEAST_LEVEL_STEP:
            continue
        if native:
            value = f"{low + level * (high - low) / 100:g}"
            edit = Edit(thing.selector, "attribute", "value", value)
        else:
            edit = Edit(f"{thing.selector} > :nth-child(1)", "style", "width", f"{level}%")
        yield Offer(
            thing,
            Claim(thing.phrase, "state", f"at about {now}%", f"at about {level}%"),
            (edit,),
            edit.name,
            f"{now}%",
            f"{level}%",
            1 if level > now else -1,
            abs(level - now),
            "%",
        )


def _turns(thing: Thing, page: LoadedPage) -> Iterator[Offer]:
    details, (_, _, width, height) = thing.details, thing.element.box
    if details.inline or not details.untransformed:
        return
    if details.drawing and 0.8 <= width / height <= 1.25:
        if _turned_alike(page.pixels, thing):
            return
        angle = QUARTER
    else:
        rises = {tilt: max(width, height) * math.sin(math.radians(tilt)) for tilt in TILTS}
        fitting = [tilt for tilt in TILTS if LEAST_RISE <= rises[tilt] <= MOST_RISE]
        if not fitting:
            return
        angle = fitting[0]
    turned = {sign: (Edit(thing.selector, "style", "rotate", f"{sign * angle}deg"),) for sign in (1, -1)}
    for sign, claim in ((1, "turned_clockwise"), (-1, "turned_counterclockwise")):
        yield Offer(
            thing,
            Claim(thing.phrase, claim),
            turned[sign],
            "rotate",
            "none",
            f"{sign * angle}deg",
            sign,
            angle,
            "degrees",
            roams=True,
            rival=turned[-sign],
        )


def _turned_alike(pixels: Pixels, thing: Thing) -> bool:
    """Whether a drawing looks about the same upside down: then a quarter turn looks the same either way."""
    x, y, width, height = (round(value) for value in thing.element.box)
    image = channels(pixels[y : y + height, x : x + width])
    ink = int(np.abs(image - np.median(image, axis=(0, 1)).astype(np.int16)).sum())
    return int(np.abs(image - image[::-1, ::-1]).sum()) < RIVAL_SHARE * ink
