"""Low-level changes of a whole image: one table of them by category, and the choice among them.

Belongs here: which changes a category can make and what makes each. Does not belong here: how (one module a kind of
change), or what becomes of the images (pair makers). A new change is one row here and in `profiles.py`, and one entry
of grammar.CHANGES.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, Protocol

import numpy as np

from diffbench_assets import seeds
from diffbench_assets.pairs.grammar import TINTS

from .color import tint
from .common import Image, NoEffect, Transformed
from .illumination import SIDES, brighten, dim, light_side
from .noise import add_noise, remove_noise
from .profiles import Profile
from .resolution import lose_resolution, restore_resolution
from .sharpness import sharpen
from .texture import smooth, unweave, weave


class Apply(Protocol):
    """A pure function of its arguments. Raises NoEffect where the image does not take the change."""

    def __call__(self, image: Image, rng: np.random.Generator, strength: float = 1.0) -> Transformed: ...


@dataclass(frozen=True)
class Transform:
    """`apply` makes `change` (a key of grammar.CHANGES); `direction` is +1 where the property grows, else -1.

    `applied_to` tells which image of the pair is the one that was transformed: neither where both are made from it.
    """

    name: str
    change: str
    direction: int
    apply: Apply
    applied_to: Literal["before", "after", "neither"] = "before"


LOW_LEVEL: Final[Mapping[str, tuple[Transform, ...]]] = {
    "whole_color": tuple(
        # Every other tint is a primary color, and the next but two its complement.
        Transform("tint", change, -1 if index % 2 else +1, partial(tint, change=change))
        for index, change in enumerate(TINTS)
    ),
    "noise": (
        Transform("add_noise", "grainier", +1, add_noise),
        Transform("remove_noise", "cleaner", -1, remove_noise, applied_to="neither"),
        Transform("lose_resolution", "coarser", -1, lose_resolution),
        Transform("restore_resolution", "finer", +1, restore_resolution, applied_to="neither"),
    ),
    "texture": (
        Transform("smooth", "smoother", -1, smooth),
        Transform("sharpen", "rougher", +1, sharpen),
        Transform("weave", "woven", +1, weave),
        Transform("unweave", "unwoven", -1, unweave, applied_to="after"),
    ),
    "illumination": (
        Transform("brighten", "brighter", +1, brighten),
        Transform("dim", "dimmer", -1, dim),
        *(
            # As elsewhere, +1 is rightwards and downwards: where the light has gone.
            Transform("light_side", change, +1 if at_end else -1, partial(light_side, change=change))
            for change, (_, at_end) in SIDES.items()
        ),
    ),
}
"""The transforms of each low-level category; within one, every change is the reverse of another."""

BY_CHANGE: Final[Mapping[str, Transform]] = {row.change: row for rows in LOW_LEVEL.values() for row in rows}


def choose(profile: Profile, category: str, place: int, *key: object) -> Transform:
    """The transform of a place in a set: over the places from 0 on, each of the profile's is equally frequent.

    Their order is seeded.

    Images that refuse a change refuse some changes more often than others, and chance alone would make some rarer. So a
    place has its change whatever the image, and a pair maker tries images until one takes it.
    """
    rows = [BY_CHANGE[change] for change in profile.changes[category]]
    order = seeds.rng("choose", category, place // len(rows), *key).permutation(len(rows))
    return rows[int(order[place % len(rows)])]


__all__ = ["BY_CHANGE", "LOW_LEVEL", "Image", "NoEffect", "Transform", "Transformed", "choose"]
