"""Colours as the operators need them: sRGB bytes from CSS text, and steps along the lightness of Tailwind's shades.

Belongs here: conversion and the lightness ladder. Does not belong here: which element takes which colour.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from coloraide import Color

SHADE_LIGHTNESS: Final = (0.979, 0.956, 0.916, 0.857, 0.767, 0.684, 0.597, 0.513, 0.443, 0.391, 0.271)
"""Mean OKLCH lightness of Tailwind 4's shades 50…950 over its chromatic hues; one step of `color` and `gradient`."""

_RGB = re.compile(r"rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)")
COLOR_PATTERN: Final = re.compile(r"rgba?\([^()]*\)")


def rgb_bytes(css: str) -> tuple[int, int, int] | None:
    """Red, green and blue (0…255) of `#rrggbb`, `rgb(…)` or `rgba(…)`; None for anything else."""
    if len(css) == 7 and css.startswith("#"):
        return int(css[1:3], 16), int(css[3:5], 16), int(css[5:7], 16)
    match = _RGB.fullmatch(css)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def alpha(css: str) -> float:
    """Alpha (0…1) of an `rgb(…)` or `rgba(…)` value."""
    match = _RGB.fullmatch(css)
    return float(match[4]) if match and match[4] else 1.0


def css_color(css: str) -> str:
    """The colour as `rgb(r, g, b)`; text that is no plain colour is returned as it is."""
    rgb = rgb_bytes(css)
    return f"rgb({rgb[0]}, {rgb[1]}, {rgb[2]})" if rgb else css


@lru_cache(maxsize=4096)
def shades(css: str) -> tuple[int, tuple[str, ...]]:
    """The colour's place on the shade ladder and the colour at every rung.

    Rung `i` has the colour's own hue and chroma, with the lightness moved by the difference between rung `i` and the
    rung nearest to the colour, brought back into sRGB. Lower rungs are lighter.
    """
    rgb = rgb_bytes(css)
    if rgb is None:
        raise ValueError(f"not an rgb() colour: {css!r}")
    base = Color("srgb", [channel / 255 for channel in rgb]).convert("oklch")
    lightness = base["lightness"]
    at = min(range(len(SHADE_LIGHTNESS)), key=lambda i: abs(SHADE_LIGHTNESS[i] - lightness))
    rungs = []
    for level in SHADE_LIGHTNESS:
        color = base.clone().set("lightness", min(1.0, max(0.0, lightness + level - SHADE_LIGHTNESS[at])))
        channels = [round(255 * channel) for channel in color.convert("srgb").fit().coords()]
        opacity = alpha(css)
        tail = f", {opacity:g})" if opacity < 1 else ")"
        rungs.append(f"{'rgba' if opacity < 1 else 'rgb'}({channels[0]}, {channels[1]}, {channels[2]}{tail}")
    return at, tuple(rungs)
