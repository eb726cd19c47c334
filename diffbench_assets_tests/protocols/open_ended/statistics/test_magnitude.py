"""Recall against the size of the change."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from diffbench_assets.protocols.open_ended.statistics.magnitude import (
    MAGNITUDE,
    OPERATOR_POINTS,
    fisher_interval,
    magnitude_correlations,
    operator_points,
)
from diffbench_assets.protocols.open_ended.statistics.scores import score_verdicts
from diffbench_assets.statistics.answers import place_responses
from diffbench_assets.statistics.correlation import correlation_replicates, weighted_ranks
from diffbench_assets.statistics.scores import Scores
from diffbench_assets_tests.protocols.open_ended.statistics.synthetic import OPERATORS, pair, response, tables, verdict


def scores_of(sizes: dict[str, list[float | None]], found: dict[str, list[bool]]) -> Scores:
    """One model; per operator the in-box change of its pairs and whether each was found."""
    pairs, verdicts = [], []
    for operator, values in sizes.items():
        for i, value in enumerate(values):
            pair_id = f"{operator}-{i:03d}"
            pairs.append(pair(pair_id, f"{operator}.easy", inside_change=value))
            verdicts.append(verdict(pair_id, "m", "correct" if found[operator][i] else "wrong"))
    responses = [response(row["pair_id"], "m") for row in pairs]
    pair_table, response_table, verdict_table = tables(pairs, responses, verdicts)
    return score_verdicts(place_responses(pair_table, response_table), verdict_table)


def correlations(table: pa.Table, level: str, model: str = "m") -> dict[tuple[str, str], dict]:
    assert table.schema == MAGNITUDE
    rows = [row for row in table.to_pylist() if row["level"] == level and row["model"] == model]
    return {(row["magnitude"], row["method"]): row for row in rows}


def test_bootstrap_correlations_equal_scipy_on_the_repeated_pairs():
    random = np.random.default_rng(2)
    x = np.round(random.random(60), 1)
    y = np.column_stack([random.integers(0, 2, 60), random.integers(0, 5, 60)])
    weights = random.integers(0, 4, size=(60, 20)).astype(np.float32)
    drawn = correlation_replicates(weights, x, y)
    for replicate in range(20):
        times = weights[:, replicate].astype(int)
        for column in range(2):
            a, b = np.repeat(x, times), np.repeat(y[:, column], times)
            assert drawn.pearson[replicate, column] == pytest.approx(stats.pearsonr(a, b).statistic)
            assert drawn.spearman[replicate, column] == pytest.approx(stats.spearmanr(a, b).statistic)


def test_a_replicate_without_variation_has_no_correlation():
    weights = np.array([[1, 2], [1, 0], [1, 2]], dtype=np.float32)
    drawn = correlation_replicates(weights, np.array([0.1, 0.2, 0.3]), np.array([[1], [0], [1]]))
    assert np.isnan(drawn.pearson[1, 0]) and np.isnan(drawn.spearman[1, 0])


def test_weighted_ranks_are_those_of_the_repeated_pairs():
    ranks = weighted_ranks(np.array([[2.0], [1.0], [3.0]]), np.array([0.5, 0.1, 0.9]))
    assert ranks.ravel().tolist() == [2.5, 1.0, 5.0]


def test_operators_are_points_with_their_mean_size_and_recall():
    scores = scores_of({"color": [0.2, 0.4], "text": [0.9, None]}, {"color": [True, False], "text": [True, False]})
    table = operator_points(scores)
    assert table.schema == OPERATOR_POINTS
    points = {row["operator"]: row for row in table.to_pylist() if row["model"] == "m"}
    assert points["color"]["mean_magnitude"] == pytest.approx(0.3)
    assert (points["color"]["recall"], points["color"]["n"], points["color"]["family"]) == (0.5, 2, "color")
    assert (points["text"]["recall"], points["text"]["n"]) == (1.0, 1), "a pair without the magnitude is no evidence"


def test_correlation_over_operators_is_that_of_scipy_with_its_interval():
    random = np.random.default_rng(0)
    sizes = {operator: list(random.random(20)) for operator in OPERATORS}
    found = {operator: list(random.random(20) < 0.4) for operator in OPERATORS}
    row = correlations(magnitude_correlations(scores_of(sizes, found), replicates=20), "operator")
    names = sorted(OPERATORS)
    x, y = [np.mean(sizes[name]) for name in names], [np.mean(found[name]) for name in names]
    expected = stats.pearsonr(x, y)
    pearson = row["inside_change", "pearson"]
    assert pearson["value"] == pytest.approx(expected.statistic)
    assert (pearson["ci_low"], pearson["ci_high"]) == pytest.approx(tuple(expected.confidence_interval(0.95)))
    assert row["inside_change", "spearman"]["value"] == pytest.approx(stats.spearmanr(x, y).statistic)
    assert pearson["n"] == 13


def test_correlation_over_pairs_is_that_of_scipy_and_its_interval_holds_it():
    random = np.random.default_rng(1)
    size = random.random(300)
    hits = random.random(300) < size
    scores = scores_of({"color": list(size)}, {"color": list(hits)})
    row = correlations(magnitude_correlations(scores), "pair")
    for method, value in (("pearson", stats.pearsonr(size, hits)), ("spearman", stats.spearmanr(size, hits))):
        got = row["inside_change", method]
        assert got["value"] == pytest.approx(value.statistic)
        assert 0 < got["ci_low"] < got["value"] < got["ci_high"] < 1


def test_without_clip_weights_there_are_no_clip_rows_and_constants_give_null():
    scores = scores_of({"color": [0.5, 0.5], "text": [0.5, 0.5]}, {"color": [True, False], "text": [True, True]})
    table = magnitude_correlations(scores, replicates=10)
    assert set(table["magnitude"].to_pylist()) == {"inside_change"}
    assert set(table["value"].to_pylist()) == {None}


def test_the_mean_over_models_stands_beside_each_model(small):
    row = correlations(magnitude_correlations(small.scores, replicates=20, max_unscored=1), "pair", "all")
    members = small.scores.members("recall")
    size = np.asarray(small.scores.pairs["clip_distance"])[members]
    pooled = small.scores.success[:, :, members].mean(axis=1)
    expected = [stats.spearmanr(size, judge).statistic for judge in pooled]
    assert row["clip_distance", "spearman"]["value"] == pytest.approx(expected[-1])


def test_a_fisher_interval_needs_four_points_and_spearman_is_wider():
    assert np.isnan(fisher_interval(0.5, 3, "pearson")).all()
    pearson, spearman = fisher_interval(0.5, 13, "pearson"), fisher_interval(0.5, 13, "spearman")
    assert spearman[0] < pearson[0] < 0.5 < pearson[1] < spearman[1]


def test_other_models_never_change_a_models_correlations(small):
    alone = magnitude_correlations(small.scores.of_models(["model-01"]), replicates=20, max_unscored=1)
    together = magnitude_correlations(small.scores, replicates=20, max_unscored=1)
    mine = [[row for row in table.to_pylist() if row["model"] == "model-01"] for table in (alone, together)]
    assert mine[0] == mine[1] and mine[0]
