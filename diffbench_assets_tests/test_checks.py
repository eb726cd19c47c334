"""Asset checks: each finds what it is for, names where, and holds on what is right."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import pytest
from dagster import (
    AssetCheckResult,
    AssetChecksDefinition,
    DagsterInstance,
    StaticPartitionsDefinition,
    materialize,
)

from diffbench_assets import checks
from diffbench_assets.assets.ranged import DECLARED, Made, Run, ranged
from diffbench_assets.definitions import defs
from diffbench_assets.lake import Lake
from diffbench_assets.partitions import range_tags
from diffbench_assets.resources.lake import LakeResource
from diffbench_assets.schemas import CANDIDATES, METRICS, PAIRS
from diffbench_assets.suites import SUITES

SUITE = SUITES["webdiff"]


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(str(tmp_path / "lake"))


def result(lake: Lake, check: AssetChecksDefinition) -> AssetCheckResult:
    found = check(lake=LakeResource(root=lake.root))
    assert isinstance(found, AssetCheckResult)
    return found


def of_suite(name: str) -> AssetChecksDefinition:
    (found,) = [check for check in checks.suite_checks(SUITE) if name in {key.name for key in check.check_keys}]
    return found


def test_every_ranged_asset_and_every_suite_is_checked() -> None:
    there = {key.to_user_string() for check in defs.asset_checks or () for key in check.check_keys}  # type: ignore[union-attr]
    keys = [asset.key for asset in defs.assets or () if getattr(asset, "key", None) in DECLARED]  # type: ignore[union-attr]
    assert len(keys) >= 12
    assert {f"{key.to_user_string()}:as_declared" for key in keys} <= there
    for suite in SUITES:
        assert f"{suite}/metrics:coverage_is_high" in there
    assert "lowlevel_mcq/pairs:pairs_are_distinct" in there and "webdiff_mcq/pairs:pairs_are_distinct" not in there


def test_a_ranged_run_with_its_check_names_the_partitions_that_are_wrong(lake: Lake) -> None:
    def wanted(run: Run) -> Mapping[str, Any]:
        return dict.fromkeys(run.keys, {})

    @ranged(CANDIDATES.of("checked"), StaticPartitionsDefinition(["a", "b", "c"]), group="test", wanted=wanted)
    def candidates(run: Run, todo: list[str]) -> Generator[Made]:
        good = {"candidate_id": "1", "page_id": "p", "operator": "color", "tier": "easy", "status": "accepted"}
        for cell, wrong in (("a", {}), ("b", {"tier": "soft"}), ("c", {"page_id": None})):
            yield Made(cell, [good | wrong | {"candidate_id": cell}])

    with DagsterInstance.ephemeral() as instance:
        done = materialize(
            [candidates, *checks.declared_checks([candidates])],
            instance=instance,
            resources={"lake": LakeResource(root=lake.root)},
            tags=range_tags("a", "c"),
        )
    assert done.success
    (evaluation,) = done.get_asset_check_evaluations()
    assert not evaluation.passed and evaluation.metadata["violations"].value == 2
    assert evaluation.metadata["where"].value == {
        "checked/candidates cell=b": ["tier is 'soft', not one of easy, medium, hard"],
        "checked/candidates cell=c": ["1 rows without page_id"],
    }


def test_a_candidate_that_changes_pixels_outside_its_box_is_named(lake: Lake) -> None:
    local = {"candidate_id": "local", "status": "accepted", "inside_changed_px": 4, "outside_changed_px": 0}
    refused = local | {"candidate_id": "refused", "status": "nonlocal", "outside_changed_px": 9}
    table, check = CANDIDATES.of("webdiff"), checks.accepted_candidates_are_local
    lake.write(table, [local, refused], {"cell": "x"}, fingerprint="f")
    assert result(lake, check).passed
    wrong = [
        local | {"candidate_id": "out", "outside_changed_px": 1},
        local | {"candidate_id": "nil"} | {"inside_changed_px": 0},
    ]
    lake.write(table, wrong, {"cell": "y"}, fingerprint="f")
    found = result(lake, check)
    assert not found.passed and found.metadata["first"].value == "out, nil"


def test_cells_without_their_pairs_are_named(lake: Lake) -> None:
    table = PAIRS.of("webdiff")
    for cell in SUITE.cells:
        lake.write(table, [{"pair_id": cell}], {"cell": cell}, fingerprint="f", about={"wanted": 1})
    lake.remember(SUITE.name, SUITE.cells, {})
    assert result(lake, of_suite("cells_are_filled")).passed
    lake.write(table, [{"pair_id": "a"}], {"cell": "color.easy"}, fingerprint="f", about={"wanted": 3})
    Path(lake.path(table, {"cell": "color.hard"})).unlink()
    found = result(lake, of_suite("cells_are_filled"))
    assert not found.passed and found.metadata["not_made"].value == "color.hard"
    assert found.metadata["short"].value == {"color.easy": "1 of 3"}
    about = {"wanted": 3, "shortage": "about 20 more would do"}
    lake.write(table, [{"pair_id": "a"}], {"cell": "color.easy"}, fingerprint="g", about=about)
    short = result(lake, of_suite("cells_are_filled")).metadata["short"].value
    assert short == {"color.easy": "1 of 3; about 20 more would do"}


def test_pairs_below_the_floor_are_told_as_a_share_of_those_with_a_difference(lake: Lake) -> None:
    def pairs(cell: str, n: int, below: int) -> None:
        rows = [{"pair_id": f"{cell}-{number}", "cell": cell} for number in range(n)]
        lake.write(PAIRS.of("webdiff"), rows, {"cell": cell}, fingerprint="f", about={"below_floor": below})

    pairs("color.easy", 3, 0)
    pairs("no_diff", 9, 0)
    assert result(lake, checks.pairs_can_be_seen).passed
    pairs("color.hard", 5, 2)
    found = result(lake, checks.pairs_can_be_seen)
    assert not found.passed and found.metadata["share_below_floor"].value == 0.25
    assert found.metadata["where"].value == {"color.hard": 2}


def test_pages_that_give_more_pairs_than_they_are_first_asked_for_are_named(lake: Lake) -> None:
    def pairs(cell: str, *pages: str) -> None:
        rows = [{"pair_id": f"{cell}-{page}", "cell": cell, "page_id": page} for page in pages]
        lake.write(PAIRS.of("webdiff"), rows, {"cell": cell}, fingerprint="f", about={"pairs_a_page": 1})

    pairs("color.easy", "a", "b")
    pairs("no_diff", "c")
    found = result(lake, checks.pages_give_few_pairs)
    assert found.passed and found.metadata["most_pairs_of_one_page"].value == 1
    pairs("color.hard", "b")
    found = result(lake, checks.pages_give_few_pairs)
    assert not found.passed and found.metadata["most_pairs_of_one_page"].value == 2
    assert found.metadata["first"].value == {"b": 2}


def test_cells_that_nobody_asked_for_are_not_missed(lake: Lake) -> None:
    table = PAIRS.of("webdiff")
    lake.write(table, [{"pair_id": "a"}], {"cell": "color.easy"}, fingerprint="f", about={"wanted": 1})
    assert result(lake, of_suite("cells_are_filled")).passed
    lake.remember(SUITE.name, ["color.hard"], {})
    assert result(lake, of_suite("cells_are_filled")).metadata["not_made"].value == "color.hard"


def test_two_pairs_with_the_same_images_are_named_unless_nothing_differs(lake: Lake) -> None:
    def pair(name: str, cell: str) -> None:
        row = {"pair_id": name, "cell": cell, "before_pixels": "1", "after_pixels": "2"}
        lake.write(PAIRS.of("webdiff"), [row], {"cell": cell}, fingerprint="f")

    pair("first", "color.easy")
    pair("nothing", "no_diff")
    assert result(lake, of_suite("pairs_are_distinct")).passed
    pair("second", "color.hard")
    found = result(lake, of_suite("pairs_are_distinct"))
    assert not found.passed and found.metadata["first"].value == "second = first"


@pytest.mark.parametrize(
    ("check", "metric", "good", "bad"),
    [
        ("coverage_is_high", "coverage", {"value": 0.96}, {"value": 0.94}),
        ("always_no_diff_is_specific", "specificity", {"value": 1.0}, {"value": 0.9}),
        ("few_answers_are_unscored", "accuracy", {"n": 100, "n_unscored": 5}, {"n": 100, "n_unscored": 6}),
    ],
)
def test_numbers_that_cannot_be_trusted_are_named(
    lake: Lake, check: str, metric: str, good: dict[str, Any], bad: dict[str, Any]
) -> None:
    row = {"model": "always_no_diff", "judge": "rules", "metric": metric, "slice": "overall"}
    assert result(lake, of_suite(check)).passed
    lake.write(METRICS.of("webdiff"), [row | good], fingerprint="f")
    assert result(lake, of_suite(check)).passed
    lake.write(METRICS.of("webdiff"), [row | bad], fingerprint="f")
    assert not result(lake, of_suite(check)).passed
