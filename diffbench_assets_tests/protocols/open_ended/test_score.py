import pytest

from diffbench_assets import schemas
from diffbench_assets.protocols.open_ended.score import unscored_response, verdict_row
from diffbench_assets.protocols.open_ended.verdict import Verdict, only_difference
from diffbench_assets_tests.protocols.open_ended.cases import difference


def response(outcome: str = "completed", text: str | None = "- bold") -> dict[str, object]:
    return {"item_id": "i", "pair_id": "p", "model": "m", "cell": "no_diff", "outcome": outcome, "text": text}


def test_a_row_has_the_columns_of_the_verdicts_table() -> None:
    row = verdict_row(response(), "rules", "0" * 64, Verdict("correct", "bold"))
    assert list(row) == schemas.VERDICTS.names
    assert (row["verdict"], row["matched"], row["unscored_reason"]) == ("correct", "bold", None)


@pytest.mark.parametrize("outcome", ["truncated", "empty", "refused", "error"])
def test_only_a_completed_response_can_earn_anything(outcome: str) -> None:
    row = verdict_row(response(outcome, "I see no difference."), "rules", "0" * 64, Verdict("correct", "x"))
    assert (row["verdict"], row["matched"], row["unscored_reason"]) == (None, "", f"response: {outcome}")


@pytest.mark.parametrize("text", [None, "", " \n "])
def test_a_blank_text_is_empty_whatever_its_outcome_says(text: str | None) -> None:
    verdict = unscored_response(response(text=text))
    assert verdict is not None and verdict.unscored_reason == "response: empty"


def test_a_completed_response_without_verdict_is_an_error() -> None:
    with pytest.raises(ValueError, match="response 'i' is completed but has no verdict of judge 'j'"):
        verdict_row(response(), "j", "0" * 64, None)


def test_a_pair_of_several_differences_is_not_for_this_protocol() -> None:
    assert only_difference([]) is None
    with pytest.raises(ValueError, match="got 2"):
        only_difference([difference(), difference("color")])
