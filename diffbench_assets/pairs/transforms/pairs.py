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
from diffbench_assets.pairs.transforms.profiles import PROFILES, possible_claims, require_false
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
    profile: str,
    counts: Counter[str],
) -> list[MadePair]:
    """Pairs of a low-level cell, place by place; what one source refuses, scenes take, so that no change gets rarer."""
    filled: dict[int, MadePair] = {}
    waiting: dict[str, list[_Waiting]] = {source: [] for source in supplies}

    async def fill(places: Iterable[int], source: str) -> None:
        for place in places:
            row = transforms.choose(PROFILES[profile], cell, place, seed, cell)

            def attempt(image: Seed) -> MadePair | None:
                return transformed(cell, image, row, (seed, cell, place, image.source_id), strength, profile)  # noqa: B023

            taken = await _first_that_takes(attempt, row.change, supplies[source], waiting[source], counts)
            if taken:
                filled[place] = taken

    for number, source in enumerate(sources):
        if source in supplies:
            await fill(range(number, n, len(sources)), source)
    if "scenes" in sources and "scenes" in supplies:
        await fill([place for place in range(n) if place not in filled], "scenes")
    return [filled[place] for place in sorted(filled)]


@dataclass(frozen=True)
class _Waiting:
    """An image that refused the changes of earlier places."""

    image: Seed
    refused: set[str]


async def _first_that_takes(
    attempt: Callable[[Seed], MadePair | None],
    change: str,
    supply: AsyncIterator[Seed],
    waiting: list[_Waiting],
    counts: Counter[str],
) -> MadePair | None:
    """The pair of a place from the first image that takes its change; those that do not wait for later places.

    A source of which MOST_WAITING images refused the change is asked no more.
    """
    for kept in list(waiting):
        if change in kept.refused:
            continue
        if pair := attempt(kept.image):
            waiting.remove(kept)
            return pair
        kept.refused.add(change)
    while sum(change in kept.refused for kept in waiting) < MOST_WAITING:
        if (image := await anext(supply, None)) is None:
            return None
        if pair := attempt(image):
            return pair
        counts["image that did not take its place's change"] += 1
        waiting.append(_Waiting(image, {change}))
        if len(waiting) > MOST_WAITING:
            waiting.pop(0)
    return None


def transformed(
    category: str, image: Seed, row: transforms.Transform, seed: tuple[Any, ...], strength: float, profile: str
) -> MadePair | None:
    """The pair of an image that shows the change of `row`; None when the image does not take it."""
    pixels = np.asarray(Image.open(io.BytesIO(image.png)).convert("RGB"))
    claim, possible = Claim(WHOLE_IMAGE, row.change), possible_claims(PROFILES[profile], row.change, *seed)
    try:
        changed = row.apply(pixels, rng(*seed), strength)
        require_false(claim, possible, pixels if changed.before is None else changed.before, changed.image)
    except transforms.NoEffect:
        return None
    step = Transformation(row.name, row.change, strength, seed, changed.parameters, row.applied_to, profile)
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
        possible,
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
