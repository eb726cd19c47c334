"""Group webdiff: candidates of every cell, and the pairs drawn from them."""

from collections import Counter
from collections.abc import Generator, Mapping
from itertools import islice
from typing import Any

from dagster import AssetDep, DataVersion, DataVersionsByPartition, observable_source_asset

from diffbench_assets import partitions
from diffbench_assets.assets.corpus import page_pool
from diffbench_assets.assets.ranged import Made, Run, ranged, when_data_changes
from diffbench_assets.assets.shown import picture
from diffbench_assets.bars import bar
from diffbench_assets.browser.render import Renderer
from diffbench_assets.lake import Lake
from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.css import candidates as live
from diffbench_assets.pairs.css.floor import below_floor
from diffbench_assets.pairs.css.operators import CELLS, OPERATORS, cell_parameters, split_cell
from diffbench_assets.pairs.css.operators.base import Operator
from diffbench_assets.pairs.css.pair_set import WEBDIFF, CssSettings
from diffbench_assets.pairs.css.pairs import Drawn, draw_pairs
from diffbench_assets.pairs.css.polish import TEMPERATURE, polish_version, polished
from diffbench_assets.pairs.css.sampling import PAGES_A_ROUND, draw_order, is_full, page_order, shortage
from diffbench_assets.pairs.preview import contact_sheet
from diffbench_assets.pairs.replay import Render
from diffbench_assets.resources.browser import BrowserResource, OpenBrowser
from diffbench_assets.resources.build import BuildSettings
from diffbench_assets.resources.embedder import EmbedderResource
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.schemas import CANDIDATES, PAGE_POOL, PAGES, PAIRS
from diffbench_assets.versions import bound, code_sha256, fingerprint

Rows = list[dict[str, Any]]
TABLE = frozenset({"pairs.css.operators", "pairs.css.floor", "pages.ladders"})
"""The operators' table, floor and ladders: what a cell takes from them is an input of the cell."""
CHUNK_PAGES = 96
PREVIEW_PAIRS = 8
PAGE_COLUMNS = ("page_id", "html", "domain", "style", "language", "missing_glyphs")


@observable_source_asset(group_name=WEBDIFF.name, partitions_def=partitions.mutated_cells)
def operator_parameters() -> DataVersionsByPartition:
    """The parameters of every cell: when one changes, exactly that cell's candidates are asked for again."""
    return DataVersionsByPartition({cell: DataVersion(fingerprint(cell=cell_parameters(cell))) for cell in CELLS})


def _operator(cell: str) -> Operator:
    return OPERATORS[split_cell(cell)[0]]


def _code(maker: str, cell: str) -> str:
    """What a maker does for a cell: of the operators only the family that the cell's own belongs to."""
    return code_sha256(maker, f"pairs.css.operators.{_operator(cell).family}", but=TABLE)


def _candidates_from(run: Run, browser: BrowserResource, settings: BuildSettings) -> Mapping[str, Any]:
    build = settings.of(WEBDIFF)
    pool = run.lake.read(PAGE_POOL, columns=["page_id", "html_sha256", "missing_glyphs"]).to_pylist()
    pages = {row["page_id"]: (row["html_sha256"], row["missing_glyphs"]) for row in pool}
    shared = {
        "order": code_sha256("pairs.css.sampling", but=TABLE),
        "seed": (build.seed, build.mechanism, build.gate),
        # Any page may be looked at; how many pairs are wanted counts where a round does not take them all.
        "pages": pages,
        "round": min(PAGES_A_ROUND * build.n, len(pages)),
        "render": browser.fingerprint(),
    }
    return {
        cell: {
            "code": _code("pairs.css.candidates", cell),
            "cell": (cell_parameters(cell), bound(_operator(cell).groups)),
            **shared,
        }
        for cell in run.keys
    }


@ranged(
    CANDIDATES.of(WEBDIFF.name),
    partitions.mutated_cells,
    group=WEBDIFF.name,
    wanted=_candidates_from,
    deps=[page_pool, operator_parameters],
    automation=when_data_changes(),
)
def candidates(run: Run, todo: list[str], browser: BrowserResource, settings: BuildSettings) -> Generator[Made]:
    """Mutations of pool pages, captured and decided by the gate; rejected ones keep their reason.

    A cell searches its pages round by round until it is full, or until there are no more.
    """
    build = settings.of(WEBDIFF)
    with browser.open() as chromium:
        results = _in_rounds(chromium, run.lake, todo, build)
    for cell in todo:
        its = [result for result in results if cell in result.rows]
        rows = [row for result in its for row in result.rows[cell]]
        about = {
            "pages_searched": len(its),
            "status": Counter(row["status"] for row in rows),
            "ruled_out_by_layout": live.discarded_total(its),
        }
        yield Made(cell, rows, about)


def _in_rounds(chromium: OpenBrowser, store: Lake, cells: list[str], build: CssSettings) -> list[live.PageResult]:
    """What the pages gave that were searched, for the cells that were not full yet."""
    pool = store.read(PAGE_POOL, columns=["page_id"])["page_id"].to_pylist()
    left = {cell: page_order(pool, cell, build.seed) for cell in cells}
    rows: dict[str, Rows] = {cell: [] for cell in cells}
    results: list[live.PageResult] = []
    size, searching = PAGES_A_ROUND * build.n, cells if build.n else []
    while searching:
        cells_of: dict[str, list[str]] = {}
        for cell in searching:
            for page in left[cell][:size]:
                cells_of.setdefault(page, []).append(cell)
            left[cell] = left[cell][size:]
        for result in chromium.run(_search(chromium.renderer, store, cells_of, build)):
            results.append(result)
            for cell, found in result.rows.items():
                rows[cell] += found
        searching = [cell for cell in searching if left[cell] and not is_full(rows[cell], cell, build.n, build.seed)]
    return results


async def _search(
    renderer: Renderer, store: Lake, cells_of: Mapping[str, list[str]], build: CssSettings
) -> list[live.PageResult]:
    """What the pages give for the cells that want it."""
    results: list[live.PageResult] = []
    stored = store.iter_rows(PAGES, PAGE_COLUMNS, set(cells_of))
    with bar("pages searched", len(cells_of)) as shown:
        while chunk := list(islice(stored, CHUNK_PAGES)):
            tasks = [
                live.PageTask(
                    page["page_id"],
                    page["html"],
                    page["missing_glyphs"] or "",
                    tuple(cells_of[page["page_id"]]),
                    class_swap_only=build.mechanism == "class_swap",
                    exact=build.gate == "exact",
                )
                for page in chunk
            ]
            results += await live.find_candidates(renderer, tasks, build.seed, shown.update)
    return results


Pool = Mapping[str, Mapping[str, Any]]


def _pool(store: Lake) -> Pool:
    return {row["page_id"]: row for row in store.read(PAGE_POOL).to_pylist()}


def _pairs_from(
    run: Run,
    browser: BrowserResource,
    embedder: EmbedderResource,
    settings: BuildSettings,
    registry: RegistryResource,
) -> Mapping[str, Any]:
    pool, build = _pool(run.lake), settings.of(WEBDIFF)
    shared = {
        "code": code_sha256("pairs.css.pairs", but=TABLE),
        "embedding": code_sha256("embedding"),
        "seed": build.seed,
        "render": browser.fingerprint(),
        "clip": [embedder.model, embedder.weights],
    }
    polish, wanted = _polish_inputs(build, registry), {}
    for cell in run.keys:
        order = _order(run.lake, cell, pool, build)
        pages = {row["page_id"]: pool[row["page_id"]] for row in order}
        own = {"n": build.pairs_wanted(cell), "pages": pages} | _drawn_from(run.lake, cell, polish)
        wanted[cell] = {**shared, **own, "order": [row["page_id"] for row in order]}
    return wanted


def _polish_inputs(build: CssSettings, registry: RegistryResource) -> Any:
    if not build.polish_with:
        return None
    return registry.deciding(build.polish_with), polish_version(), code_sha256("pairs.css.polish")


def _drawn_from(store: Lake, cell: str, polish: Any) -> dict[str, Any]:
    if cell == NO_DIFF:
        return {}
    operator = _operator(cell)
    return {
        "polish": polish,
        "code": _code("pairs.css.pairs", cell),
        "cell": (cell_parameters(cell), bound(operator.says), operator.dimensions, operator.rewrites),
        "candidates": store.version(CANDIDATES.of(WEBDIFF.name), {"cell": cell}),
    }


@ranged(
    PAIRS.of(WEBDIFF.name),
    partitions.cells_of(WEBDIFF),
    group=WEBDIFF.name,
    wanted=_pairs_from,
    deps=[AssetDep(candidates, partition_mapping=partitions.candidates_of_pairs), page_pool],
    automation=when_data_changes(),
)
def pairs(
    run: Run,
    todo: list[str],
    browser: BrowserResource,
    embedder: EmbedderResource,
    settings: BuildSettings,
    registry: RegistryResource,
    spending: SpendingResource,
) -> Generator[Made]:
    """Pairs of a cell: candidates in a seeded order, each confirmed by replaying its record on a fresh page."""
    pool, build = _pool(run.lake), settings.of(WEBDIFF)
    orders = {cell: _order(run.lake, cell, pool, build) for cell in todo}
    html = _pages(run.lake, orders)
    total = sum(min(len(order), build.pairs_wanted(cell)) for cell, order in orders.items())
    befores: dict[str, Render] = {}
    with browser.open() as chromium, bar("pairs replayed", total) as shown:
        for cell, order in orders.items():
            n = build.pairs_wanted(cell)
            drawn = chromium.run(draw_pairs(chromium.renderer, cell, order, html, n, shown.update, befores))
            clip = embedder.measure(drawn.rows)
            told = _polish(run.lake, drawn.rows, build.polish_with, registry, spending)
            about = _about(run.lake, cell, drawn, build, order)
            yield Made(cell, drawn.rows, about | {"clip": clip, "described": told})


def _polish(
    store: Lake, rows: Rows, model: str, registry: RegistryResource, spending: SpendingResource
) -> Mapping[str, Any]:
    """Puts polished sentences in the place of templates; what became of them, and how they were sampled."""
    if not model:
        return {"template": len(rows)}
    with spending.journal(store, WEBDIFF.name, f"polish-{model}") as journal:
        sentences, counts = polished(registry.endpoint(model), rows, journal)
    for row in rows:
        row["description"] = sentences.get(row["pair_id"], row["description"])
    return {f"{what} ({model}, temperature {TEMPERATURE})": n for what, n in counts.items()}


def _about(store: Lake, cell: str, drawn: Drawn, build: CssSettings, order: list[Mapping[str, Any]]) -> dict[str, Any]:
    wanted, searched = build.pairs_wanted(cell), len(order)
    if cell != NO_DIFF and (noted := store.noted(CANDIDATES.of(WEBDIFF.name), {"cell": cell})):
        searched = noted.about["pages_searched"]
    drawn_from = {(row["page_id"], row["record"]) for row in drawn.rows}
    return {
        "wanted": wanted,
        "shortage": shortage(len(drawn.rows), wanted, searched),
        "pairs_a_page": build.pairs_a_page,
        "below_floor": sum(
            (row["page_id"], row.get("record")) in drawn_from and below_floor(row["visible_px"] or 0) for row in order
        ),
        "replay_rejected": drawn.rejected,
        "preview": picture(contact_sheet(drawn.rows[:PREVIEW_PAIRS])),
    }


def _order(store: Lake, cell: str, pool: Pool, build: CssSettings) -> list[Mapping[str, Any]]:
    """Candidates of the cell in draw order; page ids for no_diff."""
    if cell == NO_DIFF:
        # Of these hardly any fails; more would make the cell depend on pages that it never shows.
        return [{"page_id": page} for page in page_order(pool, cell, build.seed)[: 2 * build.no_diff]]
    table = store.read(CANDIDATES.of(WEBDIFF.name), {"cell": cell})
    domains = {page: row["domain"] for page, row in pool.items()}
    return draw_order(table.to_pylist(), cell, domains, build.seed, build.pairs_a_page)


def _pages(store: Lake, orders: Mapping[str, list[Mapping[str, Any]]]) -> dict[str, Any]:
    needed = {row["page_id"] for order in orders.values() for row in order}
    return {row["page_id"]: row for row in store.iter_rows(PAGES, PAGE_COLUMNS, needed)}
