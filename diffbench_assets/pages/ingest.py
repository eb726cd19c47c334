"""Pages of a source: read, made self-contained in batches, one row each.

Belongs here: rows of the pages table from a source, and the fingerprint of what it was made from. Does not belong here:
reading (`sources.py`) or rewriting pages (`selfcontained.py`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

from diffbench_assets.pages.selfcontained import make_self_contained
from diffbench_assets.pages.sources import (
    HtmlSource,
    ParquetSource,
    SourceSpec,
    find_files,
    read_source,
)
from diffbench_assets.versions import file_sha256

BATCH_PAGES: Final = 64
"""Pages made self-contained together: one call of the Tailwind compiler serves them all."""


def ingest(spec: SourceSpec, progress: Callable[[int], object] = lambda pages: None) -> Iterator[dict[str, Any]]:
    """One row of the pages table for every page of the source; a page that cannot be used has its drop_reason."""
    raw = read_source(spec)
    while batch := list(islice(raw, BATCH_PAGES)):
        for page, done in zip(batch, make_self_contained(batch), strict=True):
            yield {
                "page_id": page.page_id,
                "source": spec.name,
                "url": page.url,
                "html": done.html,
                "domain": page.domain,
                "style": page.style,
                "richness": page.richness or done.richness,
                "language": page.language or done.language,
                "structure_fingerprint": done.structure_fingerprint,
                "missing_glyphs": done.missing_glyphs,
                "drop_reason": done.drop_reason,
            }
        progress(len(batch))


def source_fingerprint(spec: SourceSpec) -> str:
    """Hash of the source's settings and of its files' contents."""
    digest = hashlib.sha256(spec.model_dump_json().encode())
    if isinstance(spec, HtmlSource | ParquetSource):
        for name, path in _inputs(spec):
            digest.update(f"\n{name}\n{file_sha256(path)}".encode())
    return digest.hexdigest()


def _inputs(spec: HtmlSource | ParquetSource) -> Iterator[tuple[str, Path]]:
    """Name and path of every file the source may read: a page's stylesheets, images and fonts lie below its root."""
    root, files = find_files(spec)
    if isinstance(spec, HtmlSource):
        parts = ((path.relative_to(root), path) for path in root.rglob("*") if path.is_file())
        files = [path for name, path in parts if not any(p.startswith(".") or p == "node_modules" for p in name.parts)]
    for path in sorted(files):
        yield str(path.relative_to(root)), path
