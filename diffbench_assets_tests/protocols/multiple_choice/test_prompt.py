"""The question's text and its options are exact inverses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets.protocols.multiple_choice.prompt import LABELS, NO_DIFFERENCE, options_of, question_prompt

lines = st.text(min_size=1).map(str.strip).filter(lambda text: text and len(text.splitlines()) == 1)
OPTIONS = dict(
    zip(LABELS, ["The ring is larger in image B.", NO_DIFFERENCE, "B. is a letter.", "<b>A. “x”</b>"], strict=True)
)


@given(st.tuples(lines, lines, lines, lines))
def test_options_read_back_as_they_were_written(texts):
    options = dict(zip(LABELS, texts, strict=True))
    assert options_of(question_prompt(options)) == options


def test_options_stand_on_lines_of_their_own_in_the_order_of_letters():
    prompt = question_prompt(dict(reversed(OPTIONS.items())))
    assert [line for line in prompt.splitlines() if line[:3] in ("A. ", "B. ", "C. ", "D. ")] == [
        f"{label}. {text}" for label, text in OPTIONS.items()
    ]


@pytest.mark.parametrize("text", ["", " ", "two\nlines", "two\u2028lines", " leading", "trailing "])
def test_an_option_that_is_not_one_clean_line_is_an_error(text):
    with pytest.raises(ValueError, match="option C"):
        question_prompt(OPTIONS | {"C": text})


def test_a_missing_letter_is_an_error():
    with pytest.raises(ValueError, match="A to D"):
        question_prompt({label: text for label, text in OPTIONS.items() if label != "B"})


def test_any_other_text_has_no_options():
    with pytest.raises(ValueError, match="not a multiple-choice question"):
        options_of("Which is right?\nA. this\nB. that")
