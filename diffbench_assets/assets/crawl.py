"""Group corpus, the live web: from lists of domains to self-contained, labelled pages, by source and shard.

Belongs here: wiring. Does not belong here: any stage of the funnel (`corpus/`).
"""

import asyncio
import io
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

from dagster import AssetDep, MultiPartitionKey, MultiToSingleDimensionPartitionMapping

from diffbench_assets import partitions
from diffbench_assets.assets.ranged import Made, Run, place_of, ranged
from diffbench_assets.assets.shown import picture, stopping_fails
from diffbench_assets.bars import bar
from diffbench_assets.corpus import filters
from diffbench_assets.corpus.crawl.crawler import crawl
from diffbench_assets.corpus.crawl.spool import Spool
from diffbench_assets.corpus.domains import ListSpec, read_lists
from diffbench_assets.corpus.labels import LabelPages, by_embedded, by_model
from diffbench_assets.corpus.labels.llm import label_sha256
from diffbench_assets.corpus.net.client import Client
from diffbench_assets.corpus.regenerate.ask import regenerate_pages, regenerate_sha256
from diffbench_assets.corpus.sampling import capped_sample_files
from diffbench_assets.corpus.self_contained import finished_rows, from_snapshot
from diffbench_assets.corpus.sitemaps.permission import permitted_by_robots
from diffbench_assets.corpus.sitemaps.run import discover_sites
from diffbench_assets.corpus.sitemaps.spool import rows_of
from diffbench_assets.corpus.unique import one_per_group, one_per_structure
from diffbench_assets.lake import Lake, rows_of_file
from diffbench_assets.models.progress import progress_bar
from diffbench_assets.pages import dom
from diffbench_assets.pages.snapshot.capture import prepare_snapshot
from diffbench_assets.pages.sources import CrawlSource
from diffbench_assets.resources.browser import BrowserResource
from diffbench_assets.resources.crawl import CrawlResource
from diffbench_assets.resources.embedder import EmbedderResource
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.schemas import (
    CRAWLED,
    DOMAINS,
    FUNNEL,
    SAMPLED,
    SELF_CONTAINED,
    SITE_URLS,
    SITES,
    UNIQUE,
    Table,
)
from diffbench_assets.versions import code_sha256, file_sha256

by_source = partial(ranged, partitions_def=partitions.crawl_sources, group="corpus")
by_shard = partial(ranged, partitions_def=partitions.crawls, group="corpus")
FUNNEL_TABLES = (DOMAINS, SITES, CRAWLED, SELF_CONTAINED, SAMPLED)
OF_THE_SOURCE = MultiToSingleDimensionPartitionMapping("source")


def _source(key: str) -> str:
    return key.keys_by_dimension["source"] if isinstance(key, MultiPartitionKey) else key


def spec_of(key: str) -> CrawlSource:
    """The crawl that a partition belongs to, as corpus.yaml has it."""
    spec = partitions.corpus()[_source(key)]
    assert isinstance(spec, CrawlSource)
    return spec


@contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _domains_from(run: Run) -> Mapping[str, Any]:
    return {
        key: {
            "lists": [(entry.name, entry.layout, file_sha256(Path(entry.path))) for entry in spec_of(key).lists],
            "shards": partitions.SHARDS,
        }
        for key in run.keys
    }


@by_source(DOMAINS, wanted=_domains_from, code=["corpus.domains"])
def domains(run: Run, todo: list[str]) -> Generator[Made]:
    """Hosts of all lists of a source, once each, with their ranks and shards."""
    for key in todo:
        lists = [ListSpec(entry.name, Path(entry.path), entry.layout) for entry in spec_of(key).lists]
        with _scratch() as scratch:
            read = read_lists(lists, scratch / "domains.parquet", shards=partitions.SHARDS)
            yield Made(key, rows_of_file(scratch / "domains.parquet"), {"left_out": read.left_out})


def _sites_from(run: Run, web: CrawlResource) -> Mapping[str, Any]:
    hosts = _hosts(run)
    return {key: {"hosts": hosts[key], "settings": web.discovery(spec_of(key)).fingerprint()} for key in run.keys}


@by_shard(
    SITES,
    also=[SITE_URLS],
    wanted=_sites_from,
    code=["corpus.sitemaps.run"],
    deps=[AssetDep(domains, partition_mapping=OF_THE_SOURCE)],
)
def sites(run: Run, todo: list[str], web: CrawlResource) -> Generator[Made]:
    """robots.txt and sitemaps of every host of a shard; what is finished is never asked again."""
    hosts = _hosts(run)
    for key in todo:
        spool = web.spool(run.lake, **place_of(SITES, key), name="sites")
        asyncio.run(_discover(web, spec_of(key), hosts[key], spool))
        found, urls = rows_of(spool, hosts[key])
        yield Made(key, found, {"outcome": Counter(str(row["outcome"]) for row in found)}, also=(urls,))


def _hosts(run: Run) -> dict[str, list[str]]:
    """Hosts of every partition of the run."""
    found: dict[str, list[str]] = {key: [] for key in run.keys}
    for source in dict.fromkeys(map(_source, run.keys)):
        keys = {int(place_of(SITES, key)["shard"]): key for key in run.keys if _source(key) == source}
        for row in _first_hosts(run.lake, spec_of(source)):
            if row["shard"] in keys:
                found[keys[row["shard"]]].append(row["host"])
    return {key: sorted(hosts) for key, hosts in found.items()}


def _first_hosts(store: Lake, spec: CrawlSource) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = store.read(DOMAINS, {"source": spec.name}, ["host", "rank", "shard"]).to_pylist()
    if spec.max_hosts is None:
        return rows
    last = len(rows)
    return sorted(rows, key=lambda row: (row["rank"] is None, row["rank"] or last, row["host"]))[: spec.max_hosts]


async def _discover(web: CrawlResource, spec: CrawlSource, hosts: list[str], spool: Path) -> None:
    async with web.gateway() as gateway:
        with bar("sites read", len(hosts)) as shown:

            def read(row: dict[str, object]) -> None:
                shown.update()

            await discover_sites(hosts, gateway.url, spool, web.discovery(spec), read)


def _crawled_from(run: Run) -> Mapping[str, Any]:
    places = {key: place_of(CRAWLED, key) for key in run.keys}
    return {
        key: {
            "sites": run.lake.version(SITES, place),
            "urls": run.lake.version(SITE_URLS, place),
            "way": spec_of(key).way,
        }
        for key, place in places.items()
    }


@by_shard(
    CRAWLED,
    wanted=_crawled_from,
    code=["corpus.crawl.crawler", "corpus.sitemaps.permission", "pages.snapshot.capture"],
    deps=[sites],
)
def crawled(run: Run, todo: list[str], web: CrawlResource) -> Generator[Made]:
    """Every URL of a shard rendered once; a page that is stored is never fetched again."""
    for key in todo:
        spec, place, outcome = spec_of(key), place_of(CRAWLED, key), Counter[str]()
        urls = _urls(run.lake, place)
        spool = Spool(web.spool(run.lake, **place, name=f"pages-{spec.way}"))
        asyncio.run(_visit(web, spec, urls, spool))
        yield Made(key, _visited(spool, urls, outcome), {"urls": len(urls), "outcome": outcome})


def _urls(store: Lake, place: Mapping[str, str]) -> list[dict[str, Any]]:
    delays = {row["host"]: row["crawl_delay_s"] for row in store.read(SITES, place).to_pylist()}
    return [
        {name: row[name] for name in ("url_id", "url", "host")} | {"crawl_delay_s": delays.get(row["host"])}
        for row in store.read(SITE_URLS, place).to_pylist()
    ]


def _visited(spool: Spool, urls: list[dict[str, Any]], outcome: Counter[str]) -> Iterator[dict[str, Any]]:
    wanted = {row["url_id"] for row in urls}
    for row in spool.rows():
        if row["url_id"] in wanted:
            outcome[row["failure"] or "kept"] += 1
            yield row


async def _visit(web: CrawlResource, spec: CrawlSource, urls: list[dict[str, Any]], spool: Spool) -> None:
    hook = prepare_snapshot if spec.way == "snapshot" else None
    async with web.gateway() as gateway, Client(gateway.url, spec.contact) as client:
        with bar("pages crawled", len(urls)) as shown:
            allowed = permitted_by_robots(client, web.discovery(spec))
            await crawl(urls, spool, web.visits(spec), gateway.url, shown.update, hook, allowed)


def _unique_from(run: Run) -> Mapping[str, Any]:
    return {key: {"pages": run.lake.versions(CRAWLED, {"source": key}), "seed": spec_of(key).seed} for key in run.keys}


@by_source(
    UNIQUE,
    wanted=_unique_from,
    code=["corpus.unique"],
    deps=[AssetDep(crawled, partition_mapping=OF_THE_SOURCE)],
)
def unique_pages(run: Run, todo: list[str]) -> Generator[Made]:
    """One page for each structure, then for each group of near duplicates; the others are counted."""
    for key in todo:
        files, seed = run.lake.files(CRAWLED, {"source": key}), spec_of(key).seed
        with _scratch() as scratch:
            structures, groups = scratch / "structures.parquet", scratch / "groups.parquet"
            first = one_per_structure(files, structures, seed=seed, where="failure IS NULL")
            second = one_per_group(structures, files, groups, seed=seed)
            about = {"pages": first.pages, "structures": first.kept, "kept": second.kept}
            yield Made(key, rows_of_file(groups), about)


def _self_contained_from(
    run: Run, browser: BrowserResource, embedder: EmbedderResource, registry: RegistryResource
) -> Mapping[str, Any]:
    # How models are asked decides nothing where none is.
    code = code_sha256("corpus.self_contained", but=frozenset({"models.*", "corpus.labels.llm"}))
    made_by = {"code": code, "render": browser.fingerprint(), "clip": [embedder.model, embedder.weights]}
    return {key: made_by | _page_inputs(run.lake, spec_of(key), registry) for key in run.keys}


def _page_inputs(store: Lake, spec: CrawlSource, registry: RegistryResource) -> dict[str, Any]:
    way, label, of_source = None, None, {"source": spec.name}
    if spec.way == "regenerate":
        code = code_sha256("corpus.regenerate.ask")
        way = (registry.deciding(spec.regenerate_with), regenerate_sha256(), code)
    if spec.label_with:
        label = (registry.deciding(spec.label_with), label_sha256(), code_sha256("corpus.labels.llm"))
    # Bounds of length are of the whole source.
    pages = {"crawled": store.versions(CRAWLED, of_source), "unique": store.version(UNIQUE, of_source)}
    return {"way": way, "label": label} | pages


@by_shard(
    SELF_CONTAINED,
    wanted=_self_contained_from,
    deps=[crawled, AssetDep(unique_pages, partition_mapping=OF_THE_SOURCE)],
)
def self_contained(
    run: Run,
    todo: list[str],
    browser: BrowserResource,
    embedder: EmbedderResource,
    registry: RegistryResource,
    spending: SpendingResource,
) -> Generator[Made]:
    """Unique pages made self-contained, rendered again, compared with their originals, filtered and labelled."""
    of_source = cache(partial(_of_source, run.lake))
    for key in todo:
        duplicates, settings = of_source(_source(key))
        originals = _originals(run.lake, place_of(CRAWLED, key), set(duplicates))
        with _labeller(run.lake, spec_of(key), registry, spending) as label, stopping_fails():
            rows = _made(run.lake, spec_of(key), originals, registry, spending)
            finish = partial(finished_rows, rows, originals, duplicates, embedder.embedder(), label, settings)
            with bar("pages compared", len(rows)) as shown, browser.open() as chromium:
                made = chromium.run(finish(chromium.renderer, shown.update))
        yield Made(key, made, {"outcome": Counter((row["drop_reason"] or "kept").partition(":")[0] for row in made)})


def _of_source(store: Lake, source: str) -> tuple[dict[str, int], filters.Settings]:
    """Pages of a source that stay, with how many each stands for, and the bounds that the source's pages set."""
    kept = store.read(UNIQUE, {"source": source}).to_pylist()
    pages = store.iter_all(CRAWLED, ["html"], within={"source": source})
    lengths = [filters.body_length(dom.parse(page["html"])) for page in pages if page["html"]]
    return {row["id"]: row["duplicates"] for row in kept}, filters.Settings(length=filters.length_bounds(lengths))


def _originals(store: Lake, place: Mapping[str, str], ids: set[str]) -> dict[str, dict[str, Any]]:
    return {row["url_id"]: row for row in store.iter_rows(CRAWLED, CRAWLED.names, ids, "url_id", place)}


@contextmanager
def _labeller(
    store: Lake, spec: CrawlSource, registry: RegistryResource, spending: SpendingResource
) -> Iterator[LabelPages]:
    with spending.journal(store, spec.name, f"label-{spec.label_with or 'embedded'}") as journal:
        if spec.label_with:
            yield by_model(registry.endpoint(spec.label_with), journal, budget=spending.budget())
        else:
            yield by_embedded(spending.journals_of(store, spec.name))


def _made(
    store: Lake,
    spec: CrawlSource,
    originals: dict[str, dict[str, Any]],
    registry: RegistryResource,
    spending: SpendingResource,
) -> list[dict[str, Any]]:
    if spec.way == "snapshot":
        return [from_snapshot(page) for page in originals.values()]
    model = registry.endpoint(spec.regenerate_with)
    made_by = {"written_by": model.id, "prompt_sha256": regenerate_sha256()}
    with (
        spending.journal(store, spec.name, f"regenerate-{model.id}") as journal,
        progress_bar(f"pages written by {model.id}") as show,
    ):
        pages = originals.values()
        written = regenerate_pages(model, pages, journal, spending.budget(), show, total=len(originals))
        return [{**row, **made_by} for row in written]


def _sampled_from(run: Run) -> Mapping[str, Any]:
    return {
        key: {
            "pages": run.lake.versions(SELF_CONTAINED, {"source": key}),
            "drawn": spec_of(key).model_dump(include={"seed", "cap", "share"}),
        }
        for key in run.keys
    }


@by_source(
    SAMPLED,
    wanted=_sampled_from,
    code=["corpus.sampling"],
    deps=[AssetDep(self_contained, partition_mapping=OF_THE_SOURCE)],
)
def sampled(run: Run, todo: list[str]) -> Generator[Made]:
    """Page ids of a source that stay under the cap of their domain label."""
    for key in todo:
        spec, files = spec_of(key), run.lake.files(SELF_CONTAINED, {"source": key})
        with _scratch() as scratch:
            out, where = scratch / "sampled.parquet", "drop_reason IS NULL AND domain IS NOT NULL"
            drawn = capped_sample_files(files, out, seed=spec.seed, cap=spec.cap, share=spec.share, where=where)
            yield Made(key, rows_of_file(out), {"cap": drawn.cap})


def _counted_in_funnel(run: Run, key: str) -> dict[Table, Mapping[str, str]]:
    found = {table: run.lake.versions(table, {"source": key}) for table in FUNNEL_TABLES}
    return {table: versions for table, versions in found.items() if versions}


def _funnel_from(run: Run) -> Mapping[str, Any]:
    return {key: {table.name: versions for table, versions in _counted_in_funnel(run, key).items()} for key in run.keys}


@by_source(FUNNEL, wanted=_funnel_from, code=["corpus.funnel"], deps=[sampled], key=["crawl_funnel"])
def crawl_funnel(run: Run, todo: list[str]) -> Generator[Made]:
    """How many rows every stage of a crawl kept, and why the others ended there."""
    # Here, so that reading the definitions stays quick.
    from diffbench_assets.corpus.funnel import count_stages, funnel_rows, plot

    for key in todo:
        files = {table.name: run.lake.files(table, {"source": key}) for table in _counted_in_funnel(run, key)}
        rows = funnel_rows(key, count_stages(files))
        png = io.BytesIO()
        plot(rows).savefig(png, format="png", dpi=90)
        yield Made(key, rows, {"funnel": picture(png.getvalue(), "png")})
