"""Plain color words: which word a CSS color certainly deserves, and colors that certainly deserve a word.

Belongs here: names, contrast and brightness of colors. Does not belong here: which element takes which color.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from coloraide import Color

from diffbench_assets.pairs.colors import alpha, rgb_bytes

PAINTS: Final = {
    "red": "rgb(220, 38, 38)",
    "orange": "rgb(249, 115, 22)",
    "yellow": "rgb(250, 204, 21)",
    "green": "rgb(22, 163, 74)",
    "blue": "rgb(37, 99, 235)",
    "purple": "rgb(147, 51, 234)",
    "pink": "rgb(244, 104, 172)",
    "brown": "rgb(124, 74, 33)",
    "gray": "rgb(128, 128, 128)",
    "black": "rgb(0, 0, 0)",
    "white": "rgb(255, 255, 255)",
}
"""One color for each word, from the middle of what the word covers."""

_NEIGHBORS: Final = frozenset(
    frozenset(pair)
    for pair in (
        ("red", "orange"), ("red", "pink"), ("red", "brown"), ("orange", "yellow"), ("orange", "brown"),
        ("blue", "purple"), ("purple", "pink"), ("black", "brown"), ("gray", "brown"),
    )
)  # fmt: skip
"""Words between which people may disagree."""

_HUES: Final = (
    # word, OKLCH hue from and to, lightness from and to, least chroma: the inner part of what people call so
    ("red", 17, 33, 0.42, 0.68, 0.14),
    ("orange", 42, 62, 0.62, 0.80, 0.12),
    ("brown", 40, 75, 0.30, 0.50, 0.05),
    ("yellow", 86, 108, 0.80, 0.95, 0.11),
    ("green", 128, 168, 0.40, 0.88, 0.09),
    ("blue", 245, 270, 0.35, 0.72, 0.11),
    ("purple", 292, 316, 0.35, 0.70, 0.13),
    ("pink", 345, 364, 0.62, 0.85, 0.09),
)


def apart(one: str, other: str) -> bool:
    """Whether nobody would use one word for the other's color."""
    return one != other and frozenset((one, other)) not in _NEIGHBORS


@lru_cache(maxsize=4096)
def color_word(css: str) -> str | None:
    """The word that anybody would use for an opaque `rgb(…)` color; None for colors between words."""
    rgb = rgb_bytes(css)
    if rgb is None or alpha(css) < 1:
        return None
    lightness, chroma, hue = Color("srgb", [channel / 255 for channel in rgb]).convert("oklch").coords()
    if chroma < 0.045 and lightness < 0.28:
        return "black"
    if chroma < 0.008 and lightness > 0.98:
        return "white"
    if chroma < 0.03 and 0.45 < lightness < 0.80:
        return "gray"
    for word, start, end, dark, light, least in _HUES:
        if chroma >= least and dark <= lightness <= light and (start <= hue <= end or start <= hue + 360 <= end):
            return word
    return None


def brightness(css: str) -> float:
    """OKLCH lightness, 0 black to 1 white, of an `rgb(…)` color whatever its alpha; 0 for anything else."""
    rgb = rgb_bytes(css)
    if rgb is None:
        return 0.0
    return float(Color("srgb", [channel / 255 for channel in rgb]).convert("oklch")["lightness"])


def contrast(one: str, other: str) -> float:
    """WCAG contrast ratio, 1 to 21, of two opaque `rgb(…)` colors; 1 when either is no such color."""
    a, b = rgb_bytes(one), rgb_bytes(other)
    if a is None or b is None:
        return 1.0
    light, dark = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(rgb: tuple[int, int, int]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
