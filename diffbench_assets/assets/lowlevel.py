"""Group lowlevel_mcq: pairs of the ten categories, from scenes, pages and images."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from dagster import AssetExecutionContext, BackfillPolicy, ResourceParam, asset

from diffbench_assets import __version__, partitions
from diffbench_assets.assets.corpus import page_pool
from diffbench_assets.assets.ranged import counts, fingerprint, landed, picture, progress, stale
from diffbench_assets.assets.webdiff import PAGE_COLUMNS
from diffbench_assets.automation import when_data_changes
from diffbench_assets.browser.render import Renderer
from diffbench_assets.lake import Lake
from diffbench_assets.pairs.lowlevel.cell import make_cell, pages_tried
from diffbench_assets.pairs.lowlevel.rows import DRAWN, SUITE
from diffbench_assets.pairs.photographs.from_images import EDITED, edited_photographs
from diffbench_assets.pairs.photographs.pairs import EditedPair
from diffbench_assets.pairs.photographs.seed_images import SeedImage, UnreadableImage, read_images, seed_ids
from diffbench_assets.pairs.preview import contact_sheet
from diffbench_assets.protocols.multiple_choice.settings import ChoiceSettings
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.resources.webdiff import BrowserResource, LakeResource
from diffbench_assets.schemas import PAIRS

PREVIEW_PAIRS = 6
MAX_SIDE = 1024
"""Seed images are scaled down to this many pixels on the longer side."""


@asset(
    name="pairs",
    key_prefix=SUITE,
    group_name=SUITE,
    partitions_def=partitions.cells[SUITE],
    backfill_policy=BackfillPolicy.single_run(),
    deps=[page_pool],
    automation_condition=when_data_changes(),
)
def lowlevel_pairs(
    context: AssetExecutionContext,
    lake: LakeResource,
    browser: BrowserResource,
    multiple_choice: ResourceParam[ChoiceSettings],
    registry: RegistryResource,
    spending: SpendingResource,
) -> None:
    """Seed images changed in one way each: pixel transforms on any image, semantic edits on scenes and pages."""
    store, choices = lake.open(), multiple_choice
    pool = _pool(store)

    unreadable: set[str] = set()

    def warn(error: UnreadableImage) -> None:
        # Every cell reads the images anew; what is wrong with one is said once.
        if str(error) not in unreadable:
            unreadable.add(str(error))
            context.log.warning(str(error))

    def seed_images() -> Iterator[SeedImage]:
        for path in _paths(choices):
            yield from read_images(path, max_side=MAX_SIDE, unreadable=warn)

    def photographs(cell: str, counted: Counter[str]) -> Iterator[EditedPair]:
        if cell not in EDITED or not choices.edit_with:
            return iter(())
        proposer = registry.endpoint(choices.propose_with) if choices.propose_with else None
        return edited_photographs(
            cell,
            seed_images,
            registry.endpoint(choices.edit_with),
            proposer,
            spending.journals_of(store, SUITE),
            choices.seed,
            counted,
            spending.budget_calls,
        )

    async def make(renderer: Renderer) -> None:
        settings = choices.model_dump(include={"seed", "sources", "strength", "edit_with", "propose_with"})
        images = [seed_id for path in _paths(choices) for seed_id in seed_ids(path)]
        tried = {
            cell: pages_tried(cell, choices.pairs_wanted(cell), choices.sources, pool, choices.seed)
            for cell in context.partition_keys
        }
        wanted = {
            cell: fingerprint(
                version=__version__,
                settings=settings,
                n=choices.pairs_wanted(cell),
                pages=[pool[page] for page in tried[cell]],
                images=images,
                made_by=(DRAWN, renderer.fingerprint),
            )
            for cell in context.partition_keys
        }
        todo = list(stale(context, store, f"{SUITE}/pairs", "cell", wanted))
        with progress(sum(choices.pairs_wanted(cell) for cell in todo), "pairs made") as bar:
            for cell in todo:
                n = choices.pairs_wanted(cell)
                made = await make_cell(
                    cell,
                    n,
                    choices.sources,
                    choices.seed,
                    renderer=renderer,
                    pages=_pages(store, tried[cell]),
                    images=seed_images,
                    photographs=photographs,
                    strength=choices.strength,
                )
                bar.update(n)
                path = store.write(f"{SUITE}/pairs", PAIRS, made.rows, {"cell": cell}, wanted[cell])
                metadata = {
                    "pairs": len(made.rows),
                    "wanted": n,
                    "where_from": counts(made.counts.elements()),
                    "preview": picture(contact_sheet(made.rows[:PREVIEW_PAIRS])) if made.rows else "none",
                }
                landed(context, cell, path, metadata)

    browser.run(make)


def _paths(choices: ChoiceSettings) -> list[str]:
    return choices.images if "images" in choices.sources else []


def _pool(store: Lake) -> dict[str, str]:
    """Page id → hash of its HTML; empty when no pool was made."""
    if not store.exists("page_pool"):
        return {}
    rows = store.read("page_pool", columns=["page_id", "html_sha256"]).to_pylist()
    return {row["page_id"]: row["html_sha256"] for row in rows}


def _pages(store: Lake, ids: list[str]) -> list[dict[str, Any]]:
    found = {row["page_id"]: row for row in store.iter_rows("pages", PAGE_COLUMNS, set(ids))}
    return [found[page_id] for page_id in ids]
