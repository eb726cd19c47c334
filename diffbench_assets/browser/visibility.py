"""How plainly a change shows: the color difference CIEDE2000 of its pixels.

Belongs here: measuring two captures. Does not belong here: how little is too little (`pairs/css/floor`), or whether
pixels differ at all (`gate.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diffbench_assets.browser.gate import Pixels, Region

Floats = NDArray[np.float64]

_TO_XYZ: Final = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE: Final = _TO_XYZ.sum(axis=1)
"""D65, as sRGB's own white comes out."""
_FAR: Final = 25.0**7


@dataclass(frozen=True)
class Seen:
    """`pixels` that differ by the just-visible difference or more, and the `largest` difference (CIEDE2000)."""

    pixels: int
    largest: float


def seen(before: Pixels, after: Pixels, where: Region, delta_e: float) -> Seen:
    """What of the change inside `where` shows, when a difference of `delta_e` just does."""
    x0, y0, x1, y1 = where
    was, now = before[y0:y1, x0:x1], after[y0:y1, x0:x1]
    changed = was != now
    # Few colors make many pixels: each change from one to another is measured once.
    olds, news, counts = exchanges(was[changed], now[changed])
    differences = ciede2000(lab(olds), lab(news))
    return Seen(int(counts[differences >= delta_e].sum()), round(float(differences.max(initial=0)), 3))


def exchanges(was: Pixels, now: Pixels) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.intp]]:
    """The distinct changes from one color to another among n pixels: old colors, new ones, and the pixels of each."""
    both, counts = np.unique(was.astype(np.uint64) << np.uint64(32) | now, return_counts=True)
    return both >> np.uint64(32), both & np.uint64(0xFFFFFFFF), counts


def lab(rgba: NDArray[np.uint64]) -> Floats:
    """(n, 3) CIELAB coordinates (D65) of n opaque colors, each red, green, blue, alpha from the lowest byte up."""
    levels = np.stack([(rgba >> np.uint64(shift) & np.uint64(255)) / 255 for shift in (0, 8, 16)], axis=-1)
    linear = np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)
    ratio = linear @ _TO_XYZ.T / _WHITE
    f = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=-1)


def ciede2000(one: Floats, other: Floats) -> Floats:
    """CIEDE2000 between n pairs of CIELAB colors, with all weights 1 (CIE 142-2001, as Sharma et al. 2005 write it)."""
    (l1, a1, b1), (l2, a2, b2) = one.T, other.T
    chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    grey = 1 + (1 - np.sqrt(chroma**7 / (chroma**7 + _FAR))) / 2
    a1, a2 = a1 * grey, a2 * grey
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = np.degrees(np.arctan2(b1, a1)) % 360, np.degrees(np.arctan2(b2, a2)) % 360
    colored = c1 * c2 != 0
    turn = np.where(colored, (h2 - h1 + 180) % 360 - 180, 0)
    # Opposite hues are half a turn apart whichever way it is counted.
    turn = np.where(colored & (h2 - h1 == 180), 180, turn)
    hue = np.where(np.abs(h1 - h2) <= 180, (h1 + h2) / 2, (h1 + h2 + 360) / 2 % 360)
    hue = np.where(colored, hue, h1 + h2)
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    weight = (
        1
        - 0.17 * np.cos(np.radians(hue - 30))
        + 0.24 * np.cos(np.radians(2 * hue))
        + 0.32 * np.cos(np.radians(3 * hue + 6))
        - 0.20 * np.cos(np.radians(4 * hue - 63))
    )
    in_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2))
    in_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    in_hue = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    blue = 60 * np.exp(-(((hue - 275) / 25) ** 2))
    rotation = -2 * np.sqrt(chroma**7 / (chroma**7 + _FAR)) * np.sin(np.radians(blue))
    squares: Floats = in_light**2 + in_chroma**2 + in_hue**2 + rotation * in_chroma * in_hue
    return np.sqrt(np.maximum(squares, 0))
