"""How different two images look, in numbers of levels. The gate's own comparison (`../gate.py`) is exact instead."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from diffbench_assets.browser.gate import Pixels

SEEN_LEVELS: Final = 24
SEEN_PIXELS: Final = 12
"""A change is seen when a channel of that many pixels differs by that many levels."""


def channels(pixels: Pixels) -> NDArray[np.int16]:
    """(height, width, 4) levels of RGBA pixels."""
    return np.ascontiguousarray(pixels).view(np.uint8).reshape(*pixels.shape, 4).astype(np.int16)


def seen(before: Pixels, after: Pixels) -> bool:
    """Whether an attentive eye can tell the images apart."""
    return int(np.count_nonzero(np.abs(_differences(before, after)).max(axis=-1) >= SEEN_LEVELS)) >= SEEN_PIXELS


def distance(one: Pixels, other: Pixels) -> int:
    """Sum of the differences of all channels."""
    return int(np.abs(_differences(one, other)).sum())


def _differences(one: Pixels, other: Pixels) -> NDArray[np.int16]:
    changed = one != other
    return channels(one[changed]) - channels(other[changed])
