"""Semantic pairs of drawn scenes: one change, true, visible, undone without a trace, and named without doubt."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets import schemas
from diffbench_assets.pages.drawn_scenes import (
    CATEGORIES,
    Edit,
    NoEdit,
    Scene,
    apply,
    draw,
    make_scene,
    pairs,
    possible_edits,
    replay,
    semantic_pair,
    undo,
)
from diffbench_assets.pages.drawn_scenes.compose import apart
from diffbench_assets.pages.drawn_scenes.draw import body_box
from diffbench_assets.pages.drawn_scenes.edits import VISIBLE_LEVELS, VISIBLE_PIXELS, region
from diffbench_assets.pages.drawn_scenes.kinds import KINDS
from diffbench_assets.pages.drawn_scenes.model import Thing
from diffbench_assets.pages.drawn_scenes.palette import COLORS, similar
from diffbench_assets.pages.drawn_scenes.wordplay import alike, variants
from diffbench_assets.pairs.grammar import Claim, excludes
from diffbench_assets.seeds import rng

SEEDS = range(3)
CHANGES_OF = {
    "position": {"moved_left", "moved_right", "moved_up", "moved_down"},
    "motion": {"turned_clockwise", "turned_counterclockwise", "state"},
    "regional_color": {"recolored", "lighter", "darker"},
    "appearance": {"appeared", "disappeared"},
    "substitution": {"replaced", "larger", "smaller", "count"},
    "ocr": {"reads"},
}
FIELDS = {
    "moved_left": ("x", -1), "moved_right": ("x", 1), "moved_up": ("y", -1), "moved_down": ("y", 1),
    "turned_clockwise": ("angle", 1), "turned_counterclockwise": ("angle", -1), "lighter": ("tone", 1),
    "darker": ("tone", -1), "appeared": ("shown", 1), "disappeared": ("shown", -1), "larger": ("size", 1),
    "smaller": ("size", -1),
}  # fmt: skip


@cache
def scene_of(seed: int) -> Scene:
    return make_scene("pairs", seed)


@cache
def edits_of(seed: int, category: str) -> tuple[Edit, ...]:
    return possible_edits(scene_of(seed), category)


def some(edits: tuple[Edit, ...], *seed: object) -> list[Edit]:
    return [edits[place] for place in rng("some", *seed).permutation(len(edits))[:3]]


def in_words(thing: Thing, change: str) -> str:
    """What a claim of this change says the thing is or has."""
    kind = KINDS[thing.kind]
    words = {"state": thing.state, "recolored": thing.color, "replaced": kind.article_noun, "reads": thing.text}
    return f"{thing.count} {kind.counted.parts}" if change == "count" and kind.counted else words.get(change, "")


def holds(claim: Claim, before: Thing, after: Thing) -> bool:
    """Whether the claim is true of the two states of its thing, told from the data alone."""
    if claim.change in FIELDS:
        field, sign = FIELDS[claim.change]
        return sign * (int(getattr(after, field)) - int(getattr(before, field))) > 0
    return (in_words(before, claim.change), in_words(after, claim.change)) == (claim.before, claim.after)


def fitting(scene: Scene, phrase: str) -> list[Thing]:
    """Every thing that a person could mean by the phrase."""
    words = phrase.removeprefix("the ").split(" of the ")[-1]
    order = next((word for word in ("leftmost", "rightmost", "topmost", "lowest") if words.startswith(word)), None)
    words = words.removeprefix(f"{order} ") if order else words
    found = [thing for thing in scene.shown if any(_says(words, thing, noun) for noun in _names(thing))]
    if order and found:
        axis = 0 if order in ("leftmost", "rightmost") else 1
        sign = -1 if order in ("leftmost", "topmost") else 1
        best = max(sign * (body_box(thing)[axis] + body_box(thing)[axis + 2]) for thing in found)
        found = [t for t in found if sign * (body_box(t)[axis] + body_box(t)[axis + 2]) > best - 120]
    return found


def _names(thing: Thing) -> list[str]:
    kind = KINDS[thing.kind]
    names = [name for name in (kind.noun, kind.group, *kind.also) if name]
    return [" ".join(name.split(" ")[place:]) for name in names for place in range(len(name.split(" ")))]


def _says(words: str, thing: Thing, noun: str) -> bool:
    if words == noun:
        return True
    colors = [color for color in COLORS if thing.color and similar(color, thing.color)]
    kinds = [KINDS[thing.kind], *(kind for kind in KINDS.values() if kind.group and kind.group == noun)]
    return any(words == kind.in_color(noun, color) for kind in kinds for color in colors)


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("seed", SEEDS)
def test_an_edit_changes_visible_pixels_in_its_region_only_and_its_reverse_restores_every_byte(
    category: str, seed: int
) -> None:
    scene = scene_of(seed)
    before = draw(scene)
    for edit in some(edits_of(seed, category), category, seed):
        edited = apply(scene, edit)
        after = draw(edited)
        change = np.abs(before.astype(int) - after).max(axis=2)
        assert (change >= VISIBLE_LEVELS).sum() >= VISIBLE_PIXELS, edit
        left, top, right, bottom = region(scene, edit)
        change[top:bottom, left:right] = 0
        assert not change.any(), edit
        assert apply(edited, undo(scene, edit)) == scene
        assert np.array_equal(draw(apply(edited, undo(scene, edit))), before)


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("seed", SEEDS)
def test_one_claim_of_a_pair_is_true_and_all_others_are_false(category: str, seed: int) -> None:
    scene, edits = scene_of(seed), edits_of(seed, category)
    thing_of = {edit.claim.subject: edit.thing for edit in edits}
    claims = pairs.claims_of(edits)
    assert {claim.change for claim in claims} <= CHANGES_OF[category]
    assert len({edit.thing for edit in edits}) == len(thing_of), "two things have one name"
    for edit in edits:
        after = apply(scene, edit)
        true = [c for c in claims if holds(c, scene.thing(thing_of[c.subject]), after.thing(thing_of[c.subject]))]
        assert true == [edit.claim]
        assert all(excludes(edit.claim, claim) for claim in claims if claim != edit.claim)


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_subject_of_a_claim_fits_one_thing_of_the_scene(category: str, seed: int) -> None:
    for edit in edits_of(seed, category):
        assert [thing.id for thing in fitting(scene_of(seed), edit.claim.subject)] == [edit.thing], edit


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_changed_thing_touches_no_other_and_no_order_word_names_what_moves(category: str, seed: int) -> None:
    scene = scene_of(seed)
    for edit in edits_of(seed, category):
        after = apply(scene, edit)
        boxes = [body_box(thing) for thing in after.shown if thing.id != edit.thing]
        assert all(apart(body_box(after.thing(edit.thing)), box, 1) for box in boxes)
        if category == "position":
            assert "most " not in edit.claim.subject and "lowest" not in edit.claim.subject
        if category == "regional_color":
            assert not any(f" {color} " in edit.claim.subject for color in KINDS[scene.thing(edit.thing).kind].colors)


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_pair_carries_its_difference_and_a_record_that_makes_it_again(category: str) -> None:
    pair = semantic_pair(category, "record", 1)
    assert pair.claim in pair.possible and len(pair.possible) >= pairs.FEWEST_CLAIMS
    assert list(pair.possible) == sorted(pair.possible)
    record = json.loads(json.dumps(pair.record))
    assert Claim(**record["claim"]) == pair.claim
    assert tuple(Claim(**claim) for claim in record["possible"]) == pair.possible
    again = replay(record)
    assert np.array_equal(again[0], pair.before) and np.array_equal(again[1], pair.after)

    (stored,) = pa.array([pair.difference], schemas.DIFFERENCE).to_pylist()
    assert stored == pair.difference and stored["kind"] == category
    rows, columns = np.nonzero((pair.before != pair.after).any(axis=2))
    box = stored["box"]
    assert (box["x"], box["y"]) == (columns.min(), rows.min())
    assert (box["width"], box["height"]) == (np.ptp(columns) + 1, np.ptp(rows) + 1)


def test_the_seed_alone_decides_the_pair() -> None:
    one, same, other = (semantic_pair("ocr", "seed", seed) for seed in (1, 1, 2))
    assert one.record == same.record and np.array_equal(one.after, same.after)
    assert one.record != other.record


def test_a_scene_with_too_little_to_change_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "FEWEST_CLAIMS", 10_000)
    with pytest.raises(NoEdit, match="claims of ocr; 10000 are needed"):
        semantic_pair("ocr", "little")
    with pytest.raises(ValueError, match="no edits of category 'noise'"):
        possible_edits(scene_of(0), "noise")


def test_every_claim_is_as_likely_to_be_the_truth_of_one_of_the_two_orders() -> None:
    """A kind of claim that is true more often than it is offered would tell a reader without images the answer."""
    two_ways = [Edit(Claim("the ball", change), "ball", "x", 1) for change in ("moved_left", "moved_right")]
    one_way = [
        Edit(Claim("the car", "moved_up"), "car", "y", 1),
        Edit(Claim("the cat", "state", "a", "b"), "cat", "y", 1),
    ]
    dice, draws = rng("fair"), 6000
    chosen = Counter(pairs.choose([*two_ways, *one_way], dice).claim for _ in range(draws))
    true: Counter[Claim] = Counter()
    for claim, times in chosen.items():
        true[claim] += times
        true[claim.reversed()] += times
    assert set(true) == set(pairs.claims_of([*two_ways, *one_way]))
    expected = 2 * draws / len(true)
    assert all(abs(times - expected) < 5 * expected**0.5 for times in true.values())


@given(st.text("ABEIKLMNOPRSTU0123456789 ", min_size=1, max_size=12).map(str.strip), st.integers(0, 99))
def test_a_changed_text_differs_by_one_character_two_neighbours_or_a_word_that_nobody_mistakes(
    text: str, seed: int
) -> None:
    for changed in variants(text, ["WORD"], rng("text", seed)):
        places = [place for place, (one, other) in enumerate(zip(text, changed, strict=False)) if one != other]
        if "WORD" in changed.split(" "):
            assert len(changed.split(" ")) == len(text.split(" "))
            continue
        assert len(changed) == len(text) and places
        assert not any(alike(text[place], changed[place]) for place in places)
        if len(places) == 1:
            assert text[places[0]].isdigit() == changed[places[0]].isdigit()
        else:
            assert places == [places[0], places[0] + 1] and sorted(changed) == sorted(text)
