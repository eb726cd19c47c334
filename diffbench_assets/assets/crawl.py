"""Group corpus, the live web: from lists of domains to self-contained, labelled pages, by source and shard.

Belongs here: wiring. Does not belong here: any stage of the funnel (`corpus/`).
"""

import asyncio
import io
import tempfile
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

from dagster import (
    AssetDep,
    AssetExecutionContext,
    BackfillPolicy,
    MultiPartitionKey,
    MultiToSingleDimensionPartitionMapping,
    asset,
)

from diffbench_assets import partitions
from diffbench_assets.assets.ranged import counts, fingerprint, landed, picture, progress, stopping_fails
from diffbench_assets.corpus import filters
from diffbench_assets.corpus.crawl.crawler import crawl
from diffbench_assets.corpus.crawl.spool import Spool
from diffbench_assets.corpus.domains import ListSpec, read_lists
from diffbench_assets.corpus.labels import by_embedded, by_model
from diffbench_assets.corpus.net.client import Client
from diffbench_assets.corpus.regenerate.ask import regenerate_pages, regenerate_sha256
from diffbench_assets.corpus.sampling import capped_sample_files
from diffbench_assets.corpus.self_contained import finished_rows, from_snapshot
from diffbench_assets.corpus.sitemaps.permission import permitted_by_robots
from diffbench_assets.corpus.sitemaps.run import discover_sites
from diffbench_assets.corpus.sitemaps.spool import rows_of
from diffbench_assets.corpus.unique import one_per_group, one_per_structure
from diffbench_assets.lake import Lake
from diffbench_assets.models.progress import progress_bar
from diffbench_assets.pages import dom
from diffbench_assets.pages.snapshot.capture import prepare_snapshot
from diffbench_assets.pages.sources import CrawlSource
from diffbench_assets.resources.crawl import CrawlResource
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.resources.webdiff import BrowserResource, EmbedderResource, LakeResource
from diffbench_assets.schemas import CRAWLED, DOMAINS, FUNNEL, SAMPLED, SELF_CONTAINED, SITE_URLS, SITES, UNIQUE

BY_SOURCE: dict[str, Any] = {
    "group_name": "corpus",
    "partitions_def": partitions.crawl_sources,
    "backfill_policy": BackfillPolicy.single_run(),
}
BY_SHARD: dict[str, Any] = {
    "group_name": "corpus",
    "partitions_def": partitions.crawls,
    "backfill_policy": BackfillPolicy.single_run(),
}
OF_THE_SOURCE = MultiToSingleDimensionPartitionMapping("source")


def spec_of(source: str) -> CrawlSource:
    """The crawl of this name in corpus.yaml."""
    spec = partitions.corpus()[source]
    assert isinstance(spec, CrawlSource)
    return spec


def _parts(context: AssetExecutionContext) -> Iterator[tuple[MultiPartitionKey, CrawlSource, str, dict[str, str]]]:
    for key in context.partition_keys:
        assert isinstance(key, MultiPartitionKey)
        source, shard = key.keys_by_dimension["source"], key.keys_by_dimension["shard"]
        yield key, spec_of(source), shard, {"source": source, "shard": shard}


@asset(**BY_SOURCE)
def domains(context: AssetExecutionContext, lake: LakeResource) -> None:
    """Hosts of all lists of a source, once each, with their ranks and shards."""
    store = lake.open()
    for key in context.partition_keys:
        spec = spec_of(key)
        lists = [ListSpec(entry.name, Path(entry.path), entry.layout) for entry in spec.lists]
        with tempfile.TemporaryDirectory() as scratch:
            read = read_lists(lists, Path(scratch) / "domains.parquet", shards=partitions.SHARDS)
            wanted = fingerprint(spec=spec, hosts=read.hosts)
            path = store.write_file("domains", DOMAINS, Path(scratch) / "domains.parquet", {"source": key}, wanted)
        landed(context, key, path, {"hosts": read.hosts, "left_out": counts(read.left_out.elements())})


@asset(**BY_SHARD, deps=[AssetDep(domains, partition_mapping=OF_THE_SOURCE)])
def sites(context: AssetExecutionContext, lake: LakeResource, web: CrawlResource) -> None:
    """robots.txt and sitemaps of every host of a shard; what is finished is never asked again."""
    store = lake.open()
    for key, spec, shard, place in _parts(context):
        hosts = _hosts(store, spec, shard)
        spool = web.spool(store, spec.name, shard, "sites")
        asyncio.run(_discover(web, spec, hosts, spool))
        found, urls = rows_of(spool, hosts)
        path = store.write("sites", SITES, found, place)
        store.write("site_urls", SITE_URLS, urls, place)
        outcome = counts(str(row["outcome"]) for row in found)
        landed(context, key, path, {"hosts": len(found), "urls": len(urls), "outcome": outcome})


def _hosts(store: Lake, spec: CrawlSource, shard: str) -> list[str]:
    rows = store.read("domains", {"source": spec.name}, ["host", "rank", "shard"]).to_pylist()
    if spec.max_hosts is not None:
        last = len(rows)
        rows = sorted(rows, key=lambda row: (row["rank"] is None, row["rank"] or last, row["host"]))[: spec.max_hosts]
    return sorted(row["host"] for row in rows if row["shard"] == int(shard))


async def _discover(web: CrawlResource, spec: CrawlSource, hosts: list[str], spool: Path) -> None:
    async with web.gateway() as gateway:
        with progress(len(hosts), "sites read") as bar:

            def read(row: dict[str, object]) -> None:
                bar.update()

            await discover_sites(hosts, gateway.url, spool, web.discovery(spec), read)


@asset(**BY_SHARD, deps=[sites])
def crawled(context: AssetExecutionContext, lake: LakeResource, web: CrawlResource) -> None:
    """Every URL of a shard rendered once; a page that is stored is never fetched again."""
    store = lake.open()
    for key, spec, shard, place in _parts(context):
        delays = {row["host"]: row["crawl_delay_s"] for row in store.read("sites", place).to_pylist()}
        urls = [
            {name: row[name] for name in ("url_id", "url", "host")} | {"crawl_delay_s": delays.get(row["host"])}
            for row in store.read("site_urls", place).to_pylist()
        ]
        spool = Spool(web.spool(store, spec.name, shard, f"pages-{spec.way}"))
        asyncio.run(_visit(web, spec, urls, spool))
        wanted = {row["url_id"] for row in urls}
        path = store.write("crawled", CRAWLED, (row for row in spool.rows() if row["url_id"] in wanted), place)
        failures = store.read("crawled", place, ["failure"])["failure"].to_pylist()
        landed(context, key, path, {"urls": len(urls), "outcome": counts(failure or "kept" for failure in failures)})


async def _visit(web: CrawlResource, spec: CrawlSource, urls: list[dict[str, Any]], spool: Spool) -> None:
    hook = prepare_snapshot if spec.way == "snapshot" else None
    async with web.gateway() as gateway, Client(gateway.url, spec.contact) as client:
        with progress(len(urls), "pages crawled") as bar:
            allowed = permitted_by_robots(client, web.discovery(spec))
            await crawl(urls, spool, web.visits(spec), gateway.url, bar.update, hook, allowed)


@asset(**BY_SOURCE, deps=[AssetDep(crawled, partition_mapping=OF_THE_SOURCE)])
def unique_pages(context: AssetExecutionContext, lake: LakeResource) -> None:
    """One page for each structure, then for each group of near duplicates; the others are counted."""
    store = lake.open()
    for key in context.partition_keys:
        files = store.files("crawled", {"source": key})
        with tempfile.TemporaryDirectory() as scratch:
            structures, groups = Path(scratch) / "structures.parquet", Path(scratch) / "groups.parquet"
            seed, where = spec_of(key).seed, "failure IS NULL"
            first = one_per_structure(files, structures, seed=seed, where=where)
            second = one_per_group(structures, files, groups, seed=seed)
            path = store.write_file("unique_pages", UNIQUE, groups, {"source": key})
        landed(context, key, path, {"pages": first.pages, "structures": first.kept, "kept": second.kept})


@asset(**BY_SHARD, deps=[crawled, AssetDep(unique_pages, partition_mapping=OF_THE_SOURCE)])
def self_contained(
    context: AssetExecutionContext,
    lake: LakeResource,
    browser: BrowserResource,
    embedder: EmbedderResource,
    registry: RegistryResource,
    spending: SpendingResource,
) -> None:
    """Unique pages made self-contained, rendered again, compared with their originals, filtered and labelled."""
    store = lake.open()

    @cache
    def of_source(source: str) -> tuple[dict[str, int], filters.Settings]:
        kept = store.read("unique_pages", {"source": source}).to_pylist()
        bounds = filters.length_bounds(_lengths(store, source))
        return {row["id"]: row["duplicates"] for row in kept}, filters.Settings(length=bounds)

    for key, spec, _shard, place in _parts(context):
        duplicates, settings = of_source(spec.name)
        crawled_rows = store.iter_rows("crawled", CRAWLED.names, set(duplicates), "url_id", place)
        originals = {row["url_id"]: row for row in crawled_rows}
        with spending.journal(store, spec.name, f"label-{spec.label_with or 'embedded'}") as journal:
            label = (
                by_model(registry.endpoint(spec.label_with), journal, budget=spending.budget())
                if spec.label_with
                else by_embedded(spending.journals_of(store, spec.name))
            )
            with stopping_fails():
                rows = _made(store, spec, originals, registry, spending)
                finish = partial(finished_rows, rows, originals, duplicates, embedder.embedder(), label, settings)
                with progress(len(rows), "pages compared") as bar:
                    made = browser.run(partial(finish, progress=bar.update))
        path = store.write("self_contained", SELF_CONTAINED, made, place)
        dropped = counts((row["drop_reason"] or "kept").partition(":")[0] for row in made)
        landed(context, key, path, {"pages": len(made), "outcome": dropped})


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


def _lengths(store: Lake, source: str) -> list[int]:
    return [
        filters.body_length(dom.parse(html))
        for shard in partitions.shards.get_partition_keys()
        if store.exists("crawled", place := {"source": source, "shard": shard})
        for page in store.iter_partition("crawled", place, ["html"])
        if (html := page["html"])
    ]


@asset(**BY_SOURCE, deps=[AssetDep(self_contained, partition_mapping=OF_THE_SOURCE)])
def sampled(context: AssetExecutionContext, lake: LakeResource) -> None:
    """Page ids of a source that stay under the cap of their domain label."""
    store = lake.open()
    for key in context.partition_keys:
        spec = spec_of(key)
        with tempfile.TemporaryDirectory() as scratch:
            out = Path(scratch) / "sampled.parquet"
            drawn = capped_sample_files(
                store.files("self_contained", {"source": key}),
                out,
                seed=spec.seed,
                cap=spec.cap,
                share=spec.share,
                where="drop_reason IS NULL AND domain IS NOT NULL",
            )
            path = store.write_file("sampled", SAMPLED, out, {"source": key})
        landed(context, key, path, {"pages": sum(drawn.after.values()), "cap": drawn.cap})


@asset(**BY_SOURCE, deps=[sampled])
def crawl_funnel(context: AssetExecutionContext, lake: LakeResource) -> None:
    """How many rows every stage of a crawl kept, and why the others ended there."""
    from diffbench_assets.corpus import funnel

    store = lake.open()
    for key in context.partition_keys:
        tables = {name: store.files(name, {"source": key}) for name in funnel.TABLES}
        rows = funnel.funnel_rows(key, funnel.count_stages({name: files for name, files in tables.items() if files}))
        path = store.write("funnel", FUNNEL, rows, {"source": key})
        png = io.BytesIO()
        funnel.plot(rows).savefig(png, format="png", dpi=90)
        landed(context, key, path, {"rows": len(rows), "funnel": picture(png.getvalue(), "png")})
