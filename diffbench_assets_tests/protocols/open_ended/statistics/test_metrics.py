"""The metrics table: DiffSpot's numbers, coverage, slices, and what may never change a number."""

from __future__ import annotations

import random
from itertools import count

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diffbench_assets.protocols.open_ended.statistics.metrics import coverage_failures, metrics_table
from diffbench_assets.protocols.open_ended.statistics.scores import score_verdicts
from diffbench_assets.schemas import METRICS
from diffbench_assets.statistics.answers import place_responses
from diffbench_assets_tests.protocols.open_ended.statistics.synthetic import (
    OPERATORS,
    TIERS,
    pair,
    response,
    tables,
    verdict,
)


def compute(pairs: list[dict], responses: list[dict], verdicts: list[dict], **settings: object) -> pa.Table:
    pair_table, response_table, verdict_table = tables(pairs, responses, verdicts)
    answers = place_responses(pair_table, response_table)
    return metrics_table(answers, score_verdicts(answers, verdict_table), **({"replicates": 50} | settings))


def values(metrics: pa.Table, model: str = "m") -> dict[tuple[str, str], dict]:
    """(metric, slice value) → row, for metrics whose slices do not share values."""
    return {(row["metric"], row["slice_value"]): row for row in metrics.to_pylist() if row["model"] == model}


def diffspot_pairs() -> list[dict]:
    number = count()
    cells = [f"{operator}.{tier}" for operator in OPERATORS for tier in TIERS for _ in range(100)]
    return [pair(f"{next(number):04d}", cell) for cell in [*cells, *["no_diff"] * 500]]


def percent(row: dict, digits: int = 1) -> float:
    return round(100 * row["value"], digits)


def test_the_headline_row_of_diffspot_follows_from_its_counts():
    """Facts of DiffSpot table 1: 786, 506, 295 of 1,300 per tier and 492 of 500."""
    pairs = diffspot_pairs()
    found = {"easy": 786, "medium": 506, "hard": 295, "no_diff": 492}
    verdicts = []
    for row in pairs:
        right = found[row["tier"]] > 0
        found[row["tier"]] -= 1
        said = None if row["tier"] == "no_diff" else ("correct" if right else "wrong")
        claims = [] if right or said else ["something changed"]
        verdicts.append(verdict(row["pair_id"], "m", said, hallucinations=claims))
    got = values(compute(pairs, [response(row["pair_id"], "m") for row in pairs], verdicts))
    row = [percent(got["recall", tier]) for tier in TIERS]
    row += [percent(got["recall", "all"]), percent(got["specificity", "all"]), percent(got["accuracy", "all"], 2)]
    assert row == [60.5, 38.9, 22.7, 40.7, 98.4, 47.25]
    assert [got[name, "all"]["n"] for name in ("recall", "specificity", "accuracy")] == [3900, 500, 4400]
    assert got["recall", "easy"]["n"] == 1300 and got["recall", "color.easy"]["n"] == 100
    assert percent(got["hallucination_rate", "all"]) == 1.6


def test_always_reporting_no_difference_scores_eleven_point_four():
    pairs = diffspot_pairs()
    answers = [response(row["pair_id"], "always_no_diff") for row in pairs]
    verdicts = [
        verdict(row["pair_id"], "always_no_diff", None if row["tier"] == "no_diff" else "wrong") for row in pairs
    ]
    got = values(compute(pairs, answers, verdicts), "always_no_diff")
    assert percent(got["accuracy", "all"]) == 11.4
    assert (got["recall", "all"]["value"], got["specificity", "all"]["value"]) == (0, 1)
    assert got["recall", "all"]["ci_high"] > 0 and got["specificity", "all"]["ci_low"] < 1


def test_every_judged_number_equals_plain_loops_given_the_same_weights(small):
    table = metrics_table(small.answers, small.scores, replicates=small.replicates)
    got = {
        (row["judge"], row["model"], row["metric"], row["slice"], row["slice_value"]): row
        for row in table.to_pylist()
        if row["judge"] and row["metric"] != "coverage"
    }
    expected = small.plain.metrics(max_unscored=0.05)
    assert got.keys() == expected.keys()
    for key, (value, low, high, unscored) in expected.items():
        row = got[key]
        assert row["n_unscored"] == unscored, key
        for name, number in (("value", value), ("ci_low", low), ("ci_high", high)):
            assert row[name] == (None if number is None else pytest.approx(number, abs=1e-12)), (key, name)
    assert any(value is None for value, *_ in expected.values()), "some slices must be short of verdicts"


def test_the_table_has_the_public_columns_and_one_row_per_number(small):
    table = metrics_table(small.answers, small.scores, replicates=10)
    assert table.schema == METRICS.schema
    keys = table.select(["suite", "model", "judge", "metric", "slice", "slice_value"]).to_pylist()
    assert len({tuple(key.values()) for key in keys}) == table.num_rows


def test_slices_of_one_kind_add_up_to_the_whole(small):
    table = metrics_table(small.answers, small.scores, replicates=10).to_pylist()
    mine = [row for row in table if row["model"] == "model-03" and row["judge"] == "judge-0"]
    for name in ("tier", "operator", "cell", "family", "domain", "style", "language", "element"):
        parts = [row for row in mine if row["metric"] == "recall" and row["slice"] == name]
        assert sum(row["n"] for row in parts) == 117
        assert sum(row["n_unscored"] for row in parts) == values_of(mine, "recall", "all")["n_unscored"]


def values_of(rows: list[dict], metric: str, value: str) -> dict:
    return next(row for row in rows if row["metric"] == metric and row["slice_value"] == value)


def test_elements_are_named_by_role_then_tag_and_unknown_values_have_a_slice():
    pairs = [pair("a", "color.easy", role="button"), pair("b", "color.easy", role=None, domain=None)]
    got = values(compute(pairs, [response("a", "m"), response("b", "m")], [verdict("a", "m", "correct")]))
    assert {("recall", "button"), ("recall", "p"), ("recall", "unknown")} <= got.keys()


def test_a_score_short_of_verdicts_is_null_and_listed_with_its_reason():
    pairs = [pair(f"{i:02d}", "color.easy") for i in range(20)]
    answers = [response(row["pair_id"], "m") for row in pairs]
    verdicts = [verdict(row["pair_id"], "m", "correct") for row in pairs]

    one_short = compute(pairs, answers, verdicts[1:])
    assert values(one_short)["recall", "all"]["value"] == 19 / 20
    assert coverage_failures(one_short) == []

    two_short = compute(pairs, answers, verdicts[2:])
    row = values(two_short)["recall", "all"]
    assert (row["value"], row["ci_low"], row["ci_high"], row["n"], row["n_unscored"]) == (None, None, None, 20, 2)
    assert values(two_short)["coverage", "all"]["value"] == 0.9
    failures = [str(failure) for failure in coverage_failures(two_short) if failure.slice == "overall"]
    assert any("recall of m under judge rules, overall all: 2 of 20 pairs have no verdict" in text for text in failures)

    lenient = compute(pairs, answers, verdicts[2:], max_unscored=0.2)
    assert values(lenient)["recall", "all"]["value"] == 18 / 20


def test_hallucinations_are_counted_per_scored_answer():
    pairs = [pair(f"{i:02d}", "color.easy") for i in range(30)]
    verdicts = [verdict(row["pair_id"], "m", "correct", hallucinations=["x", "y"]) for row in pairs[1:]]
    got = values(compute(pairs, [response(row["pair_id"], "m") for row in pairs], verdicts))
    row = got["hallucinations_per_answer", "all"]
    assert (row["value"], row["n"], row["n_unscored"]) == (2.0, 30, 1)
    assert (row["ci_low"], row["ci_high"]) == (None, None), "every answer claims the same: no width is no interval"


def test_outcomes_tokens_cost_and_latency_need_no_judge():
    pairs = [pair(f"{i}", "color.easy") for i in range(5)]
    answers = [
        response("0", "m", input_tokens=100, output_tokens=10, cost_usd=0.5, latency_s=1.0),
        response("1", "m", input_tokens=300, output_tokens=20, cost_usd=0.25, latency_s=3.0),
        response("2", "m", "truncated", latency_s=2.0),
        response("3", "m", "error"),
    ]
    got = values(compute(pairs, answers, []))
    outcomes = {name: got["outcome", name]["value"] for name in ("completed", "truncated", "error", "missing", "empty")}
    assert outcomes == {"completed": 2, "truncated": 1, "error": 1, "missing": 1, "empty": 0}
    numbers = {name: row["value"] for (name, where), row in got.items() if where == "all"}
    assert numbers["input_tokens_total"] == 400 and numbers["output_tokens_mean"] == 15
    assert numbers["cost_usd_total"] == 0.75
    assert (numbers["latency_s_mean"], numbers["latency_s_p50"]) == (2.0, 2.0)
    assert numbers["latency_s_p95"] == pytest.approx(2.9)
    assert (got["cost_usd_total", "all"]["n"], got["cost_usd_total", "all"]["n_unscored"]) == (5, 3)


def test_a_model_without_prices_has_no_cost_instead_of_zero():
    got = values(compute([pair("a", "color.easy")], [response("a", "m", input_tokens=5)], []))
    assert got["cost_usd_total", "all"]["value"] is None


@st.composite
def benchmarks(draw: st.DrawFn) -> tuple[list[dict], list[dict], list[dict]]:
    """A few pairs on fewer pages, models with gaps, verdicts with gaps."""
    cells = draw(st.lists(st.sampled_from(["color.easy", "text.hard", "no_diff"]), min_size=1, max_size=8))
    pages = draw(st.lists(st.sampled_from(["p", "q", "r"]), min_size=len(cells), max_size=len(cells)))
    pairs = [pair(f"{i}", cell, page) for i, (cell, page) in enumerate(zip(cells, pages, strict=True))]
    responses, verdicts = [], []
    for model in ("m", "other"):
        for row in pairs:
            outcome = draw(st.sampled_from(["completed", "completed", "truncated", None]))
            if outcome:
                responses.append(response(row["pair_id"], model, outcome, cost_usd=draw(st.floats(0, 1))))
            if outcome and draw(st.booleans()):
                said = None if row["cell"] == "no_diff" else draw(st.sampled_from(["correct", "wrong"]))
                claims = draw(st.lists(st.just("x"), max_size=2))
                verdicts.append(verdict(row["pair_id"], model, said, hallucinations=claims))
    verdicts.append(verdict("none", "m", "correct"))  # so that the judge is known even when it judged nothing
    return pairs, responses, verdicts


@settings(max_examples=40, deadline=None)
@given(tables=benchmarks(), seed=st.integers(0, 100))
def test_the_order_of_rows_never_changes_a_number(tables, seed):
    shuffled = [random.Random(seed + i).sample(rows, len(rows)) for i, rows in enumerate(tables)]
    assert compute(*shuffled, max_unscored=1).equals(compute(*tables, max_unscored=1))


@settings(max_examples=40, deadline=None)
@given(tables=benchmarks())
def test_other_models_never_change_a_number(tables):
    pairs, responses, verdicts = tables
    alone = [[row for row in rows if row["model"] == "m"] for rows in (responses, verdicts)]
    together = compute(pairs, responses, verdicts, max_unscored=1).to_pylist()
    expected = compute(pairs, *alone, max_unscored=1).to_pylist()
    assert [row for row in together if row["model"] == "m"] == expected


@settings(max_examples=40, deadline=None)
@given(tables=benchmarks())
def test_every_interval_holds_its_value_and_the_denominator_is_that_of_the_benchmark(tables):
    metrics = compute(*tables, max_unscored=1).to_pylist()
    for row in metrics:
        if row["ci_low"] is not None and row["metric"] != "hallucinations_per_answer":
            assert 0 <= row["ci_low"] <= row["ci_high"] <= 1
        if row["slice"] == "overall" and row["metric"] in ("accuracy", "coverage"):
            assert row["n"] == len(tables[0])
