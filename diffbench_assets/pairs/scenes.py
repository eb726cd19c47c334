"""Pairs of drawn scenes: one change with a meaning a scene, and what an unchanged one is asked about.

Belongs here: one finished pair a scene. Does not belong here: the edits themselves (`pages/drawn_scenes`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from diffbench_assets.pages.drawn_scenes import NoEdit, semantic_pair
from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.categories import CATEGORIES, dimensions_of
from diffbench_assets.pairs.grammar import describe
from diffbench_assets.pairs.made import Difference, MadePair, png, unchanged
from diffbench_assets.pairs.record import DrawnScene
from diffbench_assets.pairs.transforms.pairs import SEEDS_FOR_ONE, drawn_seed, is_low_level, scene_id, transformed


def edited_scenes(cell: str, n: int, seed: int, strength: float, counts: Counter[str]) -> Iterator[MadePair]:
    """Up to `n` pairs from scenes, one a scene; for no_diff, each category in turn and nothing changed."""
    numbers = iter(range(SEEDS_FOR_ONE * (n + 1)))
    for place in range(n):
        category = cell if cell != NO_DIFF else list(CATEGORIES)[place % len(CATEGORIES)]
        pair = None
        while pair is None:
            if (number := next(numbers, None)) is None:
                return
            parts = (seed, cell, number)
            if is_low_level(category):
                pair = transformed(category, drawn_seed(parts), (seed, cell, place), strength)
            else:
                pair = _edited_scene(category, parts)
            counts["scene without a change of its category"] += pair is None
        yield unchanged(pair) if cell == NO_DIFF else pair


def _edited_scene(category: str, parts: tuple[Any, ...]) -> MadePair | None:
    try:
        pair = semantic_pair(category, *parts)
    except NoEdit:
        return None
    told, claim, steps = pair.difference, pair.claim, (DrawnScene(parts, pair.record["edit"]),)
    difference = Difference(
        kind=category,
        claim=claim,
        description=describe(claim.subject, [claim]),
        dimensions=dimensions_of(category, claim.change),
        target=told["target"],
        property=told["property"],
        before=told["before"],
        after=told["after"],
        direction=told["direction"],
        magnitude=told["magnitude"],
        unit=told["magnitude_unit"],
        box=(told["box"]["x"], told["box"]["y"], told["box"]["width"], told["box"]["height"]),
        steps=steps,
    )
    before, after = png(pair.before), png(pair.after)
    return MadePair("scenes", scene_id(parts), before, after, (difference,), steps, pair.possible)
