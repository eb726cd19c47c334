"""One report of an open-ended suite for the tests that look at it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from diffbench_assets.protocols.open_ended.report.build import build_report
from diffbench_assets.protocols.open_ended.results import OpenEndedTables
from diffbench_assets.report.output import ReportFiles
from diffbench_assets_tests.protocols.open_ended.report.suite import Fact, report_tables, rows
from diffbench_assets_tests.report.opened import Watched, watched

__all__ = ["watched"]

FACTS = {
    "baseline": Fact(family="baseline"),
    "open-8b": Fact("Open", "open_weight", 8, 8, False),
    "closed": Fact("Closed", "proprietary", reasoning=True),
}
OPERATORS = ("color", "font_size", "rounded")


@pytest.fixture(scope="session")
def tables() -> OpenEndedTables:
    raw = rows(list(FACTS), ("rules", "model-judge"), per_cell=2, no_diff=8, operators=OPERATORS)
    return report_tables(*raw, facts=FACTS, versions={"diffbench-assets": "0.1.0", "Chromium": "156"})


@pytest.fixture(scope="session")
def report(tables: OpenEndedTables, tmp_path_factory: pytest.TempPathFactory) -> ReportFiles:
    return build_report(tables, tmp_path_factory.mktemp("report"))


@pytest.fixture
def page(watched: Watched, report: ReportFiles) -> Page:
    return watched.open(report.html)
