import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets.protocols.open_ended.parse import parse_reply, quoted_in

ANSWER = '- The **"Our services"** heading is\n  now bold.\n- The logo moved.'


def reply(**changes: Any) -> str:
    fields = {
        "reasoning": "r",
        "verdict": "correct",
        "matched": "heading is now bold",
        "hallucinations": ["The logo moved."],
    }
    return json.dumps(fields | changes)


def test_a_clean_reply_becomes_a_verdict() -> None:
    verdict = parse_reply(reply(), ANSWER, has_difference=True)
    assert (verdict.verdict, verdict.matched, verdict.hallucinations) == (
        "correct",
        "heading is now bold",
        ("The logo moved.",),
    )
    assert verdict.unscored_reason is None


@pytest.mark.parametrize("wrap", ["```json\n{}\n```", "```\n{}\n```", "\n  {}  \n"])
def test_one_markdown_fence_is_tolerated(wrap: str) -> None:
    assert parse_reply(wrap.replace("{}", reply()), ANSWER, True).verdict == "correct"


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("", "not one JSON object"),
        ("{}", "missing field reasoning, verdict, matched, hallucinations"),
        ("[]", "a JSON list"),
        ("null", "a JSON NoneType"),
        ('"correct"', "a JSON str"),
        ("correct", "not one JSON object"),
        (reply() + " The verdict is correct.", "not one JSON object"),
        ("Sure! " + reply(), "not one JSON object"),
        (reply() + reply(), "not one JSON object"),
        ("<think>hm</think>" + reply(), "not one JSON object"),
        (reply(verdict="CORRECT"), "unknown verdict"),
        (reply(verdict="CI"), "unknown verdict"),
        (reply(verdict=True), "unknown verdict"),
        (reply(verdict=1), "unknown verdict"),
        (reply(verdict=["correct"]), "unknown verdict"),
        (reply(verdict="null"), "unknown verdict"),
        (reply(verdict=None), "verdict is null although"),
        (reply(matched=None), "matched is not text"),
        (reply(matched=""), "quote not in answer"),
        (reply(matched="** … **"), "quote not in answer"),
        (reply(matched="the button is bold"), "quote not in answer"),
        (reply(hallucinations="none"), "hallucinations is not a list"),
        (reply(hallucinations=[""]), "hallucinations is not a list"),
        (reply(hallucinations=[None]), "hallucinations is not a list"),
        (reply(score=1), "unknown field score"),
        (reply().replace('"verdict"', '"verdict": "wrong", "verdict"'), "a field stands twice"),
        (reply().replace('"r"', "NaN"), "NaN is not JSON"),
        ("[" * 100_000, "not one JSON object"),
    ],
)
def test_a_reply_that_cannot_be_read_is_unscored_never_wrong(bad: str, reason: str) -> None:
    verdict = parse_reply(bad, ANSWER, has_difference=True)
    assert verdict.verdict is None
    assert verdict.unscored_reason is not None and reason in verdict.unscored_reason


@pytest.mark.parametrize("verdict", ["correct", "wrong"])
def test_a_verdict_on_a_pair_without_difference_is_unscored(verdict: str) -> None:
    assert "there is no difference" in (parse_reply(reply(verdict=verdict), ANSWER, False).unscored_reason or "")


def test_null_is_the_verdict_of_a_pair_without_difference() -> None:
    verdict = parse_reply(reply(verdict=None, matched=""), ANSWER, False)
    assert verdict.unscored_reason is None and verdict.hallucinations == ("The logo moved.",)


@given(st.text(max_size=300), st.booleans())
def test_free_text_never_yields_a_verdict(text: str, has_difference: bool) -> None:
    assert parse_reply(text, ANSWER, has_difference).unscored_reason is not None


@pytest.mark.parametrize(
    "quote", ["“our services” HEADING is now bold", "*Our services* … now bold", "the  logo\nmoved"]
)
def test_quotes_ignore_case_marks_and_spacing(quote: str) -> None:
    assert quoted_in(quote, ANSWER)


@pytest.mark.parametrize("quote", ["now bold … heading", "bolder", "", "...", "the logo moved left"])
def test_words_that_are_not_there_are_no_quote(quote: str) -> None:
    assert not quoted_in(quote, ANSWER)
