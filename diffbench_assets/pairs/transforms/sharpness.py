"""Sharpness: the detail of surfaces raised.

Belongs here: gain of the detail an image has. Does not belong here: its loss (`texture.py`), or resolution.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from .common import Image, Transformed, between, check, require, rounded
from .surface import blur, detail, surfaces
from .texture import MIN_DETAIL

SIGMA: Final = (1.5, 2.5)
"""Pixels, standard deviation of the blur of the unsharp mask. Ours."""

AMOUNT: Final = (0.8, 1.4)
"""Share of the detail that is added once more. Ours."""

MIN_GAIN: Final = 0.25
"""Share of the surface detail that must be gained. Ours."""


def sharpen(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Transformed:
    """An unsharp mask of AMOUNT × `strength` on surfaces; edges are left alone and get no halo (rougher)."""
    check(image, strength)
    sigma, amount = between(rng, SIGMA), between(rng, AMOUNT) * strength
    blurred = blur(image, sigma)
    gain = surfaces(image, blurred) * np.float32(amount / 255)
    sharp = np.subtract(image, blurred, dtype=np.float32)
    sharp *= gain[..., None]
    sharp += image
    after = rounded(sharp)
    had, has = detail(image, after)
    require("rougher", "the surface detail in levels", had, MIN_DETAIL)
    require("rougher", "the gained share of surface detail", has / had - 1, MIN_GAIN)
    return Transformed(after, {"sigma": sigma, "amount": amount}, "rougher")
