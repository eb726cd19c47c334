"""Model against model, and groups of models."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from diffbench_assets.protocols.open_ended.statistics.scores import score_verdicts
from diffbench_assets.statistics.answers import place_responses
from diffbench_assets.statistics.comparison import COMPARISONS, compare_models
from diffbench_assets.statistics.contrasts import CONTRASTS, Contrast, contrast_models, contrasts_of
from diffbench_assets.statistics.scores import Scores
from diffbench_assets_tests.protocols.open_ended.statistics.synthetic import pair, response, tables, verdict


def scores_of(hits: dict[str, str], pages: list[str] | None = None) -> Scores:
    """hits[model]: one letter per pair, + found, - missed, ? no verdict."""
    n = len(next(iter(hits.values())))
    pairs = [pair(f"{i:04d}", "color.easy", pages[i] if pages else None) for i in range(n)]
    ids = [row["pair_id"] for row in pairs]
    responses = [response(pair_id, model) for model in hits for pair_id in ids]
    verdicts = [
        verdict(pair_id, model, "correct" if letter == "+" else "wrong")
        for model, letters in hits.items()
        for pair_id, letter in zip(ids, letters, strict=True)
        if letter != "?"
    ]
    pair_table, response_table, verdict_table = tables(pairs, responses, verdicts)
    return score_verdicts(place_responses(pair_table, response_table), verdict_table)


def rows(table: pa.Table, metric: str = "accuracy") -> list[dict]:
    return [row for row in table.to_pylist() if row["metric"] == metric]


def test_a_comparison_takes_the_pairs_that_both_models_have_a_verdict_for():
    (row,) = rows(compare_models(scores_of({"a": "+++-?", "b": "+--??"}), replicates=50))
    assert (row["only_a"], row["only_b"], row["n"], row["n_excluded"]) == (2, 0, 3, 2)
    assert row["difference"] == pytest.approx(2 / 3)


def test_mcnemar_is_the_exact_binomial_test_of_the_discordant_pairs():
    (row,) = rows(compare_models(scores_of({"a": "+" * 12 + "-" * 4, "b": "-" * 12 + "+" * 4}), replicates=50))
    assert row["p_value"] == pytest.approx(stats.binomtest(12, 16).pvalue)


def test_equal_models_do_not_differ():
    (row,) = rows(compare_models(scores_of({"a": "+-+-", "b": "+-+-"}), replicates=50))
    assert (row["difference"], row["ci_low"], row["ci_high"], row["p_value"]) == (0, 0, 0, 1)


def test_holm_corrects_over_all_pairs_of_models_of_a_judge_and_metric():
    hits = {"a": "+" * 20, "b": "+" * 12 + "-" * 8, "c": "+" * 10 + "-" * 10}
    found = rows(compare_models(scores_of(hits), replicates=50))
    p = sorted(row["p_value"] for row in found)
    expected = np.minimum(np.maximum.accumulate([3 * p[0], 2 * p[1], p[2]]), 1)
    assert sorted(row["p_holm"] for row in found) == pytest.approx(list(expected))


def test_models_that_share_no_pair_have_no_difference():
    (row,) = rows(compare_models(scores_of({"a": "+?", "b": "?+"}), replicates=20))
    assert (row["difference"], row["ci_low"], row["n"], row["p_value"]) == (None, None, 0, 1)


def test_differences_and_intervals_equal_plain_loops(small):
    table = compare_models(small.scores, replicates=small.replicates)
    assert table.schema == COMPARISONS
    found = {(row["judge"], row["metric"], row["model_a"], row["model_b"]): row for row in table.to_pylist()}
    expected = small.plain.comparisons()
    assert found.keys() == expected.keys()
    for key, (value, low, high, only_a, only_b) in expected.items():
        row = found[key]
        numbers = (row["difference"], row["ci_low"], row["ci_high"])
        assert numbers == pytest.approx((value, low, high), abs=1e-12), key
        assert (row["only_a"], row["only_b"]) == (only_a, only_b), key


def test_pages_that_favour_one_model_widen_the_interval_of_the_difference():
    letters = {"a": "+" * 200 + "-" * 100, "b": "-" * 150 + "+" * 150}
    (alone,) = rows(compare_models(scores_of(letters)))
    (clustered,) = rows(compare_models(scores_of(letters, [f"page-{i // 10}" for i in range(300)])))
    assert clustered["difference"] == alone["difference"]
    assert clustered["ci_high"] - clustered["ci_low"] > 2 * (alone["ci_high"] - alone["ci_low"])


def facts(family: str, access: str | None, size: float | None, reasoning: bool | None) -> SimpleNamespace:
    return SimpleNamespace(family=family, access=access, total_params_b=size, reasoning=reasoning)


GRID = {
    "30b": facts("qwen", "open_weight", 30, False),
    "30b-thinking": facts("qwen", "open_weight", 30, True),
    "235b": facts("qwen", "open_weight", 235, False),
    "235b-thinking": facts("qwen", "open_weight", 235, True),
    "api": facts("vendor", "proprietary", None, True),
    "baseline": facts("baseline", None, None, None),
}


def test_size_and_reasoning_are_contrasted_where_a_family_has_all_four():
    """DiffSpot §3.2: 17.6, 17.5, 15.9 and 28.3 % accuracy; reasoning gives -0.1 and +12.4, size alone -1.7."""
    shares = {"30b": 176, "30b-thinking": 175, "235b": 159, "235b-thinking": 283, "api": 472, "baseline": 0}
    scores = scores_of({model: "+" * found + "-" * (1000 - found) for model, found in shares.items()})
    table = contrast_models(scores, contrasts_of(GRID), replicates=50)
    assert table.schema == CONTRASTS
    found = {row["contrast"]: round(100 * row["value"], 2) for row in rows(table)}
    assert found == {
        "proprietary - open-weight": round(47.2 - (17.6 + 17.5 + 15.9 + 28.3) / 4, 2),
        "qwen 30B: reasoning on - off": -0.1,
        "qwen 235B: reasoning on - off": 12.4,
        "qwen reasoning off: 235B - 30B": -1.7,
        "qwen reasoning on: 235B - 30B": 10.8,
        "qwen: reasoning gain at 235B - at 30B": 12.5,
    }


def test_without_all_four_there_is_no_two_by_two():
    del_one = {model: fact for model, fact in GRID.items() if model not in ("30b", "api")}
    assert [contrast.name for contrast in contrasts_of(del_one)] == ["qwen 235B: reasoning on - off"]


def test_a_contrast_of_two_models_has_the_interval_of_their_comparison(small):
    contrast = Contrast("b over a", {"model-03": 1.0, "model-01": -1.0})
    scores = replace(small.scores, scored=np.ones_like(small.scores.scored))
    ours = rows(contrast_models(scores, [contrast], replicates=40), "recall")
    theirs = [
        row for row in rows(compare_models(scores, replicates=40), "recall")
        if (row["model_a"], row["model_b"]) == ("model-01", "model-03")
    ]  # fmt: skip
    for a, b in zip(ours, theirs, strict=True):
        assert (a["value"], a["ci_low"], a["ci_high"]) == pytest.approx((-b["difference"], -b["ci_high"], -b["ci_low"]))


def test_a_contrast_with_a_model_short_of_verdicts_is_null():
    scores = scores_of({"a": "++++", "b": "+???"})
    (row,) = rows(contrast_models(scores, [Contrast("a - b", {"a": 1.0, "b": -1.0})], replicates=20))
    assert (row["value"], row["ci_low"], row["n"]) == (None, None, 4)


def test_a_contrast_naming_a_model_that_was_not_asked_is_left_out():
    scores = scores_of({"a": "++", "b": "+-"})
    assert contrast_models(scores, [Contrast("a - c", {"a": 1.0, "c": -1.0})]).num_rows == 0
