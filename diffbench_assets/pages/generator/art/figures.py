"""Portraits and abstract pictures.

Belongs here: one function per picture, each a fragment on a 400 × 300 canvas. Does not belong
here: the SVG element around it.
"""

from __future__ import annotations

from math import cos, sin

from diffbench_assets.pages.dice import Dice
from .shapes import circle, path, rect


def columns(dice: Dice, hue: str, other: str) -> str:
    """Columns with a trend line."""
    heights = [60 + place * dice.number(18, 26) + dice.number(0, 20) for place in range(7)]
    bars = "".join(
        rect(42 + place * 46, 262 - height, 28, height, f"fill-{hue}-{dice.pick(600, 700)}", 4)
        for place, height in enumerate(heights)
    )
    trend = " ".join(f"{56 + place * 46},{238 - height}" for place, height in enumerate(heights))
    return (
        bars
        + f'<polyline points="{trend}" class="fill-none stroke-white opacity-80" stroke-width="4"/>'
        + rect(28, 262, 344, 4, f"fill-{other}-900")
    )


def orbit(dice: Dice, hue: str, other: str) -> str:
    """Bodies on orbits."""
    x, y = dice.number(140, 260), dice.number(120, 180)
    rings = "".join(
        f'<circle cx="{x}" cy="{y}" r="{radius}" class="fill-none stroke-white opacity-40" stroke-width="2"/>'
        for radius in range(60, 60 + 42 * dice.number(2, 4), 42)
    )
    dots = "".join(
        circle(x + 102 * cos(turn) // 1, y + 102 * sin(turn) // 1, dice.number(7, 15), f"fill-{other}-600")
        for turn in (dice.number(0, 62) / 10 for _ in range(3))
    )
    return rings + circle(x, y, dice.number(34, 48), f"fill-{hue}-700") + dots


def portrait(dice: Dice, hue: str, other: str) -> str:
    """A person without a face."""
    skin = dice.pick("amber-200", "orange-300", "amber-700", "orange-200", "amber-900")
    long_hair = dice.chance(0.5)
    hair = dice.pick("stone-800", "amber-900", "stone-600", f"{hue}-900")
    back = rect(140, 80, 120, 150, f"fill-{hair}", 56) if long_hair else ""
    return (
        back
        + path("M70 300c0-70 50-98 130-98s130 28 130 98z", f"fill-{hue}-{dice.pick(600, 700, 800)}")
        + rect(178, 170, 44, 52, f"fill-{skin}", 20)
        + circle(200, 132, 54, f"fill-{skin}")
        + path("M145 128c0-76 110-76 110 0c-24-30-70-30-110 0z", f"fill-{hair}")
        + rect(176, 222, 48, 12, f"fill-{other}-200", 6)
    )


def waves(dice: Dice, hue: str, other: str) -> str:
    """Layered waves."""
    layers = []
    for place, shade in enumerate((f"fill-{other}-400", f"fill-{hue}-400", f"fill-{hue}-600", f"fill-{hue}-800")):
        y, swing = 120 + place * 45, dice.number(22, 42)
        curve = f"M0 {y}C70 {y - swing} 140 {y + swing} 200 {y}S330 {y - swing} 400 {y}V300H0z"
        layers.append(path(curve, f"{shade} opacity-80"))
    return circle(dice.number(80, 320), 70, dice.number(24, 42), "fill-white opacity-70") + "".join(layers)
