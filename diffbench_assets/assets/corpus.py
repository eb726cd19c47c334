"""Group corpus: pages of every source, and the pool of usable ones."""

from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from typing import Any

from dagster import AssetDep, StaticPartitionMapping

from diffbench_assets import partitions
from diffbench_assets.assets.crawl import sampled
from diffbench_assets.assets.ranged import WHOLE, Made, Run, ranged
from diffbench_assets.bars import bar
from diffbench_assets.corpus.sampled_pages import sampled_pages
from diffbench_assets.pages.ingest import ingest, source_fingerprint
from diffbench_assets.pages.pool import pool_pages
from diffbench_assets.pages.sources import CrawlSource
from diffbench_assets.resources.build import BuildSettings
from diffbench_assets.schemas import PAGE_POOL, PAGES, SAMPLED, SELF_CONTAINED
from diffbench_assets.versions import code_sha256

DRAWN = frozenset({"pages.generator*", "pages.scenes*"})
NOT_DRAWN_BY = {"generator": frozenset[str](), "scenes": frozenset({"pages.generator*"})}
"""Code of pages that are drawn here, which other sources do not use."""


def _inputs(run: Run, settings: BuildSettings) -> Mapping[str, Any]:
    return {key: _source_inputs(run, key, settings.most_pages()) for key in run.keys}


def _source_inputs(run: Run, key: str, most: int) -> Mapping[str, Any]:
    spec = partitions.corpus()[key]
    if not isinstance(spec, CrawlSource):
        maker = "pages.written" if spec.kind in NOT_DRAWN_BY else "pages.ingest"
        code = code_sha256(maker, but=NOT_DRAWN_BY.get(spec.kind, DRAWN))
        return {"source": source_fingerprint(spec, most), "code": code}
    return {
        "sample": run.lake.version(SAMPLED, {"source": key}),
        "pages": run.lake.versions(SELF_CONTAINED, {"source": key}),
        "code": code_sha256("corpus.sampled_pages"),
    }


SAMPLES = StaticPartitionMapping({name: name for name in partitions.crawl_sources.get_partition_keys()})
"""Crawled pages are those of their source's sample; other sources have none."""


@ranged(
    PAGES,
    partitions.sources,
    group="corpus",
    wanted=_inputs,
    deps=[AssetDep(sampled, partition_mapping=SAMPLES)],
)
def pages(run: Run, todo: list[str], settings: BuildSettings) -> Generator[Made]:
    """Self-contained pages of a source, as many as the pairs asked for need; unusable ones keep their drop_reason."""
    for key in todo:
        spec, dropped = partitions.corpus()[key], Counter[str]()
        with bar(f"pages {key}") as shown:
            crawled = isinstance(spec, CrawlSource)
            most = settings.most_pages()
            made = sampled_pages(run.lake, key, shown.update) if crawled else ingest(spec, shown.update, most)
            yield Made(key, _counted(made, dropped), {"dropped": dropped})


def _counted(rows: Iterator[dict[str, Any]], dropped: Counter[str]) -> Iterator[dict[str, Any]]:
    for row in rows:
        dropped[(row["drop_reason"] or "kept").partition(":")[0]] += 1
        yield row


def _pool_from(run: Run) -> Mapping[str, Any]:
    return {WHOLE: {"pages": run.lake.versions(PAGES), "scenes": partitions.scene_sources()}}


@ranged(PAGE_POOL, group="corpus", wanted=_pool_from, code=["pages.pool"], deps=[pages])
def page_pool(run: Run, todo: list[str]) -> Generator[Made]:
    """Usable pages of all sources, one for each structure; html stays in `pages`."""
    rows, left_out = pool_pages(run.lake, partitions.scene_sources())
    yield Made(WHOLE, rows, {"left_out": Counter(left_out)})
