"""What every pixel transform shares: its result, its refusal, and the measurements that decide between the two.

Belongs here: the type of a transformed image, `NoEffect`, rounding, and measures of an image. Does not belong here: any
transform, or the size of an effect that one asks for (each stands as a constant beside its transform).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow

Image = npt.NDArray[np.uint8]
"""RGB pixels, height × width × 3."""

Pixels = npt.NDArray[np.uint8]
"""Levels of any number of channels; height × width for one."""

Floats = npt.NDArray[np.float32]

MIN_SIDE: Final = 32
"""Pixels; a smaller image shows too little of any low-level change to ask about it."""

GRAIN_BLOCK: Final = 16
"""Side of the squares, in pixels, on which grain is measured."""

FLAT_SHARE: Final = 20
"""Percentile of those squares, from the flattest, whose grain counts: where the image has little detail of its own."""


class NoEffect(Exception):
    """The transform does not have the effect it claims on this image: a pair maker goes on with another image."""


@dataclass(frozen=True, eq=False)
class Transformed:
    """`image` shows `change` (a key of grammar.CHANGES) against `before`; `before` None means the seed itself.

    `parameters` are the values that were drawn, as plain JSON values.
    """

    image: Image
    parameters: Mapping[str, Any]
    change: str
    before: Image | None = None


def check(image: Image, strength: float) -> None:
    """Raises ValueError for what is no RGB image or no strength, NoEffect for an image with a side below MIN_SIDE."""
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        raise ValueError(f"an image is uint8 of height × width × 3, not {image.dtype} of shape {image.shape}")
    if not (math.isfinite(strength) and strength > 0):
        raise ValueError(f"strength must be a positive number (1 is the published size), not {strength}")
    if min(image.shape[:2]) < MIN_SIDE:
        raise NoEffect(f"{image.shape[1]}×{image.shape[0]} pixels are too few: {MIN_SIDE} a side are needed")


def require(change: str, what: str, measured: float, least: float) -> None:
    """Raises NoEffect unless `measured` reaches `least`; NaN never does."""
    if not measured >= least:
        raise NoEffect(f"{change}: {what} is {measured:.2f}, {least:g} is needed")


def between(rng: np.random.Generator, bounds: tuple[float, float]) -> float:
    """A uniform draw."""
    return float(rng.uniform(*bounds))


def rounded(values: npt.NDArray[Any]) -> Pixels:
    """Values as 8-bit levels: nearest, clipped to 0…255. Works in place on floats."""
    np.rint(values, out=values)
    np.clip(values, 0, 255, out=values)
    return values.astype(np.uint8)


def luma(image: Image) -> Pixels:
    """Height × width levels of ITU-R 601 luma."""
    return np.asarray(Pillow.fromarray(image).convert("L"))


def smoothstep(x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """0 below 0, 1 above 1, and 3x² - 2x³ between: a ramp without corners."""
    x = np.clip(x, 0, 1)
    return x * x * (3 - 2 * x)


def ramp(low: float, high: float) -> Pixels:
    """A table over the 256 levels that rises from 0 at `low` to 255 at `high`, smoothly."""
    return rounded(255 * smoothstep((np.arange(256) - low) / (high - low)))


def lookup(pixels: Pixels, tables: npt.NDArray[Any]) -> Pixels:
    """Each level replaced by its entry: one table of 256 for all channels, or channels × 256.

    Pillow needs a third of numpy's time for it.
    """
    channels = 1 if pixels.ndim == 2 else pixels.shape[2]
    table = np.broadcast_to(tables, (channels, 256)).ravel().tolist()
    return np.asarray(Pillow.fromarray(pixels).point(table))


def grain(image: Image) -> float:
    """Standard deviation, in levels, of the green channel's noise where the image is flattest.

    Immerkær's mask (Fast Noise Variance Estimation, 1996) takes out anything linear; its response over squares of
    GRAIN_BLOCK pixels counts at the FLAT_SHARE percentile, so that texture does not pass for grain.
    """
    green = image[..., 1].astype(np.int16)
    mask = np.diff(np.diff(green, n=2, axis=0), n=2, axis=1).astype(np.float32)
    height, width = (side // GRAIN_BLOCK * GRAIN_BLOCK for side in mask.shape)
    if not height or not width:
        return 0.0
    squares = np.square(mask[:height, :width]).reshape(height // GRAIN_BLOCK, GRAIN_BLOCK, -1, GRAIN_BLOCK)
    return float(np.sqrt(np.percentile(squares.mean(axis=(1, 3)), FLAT_SHARE))) / 6


def sharpness(image: Image) -> float:
    """Root mean square, in levels, of the luma step from a pixel to its neighbour on the right and below."""
    levels = luma(image).astype(np.int16)
    steps = [np.diff(levels, axis=axis).astype(np.float32) for axis in (0, 1)]
    return math.sqrt(sum(float(np.square(step).mean()) for step in steps))
