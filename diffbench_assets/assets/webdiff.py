"""Group webdiff: candidates of every cell, and the pairs drawn from them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

import pyarrow as pa
from dagster import (
    AssetDep,
    AssetExecutionContext,
    BackfillPolicy,
    DataVersion,
    DataVersionsByPartition,
    asset,
    observable_source_asset,
)

from diffbench_assets import __version__, partitions
from diffbench_assets.assets.corpus import page_pool
from diffbench_assets.assets.ranged import counts, fingerprint, landed, picture, progress, stale
from diffbench_assets.automation import when_data_changes
from diffbench_assets.browser.render import Renderer
from diffbench_assets.lake import Lake
from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.css import candidates as live
from diffbench_assets.pairs.css.operators import CELLS, cell_parameters, split_cell
from diffbench_assets.pairs.css.pairs import draw_pairs
from diffbench_assets.pairs.css.polish import polished
from diffbench_assets.pairs.css.sampling import draw_order, page_order, pages_to_search
from diffbench_assets.pairs.preview import contact_sheet
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.resources.webdiff import BrowserResource, BuildSettings, EmbedderResource, LakeResource
from diffbench_assets.schemas import CANDIDATES, PAIRS

CHUNK_PAGES = 96
PREVIEW_PAIRS = 8
PAGE_COLUMNS = ("page_id", "html", "domain", "style", "language", "missing_glyphs")


@observable_source_asset(group_name="webdiff", partitions_def=partitions.mutated_cells)
def operator_parameters() -> DataVersionsByPartition:
    """The parameters of every cell: when one changes, exactly that cell's candidates are asked for again."""
    return DataVersionsByPartition({cell: DataVersion(fingerprint(cell=cell_parameters(cell))) for cell in CELLS})


@asset(
    name="candidates",
    key_prefix="webdiff",
    group_name="webdiff",
    partitions_def=partitions.mutated_cells,
    backfill_policy=BackfillPolicy.single_run(),
    deps=[page_pool, operator_parameters],
    automation_condition=when_data_changes(),
)
def candidates(
    context: AssetExecutionContext, lake: LakeResource, browser: BrowserResource, build: BuildSettings
) -> None:
    """Mutations of pool pages, captured and decided by the gate; rejected ones keep their reason."""
    store = lake.open()
    pool = store.read("page_pool", columns=["page_id", "html_sha256"]).to_pylist()
    pages = {row["page_id"]: row["html_sha256"] for row in pool}
    searched = {c: pages_to_search(pages, c, build.n, build.seed, build.search_factor) for c in context.partition_keys}
    wanted = {
        cell: fingerprint(
            version=__version__,
            cell=cell_parameters(cell),
            seed=build.seed,
            pages=sorted(pages[page] for page in searched[cell]),
        )
        for cell in context.partition_keys
    }
    todo = list(stale(context, store, "webdiff/candidates", "cell", wanted))
    if not todo:
        return
    rows, discarded = browser.run(lambda renderer: _search(renderer, store, {c: searched[c] for c in todo}, build.seed))
    for cell in todo:
        path = store.write("webdiff/candidates", CANDIDATES, rows[cell], {"cell": cell}, wanted[cell])
        status = Counter(row["status"] for row in rows[cell])
        metadata = {"rows": len(rows[cell]), "pages_searched": len(searched[cell]), "accepted": status["accepted"]}
        landed(
            context,
            cell,
            path,
            {**metadata, "status": counts(status.elements()), "ruled_out_by_layout": dict(discarded)},
        )


async def _search(
    renderer: Renderer, store: Lake, searched: Mapping[str, list[str]], seed: int
) -> tuple[dict[str, list[dict[str, Any]]], Mapping[str, int]]:
    cells_of: dict[str, list[str]] = {}
    for cell, page_ids in searched.items():
        for page_id in page_ids:
            cells_of.setdefault(page_id, []).append(cell)
    rows: dict[str, list[dict[str, Any]]] = {cell: [] for cell in searched}
    results: list[live.PageResult] = []
    stored = store.iter_rows("pages", PAGE_COLUMNS, set(cells_of))
    with progress(len(cells_of), "pages searched") as bar:
        while chunk := list(islice(stored, CHUNK_PAGES)):
            tasks = [
                live.PageTask(
                    page["page_id"], page["html"], page["missing_glyphs"] or "", tuple(cells_of[page["page_id"]])
                )
                for page in chunk
            ]
            for result in await live.find_candidates(renderer, tasks, seed, bar.update):
                results.append(result)
                for cell, found in result.rows.items():
                    rows[cell].extend(found)
    return rows, live.discarded_total(results)


@asset(
    name="pairs",
    key_prefix="webdiff",
    group_name="webdiff",
    partitions_def=partitions.cells["webdiff"],
    backfill_policy=BackfillPolicy.single_run(),
    deps=[AssetDep(candidates, partition_mapping=partitions.candidates_of_pairs), page_pool],
    automation_condition=when_data_changes(),
)
def pairs(
    context: AssetExecutionContext,
    lake: LakeResource,
    browser: BrowserResource,
    embedder: EmbedderResource,
    build: BuildSettings,
    registry: RegistryResource,
    spending: SpendingResource,
) -> None:
    """Pairs of a cell: candidates in a seeded order, each confirmed by replaying its record on a fresh page."""
    store = lake.open()
    pool = {row["page_id"]: row for row in store.read("page_pool").to_pylist()}

    async def make(renderer: Renderer) -> None:
        orders, wanted = {}, {}
        for cell in context.partition_keys:
            orders[cell], upstream = _order(store, cell, pool, build)
            wanted[cell] = fingerprint(
                version=__version__,
                seed=build.seed,
                n=_wanted(cell, build),
                candidates=upstream,
                render=renderer.fingerprint,
                clip=embedder.weights,
                polish=build.polish_with,
            )
        todo = list(stale(context, store, "webdiff/pairs", "cell", wanted))
        html = _pages(store, {cell: orders[cell] for cell in todo})
        with progress(sum(min(len(orders[cell]), _wanted(cell, build)) for cell in todo), "pairs replayed") as bar:
            for cell in todo:
                n = _wanted(cell, build)
                drawn = await draw_pairs(renderer, cell, orders[cell], html, n, bar.update)
                images = [(row["image_before"]["bytes"], row["image_after"]["bytes"]) for row in drawn.rows]
                distances, clip = embedder.distances(images)
                for row, distance in zip(drawn.rows, distances or (), strict=distances is not None):
                    row["clip_distance"] = distance
                if build.polish_with:
                    with spending.journal(store, "webdiff", f"polish-{build.polish_with}") as journal:
                        sentences = polished(registry.endpoint(build.polish_with), drawn.rows, journal)
                    for row in drawn.rows:
                        row["description"] = sentences[row["pair_id"]]
                path = store.write("webdiff/pairs", PAIRS, drawn.rows, {"cell": cell}, wanted[cell])
                landed(
                    context,
                    cell,
                    path,
                    {
                        "pairs": len(drawn.rows),
                        "wanted": n,
                        "shortage": _shortage(cell, len(drawn.rows), n, len(orders[cell])),
                        "replay_rejected": counts(drawn.rejected.elements()),
                        "clip": clip,
                        "preview": picture(contact_sheet(drawn.rows[:PREVIEW_PAIRS])),
                    },
                )

    browser.run(make)


def _wanted(cell: str, build: BuildSettings) -> int:
    return build.n_no_diff if cell == NO_DIFF else build.n


def _order(
    store: Lake, cell: str, pool: Mapping[str, Mapping[str, Any]], build: BuildSettings
) -> tuple[list[Mapping[str, Any]], str]:
    """Candidates of the cell in draw order (page ids for no_diff), and a fingerprint of what they came from."""
    if cell == NO_DIFF:
        order = pages_to_search(pool, cell, build.n_no_diff, build.seed)
        return [{"page_id": page} for page in order], fingerprint(pages=[pool[page]["html_sha256"] for page in order])
    table: pa.Table = store.read("webdiff/candidates", {"cell": cell})
    domains = {page: row["domain"] for page, row in pool.items()}
    pages = page_order(pool, split_cell(cell)[0], build.seed)
    return draw_order(table.to_pylist(), pages, domains, build.seed), store.fingerprint(
        "webdiff/candidates", {"cell": cell}
    ) or ""


def _pages(store: Lake, orders: Mapping[str, Iterable[Mapping[str, Any]]]) -> dict[str, Any]:
    needed = {row["page_id"] for order in orders.values() for row in order}
    return {row["page_id"]: row for row in store.iter_rows("pages", PAGE_COLUMNS, needed)}


def _shortage(cell: str, made: int, wanted: int, supply: int) -> str:
    if made >= wanted:
        return "none"
    return f"{made} of {wanted} pairs: {supply} candidates on pages of this cell; add pages or raise search_factor"
