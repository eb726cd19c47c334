"""Surfaces: where an image has fine detail and no edge, and how much of it there is.

Belongs here: the edge protection and the skin mask that texture changes share, and the measure of surface detail. Does
not belong here: the changes themselves.
"""

from __future__ import annotations

import functools
import math
from typing import Final

import numpy as np
from PIL import Image as Pillow
from PIL import ImageChops, ImageFilter

from .common import Image, Pixels, lookup, luma, ramp

EDGE: Final = (10.0, 32.0)
"""Pixels of luminance high-pass at which protection of an edge begins and is complete. The paper names none: ours."""

EDGE_REACH: Final = 5
"""Side, in pixels, of the square around an edge that is protected with it: the high-pass is zero right on it. Ours."""

SKIN_CB: Final = (77.0, 127.0)
SKIN_CR: Final = (133.0, 173.0)
"""Chroma ranges of skin of any tone (Chai and Ngan, 1999), the usual "YCbCr color thresholds"."""

SKIN_SOFTNESS: Final = 6.0
"""Pixels over which the mask fades at a threshold. Ours."""

DETAIL_REACH: Final = 2
"""Pixels: detail is what a mean over the square that reaches so far around each pixel takes away. Ours."""


def blur(image: Image, sigma: float) -> Image:
    """Gaussian blur of σ pixels, by Pillow's extended box filters: the same time for any σ."""
    return _filtered(image, ImageFilter.GaussianBlur(sigma))


def surfaces(image: Image, blurred: Image) -> Pixels:
    """Height × width: 255 on surfaces, 0 on edges that a high-pass of luminance finds, soft between."""
    return lookup(_edges(_difference(luma(image), luma(blurred))), 255 - ramp(*EDGE))


def skin(image: Image) -> Pixels:
    """Height × width: 255 where the chroma is that of skin, 0 elsewhere, soft between."""
    _, *chroma = Pillow.fromarray(image).convert("YCbCr").split()
    cb, cr = (
        channel.point((ramp(low - SKIN_SOFTNESS, low) - ramp(high, high + SKIN_SOFTNESS)).tolist())
        for channel, (low, high) in zip(chroma, (SKIN_CB, SKIN_CR), strict=True)
    )
    return np.asarray(ImageChops.multiply(cb, cr))


def detail(*images: Image) -> list[float]:
    """Root mean square of each image's luminance high-pass, in levels, over what is surface in the first image.

    NaN where the first image has no surface at all.
    """
    passes = [_difference(levels, _filtered(levels, ImageFilter.BoxBlur(DETAIL_REACH))) for levels in map(luma, images)]
    surface = Pillow.fromarray(np.where(_edges(passes[0]) < EDGE[0], np.uint8(255), np.uint8(0)))
    counts = [np.array(Pillow.fromarray(levels).histogram(surface)) for levels in passes]
    if not counts[0].any():
        return [math.nan] * len(images)
    return [math.sqrt(float(np.average(np.arange(256) ** 2, weights=count))) for count in counts]


def _filtered(image: Pixels, kernel: ImageFilter.Filter) -> Pixels:
    return np.asarray(Pillow.fromarray(image).filter(kernel))


def _difference(one: Pixels, other: Pixels) -> Pixels:
    return np.maximum(one, other) - np.minimum(one, other)


def _edges(high_pass: Pixels) -> Pixels:
    """The largest value within a square of EDGE_REACH around each pixel; shifted maxima are quicker than scipy's."""
    for axis in (0, 1):
        reach = [(EDGE_REACH // 2,) * 2 if axis == side else (0, 0) for side in (0, 1)]
        windows = np.lib.stride_tricks.sliding_window_view(np.pad(high_pass, reach), EDGE_REACH, axis=axis)
        high_pass = functools.reduce(np.maximum, np.moveaxis(windows, -1, 0))
    return high_pass
