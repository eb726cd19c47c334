"""Position: a thing moves sideways, up or down, and nothing makes room for it.

Belongs here: moves. Does not belong here: whether there is room (`page.js`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from diffbench_assets.pairs.edits import Edit
from diffbench_assets.pairs.grammar import Claim
from diffbench_assets.pairs.page_edits.loaded import LoadedPage, Thing
from diffbench_assets.pairs.page_edits.offers import Offer

DISTANCES: Final = (10, 16, 24, 36)
"""CSS px of a move: what a careful look at both images tells, up to what nobody misses."""

_SIDES: Final = (
    ("moved_left", "left", -1),
    ("moved_right", "left", 1),
    ("moved_up", "top", -1),
    ("moved_down", "top", 1),
)


def offers(thing: Thing, page: LoadedPage, dice: np.random.Generator) -> Iterator[Offer]:
    """One move each way, by a distance of its own."""
    style = thing.element.style
    relative = style["position"] in ("static", "relative")
    if not relative and not thing.details.untransformed:
        return
    for claim, side, sign in _SIDES:
        step = sign * int(dice.choice(DISTANCES))
        if relative:
            # An offset that a relative element already has stays part of it.
            name, before, to = side, style[side], f"{thing.element.px(side) + step:g}px"
        else:
            name, before, to = "translate", "none", f"{step}px" if side == "left" else f"0px {step}px"
        edit = Edit(thing.selector, "style", name, to)
        extra = (Edit(thing.selector, "style", "position", "relative"),) if relative else ()
        edits = (*extra, edit)
        yield Offer(thing, Claim(thing.phrase, claim), edits, name, before, to, sign, abs(step), "px", roams=True)
