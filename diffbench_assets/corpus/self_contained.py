"""Crawled pages made self-contained, compared with their originals, filtered and labelled: rows of `self_contained`.

Belongs here: the order of these steps. Does not belong here: any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from diffbench_assets.browser.flight import in_flight
from diffbench_assets.browser.render import Renderer, Tab
from diffbench_assets.corpus import filters
from diffbench_assets.corpus.labels import LabelPages, label_rows
from diffbench_assets.corpus.similarity import compare, decide
from diffbench_assets.pages.stored import to_page

Row = dict[str, Any]


def from_snapshot(page: Mapping[str, Any]) -> Row:
    """The row of a crawled page that a snapshot was taken of, before it is rendered."""
    made = to_page(page["snapshot"])
    return {
        "page_id": page["url_id"],
        "url": page["final_url"] or page["url"],
        "host": page["host"],
        "way": "snapshot",
        "html": made.html,
        "structure_fingerprint": page["structure_fingerprint"],
        "drop_reason": made.drop_reason,
    }


async def finished_rows(
    rows: Sequence[Row],
    originals: Mapping[str, Mapping[str, Any]],
    duplicates: Mapping[str, int],
    embedder: Any,
    label: LabelPages,
    settings: filters.Settings,
    renderer: Renderer,
    progress: Callable[[int], object] = lambda pages: None,
) -> list[Row]:
    """Rows rendered, compared, filtered and labelled; those that are left out keep the first reason.

    `originals` are rows of `crawled` by page id; without an embedder similarity is null, and every page passes it.
    """
    kept = [row for row in rows if row["drop_reason"] is None]

    async def work(tab: Tab, row: Row) -> bytes | None:
        await tab.load(row["html"])
        return await tab.settled()

    shots = await in_flight(renderer, kept, work, lambda row, failure: None, progress)
    for row, shot in zip(kept, shots, strict=True):
        if shot is None:
            row["drop_reason"] = "unrendered"
        else:
            row["screenshot"] = {"bytes": shot, "path": f"{row['page_id']}.png"}
    rendered = [row for row in kept if row["drop_reason"] is None]
    pictures = [(originals[row["page_id"]]["screenshot"]["bytes"], row["screenshot"]["bytes"]) for row in rendered]
    likeness = compare([one for one, _ in pictures], [two for _, two in pictures], embedder)
    for row, (similarity, agreement) in zip(rendered, likeness, strict=True):
        row |= {"similarity": similarity, "pixel_agreement": agreement}
        if decide(similarity) == "dissimilar":
            row["drop_reason"] = "dissimilar"
    for row in rows:
        row["duplicates"] = duplicates.get(row["page_id"], 0)
        row["findings"] = _findings(row, originals[row["page_id"]], settings)
        row["drop_reason"] = row["drop_reason"] or filters.drop_reason(row["findings"], settings)
    return sorted(label_rows(rows, label), key=lambda row: row["page_id"])


def _findings(row: Row, original: Mapping[str, Any], settings: filters.Settings) -> list[str]:
    html = original["html"]
    found = filters.findings(
        html, filters.page_text(html), original["screenshot"]["bytes"], settings,
        status=original["status"], version="original",
    )  # fmt: skip
    if row["html"]:
        shot = row["screenshot"]["bytes"] if row.get("screenshot") else None
        found += filters.findings(row["html"], filters.page_text(row["html"]), shot, settings, version="made")
    return list(dict.fromkeys(found))
