"""A page that the project wrote itself is stored as what the browser would have read."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import Browser

from diffbench_assets.pages.ingest import Writer, ingest, reading
from diffbench_assets.pages.sources import GeneratorSource, RawPage, ScenesSource, read_source
from diffbench_assets_tests.pages.conftest import Make
from diffbench_assets_tests.pages.rendering import pixels


def drawn() -> list[RawPage]:
    """Pages in four scripts, one of them with tabular figures (12), and scenes."""
    pages = list(read_source(GeneratorSource(name="g", kind="generator", count=20)))
    scenes = list(read_source(ScenesSource(name="s", kind="scenes", count=4)))
    return [pages[number] for number in (0, 3, 9, 12, 19)] + scenes


def test_it_shows_what_the_page_shows_that_the_browser_read(browser: Browser, make: Make) -> None:
    raw = drawn()
    with reading(Writer) as write:
        written = write(raw)
    for page, ours, read in zip(raw, written, make(raw), strict=True):
        assert ours.page.html and read.page.html, page.url
        assert read.agreement == 1.0 and ours.agreement is None, page.url
        assert np.array_equal(pixels(browser, ours.page.html), pixels(browser, read.page.html)), page.url
        assert ours.page.structure_fingerprint == read.page.structure_fingerprint


def test_it_is_the_same_whatever_was_written_before_it() -> None:
    raw = drawn()[:4]
    with reading(Writer) as write:
        together = [made.page.html for made in write(raw)]
    for page, html in zip(raw, together, strict=True):
        with reading(Writer) as write:
            assert write([page])[0].page.html == html


def test_rows_of_a_source_say_what_its_pages_are() -> None:
    rows = list(ingest(GeneratorSource(name="g", kind="generator", count=3)))
    assert all(row["html"] and row["pixel_agreement"] is None and row["domain"] and row["style"] for row in rows)
