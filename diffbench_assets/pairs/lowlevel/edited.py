"""Changes with a meaning: scenes, pages and photographs, and what an unchanged image is asked about.

Belongs here: one finished pair from each maker. Does not belong here: the edits themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from diffbench_assets.browser.render import Renderer
from diffbench_assets.pages.drawn_scenes import NoEdit, draw, make_scene, semantic_pair
from diffbench_assets.pairs.lowlevel.categories import CATEGORIES, NO_DIFF
from diffbench_assets.pairs.lowlevel.rows import Made, labels_of, png, scene_id, unchanged
from diffbench_assets.pairs.lowlevel.transformed import (
    SEEDS_FOR_ONE,
    Seed,
    is_low_level,
    page_renders,
    transformed,
    transformed_pairs,
)
from diffbench_assets.pairs.page_edits.pairs import semantic_pairs
from diffbench_assets.pairs.photographs.pairs import EditedPair


def edited_scenes(cell: str, n: int, seed: int, strength: float, counts: Counter[str]) -> Iterator[Made]:
    """Up to `n` pairs from scenes, one a scene; for no_diff, each category in turn and nothing changed."""
    numbers = iter(range(SEEDS_FOR_ONE * (n + 1)))
    for place in range(n):
        category = _category(cell, place)
        pair = None
        while pair is None:
            if (number := next(numbers, None)) is None:
                return
            parts = (seed, cell, number)
            if is_low_level(category):
                image = Seed(scene_id(parts), png(draw(make_scene(*parts))))
                pair = transformed(category, image, (seed, cell, place), strength)
            else:
                pair = _edited_scene(category, parts)
            counts["scene without a change of its category"] += pair is None
        yield unchanged(pair) if cell == NO_DIFF else pair


def _edited_scene(category: str, parts: tuple[Any, ...]) -> Made | None:
    try:
        pair = semantic_pair(category, *parts)
    except NoEdit:
        return None
    before, after = png(pair.before), png(pair.after)
    return Made(scene_id(parts), before, after, pair.claim, pair.possible, pair.difference, pair.record)


def edited(pair: EditedPair) -> Made:
    """A photograph that an endpoint edited."""
    return Made(pair.seed_id, pair.before, pair.after, pair.claim, pair.possible, pair.difference, pair.record)


async def edited_pages(
    cell: str,
    n: int,
    renderer: Renderer,
    pages: Sequence[Mapping[str, Any]],
    seed: int,
    strength: float,
    counts: Counter[str],
) -> list[Made]:
    """Up to `n` pairs from pages, one a page; for no_diff, of each category and with nothing changed."""
    if cell == NO_DIFF:
        # As many of each category as pairs that differ have: what is said must not tell that nothing differs.
        made = []
        for number, category in enumerate(CATEGORIES):
            share, some = len(range(number, n, len(CATEGORIES))), pages[number :: len(CATEGORIES)]
            if is_low_level(category):
                supply = {"pages": page_renders(renderer, some, counts)}
                made += await transformed_pairs(category, share, ["pages"], supply, seed, strength, counts)
            else:
                made += await edited_pages(category, share, renderer, some, seed, strength, counts)
        return [unchanged(pair) for pair in made]
    by_id = {page["page_id"]: page for page in pages}
    return [
        Made(
            pair.page_id,
            pair.before,
            pair.after,
            pair.claim,
            pair.possible,
            pair.difference,
            pair.record,
            renderer.fingerprint,
            labels_of(by_id[pair.page_id]),
        )
        for pair in await semantic_pairs(renderer, cell, pages, n, seed)
    ]


def _category(cell: str, number: int) -> str:
    """The category whose claims an unchanged image is asked about: each in turn."""
    return cell if cell != NO_DIFF else list(CATEGORIES)[number % len(CATEGORIES)]
