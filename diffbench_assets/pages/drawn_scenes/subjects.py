"""Phrases that fit one thing of a scene and no other.

Belongs here: what to call a thing. Does not belong here: what changes about it.

A phrase is a noun when one thing could be called so, else the noun with a color that no other such thing comes near,
else the noun with the place at the end of a row that is clear to see.
"""

from __future__ import annotations

from typing import Final

from diffbench_assets.pages.drawn_scenes.draw import body_box
from diffbench_assets.pages.drawn_scenes.kinds import KINDS
from diffbench_assets.pages.drawn_scenes.model import HEIGHT, WIDTH, Scene, Thing
from diffbench_assets.pages.drawn_scenes.palette import similar

CLEAR: Final = 70
"""Pixels by which a thing must be further left, right, up or down than the next to be called the outermost."""

_ENDS: Final = (("leftmost", 0, -1), ("rightmost", 0, 1), ("topmost", 1, -1), ("lowest", 1, 1))


def subject(scene: Scene, thing: Thing, *, color: bool, place: bool, group: bool = False) -> str | None:
    """The phrase, with its article, or None when none is certain.

    `color` and `place` allow words for them: they must not be what changes. `group` names the thing by its group,
    so that the phrase still fits when another kind of the group stands there.
    """
    kind = KINDS[thing.kind]
    noun = kind.group if group else kind.noun
    alike = [other for other in scene.shown if KINDS[other.kind].called(noun) and other.id != thing.id]
    if not alike:
        return f"the {noun}"
    shared = not group or all(other.part == kind.part for other in KINDS.values() if other.group == noun)
    if color and thing.color and shared and not any(similar(thing.color, other.color) for other in alike):
        return f"the {kind.in_color(noun, thing.color)}"
    if place:
        for word, axis, sign in _ENDS:
            if all(sign * (center(thing)[axis] - center(other)[axis]) >= CLEAR for other in alike):
                return f"the {word} {noun}"
    return None


def center(thing: Thing) -> tuple[float, float]:
    """The middle of the thing's body, in pixels."""
    left, top, right, bottom = body_box(thing)
    return (left + right) / 2, (top + bottom) / 2


def location(thing: Thing) -> str:
    """One of nine areas of the image: top left, top center, …, center, …, bottom right."""
    x, y = center(thing)
    column, row = min(2, int(3 * x / WIDTH)), min(2, int(3 * y / HEIGHT))
    if (column, row) == (1, 1):
        return "center"
    return f"{('top', 'middle', 'bottom')[row]} {('left', 'center', 'right')[column]}"
