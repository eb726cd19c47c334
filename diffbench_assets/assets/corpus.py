"""Group corpus: pages of every source, and the pool of usable ones."""

from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from typing import Any

from dagster import MaterializeResult, asset

from diffbench_assets import partitions
from diffbench_assets.assets.ranged import Made, Run, ranged
from diffbench_assets.assets.shown import progress, shown
from diffbench_assets.corpus.sampled_pages import sampled_pages
from diffbench_assets.pages.ingest import ingest, source_fingerprint
from diffbench_assets.pages.pool import pool_pages
from diffbench_assets.pages.sources import CrawlSource
from diffbench_assets.resources.lake import LakeResource
from diffbench_assets.schemas import PAGE_POOL, PAGES, SAMPLED, SELF_CONTAINED
from diffbench_assets.versions import code_sha256, fingerprint


def _inputs(run: Run) -> Mapping[str, Any]:
    return {key: _source_inputs(run, key) for key in run.keys}


def _source_inputs(run: Run, key: str) -> Mapping[str, Any]:
    spec = partitions.corpus()[key]
    if not isinstance(spec, CrawlSource):
        return {"source": source_fingerprint(spec), "code": code_sha256("pages.ingest")}
    return {
        "sample": run.lake.version(SAMPLED, {"source": key}),
        "pages": run.lake.versions(SELF_CONTAINED, {"source": key}),
        "code": code_sha256("corpus.sampled_pages"),
    }


@ranged(PAGES, partitions.sources, group="corpus", wanted=_inputs)
def pages(run: Run, todo: list[str]) -> Generator[Made]:
    """Self-contained pages of a source; pages that cannot be used keep a row with their drop_reason."""
    for key in todo:
        spec, dropped = partitions.corpus()[key], Counter[str]()
        with progress(0, f"pages {key}") as bar:
            crawled = isinstance(spec, CrawlSource)
            made = sampled_pages(run.lake, key, bar.update) if crawled else ingest(spec, bar.update)
            yield Made(key, _counted(made, dropped), {"dropped": dropped})


def _counted(rows: Iterator[dict[str, Any]], dropped: Counter[str]) -> Iterator[dict[str, Any]]:
    for row in rows:
        dropped[(row["drop_reason"] or "kept").partition(":")[0]] += 1
        yield row


@asset(group_name="corpus", deps=[pages])
def page_pool(lake: LakeResource) -> MaterializeResult:
    """Usable pages of all sources, one for each structure; html stays in `pages`."""
    store = lake.open()
    wanted = fingerprint(pages=store.versions(PAGES), code=code_sha256("pages.pool"))
    if store.fingerprint(PAGE_POOL) != wanted:
        rows, left_out = pool_pages(store)
        store.write(PAGE_POOL, rows, fingerprint=wanted, about={"left_out": Counter(left_out)})
    noted = store.noted(PAGE_POOL)
    assert noted
    return MaterializeResult(metadata=shown(noted))
