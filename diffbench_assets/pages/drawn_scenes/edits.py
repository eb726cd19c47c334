"""What can change in a drawn scene, as data, and the check that a change is true, visible and the only one.

Belongs here: the edits of every category, applying one. Does not belong here: choosing one, pairs of images.

A thing varies along one axis only in a category where two axes could be taken for one another (its color or its
lightness; its kind, its size or its number of parts): so no claim about it is false merely in name, and a claim
tells nothing about the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from diffbench_assets.pages.drawn_scenes.compose import MARGIN, apart, fits_zone
from diffbench_assets.pages.drawn_scenes.draw import body_box, draw, extent
from diffbench_assets.pages.drawn_scenes.kinds import KINDS
from diffbench_assets.pages.drawn_scenes.model import HEIGHT, WIDTH, Box, Scene, Thing
from diffbench_assets.pages.drawn_scenes.palette import similar
from diffbench_assets.pages.drawn_scenes.places import PLACES
from diffbench_assets.pages.drawn_scenes.subjects import subject
from diffbench_assets.pages.drawn_scenes.wordplay import variants
from diffbench_assets.pairs.grammar import Claim
from diffbench_assets.seeds import rng

Value = int | str | bool

VISIBLE_LEVELS: Final = 24
"""A pixel has visibly changed when a channel differs by this many of 255 levels."""
VISIBLE_PIXELS: Final = 60
"""So many pixels must visibly change."""
CLEARANCE: Final = 4
"""Pixels at least between the changed body and any other."""
_DISTANCES: Final = (50, 70, 95, 120, 150, 180)
_TURNS: Final = (25, 30, 35, 40, 45)
_GROWTH: Final = (1.3, 1.4, 1.5)
_SHRINKING: Final = (0.6, 0.66, 0.72)
_ALTERNATIVES: Final = 2
"""At most so many other values of one thing: more would make it the subject of most claims."""


@dataclass(frozen=True)
class Edit:
    """One field of one thing gets a value, and then `claim` is true of the edited scene against the scene."""

    claim: Claim
    thing: str
    field: str
    value: Value


def apply(scene: Scene, edit: Edit) -> Scene:
    """The edited scene. Raises KeyError when the scene lacks the thing."""
    return scene.with_thing(edit.thing, **{edit.field: edit.value})


def undo(scene: Scene, edit: Edit) -> Edit:
    """The edit that turns `apply(scene, edit)` back into `scene`."""
    return Edit(edit.claim.reversed(), edit.thing, edit.field, getattr(scene.thing(edit.thing), edit.field))


def possible_edits(scene: Scene, category: str) -> tuple[Edit, ...]:
    """Every edit of the category that is true, visible and changes nothing else; the scene's seed decides distances
    and the choice among many values. Raises ValueError for an unknown category.
    """
    if category not in EDITORS:
        raise ValueError(f"no edits of category {category!r}; drawn scenes have {', '.join(EDITORS)}")
    edits: list[Edit] = []
    for thing in scene.shown:
        edits += EDITORS[category](scene, thing, rng("edits", scene.seed, category, thing.id))
    return tuple(edits)


def region(scene: Scene, edit: Edit) -> Box:
    """Pixels outside of which the edit changes nothing."""
    one, other = extent(scene.thing(edit.thing)), extent(apply(scene, edit).thing(edit.thing))
    left, top = max(0, min(one[0], other[0])), max(0, min(one[1], other[1]))
    return left, top, min(WIDTH, max(one[2], other[2])), min(HEIGHT, max(one[3], other[3]))


def _checked(scene: Scene, edits: Iterator[Edit]) -> list[Edit]:
    return [edit for edit in edits if _alone(scene, edit) and _visible(scene, edit)]


def _alone(scene: Scene, edit: Edit) -> bool:
    """Whether the changed thing stays inside the image, where its zone wants it, and away from all others."""
    after = apply(scene, edit).thing(edit.thing)
    left, top, right, bottom = body_box(after)
    if left < MARGIN or top < MARGIN or right > WIDTH - MARGIN or bottom > HEIGHT - MARGIN:
        return False
    if edit.field in ("x", "y") and not fits_zone(after, PLACES[scene.backdrop.place].zone(after.zone)):
        return False
    others = (body_box(other) for other in scene.shown if other.id != after.id)
    return all(apart(body_box(after), box, CLEARANCE) for box in others)


def _visible(scene: Scene, edit: Edit) -> bool:
    box = region(scene, edit)
    before, after = (draw(state, box).astype(np.int16) for state in (scene, apply(scene, edit)))
    return int((np.abs(before - after).max(axis=2) >= VISIBLE_LEVELS).sum()) >= VISIBLE_PIXELS


def _first(scene: Scene, edits: Iterator[Edit]) -> list[Edit]:
    for edit in edits:
        if _alone(scene, edit) and _visible(scene, edit):
            return [edit]
    return []


def _one_axis(axes: Sequence[Callable[[], list[Edit]]], dice: np.random.Generator) -> list[Edit]:
    """The edits along one of the axes that have any, each axis as likely."""
    for place in dice.permutation(len(axes)):
        if edits := axes[place]():
            return edits
    return []


def _some(values: list[Value], dice: np.random.Generator) -> list[Value]:
    return [values[place] for place in dice.permutation(len(values))[:_ALTERNATIVES]]


def _position(scene: Scene, thing: Thing, dice: np.random.Generator) -> list[Edit]:
    name = subject(scene, thing, color=True, place=False)
    if name is None:
        return []
    edits: list[Edit] = []
    for change, field, sign in (
        ("moved_left", "x", -1), ("moved_right", "x", 1), ("moved_up", "y", -1), ("moved_down", "y", 1),
    ):  # fmt: skip
        start = getattr(thing, field)
        distances = [sign * _DISTANCES[place] for place in dice.permutation(len(_DISTANCES))]
        edits += _first(scene, (Edit(Claim(name, change), thing.id, field, start + step) for step in distances))
    return edits


def _motion(scene: Scene, thing: Thing, dice: np.random.Generator) -> list[Edit]:
    kind, name = KINDS[thing.kind], subject(scene, thing, color=True, place=True)
    if name is None:
        return []
    if kind.turnable:
        turn = _TURNS[int(dice.integers(len(_TURNS)))]
        turns = (("turned_clockwise", turn), ("turned_counterclockwise", -turn))
        return _checked(scene, (Edit(Claim(name, change), thing.id, "angle", thing.angle + by) for change, by in turns))
    others = _some([state for state in kind.states if state != thing.state], dice)
    return _checked(
        scene, (Edit(Claim(name, "state", thing.state, str(state)), thing.id, "state", state) for state in others)
    )


def _regional_color(scene: Scene, thing: Thing, dice: np.random.Generator) -> list[Edit]:
    kind, name = KINDS[thing.kind], subject(scene, thing, color=False, place=True)
    if name is None or not thing.color:
        return []
    name = f"the {kind.part} of {name}" if kind.part else name
    colors = _some([color for color in kind.colors if not similar(color, thing.color)], dice)
    hues = (Edit(Claim(name, "recolored", thing.color, str(color)), thing.id, "color", color) for color in colors)
    tones = (("lighter", 1), ("darker", -1))
    lights = (Edit(Claim(name, change), thing.id, "tone", thing.tone + by) for change, by in tones)
    return _one_axis((lambda: _checked(scene, hues), lambda: _checked(scene, lights)), dice)


def _appearance(scene: Scene, thing: Thing, dice: np.random.Generator) -> list[Edit]:
    name = subject(scene, thing, color=True, place=True)
    return [] if name is None else [Edit(Claim(name, "disappeared"), thing.id, "shown", False)]


def _substitution(scene: Scene, thing: Thing, dice: np.random.Generator) -> list[Edit]:
    return _one_axis([partial(axis, scene, thing, dice) for axis in (_kinds, _sizes, _counts)], dice)


def _kinds(scene: Scene, thing: Thing, dice: np.random.Generator) -> list[Edit]:
    kind = KINDS[thing.kind]
    name = subject(scene, thing, color=True, place=True, group=True) if kind.group else None
    present = [other.kind for other in scene.shown]
    # A second thing of either kind could leave a phrase for it without a sense in one of the images.
    if name is None or present.count(kind.name) > 1:
        return []
    others = [other for other in KINDS.values() if other.group == kind.group and other.name not in present]
    names: list[Value] = [other.name for other in others if thing.color in other.colors or not thing.color]
    return _checked(
        scene,
        (
            Edit(Claim(name, "replaced", kind.article_noun, KINDS[str(other)].article_noun), thing.id, "kind", other)
            for other in _some(names, dice)
        ),
    )


def _sizes(scene: Scene, thing: Thing, dice: np.random.Generator) -> list[Edit]:
    # On a shelf a thing that grows about its centre would sink into the board.
    name = subject(scene, thing, color=True, place=True)
    if name is None or thing.rest == "shelf":
        return []
    edits: list[Edit] = []
    for change, factors in (("larger", _GROWTH), ("smaller", _SHRINKING)):
        sizes = [round(thing.size * factors[place]) for place in dice.permutation(len(factors))]
        edits += _first(scene, (Edit(Claim(name, change), thing.id, "size", size) for size in sizes))
    return edits


def _counts(scene: Scene, thing: Thing, dice: np.random.Generator) -> list[Edit]:
    counted, name = KINDS[thing.kind].counted, subject(scene, thing, color=True, place=True)
    if name is None or counted is None:
        return []
    near = [count for count in range(counted.low, counted.high + 1) if 0 < abs(count - thing.count) <= 2]
    was = counted.words(thing.count)
    return _checked(
        scene,
        (
            Edit(Claim(name, "count", was, counted.words(int(count))), thing.id, "count", count)
            for count in _some(list(near), dice)
        ),
    )


def _ocr(scene: Scene, thing: Thing, dice: np.random.Generator) -> list[Edit]:
    label, name = KINDS[thing.kind].label, subject(scene, thing, color=True, place=True)
    if name is None or label is None:
        return []
    name = f"the {label.part} of {name}" if label.part else name
    words = [word for other in scene.shown for word in other.text.split(" ") if word.isalpha() and len(word) > 2]
    texts = [text for text in variants(thing.text, words, dice) if label.fits(text)]
    return _checked(scene, (Edit(Claim(name, "reads", thing.text, text), thing.id, "text", text) for text in texts))


EDITORS: Final[dict[str, Callable[[Scene, Thing, np.random.Generator], list[Edit]]]] = {
    "position": _position,
    "motion": _motion,
    "regional_color": _regional_color,
    "appearance": _appearance,
    "substitution": _substitution,
    "ocr": _ocr,
}
"""The edits of one thing, by category."""
