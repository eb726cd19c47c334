"""Things: goods, dishes, books, a screen.

Belongs here: one function per thing, each a fragment on a 400 × 300 canvas. Does not belong
here: the SVG element around it.
"""

from __future__ import annotations

from math import cos, sin

from diffbench_assets.pages.dice import Dice
from .shapes import circle, path, rect


def bag(dice: Dice, hue: str, other: str) -> str:
    """A handbag."""
    top = dice.number(115, 135)
    return (
        circle(200, 160, 124, "fill-white opacity-30")
        + f'<path d="M160 {top}v-20a40 40 0 0 1 80 0v20" class="fill-none stroke-{hue}-900" stroke-width="8"/>'
        + path(f"M122 {top}h156l14 140H108z", f"fill-{hue}-600")
        + rect(116, top + 60, 168, 14, f"fill-{other}-300")
        + circle(200, top + 67, 13, f"fill-{other}-700")
    )


def bottle(dice: Dice, hue: str, other: str) -> str:
    """A labelled bottle."""
    width, top = dice.number(80, 110), dice.number(95, 120)
    x = 200 - width / 2
    return (
        circle(200, 160, 118, "fill-white opacity-30")
        + rect(182, top - 45, 36, 30, f"fill-{hue}-900", 5)
        + rect(188, top - 20, 24, 30, f"fill-{hue}-700")
        + rect(x, top, width, 265 - top, f"fill-{hue}-600", 22)
        + rect(x, top + 55, width, 60, "fill-white opacity-90")
        + rect(x + 14, top + 68, width - 28, 7, f"fill-{other}-600")
        + rect(x + 14, top + 86, width - 48, 6, f"fill-{hue}-300")
    )


def bowl(dice: Dice, hue: str, other: str) -> str:
    """A bowl with toppings."""
    toppings = "".join(
        circle(128 + place * 29, 138 - dice.number(0, 12), dice.number(14, 22), f"fill-{dice.pick(hue, other)}-{shade}")
        for place, shade in enumerate((500, 600, 400, 700, 500, 600))
    )
    return (
        circle(200, 160, 128, "fill-white opacity-40")
        + toppings
        + path("M86 145h228c0 66-46 110-114 110S86 211 86 145z", "fill-white")
        + path("M86 145h228l-3 20H89z", f"fill-{other}-300")
        + path(f"M{dice.number(250, 280)} 130l70-84 9 7-66 86z", f"fill-{hue}-900")
    )


def cake(dice: Dice, hue: str, other: str) -> str:
    """A layer cake on a stand."""
    layers = "".join(
        rect(120, y, 160, 26, dice.pick(f"fill-{hue}-300", f"fill-{other}-200", f"fill-{hue}-500"))
        for y in range(140, 218, 26)
    )
    berries = "".join(circle(142 + place * 29, 108, dice.number(9, 13), f"fill-{hue}-700") for place in range(5))
    return (
        circle(200, 160, 128, "fill-white opacity-40")
        + rect(70, 218, 260, 14, "fill-white", 7)
        + rect(185, 232, 30, 30, "fill-white")
        + layers
        + rect(114, 118, 172, 26, "fill-white", 12)
        + berries
    )


def chair(dice: Dice, hue: str, other: str) -> str:
    """An armchair."""
    back = dice.number(105, 125)
    return (
        rect(0, 225, 400, 75, f"fill-{other}-300 opacity-50")
        + rect(140, 60, 120, back, f"fill-{hue}-600", 20)
        + rect(124, 50 + back, 152, 40, f"fill-{hue}-700", 14)
        + path(f"M140 {90 + back}l-14 {165 - back}h10l18-{165 - back}z", f"fill-{hue}-900")
        + path(f"M260 {90 + back}l14 {165 - back}h-10l-18-{165 - back}z", f"fill-{hue}-900")
    )


def lamp(dice: Dice, hue: str, other: str) -> str:
    """A table lamp."""
    lean = dice.number(40, 75)
    return (
        circle(200, 150, 122, "fill-white opacity-30")
        + path(f"M{150 - lean / 2:g} 165L{175 - lean / 4:g} 75h{lean}L{250} 165z", f"fill-{hue}-600")
        + rect(195, 165, 8, 85, f"fill-{hue}-900")
        + rect(155, 246, 90, 12, f"fill-{hue}-900", 6)
        + circle(200, 176, 14, f"fill-{other}-200")
    )


def mug(dice: Dice, hue: str, other: str) -> str:
    """A steaming mug."""
    steam = dice.number(60, 80)
    return (
        circle(200, 160, 124, "fill-white opacity-30")
        + f'<path d="M258 150h22a24 24 0 0 1 0 62h-26" class="fill-none stroke-{hue}-700" stroke-width="12"/>'
        + path("M132 130h130v84a36 36 0 0 1-36 36h-58a36 36 0 0 1-36-36z", f"fill-{hue}-700")
        + rect(132, 164, 130, 20, f"fill-{other}-300")
        + f'<path d="M172 115c-10-16 10-24 0-{steam - 40}M212 115c-10-16 10-24 0-{steam - 40}" '
        'class="fill-none stroke-white opacity-80" stroke-width="6"/>'
    )


def plate(dice: Dice, hue: str, other: str) -> str:
    """A plate between knife and fork."""
    parts = [circle(200, 150, 120, "fill-white opacity-90"), circle(200, 150, 92, f"fill-{hue}-100")]
    for place in range(dice.number(5, 8)):
        angle, reach = place * 2.4, dice.number(18, 60)
        shade = dice.pick(f"fill-{hue}-500", f"fill-{other}-500", f"fill-{other}-700", f"fill-{hue}-700")
        parts.append(circle(200 + reach * cos(angle) // 1, 150 + reach * sin(angle) // 1, dice.number(14, 28), shade))
    return "".join(parts) + rect(350, 60, 9, 180, "fill-white opacity-90", 4) + rect(42, 60, 9, 180, "fill-white", 4)


def books(dice: Dice, hue: str, other: str) -> str:
    """A pile of books."""
    parts, y = [], 246
    for _ in range(dice.number(3, 4)):
        width, height = dice.number(150, 210), dice.number(26, 38)
        y -= height
        x = dice.number(90, 130)
        parts.append(rect(x, y, width, height, dice.pick(f"fill-{hue}-600", f"fill-{other}-600", f"fill-{hue}-800"), 5))
        parts.append(rect(x + 16, y + 7, 10, height - 14, "fill-white opacity-60"))
    return (
        rect(0, 246, 400, 54, f"fill-{hue}-900 opacity-50")
        + "".join(parts)
        + circle(270, 80, 24, "fill-white opacity-60")
    )


def screen(dice: Dice, hue: str, other: str) -> str:
    """An application window."""
    bars = "".join(
        rect(150 + 26 * place, 210 - height, 16, height, f"fill-{other}-500", 3)
        for place, height in enumerate(dice.number(24, 82) for _ in range(6))
    )
    lines = "".join(rect(72, y, dice.number(30, 56), 7, f"fill-{hue}-300", 3) for y in range(100, 200, 20))
    return (
        rect(50, 50, 300, 190, "fill-white opacity-90", 12)
        + rect(50, 50, 300, 28, f"fill-{hue}-700", 12)
        + circle(70, 64, 5, "fill-white opacity-80")
        + circle(88, 64, 5, "fill-white opacity-50")
        + lines
        + bars
    )
