"""A pair of drawn images with one semantic difference.

Belongs here: choosing the edit, telling the difference, the record that replays it. Does not belong here: which edits
there are (`edits.py`), questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from diffbench_assets.pages.drawn_scenes.compose import make_scene
from diffbench_assets.pages.drawn_scenes.draw import draw
from diffbench_assets.pages.drawn_scenes.edits import EDITORS, Edit, apply, possible_edits, region
from diffbench_assets.pages.drawn_scenes.kinds import KINDS
from diffbench_assets.pages.drawn_scenes.model import Scene
from diffbench_assets.pages.drawn_scenes.subjects import location
from diffbench_assets.pairs.grammar import CHANGES, Claim, excludes
from diffbench_assets.seeds import rng

MAKER: Final = "drawn_scene"
CATEGORIES: Final = tuple(EDITORS)
FEWEST_CLAIMS: Final = 6
"""A scene with fewer claims makes no pair: two false statements must be chosen from many, or they tell the truth."""

_UNITS: Final = {
    "x": "px", "y": "px", "angle": "degrees", "size": "percent", "tone": "tones", "count": "parts", "shown": "things",
}  # fmt: skip


class NoEdit(ValueError):
    """The scene has too little that could change in this category; another seed has more."""


@dataclass(frozen=True)
class ScenePair:
    """Two images that differ by `claim` alone.

    `before` and `after` are height × width × 3, uint8. `possible` holds every claim that could have been made true of
    `before`, each with its reverse, sorted: all but `claim` are false. `difference` fits `schemas.DIFFERENCE`; `record`
    is plain JSON values and makes the images again with `replay`.
    """

    before: np.ndarray
    after: np.ndarray
    claim: Claim
    possible: tuple[Claim, ...]
    difference: dict[str, Any]
    record: dict[str, Any]


def semantic_pair(category: str, *seed: object) -> ScenePair:
    """The pair of this category that the parts of the seed alone decide.

    Raises NoEdit when the seed's scene has too few edits, ValueError for an unknown category.
    """
    scene = make_scene(*seed)
    edits = possible_edits(scene, category)
    claims = claims_of(edits)
    if len(claims) < FEWEST_CLAIMS:
        raise NoEdit(f"scene {seed} has {len(claims)} claims of {category}; {FEWEST_CLAIMS} are needed")
    edit = choose(edits, rng("edit", category, *seed))
    before, after = draw(scene), draw(apply(scene, edit))
    possible = tuple(claim for claim in claims if claim == edit.claim or excludes(edit.claim, claim))
    record = {
        "maker": MAKER,
        "seed": [str(part) for part in seed],
        "category": category,
        "edit": {"thing": edit.thing, "field": edit.field, "value": edit.value},
        "claim": edit.claim.as_dict(),
        "possible": [claim.as_dict() for claim in possible],
    }
    return ScenePair(before, after, edit.claim, possible, _difference(category, scene, edit, before, after), record)


def replay(record: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """The images of a pair from its record alone: before, after."""
    scene = make_scene(*record["seed"])
    return draw(scene), draw(apply(scene, Edit(Claim(**record["claim"]), **record["edit"])))


def claims_of(edits: Sequence[Edit]) -> tuple[Claim, ...]:
    """Every claim of the edits and its reverse, sorted."""
    return tuple(sorted({claim for edit in edits for claim in (edit.claim, edit.claim.reversed())}))


def choose(edits: Sequence[Edit], dice: np.random.Generator) -> Edit:
    """One edit, by chance, so that every one of `claims_of` is as likely to be true of the pair read one way or the
    other: an edit whose reverse is no edit itself stands for two claims.
    """
    claims = {edit.claim for edit in edits}
    weights = np.array([1 if edit.claim.reversed() in claims else 2 for edit in edits], np.float64)
    return edits[int(dice.choice(len(edits), p=weights / weights.sum()))]


def _difference(category: str, scene: Scene, edit: Edit, before: np.ndarray, after: np.ndarray) -> dict[str, Any]:
    thing = scene.thing(edit.thing)
    was, value = getattr(thing, edit.field), edit.value
    step = int(value) - int(was) if edit.field in _UNITS else None
    predicate = CHANGES[edit.claim.change].predicate.format(before=edit.claim.before, after=edit.claim.after)
    sentence = f"{edit.claim.subject} {predicate}."
    return {
        "kind": category,
        "target": {"tag": "", "role": KINDS[thing.kind].noun, "text": thing.text, "location": location(thing)},
        "property": edit.field,
        "before": edit.claim.before or _said(was),
        "after": edit.claim.after or _said(value),
        "direction": None if step is None else 1 if step > 0 else -1,
        "magnitude": None if step is None else 100 * abs(step) / was if edit.field == "size" else float(abs(step)),
        "magnitude_unit": _UNITS.get(edit.field),
        "description": sentence[0].upper() + sentence[1:],
        "box": _changed_box(before, after, region(scene, edit)),
    }


def _said(value: int | str | bool) -> str:
    return ("absent", "present")[value] if isinstance(value, bool) else str(value)


def _changed_box(before: np.ndarray, after: np.ndarray, within: tuple[int, int, int, int]) -> dict[str, float]:
    """The smallest rectangle around all changed pixels, which lie in `within`."""
    left, top, right, bottom = within
    changed = (before[top:bottom, left:right] != after[top:bottom, left:right]).any(axis=2)
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    return {
        "x": float(left + columns[0]),
        "y": float(top + rows[0]),
        "width": float(columns[-1] - columns[0] + 1),
        "height": float(rows[-1] - rows[0] + 1),
    }
