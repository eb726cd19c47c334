"""A scene from a seed.

Belongs here: choosing a place, who is in it and where. Does not belong here: pixels, changes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeVar

import numpy as np

from diffbench_assets.pages.drawn_scenes.draw import body_box
from diffbench_assets.pages.drawn_scenes.kinds import KINDS, Kind, Label
from diffbench_assets.pages.drawn_scenes.model import HEIGHT, WIDTH, Backdrop, Box, Scene, Thing
from diffbench_assets.pages.drawn_scenes.palette import similar
from diffbench_assets.pages.drawn_scenes.places import PLACES, STANDING, Zone
from diffbench_assets.seeds import digest, rng

GAP: Final = 10
"""Pixels at least between two bodies, so that no thing hides another."""
MARGIN: Final = 8
"""Pixels at least between a body and the image's edge."""
_TRIES: Final = 60
_LABELLED, _LIVELY = 4, 8
"""So many things with text, and so many that can turn or change state, are placed first."""

_T = TypeVar("_T")


def make_scene(*seed: object) -> Scene:
    """The scene that the parts of the seed alone decide: 12 to 30 things, none hiding another."""
    name = digest("scene", *seed)
    dice = rng(name)
    place = PLACES[pick(dice, sorted(PLACES))]
    backdrop = Backdrop(place.name, pick(dice, sorted(place.moods)), name[:16])
    wanted = {zone.name: int(dice.integers(zone.low, zone.high + 1)) for zone in place.zones}
    things: list[Thing] = []
    for zone, kind in _cast(dice, place.zones):
        if wanted[zone.name]:
            thing = _placed(dice, zone, kind, f"{kind.name}-{len(things)}", things)
            if thing is not None:
                things.append(thing)
                wanted[zone.name] -= 1
    things.sort(key=lambda thing: (body_box(thing)[3], thing.id))
    return Scene(name, backdrop, tuple(things))


def pick(dice: np.random.Generator, choices: list[_T] | tuple[_T, ...]) -> _T:
    """One of the choices, each as likely."""
    return choices[int(dice.integers(len(choices)))]


def fits_zone(thing: Thing, zone: Zone) -> bool:
    """Whether the thing's foot, or its whole body, is where the zone wants it, and all of it inside the image."""
    left, top, right, bottom = body_box(thing)
    if left < MARGIN or top < MARGIN or right > WIDTH - MARGIN or bottom > HEIGHT - MARGIN:
        return False
    x0, y0, x1, y1 = zone.box
    high, low = (bottom, bottom) if zone.rest in STANDING else (top, bottom)
    return x0 <= left and right <= x1 and y0 <= high and low <= y1


def apart(one: Box, other: Box, gap: int = GAP) -> bool:
    """Whether two boxes leave at least `gap` pixels between them."""
    return one[2] + gap <= other[0] or other[2] + gap <= one[0] or one[3] + gap <= other[1] or other[3] + gap <= one[1]


def _cast(dice: np.random.Generator, zones: tuple[Zone, ...]) -> list[tuple[Zone, Kind]]:
    """Who tries to get a place, in order: some with text, some that can change state, then everyone."""
    everyone = [(zone, KINDS[name]) for zone in zones for name in zone.cast]
    everyone = [everyone[place] for place in dice.permutation(len(everyone))]
    labelled = [member for member in everyone if member[1].label][:_LABELLED]
    lively = [member for member in everyone if member not in labelled and (member[1].states or member[1].turnable)]
    first = labelled + lively[:_LIVELY]
    return first + [member for member in everyone if member not in first]


def _placed(dice: np.random.Generator, zone: Zone, kind: Kind, id: str, others: list[Thing]) -> Thing | None:
    """The thing at the first free spot that chance finds, or None."""
    look = _look(dice, zone, kind, id, others)
    boxes = [body_box(other) for other in others]
    for _ in range(_TRIES):
        x0, y0, x1, y1 = zone.box
        x, y = int(dice.integers(x0, x1 + 1)), int(dice.integers(y0, y1 + 1))
        depth = (y - y0) / (y1 - y0) if y1 > y0 else 1.0
        size = round(look.size * (zone.far + (zone.near - zone.far) * depth))
        # Most spots are taken, which the nominal size tells at once; the exact outline costs a drawing.
        standing = zone.rest in STANDING
        half, tall = round(kind.width * size * 0.35), round(kind.height * size * 0.7)
        foot = y if standing else y + tall // 2
        nominal = (x - half, foot - tall, x + half, foot)
        if x - half < x0 or x + half > x1 or not all(apart(nominal, box) for box in boxes):
            continue
        thing = replace(look, size=size, x=x, y=y)
        if standing:
            thing = replace(thing, y=2 * y - body_box(thing)[3])
        if fits_zone(thing, zone) and all(apart(body_box(thing), box) for box in boxes):
            return thing
    return None


def _look(dice: np.random.Generator, zone: Zone, kind: Kind, id: str, others: list[Thing]) -> Thing:
    """Chance decides everything but the place; two of a kind get clearly different colors where they can."""
    taken = [other.color for other in others if other.kind == kind.name]
    free = [color for color in kind.colors if not any(similar(color, other) for other in taken)]
    texts = {other.text for other in others}
    return Thing(
        id, kind.name, 0, 0, int(dice.integers(kind.px[0], kind.px[1] + 1)), zone.rest, zone.name,
        color=pick(dice, free or list(kind.colors)) if kind.colors else "",
        angle=int(dice.integers(-25, 26)) if kind.turnable else 0,
        state=pick(dice, kind.states) if kind.states else "",
        count=int(dice.integers(kind.counted.low, kind.counted.high + 1)) if kind.counted else 0,
        text=_text(dice, kind.label, texts) if kind.label else "",
        pattern=pick(dice, kind.patterns) if kind.patterns else "",
    )  # fmt: skip


_LETTERS: Final = "ABCDEFHKLMNPRSTUVXYZ"
_DIGITS: Final = "123456789"


def _text(dice: np.random.Generator, label: Label, taken: set[str]) -> str:
    for _ in range(_TRIES):
        template = pick(dice, label.templates)
        text = "".join(
            pick(dice, tuple(_DIGITS)) if c == "#" else pick(dice, tuple(_LETTERS)) if c == "@" else c for c in template
        )
        if text not in taken:
            break
    return text
