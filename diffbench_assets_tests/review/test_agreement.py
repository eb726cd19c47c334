"""Two reviewers' agreement, against scikit-learn and by hand."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from diffbench_assets.review.agreement import AGREEMENT, agreement_table, agreement_text
from diffbench_assets.review.decisions import DECISIONS

A, R, D = DECISIONS


def rows(reviewer: str, decisions: list[str], per_question: int = 3, start: int = 0) -> list[dict[str, Any]]:
    return [
        {"reviewer": reviewer, "question_id": f"q{i // per_question}", "option_sha256": str(i), "decision": decision}
        for i, decision in enumerate(decisions, start)
    ]


def measures(*reviews: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    table = agreement_table([row for rows in reviews for row in rows])
    assert table.schema.equals(AGREEMENT)
    return {row["measure"]: row for row in table.to_pylist()}


ANN = [A] * 40 + [R] * 12 + [D] * 8
BOB = [A] * 36 + [D] * 4 + [R] * 9 + [A] * 3 + [D] * 8


def test_kappa_is_scikit_learns_and_agreement_is_counted() -> None:
    found = measures(rows("ann", ANN), rows("bob", BOB))
    alike = np.mean([a == b for a, b in zip(ANN, BOB, strict=True)])
    assert found["kappa"]["value"] == pytest.approx(cohen_kappa_score(ANN, BOB))
    assert found["agreement"]["value"] == pytest.approx(alike)
    assert found["agreement_discard"]["value"] == pytest.approx(2 * 8 / (8 + 12))
    assert found["count_accept_discard"]["value"] == 4 and found["count_rewrite_accept"]["value"] == 3
    assert sum(row["value"] for name, row in found.items() if name.startswith("count")) == 60
    for measure in ("kappa", "agreement", *(f"agreement_{decision}" for decision in DECISIONS)):
        row = found[measure]
        assert row["ci_low"] < row["value"] < row["ci_high"] or row["ci_high"] == 1
        assert row["n"] == 60 and row["n_excluded"] == 0


def test_only_options_that_both_decided_about_count() -> None:
    found = measures(rows("ann", [A] * 10), rows("bob", [A, D, A, A, A, A, A, A], start=4))
    assert found["agreement"]["value"] == pytest.approx(5 / 6)
    assert {(row["n"], row["n_excluded"]) for row in found.values()} == {(6, 6)}


def test_another_text_is_another_option() -> None:
    other = [{**row, "option_sha256": "rewritten"} for row in rows("bob", [A])]
    found = measures(rows("ann", [A]), other)
    assert found["agreement"]["value"] is None and found["agreement"]["n"] == 0


def test_full_agreement_keeps_an_honest_interval() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = measures(rows("ann", [A] * 30), rows("bob", [A] * 30))
    assert found["agreement"]["value"] == 1 and 0.6 < found["agreement"]["ci_low"] < 0.8  # ten questions
    assert found["kappa"]["value"] is None, "with one decision only, chance explains everything"
    assert found["agreement_discard"]["value"] is None and found["agreement_discard"]["ci_low"] is None


def test_options_of_one_question_are_drawn_together() -> None:
    rng = np.random.default_rng(0)
    same = np.repeat(rng.random(40) < 0.7, 3)
    ann, bob = [A] * 120, [A if alike else D for alike in same]
    clustered = measures(rows("ann", ann), rows("bob", bob))["agreement"]
    alone = measures(rows("ann", ann, per_question=1), rows("bob", bob, per_question=1))["agreement"]
    width = {name: row["ci_high"] - row["ci_low"] for name, row in (("clustered", clustered), ("alone", alone))}
    assert width["clustered"] > 1.4 * width["alone"]


def test_every_two_of_three_reviewers_are_compared_whatever_the_order_of_rows() -> None:
    reviews = [*rows("bob", BOB), *rows("ann", ANN), *rows("cy", ANN)]
    table = agreement_table(reviews)
    pairs = list(dict.fromkeys((row["reviewer_a"], row["reviewer_b"]) for row in table.to_pylist()))
    assert pairs == [("ann", "bob"), ("ann", "cy"), ("bob", "cy")]
    assert agreement_table(reviews[::-1]).equals(table)


def test_the_text_says_what_the_table_does() -> None:
    text = agreement_text([*rows("ann", ANN), *rows("bob", BOB)])
    assert "ann and bob: 60 options decided by both, 0 by one" in text
    assert f"{cohen_kappa_score(ANN, BOB):.3f}" in text
    assert agreement_text(rows("ann", ANN)) == "Agreement needs two reviewers."
