"""Illumination: the whole image brighter or dimmer, and light that comes from one side.

Belongs here: gamma-plus-linear changes of brightness. Does not belong here: color, contrast, or light on one object.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from .common import Image, NoEffect, Transformed, between, check, lookup, luma, require, smoothstep

GAMMA_BRIGHTER: Final = (0.70, 0.85)
GAMMA_DARKER: Final = (1.15, 1.30)
"""Exponents of the normalised levels (VDiff-Bench appendix A.2)."""

OFFSET_BRIGHTER: Final = (5, 15)
OFFSET_DARKER: Final = (-15, -5)
"""Whole levels that are added, both ends included (VDiff-Bench appendix A.2)."""

MIN_SHARE: Final = 0.6
"""Share of the pixels whose luma must change: white takes no more light, and black loses none. Ours."""

MIN_MEAN: Final = 3.0
"""Levels by which the mean luma must change. Both hold of the image, or of either half for light from a side. Ours."""

MAX_ACROSS: Final = 0.35
"""Light from a side: how far the other two halves may part, as a share of how far these do. Ours."""

SIDES: Final = {"lit_left": (1, False), "lit_right": (1, True), "lit_top": (0, False), "lit_bottom": (0, True)}
"""The axis of the image along which light falls off, and whether the bright side is the one where the axis ends."""

Numbers = npt.NDArray[np.float64]


def brighten(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Transformed:
    """clip(255·x^γ + b) with γ below 1 and b above 0 (brighter)."""
    return _relight("brighter", image, rng, strength, +1)


def dim(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Transformed:
    """clip(255·x^γ + b) with γ above 1 and b below 0 (dimmer)."""
    return _relight("dimmer", image, rng, strength, -1)


def light_side(image: Image, rng: np.random.Generator, strength: float = 1.0, change: str = "lit_left") -> Transformed:
    """Brighter as `brighten` on one side, going over smoothly into dimmer as `dim` on the other; `change` of SIDES."""
    check(image, strength)
    axis, at_end = SIDES[change]
    (bright_gamma, bright_offset), (dark_gamma, dark_offset) = (_draw(rng, strength, sign) for sign in (+1, -1))
    dark = smoothstep((np.arange(image.shape[axis]) + 0.5) / image.shape[axis])
    if at_end:
        dark = dark[::-1]
    gamma = bright_gamma ** (1 - dark) * dark_gamma**dark
    offset = bright_offset * (1 - dark) + dark_offset * dark
    places = np.arange(len(dark), dtype=np.int32) * 256
    after = curve(gamma, offset).take(image + np.expand_dims(places, (1 - axis, 2)))

    differences = np.subtract(luma(after), luma(image), dtype=np.int16)
    halves = np.array_split(differences, 2, axis=axis)
    lit, unlit = reversed(halves) if at_end else halves
    gain, loss = _verify(change, "the bright half", lit), _verify(change, "the dim half", -unlit)
    one, other = np.array_split(differences, 2, axis=1 - axis)
    across = abs(float(one.mean() - other.mean()))
    if across > MAX_ACROSS * (gain + loss):
        raise NoEffect(f"{change}: the image's content parts the other two halves as well, by {across:.2f} levels")
    parameters = {
        "gamma_bright": bright_gamma,
        "offset_bright": bright_offset,
        "gamma_dark": dark_gamma,
        "offset_dark": dark_offset,
    }
    return Transformed(after, parameters, change)


def curve(gamma: Numbers, offset: Numbers) -> Image:
    """n × 256: for each of n pairs of γ and b, the level that each level becomes."""
    levels = 255 * (np.arange(256) / 255) ** gamma[:, None] + offset[:, None]
    return np.clip(np.rint(levels), 0, 255).astype(np.uint8)


def _draw(rng: np.random.Generator, strength: float, sign: int) -> tuple[float, float]:
    """γ, to the power of `strength`, and b, times `strength`."""
    gammas, offsets = (GAMMA_BRIGHTER, OFFSET_BRIGHTER) if sign > 0 else (GAMMA_DARKER, OFFSET_DARKER)
    return between(rng, gammas) ** strength, int(rng.integers(*offsets, endpoint=True)) * strength


def _relight(change: str, image: Image, rng: np.random.Generator, strength: float, sign: int) -> Transformed:
    check(image, strength)
    gamma, offset = _draw(rng, strength, sign)
    after = lookup(image, curve(np.array([gamma]), np.array([offset])))
    _verify(change, "the image", sign * np.subtract(luma(after), luma(image), dtype=np.int16))
    return Transformed(after, {"gamma": gamma, "offset": offset}, change)


def _verify(change: str, where: str, differences: npt.NDArray[np.int16]) -> float:
    """The mean of `differences`, which must be above zero for most pixels, and in the mean by enough."""
    mean = float(differences.mean())
    require(change, f"the share of {where} that changes", float((differences > 0).mean()), MIN_SHARE)
    require(change, f"the change of {where} in levels", mean, MIN_MEAN)
    return mean
