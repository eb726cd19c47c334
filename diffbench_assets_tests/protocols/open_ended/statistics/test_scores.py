"""Which verdicts earn credit, and which tables are refused."""

from __future__ import annotations

import pytest

from diffbench_assets.protocols.open_ended.statistics.scores import score_verdicts
from diffbench_assets.statistics.answers import place_responses
from diffbench_assets.statistics.scores import Scores
from diffbench_assets_tests.protocols.open_ended.statistics.synthetic import pair, response, tables, verdict

PAIRS = [pair("a", "color.easy"), pair("b", "color.hard"), pair("z", "no_diff")]


def score(responses: list[dict], verdicts: list[dict], pairs: list[dict] = PAIRS) -> Scores:
    pair_table, response_table, verdict_table = tables(pairs, responses, verdicts)
    return score_verdicts(place_responses(pair_table, response_table), verdict_table)


def answered(*pair_ids: str, outcome: str = "completed") -> list[dict]:
    return [response(pair_id, "m", outcome) for pair_id in pair_ids]


def test_a_difference_is_found_when_judged_correct_and_restraint_is_no_hallucination():
    scores = score(
        answered("a", "b", "z"), [verdict("a", "m", "correct"), verdict("b", "m", "wrong"), verdict("z", "m", None)]
    )
    assert scores.success[0, 0].tolist() == [True, False, True]
    assert scores.scored.all()


def test_extra_claims_do_not_spoil_a_correct_verdict_but_spoil_restraint():
    claims = {"hallucinations": ["the logo moved"]}
    scores = score(answered("a", "z"), [verdict("a", "m", "correct", **claims), verdict("z", "m", None, **claims)])
    assert scores.success[0, 0].tolist() == [True, False, False]
    assert scores.hallucinations[0, 0].tolist() == [1, 0, 1]


def test_a_missing_verdict_is_unscored_and_stays_in_the_denominator():
    scores = score(answered("a", "b", "z"), [verdict("a", "m", "correct")])
    assert scores.scored[0, 0].tolist() == [True, False, False]
    assert scores.success[0, 0].tolist() == [True, False, False]
    assert len(scores.members("accuracy")) == 3


@pytest.mark.parametrize("outcome", ["truncated", "empty", "refused", "error"])
def test_an_answer_that_did_not_complete_never_earns_credit_whatever_a_judge_said(outcome: str):
    scores = score(answered("a", "z", outcome=outcome), [verdict("a", "m", "correct"), verdict("z", "m", None)])
    assert not scores.success.any()
    assert not scores.scored.any()


def test_an_unscored_reason_outweighs_a_verdict_beside_it():
    reason = {"unscored_reason": "unparseable judge"}
    scores = score(answered("a", "z"), [verdict("a", "m", "correct", **reason), verdict("z", "m", None, **reason)])
    assert not scores.scored.any()


def test_verdicts_of_pairs_and_items_no_longer_in_the_lake_are_left_out_and_counted():
    old_pair = verdict("gone", "m", "correct")
    old_item = verdict("a", "m", "correct") | {"item_id": "item of an older prompt"}
    scores = score(answered("a"), [old_pair, old_item, verdict("b", "m", "correct")])
    assert scores.stale == 3
    assert not scores.scored.any()


def test_a_model_without_any_verdict_of_a_judge_stays_visible_as_unscored():
    scores = score([*answered("a"), response("a", "unjudged")], [verdict("a", "m", "correct")])
    assert scores.models == ("m", "unjudged")
    assert not scores.scored[0, 1].any()


def test_two_verdicts_of_one_judge_on_one_item_are_an_error_that_names_them():
    twice = [verdict("a", "m", "correct"), verdict("a", "m", "wrong")]
    with pytest.raises(ValueError, match="two rows for item_id=item-a, model=m, judge=rules"):
        score(answered("a"), twice)


def test_two_responses_to_one_item_are_an_error_that_names_them():
    with pytest.raises(ValueError, match="responses: two rows for item_id=item-a, model=m"):
        score(answered("a", "a"), [])


def test_repeats_of_a_pair_are_refused_instead_of_counted_twice():
    again = response("a", "m") | {"item_id": "item-a-repeat-1"}
    with pytest.raises(ValueError, match="'a' has two items for model 'm'.*one repeat"):
        score([*answered("a"), again], [])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (verdict("a", "m", "Correct"), "not one of correct, wrong"),
        (verdict("a", "m", None), "no verdict and no unscored_reason"),
        (verdict("z", "m", None, hallucinations=None), "hallucinations is null"),
        (verdict("a", "m", "correct", hallucinations=None), "hallucinations is null"),
    ],
)
def test_a_row_that_claims_a_score_without_saying_it_is_an_error_naming_the_item(row: dict, message: str):
    with pytest.raises(ValueError, match=f"verdicts: item 'item-.', model 'm', judge 'rules': .*{message}"):
        score(answered("a", "z"), [row])


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([], "no rows"),
        ([pair("a", "color.easy"), pair("a", "color.hard")], "pair_id 'a' stands in more than one row"),
        ([pair("a", "color.easy"), pair("b", "color.easy", suite="other")], r"several suites \(other, webdiff\)"),
        ([pair("a", "color.easy") | {"page_id": None}], "pairs row 0: page_id is null"),
    ],
)
def test_pairs_that_are_no_benchmark_are_refused(pairs: list[dict], message: str):
    with pytest.raises(ValueError, match=message):
        score([], [], pairs)


def test_an_unknown_outcome_is_refused():
    with pytest.raises(ValueError, match="responses row 0: outcome 'done' is not one of completed, truncated"):
        score(answered("a", outcome="done"), [])


def test_some_of_the_models_can_be_taken_out_in_any_order(small):
    chosen = small.scores.of_models(["model-02", "model-00"])
    assert chosen.models == ("model-02", "model-00")
    assert (chosen.success[:, 0] == small.scores.success[:, 2]).all()
    assert (chosen.scored[:, 1] == small.scores.scored[:, 0]).all()
