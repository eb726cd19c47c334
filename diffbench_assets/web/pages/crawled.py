"""Pages of a crawl as raw pages: those of its sample, in the order of their ids.

Belongs here: reading the crawl's tables. Does not belong here: crawling (`corpus/`).
"""

from __future__ import annotations

from collections.abc import Iterator

from diffbench_assets.lake import Lake, LakeError
from diffbench_assets.web.pages.sources import RawPage

COLUMNS = ("page_id", "url", "html", "domain", "style", "richness", "language")


def sampled_pages(lake: Lake, source: str) -> Iterator[RawPage]:
    """Raises LakeError when the crawl of `source` has no sample yet."""
    if not lake.exists("sampled", {"source": source}):
        raise LakeError(f"{lake.root} has no sample of {source}: run `diffbench crawl --source {source}` first")
    ids = set(lake.read("sampled", {"source": source}, ["id"])["id"].to_pylist())
    rows = {row["page_id"]: row for row in lake.iter_rows("self_contained", COLUMNS, ids)}
    for page_id in sorted(rows):
        row = rows[page_id]
        labels = {name: row[name] for name in ("domain", "style", "richness", "language")}
        yield RawPage(f"{source}-{page_id[:16]}", row["url"], row["html"], **labels)
