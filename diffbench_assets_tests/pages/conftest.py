"""Browsers for the whole package: one that reads pages as the product does, and a plain one to look at what came out.

Belongs here: fixtures. Does not belong here: what tests ask of a page (`rendering.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from diffbench_assets.pages.ingest import Made, reading
from diffbench_assets.pages.sources import RawPage
from diffbench_assets.pages.stored import Page
from diffbench_assets_tests.pages.rendering import chromium

Make = Callable[[Sequence[RawPage]], list[Made]]
Ingest = Callable[..., Page]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="package")
def make() -> Iterator[Make]:
    # In a thread of its own: Playwright's other interface holds this one's event loop.
    with ThreadPoolExecutor(1) as thread:
        context = reading()
        working = thread.submit(context.__enter__).result()
        yield lambda pages: thread.submit(working, pages).result()
        thread.submit(context.__exit__, None, None, None).result()


@pytest.fixture(scope="package")
def ingest(make: Make) -> Ingest:
    """`ingest(html, folder, path)`: the page that one raw page becomes."""

    def one(html: bytes | str | None, folder: Path | None = None, path: str = "index.html") -> Page:
        [made] = make([RawPage("t", "t", html, path, folder)])
        return made.page

    return one
