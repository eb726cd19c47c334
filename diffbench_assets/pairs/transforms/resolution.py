"""Resolution: scaled down and up again, and the same loss undone.

Belongs here: changes of how fine the detail is that an image can hold; its size in pixels stays. Does not belong here:
sharpening, which raises contrast and brings no detail back.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from PIL import Image as Pillow

from .common import Image, NoEffect, Transformed, between, check, grain, require, sharpness

SCALE: Final = (0.35, 0.50)
"""Factor to which both sides shrink before they grow back. The paper names the change and no numbers: ours."""

SCALE_RESTORED: Final = (0.75, 0.90)
"""Factor of the restored image of a pair, so that neither of its images is the seed. Ours."""

MIN_LOSS: Final = 0.12
"""Share of the sharpness that must be lost. Ours."""

MIN_SHARPNESS: Final = 1.0
"""Levels of sharpness that must be lost as well: a plain gradient has no resolution to lose. Ours."""

MAX_GRAIN_CHANGE: Final = 1.5
"""Levels. Scaling takes grain away too; where there is more of it, "less grainy" would be true as well. Ours."""


def resample(image: Image, scale: float) -> Image:
    """Down to `scale` of both sides (Hamming, no aliasing) and back up (bicubic)."""
    height, width = image.shape[:2]
    small = (max(1, round(width * scale)), max(1, round(height * scale)))
    lost = Pillow.fromarray(image).resize(small, Pillow.Resampling.HAMMING)
    return np.asarray(lost.resize((width, height), Pillow.Resampling.BICUBIC))


def lose_resolution(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Transformed:
    """Resampled at SCALE to the power of `strength` (coarser)."""
    check(image, strength)
    scale = between(rng, SCALE) ** strength
    after = resample(image, scale)
    _verify("coarser", fine=image, coarse=after)
    return Transformed(after, {"scale": scale}, "coarser")


def restore_resolution(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Transformed:
    """From the seed resampled at SCALE to it at SCALE_RESTORED, both to the power of `strength` (finer)."""
    check(image, strength)
    coarse, fine = between(rng, SCALE) ** strength, between(rng, SCALE_RESTORED) ** strength
    before, after = resample(image, coarse), resample(image, fine)
    _verify("finer", fine=after, coarse=before)
    return Transformed(after, {"scale_before": coarse, "scale_after": fine}, "finer", before)


def _verify(change: str, fine: Image, coarse: Image) -> None:
    sharp, lost = sharpness(fine), sharpness(fine) - sharpness(coarse)
    require(change, "the difference of sharpness in levels", lost, max(MIN_SHARPNESS, MIN_LOSS * sharp))
    if (changed := abs(grain(fine) - grain(coarse))) > MAX_GRAIN_CHANGE:
        raise NoEffect(f"{change}: the grain changes by {changed:.2f} levels, {MAX_GRAIN_CHANGE:g} is allowed")
