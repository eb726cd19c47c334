"""Suites: which cells they have, and how people name them."""

from __future__ import annotations

import pytest

from diffbench_assets.cli.common import suite_named
from diffbench_assets.errors import UserError
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
