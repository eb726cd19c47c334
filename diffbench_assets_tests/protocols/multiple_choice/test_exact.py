"""Verdict rows of multiple choice: the answer key decides."""

from typing import Any

import pytest

from diffbench_assets.protocols.judging import Subject, verdicts
from diffbench_assets.protocols.multiple_choice.judges.exact import JUDGE
from diffbench_assets.protocols.multiple_choice.parse import parser_sha256
from diffbench_assets.protocols.multiple_choice.tables import VERDICTS

OPTIONS = {"A": "The ring is larger in image B.", "B": "Image A and image B are the same.",
           "C": "The ring is smaller in image B.", "D": "The dot is larger in image B."}  # fmt: skip


def question(answer: str = "A") -> dict[str, Any]:
    return {"question_id": "q", "pair_id": "p", "options": OPTIONS, "answer": answer, "no_difference_label": "B"}


def response(text: str | None, outcome: str = "completed", item: str = "q") -> dict[str, Any]:
    return {"item_id": item, "pair_id": "p", "model": "m", "cell": "position", "outcome": outcome, "text": text}


def verdict_row(response: dict[str, Any], question: dict[str, Any]) -> dict[str, Any]:
    (row,) = verdicts("exact", JUDGE, [Subject(response["item_id"], (response,))], {"q": question})
    return row


def test_a_row_has_the_columns_of_the_verdicts_table() -> None:
    row = verdict_row(response("A"), question())
    assert sorted(row) == sorted(VERDICTS.names)
    assert (row["judge"], row["judge_prompt_sha256"]) == ("exact", parser_sha256())
    assert (row["item_id"], row["pair_id"], row["model"], row["cell"]) == ("q", "p", "m", "position")


@pytest.mark.parametrize(
    ("text", "answer", "verdict", "choice", "error"),
    [
        ("The answer is A.", "A", "correct", "A", None),
        ("B", "A", "wrong", "B", "missed_change"),
        ("C", "A", "wrong", "C", "competing_change"),
        ("D", "A", "wrong", "D", "competing_change"),
        ("A or C", "A", "wrong", "invalid", "invalid"),
        ("B", "B", "correct", "B", None),
        ("A", "B", "wrong", "A", "false_alarm"),
        ("no idea", "B", "wrong", "invalid", "invalid"),
    ],
)
def test_an_answer_is_right_or_wrong_in_one_of_four_ways(
    text: str, answer: str, verdict: str, choice: str, error: str | None
) -> None:
    row = verdict_row(response(text), question(answer))
    assert (row["verdict"], row["choice"], row["error_kind"]) == (verdict, choice, error)
    assert row["unscored_reason"] is None


@pytest.mark.parametrize("outcome", ["truncated", "empty", "refused", "error"])
def test_only_a_completed_response_is_scored(outcome: str) -> None:
    row = verdict_row(response("A", outcome), question())
    assert row["verdict"] is None and "choice" not in row and "error_kind" not in row
    assert row["unscored_reason"] == f"response: {outcome}"


@pytest.mark.parametrize("text", [None, "", " \n "])
def test_a_blank_text_is_empty_whatever_its_outcome_says(text: str | None) -> None:
    row = verdict_row(response(text), question("B"))
    assert (row["verdict"], row["unscored_reason"]) == (None, "response: empty")


def test_a_response_to_a_question_that_is_not_there_any_more_has_no_row() -> None:
    subjects = [Subject("other", (response("A", item="other"),))]
    assert list(verdicts("exact", JUDGE, subjects, {"q": question()})) == []
