"""Scores of multiple choice: VDiff-Bench's numbers, denominators, errors, positions, and what may never change one."""

from __future__ import annotations

import random
import time

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diffbench_assets.protocols.multiple_choice.statistics.choices import place_choices
from diffbench_assets.protocols.multiple_choice.statistics.comparison import compare_choices
from diffbench_assets.protocols.multiple_choice.statistics.leaderboard import choice_leaderboard, references
from diffbench_assets.protocols.multiple_choice.statistics.metrics import choice_metrics
from diffbench_assets.protocols.open_ended.statistics.metrics import coverage_failures
from diffbench_assets.schemas import METRICS
from diffbench_assets.statistics.intervals import page_weights
from diffbench_assets_tests.protocols.multiple_choice.statistics.plain_loops import PlainChoices
from diffbench_assets_tests.protocols.multiple_choice.statistics.synthetic import (
    COUNTS,
    LETTERS,
    answered,
    as_tables,
    benchmark,
    pair,
    place,
    question,
    response,
    rotated,
    suite,
    verdict,
)

Key = tuple[str, str]


def compute(*rows: list[dict], **options: object) -> pa.Table:
    return choice_metrics(place(*rows), **({"replicates": 50} | options))


def values(metrics: pa.Table, model: str = "m") -> dict[Key, dict]:
    """(metric, slice value) → row, for metrics whose slices do not share values."""
    return {(row["metric"], row["slice_value"]): row for row in metrics.to_pylist() if row["model"] == model}


def percent(row: dict) -> float:
    return round(100 * row["value"], 1)


def false_statements(row: dict) -> list[str]:
    return [letter for letter in LETTERS if letter not in (row["answer"], row["no_difference_label"])]


GPT_5_4 = {
    "position": 83.5, "motion": 92.8, "regional_color": 92.4, "whole_color": 83.7, "appearance": 61.7, "noise": 100.0,
    "texture": 83.1, "substitution": 91.5, "ocr": 86.0, "illumination": 76.4,
}  # fmt: skip
"""VDiff-Bench table 3, and table 6 below: one row of the paper by category."""
GPT_5_4_NO_DIFFERENCE = {"whole_color": 9.5, "noise": 0.0, "texture": 9.6, "illumination": 14.4}


def test_a_row_of_the_paper_follows_from_its_counts():
    pairs, questions = suite()
    missed = dict.fromkeys(COUNTS, 0) | {
        name: round(COUNTS[name] * share / 100) for name, share in GPT_5_4_NO_DIFFERENCE.items()
    }
    missed["appearance"] = round(0.052 * 1756) - sum(missed.values())  # the paper gives the others' sum only
    choices = []
    seen = dict.fromkeys(COUNTS, 0)
    for row in questions:
        name, place_in = row["category"], seen[row["category"]]
        seen[name] += 1
        right = round(COUNTS[name] * GPT_5_4[name] / 100)
        if place_in < right:
            choices.append(row["answer"])
        else:
            choices.append(row["no_difference_label"] if place_in < right + missed[name] else false_statements(row)[0])
    got = values(compute(pairs, questions, *answered(questions, {"m": choices})))
    assert {name: percent(got["accuracy", name]) for name in COUNTS} == GPT_5_4
    by_group = [percent(got["accuracy", name]) for name in ("all", "semantic", "low_level", "ocr")]
    # ocr is in both slices with the same members; §4.2 and table 4 give 84.4, 83.5, 85.1, 86.0
    assert by_group == [84.4, 83.5, 85.1, 86.0]
    errors = [percent(got[name, "all"]) for name in ("missed_change", "competing_change", "invalid", "false_alarm")]
    assert errors == [5.2, 10.4, 0.0, 0.0]
    assert {name: percent(got["no_difference_rate", name]) for name in GPT_5_4_NO_DIFFERENCE} == GPT_5_4_NO_DIFFERENCE
    assert got["accuracy", "all"]["n"] == 1756 and got["accuracy", "noise"]["n"] == 150


def test_a_pair_clustered_interval_has_about_the_papers_width():
    """89.6 (87.9–91.2) over 1,756 questions on 1,543 pairs."""
    pairs = [pair(f"{i:04d}", "noise") for i in range(1543)]
    questions = [question(f"{i:04d}", f"{i % 1543:04d}", "noise", i) for i in range(1756)]
    wrong = set(random.Random(1).sample(range(1756), round(0.104 * 1756)))
    choices = [false_statements(row)[0] if i in wrong else row["answer"] for i, row in enumerate(questions)]
    row = values(compute(pairs, questions, *answered(questions, {"m": choices}), replicates=1000))["accuracy", "all"]
    found = [100 * row[name] for name in ("value", "ci_low", "ci_high")]
    assert found == pytest.approx([89.6, 87.9, 91.2], abs=0.4)


def test_always_one_letter_scores_a_quarter_and_one_of_three_statements_a_third():
    pairs, questions = suite(dict.fromkeys(COUNTS, 144))
    said_change = [[letter for letter in LETTERS if letter != row["no_difference_label"]] for row in questions]
    choices = {
        "always-a": ["A"] * len(questions),
        "informed": [three[i // 4 % 3] for i, three in enumerate(said_change)],
        "silent": [row["no_difference_label"] for row in questions],
    }
    metrics = compute(pairs, questions, *answered(questions, choices))
    assert percent(values(metrics, "always-a")["accuracy", "all"]) == 25.0
    assert all(percent(values(metrics, "always-a")["accuracy", name]) == 25.0 for name in COUNTS)
    assert percent(values(metrics, "informed")["accuracy", "all"]) == 33.3
    assert values(metrics, "silent")["missed_change", "all"]["value"] == 1
    assert {name: round(100 * row["accuracy"], 1) for name, row in references(metrics).items()} == {
        "Random guess": 25.0,
        "Informed guess": 33.3,
    }
    position = {letter: values(metrics, "always-a")["recall", letter]["value"] for letter in LETTERS}
    assert position == {"A": 1, "B": 0, "C": 0, "D": 0}
    assert values(metrics, "always-a")["choice_share", "A"]["value"] == 1
    for name in ("letter_bias_p", "accuracy_bias_p"):
        biased, fair = (values(metrics, model)[name, "all"]["value"] for model in ("always-a", "informed"))
        assert biased < 1e-9 and fair > 0.5
    assert values(metrics, "silent")["accuracy_bias_p", "all"]["value"] is None, "nothing right: no test"


@pytest.mark.parametrize("max_unscored", [0.015, 0.5])
def test_every_share_equals_plain_loops_given_the_same_weights(max_unscored: float):
    rows = benchmark(models=3, questions=240, pairs=180, identical=20, circular=40, seed=3)
    choices = place(*rows)
    table = choice_metrics(choices, replicates=25, max_unscored=max_unscored)
    got = {
        (row["model"], row["metric"], row["slice"], row["slice_value"]): row
        for row in table.to_pylist()
        if row["judge"] and row["metric"] not in ("coverage", "letter_bias_p", "accuracy_bias_p")
    }
    drawn = page_weights(choices.pair[choices.asked], 25)
    pair_ids = choices.questions["pair_id"].take(pa.array(choices.asked)).to_pylist()
    weights = [dict(zip(pair_ids, map(int, column), strict=True)) for column in drawn.T]
    expected = PlainChoices(*rows, weights).metrics(max_unscored)
    assert got.keys() == expected.keys()
    for key, (value, low, high, unscored) in expected.items():
        assert got[key]["n_unscored"] == unscored, key
        for name, number in (("value", value), ("ci_low", low), ("ci_high", high)):
            assert got[key][name] == (None if number is None else pytest.approx(number, abs=1e-12)), (key, name)
    short = [key for key, (value, *_) in expected.items() if value is None]
    assert bool(short) == (max_unscored < 0.1), "the suite does not test what it should"


def test_the_table_has_the_public_columns_and_one_row_per_number():
    table = compute(*benchmark(models=2, questions=60, pairs=40, identical=5, circular=4))
    assert table.schema == METRICS.schema
    keys = table.select(["suite", "model", "judge", "metric", "slice", "slice_value"]).to_pylist()
    assert len({tuple(key.values()) for key in keys}) == table.num_rows
    assert set(table["judge"].to_pylist()) == {"exact", None}


def test_pair_macro_gives_every_pair_the_same_say():
    pairs = [pair("many", "noise"), pair("one", "noise")]
    questions = [question(f"q{i}", "many", "noise", i) for i in range(9)] + [question("single", "one", "noise")]
    choices = [*["invalid"] * 9, questions[-1]["answer"]]
    got = values(compute(pairs, questions, *answered(questions, {"m": choices})))
    assert got["accuracy", "all"]["value"] == 0.1 and got["pair_macro", "all"]["value"] == 0.5


def test_missing_failed_and_unscored_answers_stay_in_the_denominator():
    pairs, questions = suite({"noise": 60})
    scored = answered(questions, {"m": [row["answer"] for row in questions]})
    failed = response(questions[0], "m", "error"), response(questions[1], "m", "truncated")
    responses = [*failed, *scored[0][3:]]  # the third never came
    verdicts = [*scored[1][:3], verdict(questions[3], "m", None), *scored[1][4:]]
    got = values(compute(pairs, questions, responses, verdicts, max_unscored=0.1))
    row = got["accuracy", "all"]
    assert (row["value"], row["n"], row["n_unscored"]) == (56 / 60, 60, 4)
    assert got["coverage", "all"]["value"] == 56 / 60
    assert got["outcome", "missing"]["value"] == 1 and got["outcome", "error"]["value"] == 1

    strict = compute(pairs, questions, responses, verdicts)
    short = values(strict)["accuracy", "all"]
    assert (short["value"], short["ci_low"], short["n_unscored"]) == (None, None, 4)
    assert any("4 of 60 pairs have no verdict" in str(failure) for failure in coverage_failures(strict))
    board = choice_leaderboard(strict).to_pylist()[0]
    assert (board["rank"], board["note"]) == (None, "no score: 4 of 60 questions are unscored")


def test_circular_evaluation_wants_all_four_and_consistency_the_same_statement():
    pairs, questions = suite({"noise": 3})
    asked = [row for origin in questions for row in [origin, *(rotated(origin, r) for r in (1, 2, 3))]]
    always_right = [row["answer"] for row in asked[:4]]
    always_silent = [row["no_difference_label"] for row in asked[4:8]]
    always_a = ["A"] * 4
    got = values(compute(pairs, asked, *answered(asked, {"m": [*always_right, *always_silent, *always_a]})))
    assert got["circular_accuracy", "all"]["value"] == 1 / 3 and got["consistency", "all"]["value"] == 2 / 3
    assert got["accuracy", "all"]["n"] == 3, "copies are no questions of their own"
    without = compute(pairs, questions, *answered(questions, {"m": ["A"] * 3}))
    assert ("circular_accuracy", "all") not in values(without)


def test_identical_pairs_have_specificity_and_false_alarms():
    pairs, questions = suite({"noise": 6, "no_diff": 4})
    same = questions[6:]
    choices = [row["answer"] for row in questions[:7]] + [false_statements(row)[0] for row in same[1:3]] + ["invalid"]
    metrics = compute(pairs, questions, *answered(questions, {"m": choices}))
    got = values(metrics)
    assert (got["specificity", "all"]["value"], got["specificity", "all"]["n"]) == (0.25, 4)
    assert got["false_alarm", "all"]["value"] == 0.2 and got["false_alarm", "no_diff"]["value"] == 0.5
    assert got["missed_change", "all"]["value"] == 0 and got["invalid", "no_diff"]["value"] == 0.25
    assert references(metrics)["Informed guess"]["accuracy"] == pytest.approx(6 / 10 / 3)
    two = place(pairs, questions, *answered(questions, {"m": choices, "n": choices}))
    assert set(compare_choices(two, replicates=9)["metric"].to_pylist()) == {"accuracy", "specificity"}


def test_operator_families_become_the_groups_of_the_leaderboard():
    pairs = [pair("1", "color.easy", tier="easy"), pair("2", "border.hard", tier="hard")]
    questions = [
        question("1", "1", "noise") | {"category": "color", "group": "color", "cell": "color.easy"},
        question("2", "2", "noise") | {"category": "border", "group": "shape", "cell": "border.hard"},
    ]
    metrics = compute(pairs, questions, *answered(questions, {"m": ["A", "B"]}))
    row = choice_leaderboard(metrics).to_pylist()[0]
    assert (row["accuracy_color"], row["accuracy_shape"], row["accuracy"]) == (1, 0, 0.5)
    tiers = {r["slice_value"]: r["value"] for r in metrics.to_pylist() if r["slice"] == "tier"}
    assert tiers == {"easy": 1, "hard": 0}


def test_a_comparison_is_paired_clustered_and_corrected():
    pairs, questions = suite({"noise": 40})
    right = [row["answer"] for row in questions]
    wrong = [false_statements(row)[0] for row in questions]
    choices = {"good": right, "half": [*right[:20], *wrong[20:]], "lost": [*right[:10], *[None] * 30]}
    rows = compare_choices(place(pairs, questions, *answered(questions, choices)), replicates=200).to_pylist()
    first = next(row for row in rows if (row["model_a"], row["model_b"]) == ("good", "half"))
    assert (first["difference"], first["only_a"], first["only_b"], first["n"]) == (0.5, 20, 0, 40)
    assert first["p_value"] == pytest.approx(2 * 0.5**20) and first["p_holm"] == pytest.approx(3 * first["p_value"])
    assert 0.3 < first["ci_low"] < 0.5 < first["ci_high"] < 0.7
    assert next(row for row in rows if row["model_b"] == "lost")["n_excluded"] == 30


@st.composite
def suites(draw: st.DrawFn) -> tuple[list[dict], list[dict], list[dict], list[dict]]:
    """A few questions on fewer pairs, models with gaps of every kind."""
    categories = draw(st.lists(st.sampled_from(["noise", "ocr", "no_diff"]), min_size=1, max_size=8))
    pairs = [pair(f"{name}-{i}", name) for name in sorted(set(categories)) for i in range(2)]
    questions = [
        question(f"q{i}", f"{name}-{draw(st.integers(0, 1))}", name, draw(st.integers(0, 3)))
        for i, name in enumerate(categories)
    ]
    responses, verdicts = [], []
    for model in ("m", "other"):
        for row in questions:
            outcome = draw(st.sampled_from(["completed", "completed", "refused", None]))
            if outcome:
                responses.append(response(row, model, outcome))
            if outcome and draw(st.booleans()):
                verdicts.append(verdict(row, model, draw(st.sampled_from([*LETTERS, "invalid", None]))))
    return pairs, questions, responses, verdicts


@settings(max_examples=40, deadline=None)
@given(rows=suites(), seed=st.integers(0, 100))
def test_the_order_of_rows_never_changes_a_number(rows, seed):
    shuffled = [random.Random(seed + i).sample(part, len(part)) for i, part in enumerate(rows)]
    assert compute(*shuffled, max_unscored=1).equals(compute(*rows, max_unscored=1))


@settings(max_examples=40, deadline=None)
@given(rows=suites())
def test_other_models_never_change_a_number(rows):
    pairs, questions, *given_rows = rows
    alone = [[row for row in part if row["model"] == "m"] for part in given_rows]
    together = compute(*rows, max_unscored=1).to_pylist()
    expected = compute(pairs, questions, *alone, max_unscored=1).to_pylist()
    assert [row for row in together if row["model"] == "m"] == expected


@settings(max_examples=40, deadline=None)
@given(rows=suites())
def test_right_wrong_and_unscored_add_up_to_one_and_intervals_hold_their_value(rows):
    metrics = compute(*rows, max_unscored=1)
    for model in set(metrics["model"].to_pylist()):
        got = values(metrics, model)
        parts = ("accuracy", "missed_change", "competing_change", "false_alarm", "invalid")
        assert sum(got[name, "all"]["value"] for name in parts) == pytest.approx(got["coverage", "all"]["value"])
    for row in metrics.to_pylist():
        if row["ci_low"] is not None:
            assert 0 <= row["ci_low"] <= row["value"] + 1e-9 and row["value"] - 1e-9 <= row["ci_high"] <= 1


def test_eleven_models_on_the_papers_size_take_seconds():
    tables = as_tables(*benchmark(models=11, questions=1756, pairs=1543))
    started = time.process_time()
    choices = place_choices(*tables)
    choice_leaderboard(choice_metrics(choices))
    compare_choices(choices)
    assert time.process_time() - started < 5


def test_accuracy_is_told_by_who_made_the_statements_where_there_are_several() -> None:
    pairs, rows = suite({"position": 4, "noise": 4})
    for number, row in enumerate(rows):
        row |= {"truth_origin": "record" if number < 6 else "a, checked by b", "false_origin": "programmatic"}
    choices = {"m": [row["answer"] for row in rows[:5]] + ["invalid"] + [row["answer"] for row in rows[6:]]}
    found = [row for row in compute(pairs, rows, *answered(rows, choices)).to_pylist() if row["metric"] == "accuracy"]
    by_origin = {row["slice_value"]: row for row in found if row["slice"] == "truth_origin"}
    assert {origin: (row["value"], row["n"]) for origin, row in by_origin.items()} == {
        "record": (pytest.approx(5 / 6), 6), "a, checked by b": (1.0, 2),
    }  # fmt: skip
    assert not [row for row in found if row["slice"] == "false_origin"], "one origin says nothing"
