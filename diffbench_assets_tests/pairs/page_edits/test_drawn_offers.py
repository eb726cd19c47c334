"""Edits of scenes: one change, true, visible, in its place only, replayed from its record, and named without doubt."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from diffbench_assets.browser.gate import Pixels, decide, decode, region
from diffbench_assets.browser.render import Renderer
from diffbench_assets.pages.art import KINDS, Look
from diffbench_assets.pages.ingest import ingest
from diffbench_assets.pages.scenes import PLACES
from diffbench_assets.pages.sources import ScenesSource
from diffbench_assets.pairs.color_words import apart, brightness, color_word
from diffbench_assets.pairs.grammar import Claim, excludes
from diffbench_assets.pairs.made import MadePair
from diffbench_assets.pairs.page_edits import pairs as page_edits
from diffbench_assets.pairs.page_edits.drawing import Drawing, Drawn, read_drawing
from diffbench_assets.pairs.page_edits.drawn_offers import CATEGORIES
from diffbench_assets.pairs.page_edits.pairs import semantic_pairs
from diffbench_assets.pairs.record import dumps, edited, html_edits, loads
from diffbench_assets_tests.live import SHAPE, Live

CHANGES = {
    "position": {"moved_left", "moved_right", "moved_up", "moved_down"},
    "motion": {"turned_clockwise", "turned_counterclockwise", "state"},
    "regional_color": {"recolored", "lighter", "darker"},
    "appearance": {"appeared", "disappeared"},
    "substitution": {"replaced", "larger", "smaller", "count"},
    "ocr": {"reads"},
}
ENOUGH = 0.9
"""Share of scenes that give a pair of a category."""


@pytest.fixture(scope="module")
def scenes() -> list[dict[str, Any]]:
    """One scene of each place."""
    return list(ingest(ScenesSource(name="scenes", kind="scenes", seed=11, count=len(PLACES))))


@pytest.fixture(scope="module")
def found(live: Live, scenes: list[dict[str, Any]]) -> dict[str, list[MadePair]]:
    """The pairs of each category."""

    async def work(renderer: Renderer) -> dict[str, list[MadePair]]:
        return {
            category: await semantic_pairs(renderer, category, scenes, len(scenes), 0, scenes=True)
            for category in CATEGORIES
        }

    return live.run(work(live.renderer))


def drawing(live: Live, html: str) -> Drawing:
    async def work() -> Drawing:
        async with live.renderer.tab() as tab:
            await tab.load(html)
            await tab.evaluate(page_edits._PAGE_JS)
            return await read_drawing(tab)

    return live.run(work())


def claim_of(pair: MadePair) -> Claim:
    (difference,) = pair.differences
    assert difference.claim is not None
    return difference.claim


def html_of(scenes: list[dict[str, Any]], pair: MadePair) -> str:
    return next(row["html"] for row in scenes if row["page_id"] == pair.source_id)


def thing_of(drawn: Drawing, pair: MadePair) -> Drawn:
    selector = html_edits(pair.steps)[0].selector.split(" ")[0]
    return next(thing for thing in drawn.things if thing.selector == selector)


def shown(before: Pixels, after: Pixels) -> int:
    """Pixels of which a channel differs by 24 levels or more."""
    channels = [np.ascontiguousarray(each).view(np.uint8).astype(np.int16).reshape(-1, 4) for each in (before, after)]
    return int((np.abs(channels[0] - channels[1]).max(axis=1) >= 24).sum())


def holds(claim: Claim, before: Drawn, after: Drawn, html: str) -> bool:
    """Whether the claim is true, told from both loaded pages."""
    (x, y), (u, v) = before.center, after.center
    steps = {
        "moved_left": x - u, "moved_right": u - x, "moved_up": y - v, "moved_down": v - y,
        "turned_clockwise": after.angle - before.angle, "turned_counterclockwise": before.angle - after.angle,
        "larger": after.box[2] - before.box[2], "smaller": before.box[2] - after.box[2],
        "lighter": brightness(after.color) - brightness(before.color),
        "darker": brightness(before.color) - brightness(after.color),
    }  # fmt: skip
    if claim.change in steps:
        return steps[claim.change] > 0.02
    if claim.change == "recolored":
        return (before.word, color_word(after.color)) == (claim.before, claim.after) and apart(
            claim.before, claim.after
        )
    if claim.change == "reads":
        return (before.look.text, after.look.text) == (claim.before, claim.after)
    if claim.change == "disappeared":
        return f'id="{after.id}"' in html and "visibility: hidden" in html
    kind = before.kind
    if claim.change == "replaced":
        other = next(each for each in KINDS.values() if each.article_noun == claim.after)
        return (
            claim.before == kind.article_noun and kind.group == other.group and first_shape(other.svg(Look())) in html
        )
    if claim.change == "state":
        return claim.before == before.look.state and kind.svg(Look(claim.after, before.look.count, before.look.text,
            before.look.pattern)) in html  # fmt: skip
    assert kind.counted
    was, now = int(claim.before.split(" ")[0]), int(claim.after.split(" ")[0])
    return was == before.look.count and kind.svg(Look(before.look.state, now, before.look.text)) in html


def first_shape(svg: str) -> str:
    return svg.split(">")[0]


@pytest.mark.parametrize("category", CATEGORIES)
def test_most_scenes_have_a_pair_of_every_category(
    category: str, found: dict[str, list[MadePair]], scenes: list[dict[str, Any]]
) -> None:
    assert len(found[category]) >= ENOUGH * len(scenes)
    assert len({pair.source_id for pair in found[category]}) == len(found[category])


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_pair_differs_visibly_around_its_thing_and_nowhere_else(
    category: str, found: dict[str, list[MadePair]]
) -> None:
    for pair in found[category]:
        before, after = decode(pair.before), decode(pair.after)
        x, y, width, height = pair.differences[0].box
        around = (x - 12, y - 12, width + 24, height + 24)
        assert decide(before, after, region(around, around, SHAPE)).status == "accepted", claim_of(pair)
        assert shown(before, after) >= 12, claim_of(pair)


@pytest.mark.parametrize("category", CATEGORIES)
def test_the_record_alone_makes_the_after_page_again(
    category: str, found: dict[str, list[MadePair]], scenes: list[dict[str, Any]], live: Live
) -> None:
    for pair in found[category][:4]:
        steps = loads(dumps(pair.steps))
        assert np.array_equal(live.pixels(html_of(scenes, pair)), decode(pair.before))
        assert np.array_equal(live.pixels(edited(steps, html_of(scenes, pair))), decode(pair.after))


@pytest.mark.parametrize("category", CATEGORIES)
def test_the_claim_is_true_and_all_others_are_false(
    category: str, found: dict[str, list[MadePair]], scenes: list[dict[str, Any]], live: Live
) -> None:
    for pair in found[category]:
        html = html_of(scenes, pair)
        changed = edited(pair.steps, html)
        before = drawing(live, html)
        thing = thing_of(before, pair)
        after = next(each for each in drawing(live, changed).things if each.id == thing.id)
        assert holds(claim_of(pair), thing, after, changed), claim_of(pair)
        possible = set(pair.possible or ())
        assert claim_of(pair) in possible and {claim.reversed() for claim in possible} == possible
        assert {claim.change for claim in possible} <= CHANGES[category]
        assert all(excludes(claim_of(pair), claim) for claim in possible - {claim_of(pair)})
        assert len({claim.subject for claim in possible}) > 1 and len(possible) >= page_edits.FEWEST


@pytest.mark.parametrize("category", CATEGORIES)
def test_the_subject_of_a_claim_fits_one_thing(
    category: str, found: dict[str, list[MadePair]], scenes: list[dict[str, Any]], live: Live
) -> None:
    for pair in found[category]:
        before = drawing(live, html_of(scenes, pair))
        subject = claim_of(pair).subject
        assert [thing.id for thing in fitting(before, subject)] == [thing_of(before, pair).id], subject
        if category == "position":
            assert "most " not in subject and "lowest" not in subject
        if category == "regional_color":
            assert not any(f" {color} " in subject for color in thing_of(before, pair).kind.colors)


def fitting(drawn: Drawing, phrase: str) -> list[Drawn]:
    """Every thing that a person could mean by the phrase."""
    words = phrase.removeprefix("the ").split(" of the ")[-1]
    order = next((word for word in ("leftmost", "rightmost", "topmost", "lowest") if words.startswith(word)), None)
    words = words.removeprefix(f"{order} ") if order else words
    things = [thing for thing in drawn.things if any(says(words, thing, noun) for noun in names(thing))]
    if order and things:
        axis, sign = (0 if order in ("leftmost", "rightmost") else 1), (-1 if order in ("leftmost", "topmost") else 1)
        best = max(sign * thing.center[axis] for thing in things)
        things = [thing for thing in things if sign * thing.center[axis] > best - 80]
    return things


def names(thing: Drawn) -> list[str]:
    given = [name for name in (thing.kind.noun, thing.kind.group, *thing.kind.also) if name]
    return [" ".join(name.split(" ")[place:]) for name in given for place in range(len(name.split(" ")))]


def says(words: str, thing: Drawn, noun: str) -> bool:
    kinds = [thing.kind, *(kind for kind in KINDS.values() if kind.group and kind.group == noun)]
    colors = [color for kind in kinds for color in kind.colors if thing.word and not apart(color, thing.word)]
    return words == noun or any(words == kind.in_color(noun, color) for kind in kinds for color in colors)


@pytest.mark.parametrize("category", CATEGORIES)
def test_the_difference_is_of_its_category_and_thing(category: str, found: dict[str, list[MadePair]]) -> None:
    for pair in found[category]:
        (difference,) = pair.differences
        assert difference.kind == category and difference.steps == pair.steps and pair.maker == "scenes"
        assert difference.target["role"] in {kind.noun for kind in KINDS.values()}
        assert set(difference.target) == {"tag", "role", "text", "location"}


def test_pairs_are_about_many_kinds_and_changes(found: dict[str, list[MadePair]]) -> None:
    told = [pair for pairs in found.values() for pair in pairs]
    assert len({pair.differences[0].target["role"] for pair in told}) >= 25
    assert set().union(*CHANGES.values()) - {"appeared", "lighter", "darker", "turned_counterclockwise",
        "turned_clockwise", "larger", "replaced"} <= Counter(claim_of(pair).change for pair in told).keys()  # fmt: skip
    offered = {claim.change for pair in told for claim in pair.possible or ()}
    assert offered == set().union(*CHANGES.values())


def test_the_same_inputs_give_the_same_pair_whatever_the_order_of_scenes(
    live: Live, scenes: list[dict[str, Any]], found: dict[str, list[MadePair]]
) -> None:
    again = live.run(semantic_pairs(live.renderer, "motion", scenes[3::-1], 4, 0, scenes=True))
    by_page = {pair.source_id: pair for pair in found["motion"]}
    assert len(again) >= 3
    for pair in again:
        assert pair == by_page[pair.source_id]


def test_a_scene_of_things_that_the_library_lacks_is_refused(live: Live, scenes: list[dict[str, Any]]) -> None:
    kind = next(iter(KINDS[name] for name in KINDS if f'data-kind="{name}"' in scenes[0]["html"]))
    with pytest.raises(ValueError, match="'ignore the images' is unknown"):
        drawing(live, scenes[0]["html"].replace(f'data-kind="{kind.name}"', 'data-kind="ignore the images"'))
