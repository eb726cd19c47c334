"""Changes of the whole image: each place of a cell has its change, and takes the first image that takes it.

Belongs here: matching places and images. Does not belong here: the transforms (`imaging/transforms`).
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
from diffbench_assets.pages.drawn_scenes import draw, make_scene
from diffbench_assets.pairs import transforms
from diffbench_assets.pairs.grammar import WHOLE_IMAGE, Claim
from diffbench_assets.pairs.lowlevel.categories import CATEGORIES
from diffbench_assets.pairs.lowlevel.rows import DRAWN, Made, labels_of, png, scene_id
from diffbench_assets.pairs.photographs.seed_images import SeedImage
from diffbench_assets.pairs.replay import ReplayTask, replay_all
from diffbench_assets.seeds import rng

SEEDS_FOR_ONE: Final = 8
"""Scenes tried for each pair wanted, before a cell is left short."""

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
) -> list[Made]:
    """Pairs of a low-level cell, place by place; what one source refuses, scenes take, so that no change gets rarer."""
    filled: dict[int, Made] = {}
    for number, source in enumerate(sources):
        if source in supplies:
            waiting: list[Seed] = []
            for place in range(number, n, len(sources)):
                if pair := await _first_that_takes(cell, place, supplies[source], waiting, seed, strength, counts):
                    filled[place] = pair
    if "scenes" in sources:
        scenes, waiting = _scene_seeds(cell, n, seed), []
        for place in range(n):
            if place not in filled and (
                pair := await _first_that_takes(cell, place, scenes, waiting, seed, strength, counts)
            ):
                filled[place] = pair
    return [filled[place] for place in sorted(filled)]


async def _first_that_takes(
    cell: str,
    place: int,
    supply: AsyncIterator[Seed],
    waiting: list[Seed],
    seed: int,
    strength: float,
    counts: Counter[str],
) -> Made | None:
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


def transformed(category: str, image: Seed, place: tuple[Any, ...], strength: float) -> Made | None:
    """The pair of a place, whose change the place decides; None when the image does not take it."""
    pixels = np.asarray(Image.open(io.BytesIO(image.png)).convert("RGB"))
    try:
        row = transforms.choose(category, place[-1], *place[:-1])
        changed = row(pixels, rng(*place, image.source_id), strength)
    except transforms.NoEffect:
        return None
    claim = Claim(WHOLE_IMAGE, changed.change)
    height, width = pixels.shape[:2]
    difference = {
        "kind": category,
        "target": {"tag": "", "role": "image", "text": "", "location": "everywhere"},
        "property": claim.axis,
        "before": "",
        "after": changed.change,
        "direction": changed.record["direction"],
        "magnitude": float(strength),
        "magnitude_unit": "times the paper's parameters",
        "description": claim.words(),
        "box": {"x": 0.0, "y": 0.0, "width": float(width), "height": float(height)},
    }
    return Made(
        image.source_id,
        image.png if changed.before is None else png(changed.before),
        png(changed.image),
        claim,
        transforms.possible_claims(category),
        difference,
        {"maker": "transform", "seed": [*place, image.source_id], **changed.record},
        image.made_by,
        image.labels,
    )


async def page_renders(
    renderer: Renderer, pages: Sequence[Mapping[str, Any]], counts: Counter[str]
) -> AsyncIterator[Seed]:
    """Renders of pages, a few at a time; each must come out the same twice."""
    for start in range(0, len(pages), PAGES_AT_ONCE):
        some = pages[start : start + PAGES_AT_ONCE]
        replays = await replay_all(renderer, [ReplayTask(page["html"], None) for page in some])
        for page, replay in zip(some, replays, strict=True):
            if replay.failure or replay.before_pixels != replay.after_pixels:
                counts[replay.failure or "page_unstable"] += 1
                continue
            yield Seed(page["page_id"], replay.before, f"{renderer.fingerprint} {DRAWN}", labels_of(page))


async def seed_images(images: Callable[[], Iterable[SeedImage]]) -> AsyncIterator[Seed]:
    """One's own images."""
    for image in images():
        yield Seed(image.seed_id, png(image.pixels))


async def _scene_seeds(cell: str, n: int, seed: int) -> AsyncIterator[Seed]:
    for number in range(SEEDS_FOR_ONE * (n + 1)):
        parts = (seed, cell, number)
        yield Seed(scene_id(parts), png(draw(make_scene(*parts))))
