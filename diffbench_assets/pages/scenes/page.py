"""A scene as a page: one SVG drawing of the size of the window, its things as named elements.

Belongs here: markup, and the styles in which a scene is drawn. Does not belong here: who is where (`compose.py`).

A thing is `<g id data-kind data-zone data-state data-count data-pattern style><g>its drawing</g></g>`: its style says
where it stands (translate), how it is turned (rotate) and how large it is (scale), and its color is the current color
of its drawing. So a change of one of them is a change of one property or of one drawing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Final

from diffbench_assets.pages.art import PALETTES, Kind, Look, notation
from diffbench_assets.pages.dice import Dice
from diffbench_assets.pages.scenes.backdrops import BACKDROPS, HEIGHT, WIDTH
from diffbench_assets.pages.scenes.compose import Scene, Thing, compose
from diffbench_assets.pages.scenes.places import PLACES


@dataclass(frozen=True)
class Style:
    """How things are drawn: the color, opacity and width in CSS px of their edges, shading, and a cast shadow."""

    edge: str = "none"
    opacity: float = 1
    width: float = 0
    shaded: bool = False
    casts: bool = False


STYLES: Final[Mapping[str, Style]] = {
    "flat": Style(),
    "outlined": Style("#22181e", 0.45, 1.8),
    "inked": Style("#17141c", 1, 3),
    "shaded": Style("#22181e", 0.3, 1.2, shaded=True),
    "cutout": Style("#ffffff", 0.95, 2.4, casts=True),
}

CAST: Final = "drop-shadow(2px 4px 2px rgb(30 20 40 / .4))"
"""The shadow of cut-out things; it reaches less than 12 CSS px."""

_CSS: Final = (
    "html{font-family:Inter,sans-serif}body{margin:0}svg{display:block}text{font-weight:700;text-anchor:middle}"
    "g{stroke-linecap:round;stroke-linejoin:round}"
)
PAPER: Final = (48, 130)
"""Side in CSS px of the tile of fibres that lies over a scene, and how many light and dark ones it has: without any
detail no surface could become smoother.
"""
_PATTERNS: Final = {
    "striped": ('width=".286" height="1"', '<rect x=".14" width=".143" height="1"'),
    "banded": ('width="1" height=".286"', '<rect y=".14" width="1" height=".143"'),
    "dotted": ('width=".2" height=".2"', '<circle cx=".1" cy=".1" r=".05"'),
}


@dataclass(frozen=True)
class ScenePage:
    """A full HTML document that refers to nothing outside itself but the font family Inter."""

    html: str
    place: str
    mood: str
    style: str
    things: int


def scene_page(seed: int, index: int) -> ScenePage:
    """The scene number `index` of a seed. Pure: the same arguments give the same bytes.

    Raises ValueError when `index` is negative.
    """
    if index < 0:
        raise ValueError(f"scene index must be 0 or more, got {index}")
    dice = Dice(f"scene/{seed}/{index}")
    style, palette = dice.one(sorted(STYLES)), dice.one(sorted(PALETTES))
    names = sorted(PLACES)
    scene = compose(PLACES[names[(index + seed) % len(names)]], dice)
    html = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(scene.place.name)}</title><style>{_CSS}</style></head><body>"
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" data-place="{scene.place.name}">'
        f"{_defs(scene.place.moods[scene.mood])}<g>{_backdrop(scene, dice)}</g>{_things(scene, style, palette)}"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#paper)"/></svg>'
        "</body></html>"
    )
    return ScenePage(html, scene.place.name, scene.mood, style, len(scene.things))


def drawing(kind: Kind, look: Look, rest: str) -> str:
    """What is inside a thing's inner element: its shadow on what it stands on, and its drawing."""
    left, _, right, bottom = kind.bounds
    shadow = ""
    if rest == "ground":
        shadow = (
            f'<ellipse cx="{(left + right) / 2:g}" cy="{bottom - 1:g}" rx="{(right - left) * 0.5:.4g}" ry="4" '
            'fill="url(#shadow)" stroke="none"></ellipse>'
        )
    return shadow + kind.svg(look)


def _defs(mood: Mapping[str, str]) -> str:
    patterns = "".join(
        f'<pattern id="{name}" patternContentUnits="objectBoundingBox" {size}>{mark} fill="#fff" fill-opacity=".45"/>'
        "</pattern>"
        for name, (size, mark) in _PATTERNS.items()
    )
    air = "".join(
        f'<stop offset="{at}" stop-color="{mood.get(name, "#fff")}"/>' for at, name in ((0, "high"), (1, "low"))
    )
    shadow = '<stop stop-color="#1c1424" stop-opacity=".5"/><stop offset="1" stop-color="#1c1424" stop-opacity="0"/>'
    return (
        f'<defs>{patterns}<linearGradient id="air" x2="0" y2="1">{air}</linearGradient>'
        f'<radialGradient id="shadow">{shadow}</radialGradient>{_paper()}</defs>'
    )


@cache
def _paper() -> str:
    dice, (side, fibres) = Dice("paper"), PAPER
    ink = "".join(
        f'<path stroke="{color}" stroke-opacity=".03" d="'
        + "".join(
            f"M{dice.number(0, side - 2)} {dice.number(0, side - 1)}.5h{dice.number(1, 2)}" for _ in range(fibres)
        )
        + '"/>'
        for color in ("#000", "#fff")
    )
    return f'<pattern id="paper" patternUnits="userSpaceOnUse" width="{side}" height="{side}">{ink}</pattern>'


def _backdrop(scene: Scene, dice: Dice) -> str:
    return notation.svg("; ".join(BACKDROPS[scene.place.name](dice, scene.place.moods[scene.mood])))


def _things(scene: Scene, style_name: str, palette: str) -> str:
    style = STYLES[style_name]
    elements = "".join(
        _thing(thing, f"{thing.kind.name.replace(' ', '-')}-{number}", style, palette)
        for number, thing in enumerate(scene.things)
    )
    filter_ = f";filter:{CAST}" if style.casts else ""
    return f'<g style="stroke:{style.edge};stroke-opacity:{style.opacity:g}{filter_}">{elements}</g>'


def _thing(thing: Thing, id_: str, style: Style, palette: str) -> str:
    kind, look = thing.kind, thing.look
    looks = [f"translate:{thing.x:g}px {thing.y:g}px", f"rotate:{thing.angle}deg", f"scale:{thing.scale:g}"]
    shade = ""
    if thing.color:
        looks.append(f"color:{PALETTES[palette][thing.color]}")
        if style.shaded:
            looks.append(f"--main:url(#{id_}-shade)")
            tones = (("0", "#fff 24%"), ("1", "#22181e 20%"))
            stops = "".join(
                f'<stop offset="{at}" stop-color="color-mix(in srgb,currentColor,{tone})"/>' for at, tone in tones
            )
            shade = f'<linearGradient id="{id_}-shade" x2="0" y2="1">{stops}</linearGradient>'
    if style.width:
        looks.append(f"stroke-width:{style.width / thing.scale:.3g}")
    state = f' data-state="{escape(look.state)}"' if look.state else ""
    count = f' data-count="{look.count}"' if look.count else ""
    pattern = f' data-pattern="{look.pattern}"' if look.pattern else ""
    name = kind.in_color(kind.noun, thing.color) if thing.color else kind.noun
    return (
        f'<g id="{id_}" role="img" aria-label="{escape(name)}" data-kind="{kind.name}" data-zone="{thing.zone.name}"'
        f'{state}{count}{pattern} style="{";".join(looks)}">{shade}<g>{drawing(kind, look, thing.zone.rest)}</g></g>'
    )
