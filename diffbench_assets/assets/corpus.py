"""Group corpus: pages of every source, and the pool of usable ones."""

from dagster import AssetExecutionContext, BackfillPolicy, MaterializeResult, asset

from diffbench_assets import partitions
from diffbench_assets.assets.ranged import counts, fingerprint, landed, progress, stale
from diffbench_assets.corpus.sampled_pages import sampled_pages
from diffbench_assets.pages.ingest import ingest, source_fingerprint
from diffbench_assets.pages.pool import pool_pages
from diffbench_assets.pages.sources import CrawlSource
from diffbench_assets.resources.webdiff import LakeResource
from diffbench_assets.schemas import PAGE_POOL, PAGES


@asset(group_name="corpus", partitions_def=partitions.sources, backfill_policy=BackfillPolicy.single_run())
def pages(context: AssetExecutionContext, lake: LakeResource) -> None:
    """Self-contained pages of a source; pages that cannot be used keep a row with their drop_reason."""
    store, specs = lake.open(), partitions.corpus()
    wanted = {
        key: fingerprint(source=source_fingerprint(specs[key]), sample=store.fingerprint("sampled", {"source": key}))
        for key in context.partition_keys
    }
    for key in stale(context, store, "pages", "source", wanted):
        spec = specs[key]
        with progress(0, f"pages {key}") as bar:
            made = sampled_pages(store, key, bar.update) if isinstance(spec, CrawlSource) else ingest(spec, bar.update)
            path = store.write("pages", PAGES, made, {"source": key}, wanted[key])
        reasons = store.read("pages", {"source": key}, ["drop_reason"])["drop_reason"].to_pylist()
        landed(
            context,
            key,
            path,
            {"rows": len(reasons), "dropped": counts(r.split(":")[0] if r else "kept" for r in reasons)},
        )


@asset(group_name="corpus", deps=[pages])
def page_pool(lake: LakeResource) -> MaterializeResult:
    """Usable pages of all sources, one for each structure; html stays in `pages`."""
    store = lake.open()
    rows, left_out = pool_pages(store)
    path = store.write(
        "page_pool", PAGE_POOL, rows, fingerprint=fingerprint(pages=[row["html_sha256"] for row in rows])
    )
    return MaterializeResult(metadata={"path": path, "rows": len(rows), "left_out": counts(left_out)})
