"""Changes with a meaning: scenes, pages and photographs, and what an unchanged image is asked about.

Belongs here: one finished pair from each maker. Does not belong here: the edits themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from diffbench_assets.browser.render import Renderer
from diffbench_assets.pairs.lowlevel.rows import Made, labels_of, unchanged
from diffbench_assets.pairs.lowlevel.transformed import is_low_level, page_renders, transformed_pairs
from diffbench_assets.pairs.page_edits.pairs import semantic_pairs
from diffbench_assets.pairs.photographs.pairs import EditedPair
from diffbench_assets.protocols.multiple_choice.categories import CATEGORIES, NO_DIFF


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
    *,
    scenes: bool = False,
) -> list[Made]:
    """Up to `n` pairs from pages or scenes, one a page; for no_diff, of each category and with nothing changed."""
    if cell == NO_DIFF:
        # As many of each category as pairs that differ have: what is said must not tell that nothing differs.
        made = []
        for number, category in enumerate(CATEGORIES):
            share, some = len(range(number, n, len(CATEGORIES))), pages[number :: len(CATEGORIES)]
            if is_low_level(category):
                supply = {"pages": page_renders(renderer, some, counts)}
                made += await transformed_pairs(category, share, ["pages"], supply, seed, strength, counts)
            else:
                made += await edited_pages(category, share, renderer, some, seed, strength, counts, scenes=scenes)
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
        for pair in await semantic_pairs(renderer, cell, pages, n, seed, scenes=scenes)
    ]
