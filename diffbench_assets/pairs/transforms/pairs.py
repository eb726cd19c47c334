"""Changes of the whole image: each place of a cell has its change, and takes the first image that takes it.

Belongs here: matching places and images. Does not belong here: the transforms (one module a kind of change).
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from PIL import Image

from diffbench_assets.browser.render import Renderer
from diffbench_assets.pairs import transforms
from diffbench_assets.pairs.categories import CATEGORIES, dimensions_of
from diffbench_assets.pairs.grammar import WHOLE_IMAGE, Claim, describe
from diffbench_assets.pairs.made import DRAWN, Difference, MadePair, labels_of, png
from diffbench_assets.pairs.photographs.seed_images import SeedImage
from diffbench_assets.pairs.record import NOTHING, Transformation
from diffbench_assets.pairs.replay import ReplayTask, replay_all
from diffbench_assets.seeds import rng

PAGES_AT_ONCE: Final = 12
MOST_WAITING: Final = 30
"""Images kept for a later place, after refusing the change of an earlier one."""


def is_low_level(cell: str) -> bool:
    """Whether the cell's changes are those of a whole image."""
    return cell in CATEGORIES and CATEGORIES[cell].group == "low_level"


@dataclass(frozen=True)
class Seed:
    """An image to transform; `png` is decoded when it is tried."""

    source_id: str
    png: bytes
    made_by: str = DRAWN
    labels: Mapping[str, str | None] = field(default_factory=dict)


async def transformed_pairs(
    cell: str,
    n: int,
    sources: Sequence[str],
    supplies: Mapping[str, AsyncIterator[Seed]],
    seed: int,
    strength: float,
    counts: Counter[str],
) -> list[MadePair]:
    """Pairs of a low-level cell, place by place; what one source refuses, scenes take, so that no change gets rarer."""
    filled: dict[int, MadePair] = {}
    waiting: dict[str, list[Seed]] = {source: [] for source in supplies}

    async def fill(places: Iterable[int], source: str) -> None:
        for place in places:
            taken = await _first_that_takes(cell, place, supplies[source], waiting[source], seed, strength, counts)
            if taken:
                filled[place] = taken

    for number, source in enumerate(sources):
        if source in supplies:
            await fill(range(number, n, len(sources)), source)
    if "scenes" in sources and "scenes" in supplies:
        await fill([place for place in range(n) if place not in filled], "scenes")
    return [filled[place] for place in sorted(filled)]


async def _first_that_takes(
    cell: str,
    place: int,
    supply: AsyncIterator[Seed],
    waiting: list[Seed],
    seed: int,
    strength: float,
    counts: Counter[str],
) -> MadePair | None:
    """The pair of a place from the first image that takes its change; those that do not wait for later places."""
    for image in list(waiting):
        if pair := transformed(cell, image, (seed, cell, place), strength):
            waiting.remove(image)
            return pair
    async for image in supply:
        if pair := transformed(cell, image, (seed, cell, place), strength):
            return pair
        counts["image that did not take its place's change"] += 1
        waiting.append(image)
        if len(waiting) > MOST_WAITING:
            waiting.pop(0)
    return None


def transformed(category: str, image: Seed, place: tuple[Any, ...], strength: float) -> MadePair | None:
    """The pair of a place, whose change the place decides; None when the image does not take it."""
    pixels = np.asarray(Image.open(io.BytesIO(image.png)).convert("RGB"))
    row, seed = transforms.choose(category, place[-1], *place[:-1]), (*place, image.source_id)
    try:
        changed = row.apply(pixels, rng(*seed), strength)
    except transforms.NoEffect:
        return None
    claim = Claim(WHOLE_IMAGE, row.change)
    step = Transformation(row.name, row.change, strength, seed, changed.parameters, row.applied_to)
    height, width = pixels.shape[:2]
    difference = Difference(
        kind=category,
        claim=claim,
        description=describe(WHOLE_IMAGE, [claim]),
        dimensions=dimensions_of(category, row.change),
        target={"tag": "", "role": "image", "text": "", "location": "everywhere"},
        property=claim.axis,
        before="",
        after=row.change,
        direction=row.direction,
        magnitude=strength,
        unit="times the paper's parameters",
        box=(0.0, 0.0, float(width), float(height)),
        steps=(step,),
    )
    return MadePair(
        "transforms",
        image.source_id,
        image.png if changed.before is None else png(changed.before),
        png(changed.image),
        (difference,),
        (step,),
        transforms.possible_claims(category),
        image.made_by,
        image.labels,
    )


async def page_renders(
    renderer: Renderer, pages: Sequence[Mapping[str, Any]], counts: Counter[str]
) -> AsyncIterator[Seed]:
    """Renders of pages, a few at a time; each must come out the same twice."""
    for start in range(0, len(pages), PAGES_AT_ONCE):
        some = pages[start : start + PAGES_AT_ONCE]
        replays = await replay_all(renderer, [ReplayTask(page["html"], NOTHING) for page in some])
        for page, replay in zip(some, replays, strict=True):
            if replay.failure or replay.before_pixels != replay.after_pixels:
                counts[replay.failure or "page_unstable"] += 1
                continue
            yield Seed(page["page_id"], replay.before, f"{renderer.fingerprint} {DRAWN}", labels_of(page))


async def seed_images(images: Callable[[], Iterable[SeedImage]]) -> AsyncIterator[Seed]:
    """One's own images."""
    for image in images():
        yield Seed(image.seed_id, png(image.pixels))
