"""A drawn scene as data.

Belongs here: what a scene, a thing in it and its backdrop are made of. Does not belong here: how any of it looks, how
scenes are composed, what may change.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

WIDTH: Final = 1024
HEIGHT: Final = 768
"""Pixels of every scene."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are outside."""


@dataclass(frozen=True)
class Thing:
    """One thing of a scene. Every field but `id`, `rest` and `zone` is something a pair may change.

    (x, y) is the pixel of its centre, `size` the pixels of one unit of its outlines, `angle` degrees clockwise, `tone`
    -1 darker, 0, +1 lighter than its color. `rest` says what it rests on, and so how its shadow falls.
    """

    id: str
    kind: str
    x: int
    y: int
    size: int
    rest: str
    zone: str
    color: str = ""
    tone: int = 0
    angle: int = 0
    state: str = ""
    count: int = 0
    text: str = ""
    pattern: str = ""
    shown: bool = True


@dataclass(frozen=True)
class Backdrop:
    """Everything behind the things: the place, the hues it is drawn in, and what scatters its details."""

    place: str
    mood: str
    seed: str


@dataclass(frozen=True)
class Scene:
    """A backdrop with things, the first drawn first. `seed` names the scene for every later choice about it."""

    seed: str
    backdrop: Backdrop
    things: tuple[Thing, ...]

    def thing(self, id: str) -> Thing:
        """Raises KeyError when no thing has this id."""
        for thing in self.things:
            if thing.id == id:
                return thing
        raise KeyError(f"scene {self.seed[:8]} has no thing {id!r}")

    def with_thing(self, id: str, **fields: Any) -> Scene:
        """The scene with fields of one thing replaced. Raises KeyError when no thing has this id."""
        changed = replace(self.thing(id), **fields)
        return replace(self, things=tuple(changed if thing.id == id else thing for thing in self.things))

    @property
    def shown(self) -> tuple[Thing, ...]:
        return tuple(thing for thing in self.things if thing.shown)
