"""Color of the whole image: one small chromatic offset on all pixels, in two steps as VDiff-Bench makes it.

Belongs here: color casts and the name of one. Does not belong here: brightness, which a cast leaves alone.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow

from diffbench_assets.pairs.grammar import TINTS

from .common import Image, NoEffect, Transformed, check, lookup

PERTURBATION: Final = 30
"""Levels, at most, of the first, stronger shift of a channel. The paper calls it "stronger" and no more: ours."""

SCALE: Final = 0.55
"""Share of the color direction that is applied (VDiff-Bench appendix A.2)."""

CAP: Final = 12.0
"""Levels, at most, of the offset of a channel (VDiff-Bench appendix A.2)."""

MIN_OFFSET: Final = 6.0
"""Levels, at least, of the largest channel's offset at strength 1. Ours."""

MIN_SHIFT: Final = 1.5
"""Levels, at least, by which the image's mean color must really move: white and black pixels clip. Ours."""

HUE_MARGIN: Final = 10.0
"""Degrees that a hue keeps from the boundary between the names of two tints, which are 60 apart. Ours."""

ATTEMPTS: Final = 400
"""Draws before an image is given up; about one in ten is taken where nothing clips. Ours."""

Triple = npt.NDArray[np.float64]


def hue(offset: Triple) -> float:
    """Degrees around the color circle, 0…360: red 0, yellow 60, green 120, cyan 180, blue 240, magenta 300."""
    red, green, blue = offset
    return math.degrees(math.atan2(math.sqrt(3) * (green - blue), 2 * red - green - blue)) % 360


def tint_of(offset: Triple, margin: float = HUE_MARGIN) -> str | None:
    """The nearest tint of grammar.TINTS; None within `margin` degrees of two of them being equally near."""
    sector, rest = divmod(hue(offset) + 30, 60)
    return TINTS[int(sector) % len(TINTS)] if margin <= rest <= 60 - margin else None


def along(change: str, shift: Triple) -> float:
    """Levels, of the channel that moves most, by which a shift of the mean color goes towards the tint `change`."""
    chroma = shift - shift.mean()
    away = math.radians(hue(chroma) - 60 * TINTS.index(change))
    return float(np.linalg.norm(chroma)) * math.cos(away) * math.sqrt(2 / 3)


def tint(image: Image, rng: np.random.Generator, strength: float = 1.0, change: str = TINTS[0]) -> Transformed:
    """An offset whose hue bears the name `change`, SCALE × `strength` of a perturbation's color direction.

    Perturbations are drawn until both the offset and the shift of the mean color that is left after clipping clearly
    have that hue and size. At strengths up to 1 the cap and the least offset scale along; CAP holds at any strength.
    """
    check(image, strength)
    counts = np.array(Pillow.fromarray(image).histogram(), dtype=np.float64).reshape(3, 256)
    counts /= counts.sum(axis=1, keepdims=True)
    for _ in range(ATTEMPTS):
        perturbation = rng.integers(-PERTURBATION, PERTURBATION, size=3, endpoint=True)
        offset = color_offset(counts, perturbation, strength)
        if np.abs(offset).max() < MIN_OFFSET * min(1, strength) or tint_of(offset) != change:
            continue
        shift = _mean_shift(counts, offset)
        color_shift = shift - shift.mean()
        if np.abs(color_shift).max() >= MIN_SHIFT and tint_of(color_shift) == change:
            after = lookup(image, _shifted(offset))
            parameters = {"perturbation": perturbation.tolist(), "offset": offset.tolist(), "shift": shift.tolist()}
            return Transformed(after, parameters, change)
    raise NoEffect(f"{change}: too many pixels are black, white or fully saturated to take a clear tint")


def color_offset(counts: Triple, perturbation: npt.NDArray[Any], strength: float) -> Triple:
    """Levels to add to each channel, of zero mean and not yet rounded.

    `counts` is a normalised 3 × 256 histogram: the mean change of a channel needs nothing else of the image. The cap
    scales the whole vector, because cutting one channel would change its hue and its mean.
    """
    direction = _mean_shift(counts, perturbation)
    offset = (direction - direction.mean()) * SCALE * strength
    cap = CAP * min(1, strength)
    largest = float(np.abs(offset).max())
    if largest > cap:
        offset *= cap / largest
    return offset - offset.mean()


def _shifted(offset: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """3 × 256: the level that each level becomes."""
    return np.clip(np.rint(np.arange(256) + offset[:, None]), 0, 255).astype(np.int64)


def _mean_shift(counts: Triple, offset: npt.NDArray[Any]) -> Triple:
    """Mean difference per channel between the shifted, clipped image and the original."""
    return (counts * (_shifted(offset) - np.arange(256))).sum(axis=1)
