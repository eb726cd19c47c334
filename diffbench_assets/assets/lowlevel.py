"""Group lowlevel_mcq: pairs of the ten categories, from scenes, pages and images."""

from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator, Mapping
from functools import cache, partial
from typing import Any

from dagster import AllPartitionMapping, AssetDep

from diffbench_assets import partitions
from diffbench_assets.assets.corpus import page_pool
from diffbench_assets.assets.corpus import pages as ingested
from diffbench_assets.assets.ranged import Made, Run, ranged, when_data_changes
from diffbench_assets.assets.shown import picture
from diffbench_assets.assets.webdiff import PAGE_COLUMNS
from diffbench_assets.bars import bar
from diffbench_assets.errors import UserError
from diffbench_assets.lake import Lake
from diffbench_assets.models.registry import EndpointModel
from diffbench_assets.pairs.lowlevel import LOWLEVEL, LowLevelSettings
from diffbench_assets.pairs.made import DRAWN, MadePair
from diffbench_assets.pairs.photographs.described import (
    ImagePair,
    Told,
    described_pairs,
    described_sha256,
    pair_ids,
    read_image_pairs,
    told_of,
)
from diffbench_assets.pairs.photographs.from_images import EDITED, edited_photographs
from diffbench_assets.pairs.photographs.seed_images import SeedImage, UnreadableImage, read_images, seed_ids
from diffbench_assets.pairs.preview import contact_sheet
from diffbench_assets.pairs.shares import make_cell, pages_tried, scenes_tried
from diffbench_assets.resources.browser import BrowserResource
from diffbench_assets.resources.build import BuildSettings
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.schemas import PAGE_POOL, PAGES, PAIRS
from diffbench_assets.versions import code_sha256

PREVIEW_PAIRS = 6
MAX_SIDE = 1024
"""Seed images are scaled down to this many pixels on the longer side."""

SeedImages = Callable[[], Iterator[SeedImage]]


def _inputs(
    run: Run, browser: BrowserResource, settings: BuildSettings, registry: RegistryResource
) -> Mapping[str, Any]:
    choices = settings.of(LOWLEVEL)
    pool, scenes = _pool(run.lake), _scenes(run.lake, choices)
    shared = {
        "settings": (choices.seed, choices.sources, choices.strength),
        "profile": choices.changes,
        "images": [seed_id for path in _paths(choices) for seed_id in seed_ids(path)],
        "max_side": MAX_SIDE,
        "drawn_by": (DRAWN, browser.fingerprint()),
    }
    described = _describers(choices, registry)
    return {
        cell: {
            **shared,
            "n": choices.pairs_wanted(cell),
            "pages": {page: pool[page] for page in _tried(cell, choices, pool)},
            "scenes": _scenes_tried(cell, choices, scenes),
            "scenes_as_of": [run.lake.version(PAGES, {"source": source}) for source in _scene_sources(choices)],
            "edited_by": _editors(cell, choices, registry),
            "described_by": described,
        }
        for cell in run.keys
    }


def _editors(cell: str, choices: LowLevelSettings, registry: RegistryResource) -> Any:
    """The models that change photographs for a cell, and how they are asked; None where none does."""
    if cell not in EDITED or not choices.edit_with or not _paths(choices):
        return None
    models = [registry.deciding(name) for name in (choices.edit_with, choices.propose_with) if name]
    return models, code_sha256("pairs.photographs.from_images")


def _describers(choices: LowLevelSettings, registry: RegistryResource) -> Any:
    """The image pairs that come without records, and the models that describe them; None where there are none."""
    if not choices.image_pairs:
        return None
    names = (choices.describe_with, choices.check_with)
    if not all(names) or len(set(names)) == 1:
        raise UserError("image_pairs need two models: set describe_with, and check_with to another one")
    models = [registry.deciding(name) for name in names]
    ids = [pair_id for folder in choices.image_pairs for pair_id in pair_ids(folder)]
    return ids, models, described_sha256(), code_sha256("pairs.photographs.described")


@ranged(
    PAIRS.of(LOWLEVEL.name),
    partitions.cells_of(LOWLEVEL),
    group=LOWLEVEL.name,
    wanted=_inputs,
    code=("pairs.shares",),
    deps=[page_pool, AssetDep(ingested, partition_mapping=AllPartitionMapping())],
    automation=when_data_changes(),
)
def lowlevel_pairs(
    run: Run,
    todo: list[str],
    browser: BrowserResource,
    settings: BuildSettings,
    registry: RegistryResource,
    spending: SpendingResource,
) -> Generator[Made]:
    """Seed images changed in one way each: pixel transforms on any image, semantic edits on scenes and pages."""
    choices = settings.of(LOWLEVEL)
    images = _seed_images(run, choices)
    photographs = _photographs(run.lake, choices, registry, spending, images)
    described = _described(run.lake, choices, registry, spending)
    make = partial(make_cell, images=images, photographs=photographs, described=described)
    total = sum(choices.pairs_wanted(cell) for cell in todo)
    every_scene = _scenes(run.lake, choices)
    with browser.open() as chromium, bar("pairs made", total) as shown:
        for cell in todo:
            n, pages = choices.pairs_wanted(cell), _pages(run.lake, _tried(cell, choices, _pool(run.lake)))
            scenes = _pages(run.lake, _scenes_tried(cell, choices, every_scene))
            supply = partial(make, renderer=chromium.renderer, pages=pages, scenes=scenes)
            made = chromium.run(supply(cell, n, choices.sources, choices.seed, choices.strength, choices.changes))
            shown.update(n)
            preview = picture(contact_sheet(made.rows[:PREVIEW_PAIRS])) if made.rows else "none"
            yield Made(cell, made.rows, {"wanted": n, "where_from": made.counts, "preview": preview})


def _paths(choices: LowLevelSettings) -> list[str]:
    return choices.images if "images" in choices.sources else []


def _tried(cell: str, choices: LowLevelSettings, pool: Mapping[str, Any]) -> list[str]:
    return pages_tried(cell, choices.pairs_wanted(cell), choices.sources, pool, choices.seed)


def _scenes_tried(cell: str, choices: LowLevelSettings, scenes: Collection[str]) -> list[str]:
    return scenes_tried(cell, choices.pairs_wanted(cell), choices.sources, scenes, choices.seed)


def _scenes(store: Lake, choices: LowLevelSettings) -> list[str]:
    """Ids of all scenes. Raises UserError where scenes are asked for and there are none."""
    sources = _scene_sources(choices)
    ids = [row["page_id"] for name in sources for row in store.iter_all(PAGES, ["page_id"], within={"source": name})]
    if "scenes" in choices.sources and not ids:
        raise UserError(
            f"there are no scenes: materialize pages of {' or '.join(sources) or 'a source of scenes'} first"
        )
    return ids


def _scene_sources(choices: LowLevelSettings) -> list[str]:
    return partitions.scene_sources() if "scenes" in choices.sources else []


def _seed_images(run: Run, choices: LowLevelSettings) -> SeedImages:
    unreadable: set[str] = set()

    def warn(error: UnreadableImage) -> None:
        # Every cell reads the images anew; what is wrong with one is said once.
        if str(error) not in unreadable:
            unreadable.add(str(error))
            run.log.warning(str(error))

    def images() -> Iterator[SeedImage]:
        for path in _paths(choices):
            yield from read_images(path, max_side=MAX_SIDE, unreadable=warn)

    return images


def _photographs(
    store: Lake,
    choices: LowLevelSettings,
    registry: RegistryResource,
    spending: SpendingResource,
    images: SeedImages,
) -> Callable[[str, Counter[str]], Iterator[MadePair]]:
    def photographs(cell: str, counted: Counter[str]) -> Iterator[MadePair]:
        if cell not in EDITED or not choices.edit_with:
            return iter(())
        editor = registry.endpoint(choices.edit_with)
        proposer = registry.endpoint(choices.propose_with) if choices.propose_with else None
        journals, calls = spending.journals_of(store, LOWLEVEL.name), spending.budget_calls
        return edited_photographs(cell, images, editor, proposer, journals, choices.seed, counted, calls)

    return photographs


def _described(
    store: Lake, choices: LowLevelSettings, registry: RegistryResource, spending: SpendingResource
) -> Callable[[str, Counter[str]], Iterator[MadePair]]:
    def image_pairs() -> Iterator[ImagePair]:
        for folder in choices.image_pairs:
            yield from read_image_pairs(folder)

    # Models tell a pair's category, so that all pairs are asked about before the first cell, and once for all cells.
    @cache
    def told() -> tuple[Mapping[str, Told], Counter[str]]:
        return told_of(image_pairs, *models(), spending.journals_of(store, LOWLEVEL.name), spending.budget_calls)

    def models() -> tuple[EndpointModel, EndpointModel]:
        return registry.endpoint(choices.describe_with), registry.endpoint(choices.check_with)

    def described(cell: str, counted: Counter[str]) -> Iterator[MadePair]:
        if not choices.image_pairs:
            return
        by_id, counts = told()
        counted.update(counts)
        yield from described_pairs(cell, image_pairs, by_id, *models())

    return described


def _pool(store: Lake) -> dict[str, Any]:
    """Page id → what of the page decides its pairs; empty when no pool was made."""
    if not store.exists(PAGE_POOL):
        return {}
    rows = store.read(PAGE_POOL, columns=["page_id", "html_sha256", *PAGE_COLUMNS[2:]]).to_pylist()
    return {row["page_id"]: row for row in rows}


def _pages(store: Lake, ids: list[str]) -> list[dict[str, Any]]:
    found = {row["page_id"]: row for row in store.iter_rows(PAGES, PAGE_COLUMNS, set(ids))}
    return [found[page_id] for page_id in ids]
