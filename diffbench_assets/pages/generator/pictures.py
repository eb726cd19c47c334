"""Pictures as inline SVG in the theme's hues: things of the art library, places and figures.

Belongs here: the table of pictures and the SVG element around one. Does not belong here: how things are drawn
(`pages/art`), the gradient tile behind a picture (templates) or icons.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, sin
from typing import Final

from markupsafe import Markup

from diffbench_assets.pages.art import KINDS, Look
from diffbench_assets.pages.dice import Dice

Picture = Callable[[Dice, str, str], str]

GOODS: Final[Mapping[str, str]] = {
    "bag": "handbag",
    "books": "pile of books",
    "bottle": "bottle",
    "bowl": "bowl",
    "cake": "birthday cake",
    "chair": "armchair",
    "lamp": "table lamp",
    "mug": "mug",
    "plate": "plate",
    "screen": "laptop",
}
"""Pictures of one thing: its kind in the art library."""


def picture(dice: Dice, name: str, hue: str, other: str) -> Markup:
    """A picture that fills its positioned parent; KeyError for one that is not drawn here."""
    return Markup(
        '<svg class="absolute inset-0 h-full w-full" viewBox="0 0 400 300" preserveAspectRatio="xMidYMid slice" '
        f'aria-hidden="true">{PICTURES[name](dice, hue, other)}</svg>'
    )


def circle(x: float, y: float, radius: float, classes: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" class="{classes}"/>'


def rect(x: float, y: float, width: float, height: float, classes: str, corner: float = 0) -> str:
    rounding = f' rx="{corner:g}"' if corner else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{rounding} class="{classes}"/>'


def path(data: str, classes: str) -> str:
    return f'<path d="{data}" class="{classes}"/>'


def thing(dice: Dice, name: str, x: float, foot: float, scale: float, color: str) -> str:
    """A thing of the art library in a Tailwind color, standing at (x, foot)."""
    kind = KINDS[name]
    left, _, right, bottom = kind.bounds
    look = Look(
        dice.one(kind.states) if kind.states else "",
        dice.number(kind.counted.low, kind.counted.high) if kind.counted else 0,
    )
    place = f"translate({x - scale * (left + right) / 2:.4g} {foot - scale * bottom:.4g}) scale({scale:g})"
    return f'<g class="text-{color}" transform="{place}">{kind.svg(look)}</g>'


def _goods(name: str) -> Picture:
    def draw(dice: Dice, hue: str, other: str) -> str:
        """One thing before a soft disc."""
        shade = dice.pick(500, 600, 700)
        disc = circle(200, 160, dice.number(116, 128), "fill-white opacity-40")
        return disc + thing(dice, name, 200, 262, dice.number(19, 22) / 10, f"{hue}-{shade}")

    return draw


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
    x = dice.number(150, 190)
    return (
        circle(dice.number(40, 90), 60, 26, "fill-white opacity-70")
        + rect(0, 235, 400, 65, f"fill-{other}-700")
        + thing(dice, "house", x, 248, dice.number(17, 20) / 10, f"{hue}-700")
        + thing(dice, "round tree", x + 140, 252, dice.number(12, 15) / 10, f"{other}-500")
    )


def island(dice: Dice, hue: str, other: str) -> str:
    """A palm on an island."""
    x = dice.number(150, 240)
    return (
        circle(dice.number(50, 110), 75, 32, "fill-white opacity-80")
        + rect(0, 190, 400, 110, f"fill-{hue}-600")
        + path(f"M{x - 90} 215q90-60 180 0z", "fill-amber-200")
        + thing(dice, "palm tree", x, 200, dice.number(15, 18) / 10, f"{other}-700")
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


PICTURES: Final[Mapping[str, Picture]] = {
    **{name: _goods(kind) for name, kind in GOODS.items()},
    **{draw.__name__: draw for draw in (city, clinic, columns, hills, house, island, orbit, portrait, stage, waves)},
}
"""Every picture, by name."""
