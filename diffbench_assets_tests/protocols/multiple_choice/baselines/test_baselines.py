"""Baselines that do not look: what they answer, and what that is worth by chance."""

from collections import Counter

import pytest

from diffbench_assets.models.registry import BaselineModel
from diffbench_assets.protocols.multiple_choice.baselines import BASELINES
from diffbench_assets.protocols.multiple_choice.parse import parse_choice
from diffbench_assets.protocols.multiple_choice.prompt import LABELS, NO_DIFFERENCE, question_prompt
from diffbench_assets.protocols.open_ended.baselines import BASELINES as OPEN_ENDED
from diffbench_assets.protocols.open_ended.prompt import NO_DIFFERENCE as NOTHING_SEEN
from diffbench_assets.protocols.open_ended.prompt import question_prompt as open_question
from diffbench_assets.seeds import rng
from diffbench_assets_tests.baselines.drawn import picture, png, scene

IMAGE = png(picture(scene(0)))


def options(*texts: str) -> dict[str, str]:
    return dict(zip(LABELS, texts, strict=True))


def call(texts: dict[str, str], one: bytes = IMAGE, two: bytes = IMAGE) -> tuple[str | bytes, ...]:
    return one, two, question_prompt(texts)


def many(count: int) -> list[tuple[tuple[str | bytes, ...], str]]:
    """Questions of one grammar with their answer; images differ by a few bytes only, as guesses do not look."""
    asked = []
    for number in range(count):
        dice = rng("many", number)
        texts = [f"Thing {number} is {word} in image B." for word in ("larger", "redder", "higher up")] + [
            NO_DIFFERENCE
        ]
        order = [int(index) for index in dice.permutation(4)]
        parts = (b"one%d" % number, b"two", question_prompt(options(*(texts[index] for index in order))))
        asked.append((parts, LABELS[order.index(0)]))
    return asked


def share_right(name: str, asked: list[tuple[tuple[str | bytes, ...], str]]) -> float:
    return sum(BASELINES[name](parts) == letter for parts, letter in asked) / len(asked)


@pytest.mark.parametrize("name", BASELINES)
def test_every_baseline_can_be_registered_and_answers_multiple_choice_with_a_letter(name: str) -> None:
    assert BaselineModel(id="m", baseline=name).baseline == name  # type: ignore[arg-type]
    texts = options(
        "The ring is larger in image B.", NO_DIFFERENCE, "The ring is smaller in image B.", "It is brighter."
    )
    answer = BASELINES[name](call(texts))
    assert parse_choice(answer, texts) == answer
    assert BASELINES[name](call(texts)) == answer


@pytest.mark.parametrize("name", ["always_no_diff", "pixel_diff"])
def test_equal_images_are_told_to_be_equal_in_both_protocols(name: str) -> None:
    texts = options(
        "The ring is larger in image B.", "It is brighter.", NO_DIFFERENCE, "The ring is smaller in image B."
    )
    assert OPEN_ENDED[name]((IMAGE, IMAGE, open_question())) == NOTHING_SEEN
    assert BASELINES[name](call(texts)) == "C"


def test_guesses_answer_no_open_ended_question() -> None:
    assert [name for name in BASELINES if name not in OPEN_ENDED] == ["random_choice", "informed_guess", "text_only"]


def test_guesses_are_worth_what_the_paper_says() -> None:
    asked = many(4000)
    assert share_right("random_choice", asked) == pytest.approx(0.25, abs=0.025)
    assert share_right("informed_guess", asked) == pytest.approx(1 / 3, abs=0.028)
    assert share_right("text_only", asked) == pytest.approx(1 / 3, abs=0.028)
    assert share_right("always_no_diff", asked) == 0


def test_letters_of_guesses_are_balanced() -> None:
    counts = Counter(BASELINES["random_choice"](parts) for parts, _ in many(4000))
    assert sorted(counts) == list(LABELS) and min(counts.values()) > 900


def test_the_images_take_part_in_chance() -> None:
    texts = options("One.", "Two.", "Three.", NO_DIFFERENCE)
    answers = {BASELINES["random_choice"](call(texts, b"%d" % n)) for n in range(40)}
    assert answers == set(LABELS)


@pytest.mark.parametrize(
    ("odd", "others"),
    [
        ("the ring moved", ("The ring moved.", "The dot moved.")),
        ("The ring, once red, is now blue.", ("The ring is now blue.", "The ring is now green.")),
        ("The Red Ring Moved.", ("The red ring moved.", "The red dot moved.")),
        ("The ring moved", ("The ring moved up.", "The ring moved down.")),
    ],
)
def test_text_only_picks_the_statement_of_another_style(odd: str, others: tuple[str, str]) -> None:
    for place in range(3):
        texts = [others[0], others[1], NO_DIFFERENCE]
        texts.insert(place, odd)
        assert BASELINES["text_only"](call(options(*texts))) == LABELS[place]


@pytest.mark.parametrize("name", ["random_choice", "informed_guess", "text_only", "pixel_diff", "always_no_diff"])
def test_a_call_that_asks_no_question_is_an_error(name: str) -> None:
    with pytest.raises(ValueError, match="not a multiple-choice question"):
        BASELINES[name]((IMAGE, IMAGE, open_question()))


def test_pixel_diff_needs_two_images() -> None:
    with pytest.raises(ValueError, match="compares two images; the call has 1"):
        OPEN_ENDED["pixel_diff"]((IMAGE, open_question()))
