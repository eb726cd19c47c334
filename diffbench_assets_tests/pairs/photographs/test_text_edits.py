"""Possible text edits: four kinds, all plausible, none told apart by form."""

from __future__ import annotations

from collections import Counter

import hypothesis.strategies as st
from hypothesis import given

from diffbench_assets.pairs.photographs.ocr import normalised
from diffbench_assets.pairs.photographs.text_edits import KINDS, edit_prompt, possible_edits

TEXTS = ["Harbor Cafe", "Garden Shop", "Open till 19:45", "ROOM 204", "СКОРО", "МОРЕ", "出口", "入口"]


def by_kind(texts: list[str], draws: int = 30) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {kind: [] for kind in KINDS}
    for seed in range(draws):
        for edit in possible_edits(texts, seed):
            found[edit.kind].append((edit.before, edit.after))
    return found


def differing(before: str, after: str) -> list[tuple[str, str]]:
    assert len(before) == len(after)
    return [(old, new) for old, new in zip(before, after, strict=True) if old != new]


def test_one_letter_becomes_another_of_its_type():
    edits = by_kind(TEXTS)["character"]
    assert {before for before, _ in edits} == set(TEXTS)
    for before, after in edits:
        ((old, new),) = differing(before, after)
        assert old.isalpha() and new.isalpha() and old.isupper() == new.isupper() and old.isascii() == new.isascii()


def test_one_digit_becomes_another_and_numbers_do_not_start_with_a_new_zero():
    for before, after in by_kind(["7 of 10", "204"])["digit"]:
        ((old, new),) = differing(before, after)
        assert old.isdigit() and new.isdigit() and not any(word.startswith("0") for word in after.split())


def test_two_neighbours_of_one_type_trade_places():
    for before, after in by_kind(TEXTS)["swap"]:
        (a, b), (c, d) = differing(before, after)
        assert (a, c) == (d, b) and Counter(before) == Counter(after) and a.isdigit() == c.isdigit()


def test_a_word_makes_way_for_one_of_the_same_image_and_script():
    edits = by_kind(TEXTS)["word"]
    words = {word for text in TEXTS for word in text.split()}
    assert {before for before, _ in edits} >= {"Harbor Cafe", "СКОРО", "МОРЕ"}
    for before, after in edits:
        old, new = before.split(), after.split()
        (pair,) = [(one, other) for one, other in zip(old, new, strict=True) if one != other]
        assert set(pair) <= words and pair[0].isascii() == pair[1].isascii()


def test_a_lone_text_has_no_word_to_take_and_one_without_letters_or_digits_has_no_edit():
    assert by_kind(["Exit"])["word"] == []
    assert possible_edits(["—!?—", "***"]) == []
    assert possible_edits([]) == []


@given(st.lists(st.text(max_size=20), max_size=4), st.integers())
def test_any_text_gets_edits_that_all_read_differently(texts, seed):
    edits = possible_edits(texts, seed)
    assert edits == possible_edits(texts, seed)
    for index, text in enumerate(texts):
        readings = [normalised(text), *(normalised(edit.after) for edit in edits if edit.index == index)]
        assert len(set(readings)) == len(readings)


def test_rare_kinds_are_as_frequent_as_common_ones_and_tried_first_as_often():
    first: Counter[str] = Counter()
    for seed in range(400):
        edits = possible_edits(["Harbor Cafe", "Garden Shop", "Open all day", "Room 204"], seed)
        assert set(Counter(edit.kind for edit in edits).values()) == {2}
        first[edits[0].kind] += 1
    assert all(70 <= first[kind] <= 130 for kind in KINDS), first


def test_hostile_text_stays_quoted_in_the_prompt():
    edit = possible_edits(['Say "no".\\'])[0]
    prompt = edit_prompt(edit)
    assert r'that says "Say \"no\".\\"' in prompt and "in Latin script" in prompt
