"""Tables that contradict one another are refused with the row that does it; old rows are left out."""

from __future__ import annotations

import pytest

from diffbench_assets_tests.protocols.multiple_choice.statistics.synthetic import (
    answered,
    pair,
    place,
    question,
    response,
    rotated,
    suite,
    verdict,
)

PAIRS, QUESTIONS = suite({"noise": 2})
RESPONSES, VERDICTS = answered(QUESTIONS, {"m": [row["answer"] for row in QUESTIONS]})
FIRST, SECOND = QUESTIONS


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ([], "questions: no rows; make the suite's questions"),
        ([FIRST, FIRST], "question 'q-noise-000' stands in more than one row"),
        ([FIRST, SECOND | {"suite": "other"}], "rows of several suites"),
        ([FIRST | {"answer": "E"}], "question 'q-noise-000' answer is not one of A to D"),
        ([FIRST | {"no_difference_label": "a"}], "no_difference_label is not one of A to D"),
        ([FIRST | {"pair_id": "gone"}], "is about a pair that is not in pairs"),
        ([FIRST | {"origin_id": "other"}], "has rotation 0 but another origin_id"),
        ([FIRST | {"rotation": 4}], "rotation is not 0 to 3"),
        ([rotated(FIRST, 1)], "is a rotated copy of a question that is not there"),
        ([FIRST, rotated(FIRST, 1), rotated(FIRST, 1) | {"question_id": "x"}], "repeats a rotation of its origin_id"),
        ([FIRST | {"category": None}], "questions row 0: category is null"),
    ],
)
def test_questions_that_cannot_be_are_refused(questions: list[dict], message: str):
    with pytest.raises(ValueError, match=message):
        place(PAIRS, questions, [], [])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"verdict": "wrong"}, "item 'q-noise-000', model 'm', judge 'exact': by its choice the verdict is another"),
        ({"verdict": None}, "by its choice the verdict is another"),
        ({"choice": "B"}, "by its choice the verdict is another"),
        ({"choice": "E"}, "choice is not one of A to D or invalid"),
        ({"choice": None}, "choice is not one of A to D or invalid"),
        ({"error_kind": "missed_change"}, "by its choice the error_kind is another"),
        ({"judge": "rules"}, "multiple choice has verdicts of judge exact only"),
    ],
)
def test_a_verdict_that_contradicts_its_question_is_refused(wrong: dict, message: str):
    with pytest.raises(ValueError, match=message):
        place(PAIRS, QUESTIONS, RESPONSES, [VERDICTS[0] | wrong])


def test_an_answer_or_a_verdict_given_twice_is_refused():
    with pytest.raises(ValueError, match="responses: two rows for item_id=q-noise-000, model=m"):
        place(PAIRS, QUESTIONS, [*RESPONSES, RESPONSES[0]], [])
    with pytest.raises(ValueError, match="verdicts: two rows for item_id=q-noise-000, model=m"):
        place(PAIRS, QUESTIONS, RESPONSES, [*VERDICTS, VERDICTS[0]])


def test_rows_about_questions_that_are_gone_are_left_out_and_counted():
    gone = question("gone", "p-noise-000", "noise")
    choices = place(
        [*PAIRS, pair("unasked", "noise")],
        QUESTIONS,
        [RESPONSES[0], response(gone, "m")],
        [*VERDICTS, verdict(gone, "m", "A")],
    )
    assert choices.stale == 2, "one of a question that is gone, one whose response is"
    assert choices.choice.tolist() == [[0, -1]]
