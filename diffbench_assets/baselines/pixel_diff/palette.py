"""Names and lightness of colours.

Belongs here: sRGB to CIE Lab, and the nearest of a small table of names. Does not belong here: sentences.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

NAMES: dict[str, tuple[int, int, int]] = {
    "black": (0, 0, 0),
    "very dark gray": (38, 38, 40),
    "dark gray": (75, 80, 88),
    "gray": (128, 130, 135),
    "light gray": (190, 193, 198),
    "very light gray": (236, 238, 241),
    "white": (255, 255, 255),
    "dark red": (140, 22, 24),
    "red": (225, 40, 45),
    "light red": (250, 150, 150),
    "pale pink": (252, 220, 226),
    "pink": (240, 110, 170),
    "dark brown": (85, 50, 25),
    "brown": (150, 90, 45),
    "orange": (245, 130, 35),
    "light orange": (253, 190, 120),
    "cream": (255, 245, 215),
    "yellow": (245, 200, 40),
    "light yellow": (253, 235, 140),
    "olive": (120, 120, 30),
    "dark green": (20, 85, 45),
    "green": (35, 165, 80),
    "light green": (135, 235, 165),
    "pale green": (218, 250, 228),
    "dark teal": (15, 85, 85),
    "teal": (20, 160, 150),
    "light teal": (120, 235, 220),
    "sky blue": (60, 175, 240),
    "pale blue": (215, 232, 253),
    "navy": (22, 35, 90),
    "dark blue": (30, 64, 175),
    "blue": (50, 110, 240),
    "light blue": (145, 195, 252),
    "dark indigo": (50, 45, 130),
    "indigo": (85, 75, 230),
    "light indigo": (165, 180, 252),
    "dark purple": (90, 25, 135),
    "purple": (150, 60, 230),
    "light purple": (200, 160, 250),
    "pale purple": (240, 230, 255),
    "magenta": (215, 40, 190),
}
"""A name and its typical sRGB value; fine enough for a shade to change its name."""


def lab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE Lab (D65) of sRGB values 0…255, shape (…, 3)."""
    share = np.asarray(rgb, dtype=np.float64) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    xyz = linear @ np.array(
        [[0.4124564, 0.2126729, 0.0193339], [0.3575761, 0.7151522, 0.1191920], [0.1804375, 0.0721750, 0.9503041]]
    )
    ratio = xyz / np.array([0.95047, 1.0, 1.08883])
    root = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.stack(
        [116 * root[..., 1] - 16, 500 * (root[..., 0] - root[..., 1]), 200 * (root[..., 1] - root[..., 2])], axis=-1
    )


_TABLE = lab(np.array(list(NAMES.values()), dtype=np.float64))


def color_name(rgb: NDArray[np.float64]) -> str:
    """The nearest name in Lab of one sRGB colour, shape (3,)."""
    return list(NAMES)[int(np.argmin(((_TABLE - lab(rgb)) ** 2).sum(axis=-1)))]


def lightness(rgb: NDArray[np.float64]) -> float:
    """CIE L* of one sRGB colour, 0 black to 100 white."""
    return float(lab(np.asarray(rgb, dtype=np.float64))[0])


def hex_code(rgb: NDArray[np.float64]) -> str:
    """#rrggbb of one sRGB colour."""
    return "#" + "".join(f"{int(round(float(value))):02x}" for value in rgb)
