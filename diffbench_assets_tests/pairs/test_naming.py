"""How things are called: quotes, places and nouns."""

from __future__ import annotations

import pytest

from diffbench_assets.pairs.edits import related
from diffbench_assets.pairs.grammar import QUOTED, VALUE, Claim, describe, excerpts, quoted
from diffbench_assets.pairs.naming import location, plain_noun, subject


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Pricing", "Pricing"),
        ("  two\n lines\t here ", "two lines here"),
        ("A quarter of all the visitors come back within a week", "A quarter of all the visitors…"),
        ("Donaudampfschifffahrtsgesellschaftskapitän", "Donaudampfschifffahrtsgesellsc…"),
        ("\uf015 Home", "Home"),
        ("“quoted”", "quoted"),
        ("zero\u200bwidth\u202e", "zerowidth"),
        ("•••", ""),
        ("", ""),
    ],
)
def test_quotes_are_short_readable_and_cut_between_words(text: str, shown: str) -> None:
    assert quoted(text) == shown
    assert len(quoted(text)) <= QUOTED + 1


def test_a_thing_without_text_is_called_by_its_place() -> None:
    assert subject("icon", "", "center") == "the icon in the center"


def test_excerpts_show_the_change_in_a_few_characters() -> None:
    before = "The quick brown fox jumps over the lazy dog and on into the night"
    after = before.replace("lazy", "lqzy")
    shown = excerpts(before, after)
    assert shown is not None and all(len(text) <= VALUE for text in shown)
    assert "lazy" in shown[0] and "lqzy" in shown[1]
    assert excerpts("abc", "abcd") is None


def test_places_are_the_nine_areas_of_an_image_of_any_size() -> None:
    assert location((0, 0, 10, 10), (90, 90)) == "top left"
    assert location((40, 40, 10, 10), (90, 90)) == "center"
    assert location((80, 40, 10, 10), (90, 90)) == "middle right"
    assert location((40, 85, 10, 5), (90, 90)) == "bottom center"
    assert location((1270, 790, 40, 40)) == "bottom right"


@pytest.mark.parametrize(
    ("tag", "role", "text", "noun"),
    [("svg", "", "", "icon"), ("p", "banner", "x", "header"), ("b", "answer A", "x", "text"), ("i", "", "", "shape")],
)
def test_nouns_are_plain_words(tag: str, role: str, text: str, noun: str) -> None:
    assert plain_noun(tag, role, text) == noun


def test_selectors_are_related_up_and_down_but_not_by_prefix() -> None:
    assert related("body > div:nth-child(1)", "body > div:nth-child(1) > p:nth-child(2)")
    assert not related("body > div:nth-child(1)", "body > div:nth-child(12)")


def test_a_description_says_all_that_is_claimed_and_the_values() -> None:
    claims = [Claim("the link", "moved_left"), Claim("the link", "moved_up")]
    assert describe("the link", claims, "inset: 8px to 0px") == (
        "The link is further to the left and is higher up (inset: 8px to 0px)."
    )
    assert describe("the link", []) == "The link looks different."
