"""The pairs of a cell of lowlevel_mcq, in equal shares from the sources that are asked for.

Belongs here: sharing a category out to the pair makers that have it. Does not belong here: making any pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Final

from diffbench_assets.browser.render import Renderer
from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.categories import CATEGORIES
from diffbench_assets.pairs.made import MadePair, Row, pair_row, unchanged
from diffbench_assets.pairs.page_edits.pairs import semantic_pairs
from diffbench_assets.pairs.photographs.seed_images import SeedImage
from diffbench_assets.pairs.transforms.pairs import is_low_level, page_renders, seed_images, transformed_pairs
from diffbench_assets.seeds import digest

SUITE: Final = "lowlevel_mcq"

PAGES_FOR_ONE: Final = 3
"""Pages tried for each pair wanted: not every page has something to change in every category."""
SCENES_FOR_ONE: Final = 4
"""Scenes tried for each pair wanted, which may have to make up for pages."""


@dataclass
class Cell:
    """Pair rows of a cell, and how many came from where or came to nothing."""

    rows: list[Row] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


async def make_cell(
    cell: str,
    n: int,
    sources: Sequence[str],
    seed: int,
    strength: float = 1.0,
    profile: str = "extended",
    *,
    renderer: Renderer,
    pages: Sequence[Mapping[str, Any]] = (),
    scenes: Sequence[Mapping[str, Any]] = (),
    images: Callable[[], Iterable[SeedImage]] = tuple,
    photographs: Callable[[str, Counter[str]], Iterable[MadePair]] = lambda cell, counts: (),
    described: Callable[[str, Counter[str]], Iterable[MadePair]] = lambda cell, counts: (),
) -> Cell:
    """Up to `n` pairs of `cell`, in equal shares from `sources`; what pages and images cannot give, scenes do.

    `pages` and `scenes` are rows with html, missing_glyphs and labels, in the order of `pages_tried` and
    `scenes_tried`; `images` gives seed images, read as they are needed; `photographs` makes pairs through an
    image-edit endpoint. `described` gives image pairs whose differences models told; they come on top. Fewer than `n`
    others come back when supply ends.
    """
    made = Cell()
    given = list(described(cell, made.counts)) if cell != NO_DIFF else []
    if is_low_level(cell):
        supplies = {
            "pages": page_renders(renderer, pages, made.counts),
            "scenes": page_renders(renderer, scenes, made.counts),
            "images": seed_images(images),
        }
        pairs = await transformed_pairs(cell, n, sources, supplies, seed, strength, profile, made.counts)
    else:
        share = _share(n, sources)
        from_pages = partial(_from_pages, cell, renderer, seed, strength, profile, made.counts)
        pairs = []
        if "pages" in sources:
            pairs += await from_pages(share, pages)
        if "images" in sources:
            pairs += islice(photographs(cell, made.counts), share)
        if "scenes" in sources:
            pairs += await from_pages(n - len(pairs), scenes, scenes=True)
    operator, family, tier = (cell, CATEGORIES[cell].group, None) if cell != NO_DIFF else (None, None, NO_DIFF)
    pairs = [*given, *pairs[:n]]
    made.rows = [pair_row(SUITE, cell, pair, operator, family, tier) for pair in pairs]
    made.counts.update(f"by {pair.maker}" for pair in pairs)
    return made


async def _from_pages(
    cell: str,
    renderer: Renderer,
    seed: int,
    strength: float,
    profile: str,
    counts: Counter[str],
    n: int,
    pages: Sequence[Mapping[str, Any]],
    *,
    scenes: bool = False,
) -> list[MadePair]:
    """Up to `n` pairs from pages or scenes, one a page; for no_diff, of each category and with nothing changed."""
    if cell != NO_DIFF:
        return await semantic_pairs(renderer, cell, pages, n, seed, scenes=scenes)
    # As many of each category as pairs that differ have: what is said must not tell that nothing differs.
    made = []
    for number, category in enumerate(CATEGORIES):
        share, some = len(range(number, n, len(CATEGORIES))), pages[number :: len(CATEGORIES)]
        if is_low_level(category):
            supply = {"pages": page_renders(renderer, some, counts)}
            made += await transformed_pairs(category, share, ["pages"], supply, seed, strength, profile, counts)
        else:
            made += await semantic_pairs(renderer, category, some, share, seed, scenes=scenes)
    return [unchanged(pair) for pair in made]


def _share(n: int, sources: Sequence[str]) -> int:
    return -(-n // len(sources)) if sources else 0


def pages_tried(cell: str, n: int, sources: Sequence[str], pool: Iterable[str], seed: int) -> list[str]:
    """Ids of the pool's pages that a cell of `n` pairs draws from, in its own seeded order."""
    if "pages" not in sources:
        return []
    return sorted(pool, key=lambda page_id: digest(seed, cell, page_id))[: PAGES_FOR_ONE * _share(n, sources)]


def scenes_tried(cell: str, n: int, sources: Sequence[str], scenes: Iterable[str], seed: int) -> list[str]:
    """Ids of the scenes that a cell of `n` pairs draws from, in its own seeded order."""
    if "scenes" not in sources:
        return []
    return sorted(scenes, key=lambda page_id: digest(seed, cell, page_id))[: SCENES_FOR_ONE * n]
