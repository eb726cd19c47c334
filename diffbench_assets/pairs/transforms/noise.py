"""Grain: Gaussian noise added, and added noise taken away again.

Belongs here: changes of an image's grain. Does not belong here: loss of resolution, which keeps the grain.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from .common import Floats, Image, Transformed, between, check, grain, require, rounded

SIGMA: Final = 15.0
"""Standard deviation in 8-bit levels, for every pixel and channel by itself (VDiff-Bench appendix A.2)."""

RESIDUAL: Final = (0.10, 0.30)
"""Share of the noise that is left in a cleaned image, so that neither image of the pair is the seed. Ours."""

MIN_GRAIN: Final = 2.0
"""Levels by which the measured grain of both images must differ. Ours."""


def gaussian(shape: tuple[int, ...], rng: np.random.Generator, sigma: float) -> Floats:
    """Zero-mean noise in levels, before it is added and clipped."""
    return rng.standard_normal(shape, dtype=np.float32) * np.float32(sigma)


def add_noise(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Transformed:
    """Noise of SIGMA × `strength`, clipped to 0…255 (grainier)."""
    check(image, strength)
    sigma = SIGMA * strength
    noise = gaussian(image.shape, rng, sigma)
    after = rounded(np.add(image, noise, out=noise))
    require("grainier", "the rise of grain in levels", grain(after) - grain(image), MIN_GRAIN)
    return Transformed(after, {"sigma": sigma}, "grainier")


def remove_noise(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Transformed:
    """From noise of SIGMA × `strength` down to a RESIDUAL share of that same noise (cleaner).

    What is removed is exactly noise. A denoising filter takes fine detail along, and then "has a lower resolution",
    which questions offer as a false statement, would be true too.
    """
    check(image, strength)
    sigma, residual = SIGMA * strength, between(rng, RESIDUAL)
    noise = gaussian(image.shape, rng, sigma)
    before = rounded(image + noise)
    noise *= np.float32(residual)
    after = rounded(np.add(image, noise, out=noise))
    require("cleaner", "the fall of grain in levels", grain(before) - grain(after), MIN_GRAIN)
    return Transformed(after, {"sigma_before": sigma, "sigma_after": sigma * residual}, "cleaner", before)
