"""The leaderboard and the sensitivity-restraint front."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets.protocols.open_ended.statistics.leaderboard import LEADERBOARD, leaderboard
from diffbench_assets.protocols.open_ended.statistics.metrics import metrics_table
from diffbench_assets.protocols.open_ended.statistics.pareto import accurate_and_restrained, pareto_front
from diffbench_assets.schemas import METRICS


def metrics(scores: dict[str, tuple[float | None, float | None, float | None]]) -> pa.Table:
    """model → (accuracy, recall, hallucination_rate)."""
    rows = []
    for model, numbers in scores.items():
        for name, value in zip(("accuracy", "recall", "hallucination_rate"), numbers, strict=True):
            row = {"suite": "webdiff", "model": model, "judge": "rules", "metric": name, "slice": "overall"}
            rows.append(row | {"slice_value": "all", "value": value, "n": 100, "n_unscored": 0 if value else 40})
    return pa.Table.from_pylist(rows, schema=METRICS.schema)


def test_models_are_ranked_by_accuracy_and_ties_share_a_rank():
    board = leaderboard(
        metrics({"c": (0.2, 0.2, 0.1), "b": (0.4, 0.4, 0.1), "a": (0.2, 0.2, 0.1), "d": (0.1, 0.1, 0.1)})
    )
    assert [(row["rank"], row["model"]) for row in board.to_pylist()] == [(1, "b"), (2, "a"), (2, "c"), (4, "d")]


def test_a_model_short_of_verdicts_stands_last_with_a_note():
    board = leaderboard(metrics({"short": (None, None, None), "scored": (0.01, 0.01, 0.5)})).to_pylist()
    assert [row["model"] for row in board] == ["scored", "short"]
    assert (board[1]["rank"], board[1]["on_front"]) == (None, None)
    assert board[1]["note"] == "no score: 40 of 100 pairs have no verdict"


def test_a_row_carries_the_numbers_of_the_metrics_table(small):
    table = metrics_table(small.answers, small.scores, replicates=10, max_unscored=0.2)
    board = leaderboard(table)
    assert board.schema == LEADERBOARD
    assert board.num_rows == 12
    first = board.to_pylist()[0]
    mine = [row for row in table.to_pylist() if row["model"] == first["model"] and row["judge"] in ("judge-0", None)]
    found = {(row["metric"], row["slice_value"]): row for row in mine}
    assert first["accuracy"] == found["accuracy", "all"]["value"]
    assert first["recall_low"] == found["recall", "all"]["ci_low"]
    assert first["recall_hard"] == found["recall", "hard"]["value"]
    assert first["cost_usd_total"] == found["cost_usd_total", "all"]["value"]
    assert first["latency_s_p50"] == found["latency_s_p50", "all"]["value"]
    assert (first["n"], first["n_unscored"]) == (147, found["accuracy", "all"]["n_unscored"])


def test_judges_are_never_mixed(small):
    board = leaderboard(metrics_table(small.answers, small.scores, replicates=10, max_unscored=0.2)).to_pylist()
    assert [row["judge"] for row in board] == sorted(row["judge"] for row in board)
    assert [row["rank"] for row in board if row["judge"] == "judge-1"][0] == 1


def test_the_front_holds_the_models_nobody_beats_in_both():
    """recall, hallucination rate: the best finder, the most restrained, one beaten by both, one beaten in one only."""
    assert pareto_front([0.4, 0.2, 0.15, 0.3], [0.10, 0.0, 0.05, 0.05]).tolist() == [True, True, False, True]


def test_equal_models_share_the_front():
    assert pareto_front([0.3, 0.3, 0.3], [0.1, 0.1, 0.2]).tolist() == [True, True, False]


points = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=8)


@given(points)
def test_every_model_off_the_front_is_beaten_by_one_on_it(models):
    front = pareto_front([recall for recall, _ in models], [rate for _, rate in models])
    best = [model for model, kept in zip(models, front, strict=True) if kept]
    assert best
    for model, kept in zip(models, front, strict=True):
        beaten = any(a >= model[0] and b <= model[1] and (a, b) != model for a, b in best)
        assert beaten != kept


@pytest.mark.parametrize(
    ("recall", "rate", "inside"),
    [(0.30, 25 / 500, True), (0.407, 0.016, True), (0.2999, 0.0, False), (0.9, 26 / 500, False)],
)
def test_accurate_and_restrained_includes_its_borders(recall: float, rate: float, inside: bool):
    assert accurate_and_restrained(recall, rate) is inside
