"""Judge against judge, and how many pairs a ranking needs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score

from diffbench_assets.protocols.open_ended.statistics.stability import STABILITY, _draw_ranks, ranking_stability
from diffbench_assets.statistics.agreement import AGREEMENT, judge_agreement
from diffbench_assets.statistics.ranking import kendall_tau


@pytest.fixture(scope="module")
def agreement(small) -> dict[tuple, dict]:
    table = judge_agreement(small.scores, replicates=small.replicates, max_unscored=1)
    assert table.schema == AGREEMENT
    keys = ("judge_a", "judge_b", "model", "task", "measure")
    return {tuple(row[key] for key in keys): row for row in table.to_pylist()}


def test_kappa_is_that_of_scikit_learn(small, agreement):
    scores = small.scores
    for metric, task in (("accuracy", "all"), ("recall", "has_diff"), ("specificity", "no_diff")):
        members = scores.members(metric)
        for models, name in ((slice(None), "all"), (slice(1, 2), "model-01")):
            both = (scores.scored[0] & scores.scored[2])[models, members]
            expected = cohen_kappa_score(*(scores.success[judge][models, members][both] for judge in (0, 2)))
            row = agreement["judge-0", "judge-2", name, task, "kappa"]
            assert row["value"] == pytest.approx(expected)
            assert (row["n"], row["n_excluded"]) == (both.sum(), (~both).sum())


def test_kappa_and_tau_with_their_intervals_equal_plain_loops(small, agreement):
    for (a, b, model), numbers in small.plain.kappas().items():
        row = agreement[a, b, model, "all", "kappa"]
        assert (row["value"], row["ci_low"], row["ci_high"]) == pytest.approx(numbers, abs=1e-12)
    for (a, b), numbers in small.plain.taus().items():
        row = agreement[a, b, "all", "all", "kendall_tau"]
        assert (row["value"], row["ci_low"], row["ci_high"]) == pytest.approx(numbers, abs=1e-12)


def test_agreement_by_class_is_reported_in_the_words_of_the_task(small, agreement):
    members = small.scores.members("specificity")
    shared = (small.scores.scored[0] & small.scores.scored[1])[:, members]
    a, b = (small.scores.success[judge][:, members][shared] for judge in (0, 1))
    for name, in_a, in_b in (("clean", a, b), ("hallucinated", ~a, ~b)):
        row = agreement["judge-0", "judge-1", "all", "no_diff", f"agreement_{name}"]
        assert row["value"] == pytest.approx(2 * (in_a & in_b).sum() / (in_a.sum() + in_b.sum()))
    assert {("judge-0", "judge-1", "all", "has_diff", f"agreement_{name}") for name in ("correct", "wrong")} <= set(
        agreement
    )


def test_judges_that_say_the_same_agree_fully(small):
    same = replace(
        small.scores,
        success=small.scores.success[[0, 0]],
        scored=small.scores.scored[[0, 0]],
        judges=("first", "second"),
    )
    for row in judge_agreement(same, replicates=20).to_pylist():
        assert row["value"] in (None, 1.0)


def test_kappa_is_null_where_both_judges_use_one_class_only(small):
    silent = replace(small.scores, success=np.zeros_like(small.scores.success))
    for row in judge_agreement(silent, replicates=20).to_pylist():
        if row["measure"] == "kappa":
            assert (row["value"], row["ci_low"], row["ci_high"]) == (None, None, None)


def test_a_model_one_judge_hardly_covers_is_not_ranked(small):
    scored = small.scores.scored.copy()
    scored[1, 2, ::2] = False
    short = replace(small.scores, scored=scored, success=small.scores.success & scored)
    tau = [
        row
        for row in judge_agreement(short, replicates=20, max_unscored=0.2).to_pylist()
        if row["measure"] == "kendall_tau"
    ]
    ranked = {(row["judge_a"], row["judge_b"]): row["n"] for row in tau if row["task"] == "all"}
    assert ranked == {("judge-0", "judge-1"): 3, ("judge-0", "judge-2"): 4, ("judge-1", "judge-2"): 3}


def test_tau_of_many_rankings_is_that_of_scipy():
    random = np.random.default_rng(0)
    a, b = random.integers(0, 6, size=(2, 200, 7)).astype(float)
    expected = [stats.kendalltau(x, y).statistic for x, y in zip(a, b, strict=True)]
    assert kendall_tau(a, b) == pytest.approx(expected)
    assert np.isnan(kendall_tau(np.ones(5), np.arange(5.0)))


def test_subsamples_are_stratified_and_drawn_without_replacement():
    cells = np.array([0] * 8 + [1] * 5)
    ranks = _draw_ranks(cells, subsamples=50, seed=0)
    assert (np.sort(ranks[:8], axis=0) == np.arange(8)[:, None]).all()
    assert (np.sort(ranks[8:], axis=0) == np.arange(5)[:, None]).all()
    assert len({tuple(column) for column in ranks[:8].T}) > 40


def test_each_pair_of_a_cell_is_drawn_equally_often():
    chosen = _draw_ranks(np.zeros(10, dtype=np.int64), subsamples=20_000, seed=1) < 3
    assert chosen.mean(axis=1) == pytest.approx(np.full(10, 0.3), abs=0.015)


def test_stability_equals_plain_loops(small):
    table = ranking_stability(small.scores, sizes=(1, 2), subsamples=15, max_unscored=1)
    assert table.schema == STABILITY
    members = small.scores.members("recall")
    cells = np.unique(np.asarray(small.scores.pairs["cell"].to_pylist())[members], return_inverse=True)[1]
    ranks = _draw_ranks(cells, 15, 0)
    ids = np.asarray(small.scores.pairs["pair_id"].to_pylist())[members]
    for row in table.to_pylist():
        subsamples = [set(ids[ranks[:, i] < row["per_cell"]].tolist()) for i in range(15)]
        assert row["tau"] == pytest.approx(small.plain.stability(row["judge"], subsamples))
        assert row["n"] == len(subsamples[0])
        totals = [small.plain.totals(row["judge"], dict.fromkeys(chosen, 1)) for chosen in [set(ids), *subsamples]]
        best = [{m for m, total in enumerate(found) if total == max(found)} for found in totals]
        order = [[(a > b) - (a < b) for a in found for b in found] for found in totals]
        assert row["top1_kept"] == pytest.approx(np.mean([top == best[0] for top in best[1:]]))
        assert row["ranking_kept"] == pytest.approx(np.mean([signs == order[0] for signs in order[1:]]))


def test_the_whole_benchmark_keeps_its_ranking_and_more_pairs_keep_it_better(small):
    rows = [
        row
        for row in ranking_stability(small.scores, sizes=(1, 2, 3), subsamples=60, max_unscored=1).to_pylist()
        if row["judge"] == "judge-0"
    ]
    assert [row["n"] for row in rows] == [39, 78, 117]
    assert rows[0]["tau"] < rows[1]["tau"] < rows[2]["tau"] == 1
    assert (rows[2]["ci_low"], rows[2]["top1_kept"], rows[2]["ranking_kept"]) == (1, 1, 1)
    assert rows[0]["ranking_kept"] < 1


def test_sizes_that_no_cell_can_give_are_left_out(small):
    assert set(ranking_stability(small.scores, sizes=(3, 4, 100)).to_pydict()["per_cell"]) == {3}


def test_a_single_model_has_no_ranking(small):
    assert ranking_stability(small.scores.of_models(["model-00"]), sizes=(1,)).num_rows == 0
