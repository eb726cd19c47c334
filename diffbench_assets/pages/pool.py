"""The pool: usable web pages of all sources, one page for each structure (DiffSpot §2.1) that tells a template.

Belongs here: which pages take part (scenes do not: they are drawings). Does not belong here: the pages themselves,
which stay in the pages table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Any

from diffbench_assets.lake import Lake, LakeError
from diffbench_assets.pages.fingerprint import tells_template
from diffbench_assets.schemas import PAGES

LABELS = ("page_id", "source", "domain", "style", "richness", "language", "structure_fingerprint", "missing_glyphs")


def pool_pages(lake: Lake, scenes: Collection[str] = ()) -> tuple[list[dict[str, Any]], list[str]]:
    """Rows of the pool in stored order, and the reason for every page that is left out. `scenes` names their sources.

    Raises LakeError when there are no pages.
    """
    if not lake.files(PAGES):
        raise LakeError(f"{lake.root} holds no pages: materialize pages first")
    rows: list[dict[str, Any]] = []
    left_out: list[str] = []
    seen: set[str] = set()
    contents: set[str] = set()
    for page in lake.iter_all(PAGES, [*LABELS, "html", "drop_reason"]):
        structure = page["structure_fingerprint"]
        if page["source"] in scenes:
            continue
        if page["drop_reason"] or page["html"] is None:
            left_out.append((page["drop_reason"] or "no html").split(":")[0])
            continue
        digest = hashlib.sha256(page["html"].encode("utf-8", "surrogatepass")).hexdigest()
        if digest in contents or (structure in seen and tells_template(page["html"])):
            left_out.append("same structure")
        else:
            seen.add(structure)
            contents.add(digest)
            rows.append({label: page[label] for label in LABELS} | {"html_sha256": digest})
    return rows, left_out
