"""Who is in a scene, and where.

Belongs here: choosing a place, its cast and free spots. Does not belong here: markup (`page.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from diffbench_assets.pages.art import KINDS, Kind, Look
from diffbench_assets.pages.dice import Dice
from diffbench_assets.pages.scenes.backdrops import HEIGHT, WIDTH
from diffbench_assets.pages.scenes.places import STANDING, Box, Place, Zone

GAP: Final = 12
"""CSS px at least between two things, so that none hides another."""
MARGIN: Final = 10
"""CSS px at least between a thing and the edge of the page."""
GROWTH: Final = 1.1
"""A thing of the usual size in a scene, against the pixels of its kind."""

_TRIES: Final = 60
_LABELLED, _LIVELY = 4, 8
"""So many things with text, and so many that can turn or change state, are placed first."""
_TILT: Final = 25
_LETTERS: Final = "ABCDEFHKLMNPRSTUVXYZ"
_DIGITS: Final = "123456789"


@dataclass(frozen=True)
class Thing:
    """One thing of a scene: its (0, 0) stands at (x, y), `scale` CSS px are one unit, `angle` degrees clockwise."""

    kind: Kind
    zone: Zone
    look: Look
    color: str = ""
    angle: int = 0
    scale: float = 1
    x: float = 0
    y: float = 0

    @property
    def box(self) -> Box:
        """CSS px that the thing fills in any of its states."""
        left, top, right, bottom = self.kind.bounds
        turn = math.radians(self.angle)
        corners = [
            (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))
            for x in (left, right)
            for y in (top, bottom)
        ]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return (
            self.x + min(xs) * self.scale, self.y + min(ys) * self.scale,
            self.x + max(xs) * self.scale, self.y + max(ys) * self.scale,
        )  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """A place in a mood, with things of which none touches another, the furthest first."""

    place: Place
    mood: str
    things: tuple[Thing, ...]


def compose(place: Place, dice: Dice) -> Scene:
    """A scene at a place, with about 12 to 30 things."""
    mood = dice.one(sorted(place.moods))
    wanted = {zone.name: dice.number(zone.low, zone.high) for zone in place.zones.values()}
    things: list[Thing] = []
    for zone, kind in _cast(dice, place):
        if wanted[zone.name] and (thing := _placed(dice, zone, kind, things)):
            things.append(thing)
            wanted[zone.name] -= 1
    return Scene(place, mood, tuple(sorted(things, key=lambda thing: (thing.box[3], thing.x))))


def fits(box: Box, zone: Zone) -> bool:
    """Whether a thing with this box stands, hangs, lies or flies where the zone wants it, whole on the page."""
    left, top, right, bottom = box
    x0, y0, x1, y1 = zone.box
    high = bottom if zone.rest in STANDING else top
    inside = left >= MARGIN and top >= MARGIN and right <= WIDTH - MARGIN and bottom <= HEIGHT - MARGIN / 2
    return inside and x0 <= left and right <= x1 and y0 - 1 <= high and bottom <= y1 + 1


def _apart(one: Box, other: Box) -> bool:
    return one[2] + GAP <= other[0] or other[2] + GAP <= one[0] or one[3] + GAP <= other[1] or other[3] + GAP <= one[1]


def _cast(dice: Dice, place: Place) -> list[tuple[Zone, Kind]]:
    """Who tries to get a spot, in order: some with text, some that can turn or change state, then everyone."""
    everyone = dice.shuffled([(zone, KINDS[name]) for zone in place.zones.values() for name in zone.cast])
    labelled = [number for number, (_, kind) in enumerate(everyone) if kind.label][:_LABELLED]
    lively = [n for n, (_, kind) in enumerate(everyone) if n not in labelled and (kind.states or kind.turns)][:_LIVELY]
    first = labelled + lively
    return [everyone[n] for n in first + [n for n in range(len(everyone)) if n not in first]]


def _placed(dice: Dice, zone: Zone, kind: Kind, others: list[Thing]) -> Thing | None:
    """The thing at the first free spot that chance finds, or None."""
    thing = _looking(dice, zone, kind, others)
    size = dice.number(*kind.px) * GROWTH / 100
    boxes = [other.box for other in others]
    x0, y0, x1, y1 = zone.box
    for _ in range(_TRIES):
        x, y = dice.number(round(x0), round(x1)), dice.number(round(y0), round(y1))
        depth = (y - y0) / (y1 - y0) if y1 > y0 else 1.0
        scale = round(size * (zone.far + (zone.near - zone.far) * depth), 3)
        foot = y - round(kind.bounds[3] * scale) if zone.rest in STANDING else y
        here = replace(thing, x=x, y=foot, scale=scale)
        box = here.box
        if fits(box, zone) and all(_apart(box, other) for other in boxes):
            return here
    return None


def _looking(dice: Dice, zone: Zone, kind: Kind, others: list[Thing]) -> Thing:
    """Chance decides everything but the spot; two of a kind get different colors where they can."""
    taken = {other.color for other in others if other.kind == kind}
    texts = {other.look.text for other in others}
    free = [color for color in kind.colors if color not in taken]
    look = Look(
        dice.one(kind.states) if kind.states else "",
        dice.number(kind.counted.low, kind.counted.high) if kind.counted else 0,
        _text(dice, kind.label.templates, texts) if kind.label else "",
        dice.one(kind.patterns) if kind.patterns else "",
    )
    color = dice.one(free or kind.colors) if kind.colors else ""
    return Thing(kind, zone, look, color, dice.number(-_TILT, _TILT) if kind.turns else 0)


def _text(dice: Dice, templates: tuple[str, ...], taken: set[str]) -> str:
    text = ""
    for _ in range(_TRIES):
        template = dice.one(templates)
        text = "".join(dice.one(_DIGITS) if c == "#" else dice.one(_LETTERS) if c == "@" else c for c in template)
        if text not in taken:
            break
    return text
