"""A few raw pages as the lake would store them, for tests of what is done with stored pages.

Belongs here: this one way in. Does not belong here: the tests of ingestion (`pages/`), which keep their browsers.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from diffbench_assets.pages.ingest import reading
from diffbench_assets.pages.sources import RawPage
from diffbench_assets.pages.stored import Page


def stored(raw: Sequence[RawPage]) -> list[Page]:
    """Every page self-contained, in order. In a thread of its own: tests may hold this one's event loop."""

    def made() -> list[Page]:
        with reading() as make:
            return [done.page for done in make(raw)]

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(made).result()
