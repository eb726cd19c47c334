"""What a place is, and the table of all places.

Belongs here: places, their zones, the decorator that fills the table. Does not belong here: any one place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from diffbench_assets.pages.drawn_scenes.model import Box
from diffbench_assets.pages.drawn_scenes.palette import RGB
from diffbench_assets.pages.drawn_scenes.pen import Pen

Mood = Mapping[str, RGB]
Paint = Callable[[Pen, Mood, np.random.Generator], None]

STANDING: Final = ("ground", "shelf")
"""Rests on which a zone holds a thing's foot; on the others it holds the whole body."""


@dataclass(frozen=True)
class Zone:
    """Where things of the cast can be, `low` to `high` of them.

    `box` holds the foot of what stands, and the whole body of what hangs, lies or flies. Sizes are multiplied by
    `far` at the top of the box and by `near` at its bottom.
    """

    name: str
    rest: str
    box: Box
    low: int
    high: int
    cast: tuple[str, ...]
    far: float = 1
    near: float = 1


@dataclass(frozen=True)
class Place:
    """A backdrop that can be drawn in several moods. `nouns` names what it shows, so that no thing is called so."""

    name: str
    paint: Paint
    zones: tuple[Zone, ...]
    moods: Mapping[str, Mood]
    nouns: tuple[str, ...]

    def zone(self, name: str) -> Zone:
        """Raises KeyError when the place has no such zone."""
        for zone in self.zones:
            if zone.name == name:
                return zone
        raise KeyError(f"place {self.name!r} has no zone {name!r}")


PLACES: Final[dict[str, Place]] = {}
"""Every place, by name; the modules beside this one fill it."""


def place(zones: tuple[Zone, ...], moods: Mapping[str, Mood], nouns: tuple[str, ...]) -> Callable[[Paint], Paint]:
    """Enter the decorated function into the table as the painting of this place."""

    def enter(paint: Paint) -> Paint:
        PLACES[paint.__name__] = Place(paint.__name__, paint, zones, moods, nouns)
        return paint

    return enter
