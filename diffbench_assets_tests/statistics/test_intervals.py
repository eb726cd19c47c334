"""Intervals: exact where a formula exists, honest where pairs of a page belong together."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from diffbench_assets.statistics.intervals import (
    page_weights,
    percentile_interval,
    proportion_interval,
    ratio,
    weighted_sums,
    wilson,
)


def test_every_replicate_draws_as_many_pages_as_there_are_and_pairs_of_a_page_together():
    pages = np.array([0, 0, 1, 2, 2, 2, 3])
    weights = page_weights(pages, replicates=200, seed=1)
    assert weights.shape == (7, 200)
    assert (weights[[0, 2, 3, 6]].sum(axis=0) == 4).all()
    assert (weights[0] == weights[1]).all() and (weights[3] == weights[5]).all()


def test_weights_follow_the_pages_not_the_order_of_the_pairs():
    pages = np.array([3, 0, 2, 1, 0])
    assert (page_weights(pages, 50)[[1, 4]] == page_weights(np.sort(pages), 50)[:2]).all()
    assert (page_weights(pages, 50, seed=1) != page_weights(pages, 50, seed=2)).any()


def test_each_page_is_drawn_once_on_average():
    weights = page_weights(np.arange(20), replicates=20_000)
    assert weights.mean(axis=1) == pytest.approx(np.ones(20), abs=0.04)
    assert weights.var() == pytest.approx(1 - 1 / 20, abs=0.02)


def test_weighted_sums_are_exact():
    random = np.random.default_rng(0)
    weights, values = page_weights(np.arange(500), 40), random.integers(0, 9, size=(500, 6))
    plain = [[sum(int(w) * int(v) for w, v in zip(ws, vs, strict=True)) for vs in values.T] for ws in weights.T]
    assert (weighted_sums(weights, values) == plain).all()


def test_an_interval_that_ignores_pages_is_too_narrow_when_pairs_of_a_page_agree():
    per_page, pages = 10, 60
    easy = np.random.default_rng(3).random(pages) < 0.5
    success = np.repeat(easy, per_page)[:, None]
    clusters, alone = np.repeat(np.arange(pages), per_page), np.arange(pages * per_page)

    def width(page: np.ndarray) -> float:
        low, high = proportion_interval(success, page_weights(page), page, one_cell=False)
        return float(high[0] - low[0])

    assert width(clusters) / width(alone) == pytest.approx(np.sqrt(per_page), rel=0.15)


def test_clustering_costs_nothing_when_pairs_of_a_page_are_independent():
    success = np.random.default_rng(4).random((4000, 1)) < 0.4
    clusters, alone = np.repeat(np.arange(1000), 4), np.arange(4000)
    widths = []
    for page in (clusters, alone):
        low, high = proportion_interval(success, page_weights(page), page, one_cell=False)
        widths.append(float(high[0] - low[0]))
    assert widths[0] / widths[1] == pytest.approx(1, abs=0.15)


def test_the_bootstrap_covers_the_truth_about_as_often_as_it_says():
    random = np.random.default_rng(7)
    pages = np.repeat(np.arange(80), 5)
    weights = page_weights(pages, 400)
    difficulty = random.beta(2, 2, size=(400, 80)).repeat(5, axis=1)
    success = (random.random(difficulty.shape) < difficulty).T
    low, high = proportion_interval(success, weights, pages, one_cell=False)
    assert np.mean((low <= 0.5) & (high >= 0.5)) == pytest.approx(0.95, abs=0.03)


def test_a_cell_of_different_pages_has_the_wilson_interval():
    success = np.arange(100)[:, None] < 30
    low, high = proportion_interval(success, page_weights(np.arange(100)), np.arange(100), one_cell=True)
    expected = stats.binomtest(30, 100).proportion_ci(0.95, method="wilson")
    assert (low[0], high[0]) == pytest.approx((expected.low, expected.high), rel=1e-12)


def test_a_cell_with_a_repeated_page_is_bootstrapped():
    pages = np.repeat(np.arange(50), 2)
    success = np.repeat(np.arange(50) < 15, 2)[:, None]
    low, high = proportion_interval(success, page_weights(pages), pages, one_cell=True)
    assert high[0] - low[0] > np.subtract(*wilson(np.array(30), 100)[::-1])


@pytest.mark.parametrize("all_right", [True, False])
def test_unanimous_pairs_still_have_an_interval_as_wide_as_their_pages_allow(all_right: bool):
    pages = np.repeat(np.arange(10), 4)
    success = np.full((40, 1), all_right)
    low, high = proportion_interval(success, page_weights(pages), pages, one_cell=False)
    assert (low[0], high[0]) == pytest.approx(tuple(float(end) for end in wilson(np.array(10 * all_right), 10)))


def test_one_page_is_a_sample_of_one_however_many_pairs_it_gives():
    pages = np.zeros(40, dtype=np.int64)
    low, high = proportion_interval(np.arange(40)[:, None] < 20, page_weights(pages), pages, one_cell=False)
    assert (low[0], high[0]) == pytest.approx(tuple(float(end) for end in wilson(np.array(0.5), 1)))


def test_undefined_replicates_are_left_out_of_an_interval():
    replicates = np.array([[0.0, np.nan, 1.0], [1.0, np.nan, np.nan], [2.0, np.nan, 3.0]])
    low, high = percentile_interval(replicates)
    assert low[[0, 2]] == pytest.approx([0.05, 1.05]) and high[[0, 2]] == pytest.approx([1.95, 2.95])
    assert np.isnan(low[1]) and np.isnan(high[1])


def test_a_ratio_over_nothing_is_undefined():
    assert np.isnan(ratio(np.array([1.0]), np.array([0.0]))).all()
