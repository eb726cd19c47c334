"""Places: landscapes, buildings, a stage.

Belongs here: one function per place, each a fragment on a 400 × 300 canvas. Does not belong
here: the SVG element around it.
"""

from __future__ import annotations

from diffbench_assets.pages.dice import Dice
from .shapes import circle, path, rect


def city(dice: Dice, hue: str, other: str) -> str:
    """A skyline."""
    parts, x = [circle(dice.number(80, 320), 70, 30, "fill-white opacity-70")], 0
    while x < 400:
        width, height = dice.number(34, 64), dice.number(80, 210)
        shade = dice.pick(f"fill-{hue}-700", f"fill-{hue}-800", f"fill-{other}-700")
        parts.append(rect(x, 300 - height, width, height, shade))
        parts += [rect(x + 9, 300 - height + y, width - 18, 5, "fill-white opacity-40") for y in range(16, 76, 18)]
        x += width + dice.number(0, 8)
    return "".join(parts)


def clinic(dice: Dice, hue: str, other: str) -> str:
    """A clinic with a cross."""
    width = dice.number(180, 230)
    x = 200 - width // 2
    windows = "".join(
        rect(x + 20 + 40 * column, row, 22, 20, f"fill-{hue}-300")
        for column in range(width // 44)
        for row in (140, 176)
    )
    return (
        rect(0, 240, 400, 60, f"fill-{other}-600")
        + rect(x, 120, width, 122, "fill-white")
        + rect(170, 60, 60, 62, f"fill-{hue}-700", 6)
        + path("M193 72h14v12h12v14h-12v12h-14v-12h-12v-14h12z", "fill-white")
        + windows
        + rect(182, 206, 36, 36, f"fill-{hue}-800")
    )


def hills(dice: Dice, hue: str, other: str) -> str:
    """Hills under a sun."""
    a, b, c = dice.number(90, 150), dice.number(120, 180), dice.number(180, 230)
    return (
        circle(dice.number(60, 340), dice.number(55, 100), dice.number(22, 38), "fill-white opacity-80")
        + path(f"M0 {b}L90 {a - 20}L170 {b}L260 {a}L400 {b + 20}V300H0z", f"fill-{other}-500 opacity-60")
        + path(f"M0 {c}C90 {c - 60} 190 {c + 20} 280 {c - 30}S380 {c - 10} 400 {c - 25}V300H0z", f"fill-{hue}-600")
        + path(f"M0 {c + 45}C120 {c} 240 {c + 70} 400 {c + 25}V300H0z", f"fill-{hue}-800")
    )


def house(dice: Dice, hue: str, other: str) -> str:
    """A house with a tree."""
    x, width = dice.number(90, 140), dice.number(150, 180)
    return (
        circle(dice.number(40, 90), 60, 26, "fill-white opacity-70")
        + rect(0, 235, 400, 65, f"fill-{other}-700")
        + rect(x, 140, width, 100, "fill-white")
        + path(f"M{x - 16} 145L{x + width / 2:g} {dice.number(72, 100)}L{x + width + 16} 145z", f"fill-{hue}-800")
        + rect(x + 22, 165, 34, 34, f"fill-{hue}-300")
        + rect(x + width - 62, 172, 32, 68, f"fill-{hue}-600")
        + rect(x + width + 44, 190, 8, 50, f"fill-{hue}-900")
        + circle(x + width + 48, 170, dice.number(28, 38), f"fill-{other}-600")
    )


def island(dice: Dice, hue: str, other: str) -> str:
    """A palm on an island."""
    x = dice.number(150, 240)
    leaves = "".join(
        path(f"M{x} 120q{dx} {dy} {2 * dx} {dy + 30}q{-dx} -22 {-2 * dx} {-dy - 30}z", f"fill-{other}-700")
        for dx, dy in ((34, -30), (-34, -30), (26, 6), (-26, 6))
    )
    return (
        circle(dice.number(50, 110), 75, 32, "fill-white opacity-80")
        + rect(0, 190, 400, 110, f"fill-{hue}-600")
        + path(f"M{x - 90} 215q90-60 180 0z", "fill-amber-200")
        + path(f"M{x - 4} 200q-6-40 2-82h8q-4 40 4 82z", "fill-amber-800")
        + leaves
        + rect(30, 235, 120, 5, "fill-white opacity-50", 2)
        + rect(230, 260, 110, 5, "fill-white opacity-50", 2)
    )


def stage(dice: Dice, hue: str, other: str) -> str:
    """A performer in spotlights."""
    x = dice.number(120, 280)
    crowd = "".join(circle(place * 36 + 14, 282 + dice.number(-8, 8), 22, f"fill-{hue}-950") for place in range(12))
    return (
        path(f"M60 0L{x - 70} 240h80z", "fill-white opacity-30")
        + path(f"M340 0L{x} 240h80z", "fill-white opacity-30")
        + rect(0, 225, 400, 75, f"fill-{hue}-900")
        + circle(x, 130, 17, f"fill-{other}-900")
        + rect(x - 16, 148, 32, 78, f"fill-{other}-900", 12)
        + crowd
    )
