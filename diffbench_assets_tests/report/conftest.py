"""One report and one real browser for the tests that look at them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from diffbench_assets.protocols.multiple_choice.report.build import build_choice_report
from diffbench_assets.protocols.multiple_choice.report.tables import MultipleChoiceTables
from diffbench_assets.report.build import ReportFiles, build_report
from diffbench_assets.report.tables import ReportTables
from diffbench_assets_tests.report.choice_suite import blind_rows, choice_tables
from diffbench_assets_tests.report.choice_suite import rows as rows_of_questions
from diffbench_assets_tests.report.suite import Fact, report_tables, rows
from diffbench_assets_tests.watched import WatchedPage

FACTS = {
    "baseline": Fact(family="baseline"),
    "open-8b": Fact("Open", "open_weight", 8, 8, False),
    "closed": Fact("Closed", "proprietary", reasoning=True),
}
OPERATORS = ("color", "font_size", "rounded")


@pytest.fixture(scope="session")
def tables() -> ReportTables:
    raw = rows(list(FACTS), ("rules", "model-judge"), per_cell=2, no_diff=8, operators=OPERATORS)
    return report_tables(*raw, facts=FACTS, versions={"diffbench-assets": "0.1.0", "Chromium": "156"})


@pytest.fixture(scope="session")
def report(tables: ReportTables, tmp_path_factory: pytest.TempPathFactory) -> ReportFiles:
    return build_report(tables, tmp_path_factory.mktemp("report"))


CHOICE_FACTS = {
    "always-a": Fact(family="baseline"),
    "weak": Fact("Open", "open_weight", 8, 8, False),
    "strong": Fact("Closed", "proprietary", reasoning=True),
}


@pytest.fixture(scope="session")
def choice() -> MultipleChoiceTables:
    raw = rows_of_questions(list(CHOICE_FACTS))
    return choice_tables(*raw, facts=CHOICE_FACTS, blind=blind_rows(), versions={"diffbench-assets": "0.1.0"})


@pytest.fixture(scope="session")
def choice_report(choice: MultipleChoiceTables, tmp_path_factory: pytest.TempPathFactory) -> ReportFiles:
    return build_choice_report(choice, tmp_path_factory.mktemp("choice"))


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


@pytest.fixture
def page(watched: Watched, report: ReportFiles) -> Page:
    return watched.open(report.html)
