"""One report of a multiple-choice suite for the tests that look at it."""

from __future__ import annotations

import pytest

from diffbench_assets.protocols.multiple_choice.report.build import build_choice_report
from diffbench_assets.protocols.multiple_choice.results import MultipleChoiceTables
from diffbench_assets.report.output import ReportFiles
from diffbench_assets_tests.protocols.multiple_choice.report.suite import blind_rows, choice_tables, rows
from diffbench_assets_tests.protocols.open_ended.report.suite import Fact
from diffbench_assets_tests.report.opened import watched

__all__ = ["watched"]

CHOICE_FACTS = {
    "always-a": Fact(family="baseline"),
    "weak": Fact("Open", "open_weight", 8, 8, False),
    "strong": Fact("Closed", "proprietary", reasoning=True),
}


@pytest.fixture(scope="session")
def choice() -> MultipleChoiceTables:
    raw = rows(list(CHOICE_FACTS))
    return choice_tables(*raw, facts=CHOICE_FACTS, blind=blind_rows(), versions={"diffbench-assets": "0.1.0"})


@pytest.fixture(scope="session")
def choice_report(choice: MultipleChoiceTables, tmp_path_factory: pytest.TempPathFactory) -> ReportFiles:
    return build_choice_report(choice, tmp_path_factory.mktemp("choice"))
