"""Suites: which cells they have, and how people name them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from diffbench_assets.cli.common import suite_named
from diffbench_assets.errors import UserError
from diffbench_assets.protocols.protocol import by_name
from diffbench_assets.resources.build import settings_of
from diffbench_assets.suites import SUITES
from diffbench_assets.views import tables


def test_cells_are_selected_by_key_operator_and_tier_in_table_order() -> None:
    webdiff = SUITES["webdiff"]
    assert webdiff.select(["no_diff", "border.hard", "rounded"]) == [
        "border.hard",
        "rounded.easy",
        "rounded.medium",
        "rounded.hard",
        "no_diff",
    ]
    assert len(webdiff.select(["hard"])) == 13
    assert len(webdiff.select([])) == 40
    assert SUITES["lowlevel_mcq"].select(["noise", "ocr"]) == ["noise", "ocr"]


@pytest.mark.parametrize("name", ["colour", "border.huge", "border.", "", "no_diff.easy"])
def test_unknown_cells_are_named_in_the_error(name: str) -> None:
    with pytest.raises(ValueError, match=f"no cell '{name}'.*font_weight"):
        SUITES["webdiff"].select(["color", name])


@pytest.mark.parametrize("names", [("webdiff", "webdiff"), ("webdiff", "open_ended")], ids=["suite", "protocol"])
def test_a_name_stands_for_one_suite_or_one_protocol(names: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match=f"'{names[1]}' names a suite and another suite or a protocol"):
        by_name(*(replace(SUITES["webdiff"], name=name) for name in names))


def test_the_pixel_level_suite_has_the_papers_ten_categories_and_no_diff() -> None:
    cells = SUITES["lowlevel_mcq"].cells
    assert len(cells) == 11 and cells[-1] == "no_diff"


def test_every_suite_has_public_tables_whose_columns_say_what_they_are() -> None:
    for suite in SUITES.values():
        names = {table.name for table in suite.protocol.tables}
        assert {"pairs", "responses", "verdicts", "metrics"} <= names <= set(tables())
        for table in suite.protocol.tables:
            assert all(field.metadata[b"description"] for field in table.schema)


def test_an_unknown_suite_is_named_beside_those_that_exist() -> None:
    with pytest.raises(UserError, match="no suite 'webdif'.*webdiff, webdiff_mcq, lowlevel_mcq"):
        suite_named("webdif")


def test_a_setting_that_is_a_choice_is_taken_from_its_variable_and_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIFFBENCH_GATE", "exact")
    monkeypatch.setenv("DIFFBENCH_MECHANISM", "class_swap")
    made = settings_of(SUITES.values()).of(SUITES["webdiff"].pair_set)
    assert (made.gate, made.mechanism) == ("exact", "class_swap")
    monkeypatch.setenv("DIFFBENCH_GATE", "open")
    with pytest.raises(UserError, match="DIFFBENCH_GATE.*'visible' or 'exact'"):
        settings_of(SUITES.values())
