"""Pages of a crawl as rows of the pages table: those of its sample, in the order of their ids.

Belongs here: reading the crawl's tables. Does not belong here: crawling, or making pages self-contained (`corpus/`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from diffbench_assets.corpus.filters.glyphs import missing_characters
from diffbench_assets.corpus.filters.page import FilteredPage, Settings
from diffbench_assets.lake import Lake, LakeError
from diffbench_assets.pages.fingerprint import structure_fingerprint
from diffbench_assets.schemas import SAMPLED, SELF_CONTAINED

KEPT = ("url", "html", "domain", "style", "richness", "language", "pixel_agreement")


def sampled_pages(
    lake: Lake, source: str, progress: Callable[[int], object] = lambda pages: None
) -> Iterator[dict[str, Any]]:
    """Every page as it was compared with its original, byte for byte, with its labels.

    Made self-contained once more, a page would get other fonts and pictures than the one that was compared.
    The fingerprint is of the page itself; the one in `self_contained` is of its original. Raises LakeError when the
    crawl of `source` has no sample yet.
    """
    if not lake.exists(SAMPLED, {"source": source}):
        raise LakeError(f"{lake.root} has no sample of {source}: run `diffbench crawl --source {source}` first")
    ids = set(lake.read(SAMPLED, {"source": source}, ["id"])["id"].to_pylist())
    columns = ("page_id", *KEPT)
    rows = {row["page_id"]: row for row in lake.iter_rows(SELF_CONTAINED, columns, ids, within={"source": source})}
    for page_id in sorted(rows):
        row = rows[page_id]
        yield {
            "page_id": f"{source}-{page_id[:16]}",
            "source": source,
            **{name: row[name] for name in KEPT},
            "structure_fingerprint": structure_fingerprint(row["html"]),
            "missing_glyphs": missing_characters(FilteredPage(row["html"], "", None, Settings())),
            "drop_reason": None,
        }
        progress(1)
