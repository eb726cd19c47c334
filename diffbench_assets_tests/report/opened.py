"""A report opened in a real browser, and what happens there.

Belongs here: fixtures and helpers that the tests of every protocol's page share. Does not belong here: any one page.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from diffbench_assets_tests.watched import WatchedPage


class Watched(WatchedPage):
    """A report that is watched."""

    def open(self, html: Path, fragment: str = "") -> Page:
        self.page.goto(html.as_uri() + fragment)
        self.page.wait_for_selector("html[data-gallery=ready]")
        return self.page

    def outside(self) -> list[str]:
        """Requests for anything but the report and what it holds itself."""
        return [url for url in self.requests if not url.startswith(("data:", "file:"))]


def wait_for_images(page: Page) -> None:
    """Until the screenshots of the chosen pair are there; the page's policy bars what wait_for_function does."""
    for _ in range(200):
        if page.evaluate("[...document.querySelectorAll('.stage img')].every((i) => i.complete && i.naturalWidth)"):
            return
        page.wait_for_timeout(25)
    raise AssertionError("the screenshots did not load")


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield Watched(context.new_page())
    context.close()
