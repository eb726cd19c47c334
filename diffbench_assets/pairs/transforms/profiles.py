"""Which low-level changes a set of pairs has, and what else may be claimed of their images: one row a profile.

Belongs here: profiles, and when a claim of another category is certainly false. Does not belong here: how a change is
made (one module a kind of change), or which statements may stand in one question (`grammar.excludes`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from diffbench_assets.pairs.grammar import TINTS, WHOLE_IMAGE, Claim, excludes
from diffbench_assets.seeds import rng

from .color import along
from .common import Image, NoEffect, luma

STILL: Final = 1.5
"""Levels below which the mean brightness, or the mean color along a tint, has not moved: the least that makes a tint,
and half of the least that makes a brightness. Noise that clips at white dims a page, and smoothing takes color along.
Ours."""


@dataclass(frozen=True)
class Profile:
    """The changes of each low-level category.

    `mixed`: a category makes too few kinds of change for false statements of its own, so they are about the other
    categories too, as in the paper's examples (figure 7). Every category then offers one kind of change and its
    reverse, so that each statement is as often true as any other.
    """

    changes: Mapping[str, tuple[str, ...]]
    mixed: bool


PROFILES: Final[Mapping[str, Profile]] = {
    # VDiff-Bench appendix A.2: Gaussian noise, smoothing, color shift, gamma and offset.
    "paper": Profile(
        {
            "whole_color": TINTS,
            "noise": ("grainier",),
            "texture": ("smoother",),
            "illumination": ("brighter", "dimmer"),
        },
        mixed=True,
    ),
    # Beside them each change in reverse, resolution, weaves, and light from one side.
    "extended": Profile(
        {
            "whole_color": TINTS,
            "noise": ("grainier", "cleaner", "coarser", "finer"),
            "texture": ("smoother", "rougher", "woven", "unwoven"),
            "illumination": ("brighter", "dimmer", "lit_left", "lit_right", "lit_top", "lit_bottom"),
        },
        mixed=False,
    ),
}


def possible_claims(profile: Profile, change: str, *key: object) -> tuple[Claim, ...]:
    """What could have been said of an image that shows `change`; the reverse of every claim is among them.

    In a mixed profile these are a change of each category, drawn by `key` where there are several.
    """
    own = next(changes for changes in profile.changes.values() if change in changes)
    if not profile.mixed:
        return tuple(Claim(WHOLE_IMAGE, each) for each in own)
    generator = rng("beside", *key)
    drawn = (change if changes is own else str(generator.choice(changes)) for changes in profile.changes.values())
    return tuple(claim for each in drawn for claim in (Claim(WHOLE_IMAGE, each), Claim(WHOLE_IMAGE, each).reversed()))


def require_false(truth: Claim, possible: tuple[Claim, ...], before: Image, after: Image) -> None:
    """Raises NoEffect where a claim that excludes `truth` may be seen in the images as well."""
    color = after.mean(axis=(0, 1)) - before.mean(axis=(0, 1))
    light = float(luma(after).mean()) - float(luma(before).mean())
    moved = {"brighter": light, "dimmer": -light} | {tint: along(tint, color) for tint in TINTS}
    for claim in possible:
        if excludes(truth, claim) and claim.axis != truth.axis and moved.get(claim.change, 0.0) >= STILL:
            raise NoEffect(f"{truth.change}: the image {claim.predicate} too, by {moved[claim.change]:.2f} levels")
