"""Real-valued scores against plain loops, and suites side by side on the pairs that they share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from diffbench_assets.statistics.graded import Graded, compare_graded, graded_rows, place_scores
from diffbench_assets.statistics.side_by_side import side_by_side


def items(n: int, suite: str = "one", per_pair: int = 2) -> pa.Table:
    rows = [
        {
            "suite": suite,
            "item_id": f"{suite}-{k:03}",
            "pair_id": f"pair-{k // per_pair:03}",
            "page_id": f"page-{k // (2 * per_pair):03}",
            "cell": "ab"[k % 2],
        }
        for k in range(n)
    ]
    return pa.Table.from_pylist(rows)


def graded(values: Any, suite: str = "one", worst: float | None = 0.0, models: tuple[str, ...] = ("m", "n")) -> Graded:
    value = np.array(values, dtype=float)[None]
    return Graded("f1", items(value.shape[2], suite), ("rules",), models, value, worst)


def scores(seed: int, n: int = 40, models: int = 2) -> np.ndarray:
    return np.random.default_rng(seed).random((models, n))


def test_a_mean_counts_an_unscored_item_as_the_worst_or_leaves_it_out() -> None:
    values = scores(1)
    values[0, 3] = np.nan
    for worst, expected in ((0.0, np.nansum(values[0]) / 40), (None, np.nanmean(values[0]))):
        rows = {(r["model"], r["slice"]): r for r in graded_rows(graded(values, worst=worst), replicates=50)}
        assert rows["m", "overall"]["value"] == pytest.approx(expected)
        assert rows["m", "overall"]["n_unscored"] == 1 and rows["m", "overall"]["n"] == 40
    assert rows["m", "overall"]["ci_low"] < expected < rows["m", "overall"]["ci_high"]


def test_slices_add_up_and_too_many_unscored_leave_no_mean() -> None:
    values = scores(2)
    values[1, ::2] = np.nan
    rows = {
        (r["model"], r["slice"], r["slice_value"]): r for r in graded_rows(graded(values), ("cell",), replicates=50)
    }
    parts = [rows["m", "cell", cell] for cell in "ab"]
    assert sum(part["n"] for part in parts) == 40
    assert np.mean([part["value"] for part in parts]) == pytest.approx(rows["m", "overall", "all"]["value"])
    assert rows["n", "cell", "a"]["value"] is None and rows["n", "cell", "b"]["value"] is not None


def test_two_models_differ_on_the_items_that_both_have_a_score_for() -> None:
    values = scores(3)
    values[1] = values[0] - 0.2
    values[1, 5] = np.nan
    (row,) = compare_graded(graded(values), replicates=200).to_pylist()
    assert row["difference"] == pytest.approx(0.2) and (row["n"], row["n_excluded"]) == (39, 1)
    assert (row["only_a"], row["only_b"]) == (39, 0) and row["p_value"] < 0.01
    (same,) = compare_graded(graded(np.stack([values[0]] * 2)), replicates=200).to_pylist()
    assert same["difference"] == 0 and same["p_value"] == 1


def test_the_interval_draws_pages_and_not_items() -> None:
    page = np.repeat(scores(4, 10, 1), 4, axis=1)
    clustered = next(graded_rows(graded(page, models=("m",)), replicates=2000))
    wide = clustered["ci_high"] - clustered["ci_low"]
    assert wide == pytest.approx(2 * 1.96 * page[0, ::4].std() / np.sqrt(10), rel=0.25)


def test_verdicts_are_placed_once_and_unscored_ones_have_no_value() -> None:
    verdicts = [
        {"item_id": f"one-{k:03}", "pair_id": "p", "model": "m", "judge": "rules", "f1": 0.5, "unscored_reason": why}
        for k, why in ((0, None), (1, "judge: empty"))
    ]
    found = place_scores(items(4), pa.Table.from_pylist(verdicts), ["m"], "f1")
    assert found.value[0, 0, 0] == 0.5 and np.isnan(found.value[0, 0, 1:]).all()
    with pytest.raises(ValueError, match="two rows"):
        place_scores(items(4), pa.Table.from_pylist([verdicts[0]] * 2), ["m"], "f1")
    with pytest.raises(ValueError, match="no rows"):
        place_scores(items(4).slice(0, 0), pa.Table.from_pylist(verdicts), ["m"], "f1")


def test_suites_are_compared_on_the_pairs_that_both_have_scored() -> None:
    a, b = scores(5), scores(5) + 0.1
    b[0, :2] = np.nan
    rows = {
        row["model"]: row for row in side_by_side([[graded(a, "one")], [graded(b, "two")]], replicates=200).to_pylist()
    }
    assert rows["n"]["difference"] == pytest.approx(0.1) and rows["n"]["n"] == 20
    assert (rows["m"]["n"], rows["m"]["n_excluded"]) == (19, 1)
    assert {(row["suite_a"], row["suite_b"]) for row in rows.values()} == {("one", "two")}


def test_suites_without_a_model_or_a_pair_in_common_have_no_difference() -> None:
    one = graded(scores(6), "one")
    assert side_by_side([[one], [graded(scores(6), "two", models=("x", "y"))]]).num_rows == 0
    far = Graded("f1", items(8, "two").set_column(2, "pair_id", pa.array([f"other-{k}" for k in range(8)])),
                 ("rules",), ("m", "n"), np.ones((1, 2, 8)))  # fmt: skip
    assert {(row["difference"], row["n"]) for row in side_by_side([[one], [far]], replicates=50).to_pylist()} == {
        (None, 0)
    }
