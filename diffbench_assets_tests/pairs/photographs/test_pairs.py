"""Photographs in, verified pairs out: real HTTP, real edits, real OCR."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from diffbench_assets.models.journal import ImageJournal
from diffbench_assets.models.limits import Budget
from diffbench_assets.pairs.grammar import Claim, excludes
from diffbench_assets.pairs.made import MadePair, pair_row
from diffbench_assets.pairs.photographs.crops import Box, decode, encode
from diffbench_assets.pairs.photographs.editor import ImageEditor
from diffbench_assets.pairs.photographs.ocr import reads_as
from diffbench_assets.pairs.photographs.pairs import ask_proposals, position_edit_pairs, text_edit_pairs
from diffbench_assets.pairs.record import EndpointEdit, dumps, loads
from diffbench_assets.schemas import DIFFERENCE
from diffbench_assets_tests.models.chat_server import ChatServer, completion
from diffbench_assets_tests.models.chat_server import error as chat_error
from diffbench_assets_tests.pairs.photographs.edit_server import (
    answer,
    edited,
    error,
    form,
    good,
    idle,
    misspelt,
    redrawn,
    spotted,
    then,
)
from diffbench_assets_tests.pairs.photographs.helpers import IMPATIENT, RememberingReader, endpoint
from diffbench_assets_tests.pairs.photographs.scenes import signs, table
from diffbench_assets_tests.pairs.photographs.test_position_edits import MOVES, reply

WALL = encode(np.full((200, 200, 3), 170, np.uint8))
STREET = [
    ("harbor", signs([("Harbor Cafe", 40, 40), ("Garden Shop", 300, 120), ("Open till 19:45", 60, 250)])),
    ("bare", WALL),
    ("hotel", signs([("Room 204", 60, 50), ("Room 317", 330, 150), ("Lobby", 70, 290)], 1, 1.0)),
    ("broken", b"no image"),
]
THINGS = [
    ("shelf", table({"red": (120, 100), "blue": (300, 220), "green": (150, 300)})),
    ("bench", table({"red": (200, 200), "blue": (420, 300), "green": (430, 80)}, 1)),
]


def edited_texts(behave, seeds=STREET, journal=None, counts=None, **options) -> list[MadePair]:
    with ChatServer(behave) as server:
        editor = ImageEditor(endpoint(server.url), journal, policy=IMPATIENT, **options)
        return list(text_edit_pairs(seeds, editor, RememberingReader(), counts=counts))


def edited_places(behave, proposals, seeds=THINGS, counts=None) -> list[MadePair]:
    with ChatServer(behave) as server:
        editor = ImageEditor(endpoint(server.url), policy=IMPATIENT)
        return list(position_edit_pairs(seeds, proposals, editor, counts=counts))


def claim_of(pair: MadePair) -> Claim:
    (difference,) = pair.differences
    assert difference.claim is not None
    return difference.claim


def facts(pair: MadePair) -> dict[str, Any]:
    """What the record says of the endpoint's edit."""
    (step,) = pair.steps
    assert isinstance(step, EndpointEdit)
    return dict(step.facts)


def fitting(pair: MadePair) -> dict[str, Any]:
    """The difference's row, which has exactly the fields of the table."""
    (row,) = pair_row("lowlevel_mcq", "ocr", pair, "ocr", "ocr", None)["differences"]
    assert pa.array([row], DIFFERENCE).to_pylist() == [row], "a field is missing, or one too many"
    return row


@pytest.fixture(scope="module")
def street():
    counts: Counter[str] = Counter()
    return edited_texts(good, counts=counts), counts


def test_every_photograph_with_text_gives_a_pair_in_order_and_the_rest_is_counted(street):
    pairs, counts = street
    assert [pair.source_id for pair in pairs] == ["harbor", "hotel"]
    assert counts["accepted"] == 2 and counts["no_text"] == counts["bad_seed"] == 1


def test_a_text_pair_reads_as_claimed_and_differs_nowhere_else(street):
    for pair in street[0]:
        before, after = decode(pair.before), decode(pair.after)
        assert np.array_equal(before, decode(dict(STREET)[pair.source_id]))
        crop, box = Box(*facts(pair)["crop"]), Box(*facts(pair)["text_box"])
        outside = np.ones(before.shape[:2], bool)
        outside[crop.slices] = False
        assert before[outside].tobytes() == after[outside].tobytes() and not np.array_equal(before, after)
        reader = RememberingReader()
        assert reads_as(reader.read(before), box, claim_of(pair).before)
        assert reads_as(reader.read(after), box, claim_of(pair).after)


def test_a_pair_says_all_that_could_have_been_done_to_it(street):
    for pair in street[0]:
        assert (
            pair.differences[0].kind == "ocr"
            and claim_of(pair) in pair.possible
            and len(set(pair.possible)) == len(pair.possible)
        )
        assert {claim.reversed() for claim in pair.possible} == set(pair.possible)
        assert {claim.change for claim in pair.possible} == {"reads"}
        assert len({claim.subject for claim in pair.possible}) >= 2
        assert all(excludes(claim_of(pair), other) for other in pair.possible if other != claim_of(pair))


def test_records_are_json_and_differences_fit_the_table(street):
    for pair in street[0]:
        assert loads(dumps(pair.steps)) == pair.steps == pair.differences[0].steps
        told = facts(pair)
        assert told["model"] == "painter" and len(told["request_sha256"]) == len(told["prompt_sha256"]) == 64
        assert told["edit"] in {"text_character", "text_digit", "text_swap", "text_word"}
        row = fitting(pair)
        assert row["kind"] == "ocr" and row["before"] == claim_of(pair).before and row["box"]["width"] >= 50


def test_made_again_from_the_journal_a_set_is_the_same_and_nothing_is_asked(street, tmp_path):
    asked = []

    def counted(request):
        asked.append(request)
        return good(request)

    with ImageJournal(tmp_path) as journal:
        first = edited_texts(counted, journal=journal)
        requests = len(asked)
        second = edited_texts(counted, journal=journal)
    assert first == second == street[0] and requests == len(asked) > 0


def test_an_answer_drawn_anew_with_other_grain_is_good_enough():
    counts: Counter[str] = Counter()
    (pair,) = edited_texts(then(redrawn), STREET[:1], counts=counts)
    assert counts == {"accepted": 1} and facts(pair)["resized_from"] is None


def wide(asked):
    return answer(encode(np.zeros((100, 900, 3), np.uint8)))


@pytest.mark.parametrize(
    ("behave", "reason"),
    [
        (idle, "text_not_read_back"),
        (misspelt, "text_not_read_back"),
        (then(spotted), "changed_elsewhere"),
        (wide, "bad_image"),
        (lambda asked: answer(b"garbage"), "bad_image"),
        (lambda asked: error(400, "no", "content_policy_violation"), "refused"),
        (lambda asked: error(500, "no"), "failed"),
    ],
)
def test_an_edit_that_goes_wrong_is_dropped_and_the_next_one_tried(behave, reason):
    counts: Counter[str] = Counter()
    assert edited_texts(behave, STREET[:1], counts=counts) == []
    assert counts == {reason: 2}


def test_when_the_budget_ends_the_rest_is_not_asked():
    counts: Counter[str] = Counter()
    assert edited_texts(good, STREET[:1], counts=counts, budget=Budget(calls=0)) == []
    assert counts == {"not_asked": 2}


def test_leaving_early_ends_what_is_running():
    with ChatServer(good) as server:
        editor = ImageEditor(endpoint(server.url, concurrency=1), policy=IMPATIENT)
        pairs = text_edit_pairs(STREET, editor, RememberingReader())
        first = next(pairs)
        pairs.close()
        assert first.source_id == "harbor" and len(server.log) <= 4


@pytest.fixture(scope="module")
def proposals():
    def suggest(asked):
        assert len(asked.images) == 1
        return chat_error(400, "too large") if asked.nth > 2 else completion(reply())

    with ChatServer(suggest) as server:
        model = endpoint(server.url, concurrency=1)
        return ask_proposals([*THINGS, ("broken", b"no image"), ("third", WALL)], model, policy=IMPATIENT)


def test_proposals_are_asked_once_for_each_photograph(proposals):
    assert proposals == {"shelf": reply(), "bench": reply(), "third": None}


def test_the_first_proposed_move_is_made_and_the_others_are_what_could_have_been(proposals):
    counts: Counter[str] = Counter()
    pairs = edited_places(then(redrawn), proposals, [*THINGS, ("third", WALL), ("broken", b"")], counts)
    assert [pair.source_id for pair in pairs] == ["shelf", "bench"]
    assert counts == {"accepted": 2, "no_proposals": 1, "bad_seed": 1}
    for pair in pairs:
        assert pair.differences[0].kind == "position" and claim_of(pair) == Claim("the red disc", "moved_right")
        assert len(pair.possible) == 10 and {claim.reversed() for claim in pair.possible} == set(pair.possible)
        row = fitting(pair)
        assert row["direction"] == 1 and row["magnitude"] == pytest.approx(90, abs=3)
        assert json.loads(dumps(pair.steps))[0]["facts"]["moves"] == MOVES


def wrong_way(asked):
    sent = form(asked)
    sent.fields["prompt"] = sent.fields["prompt"].replace("further to the right", "further down")
    return answer(encode(edited(sent)))


@pytest.mark.parametrize(
    ("behave", "reason"),
    [
        (idle, "unchanged"),
        (then(spotted), "too_many_regions"),
        (then(lambda pixels: 255 - pixels), "too_much_changed"),
        (then(lambda pixels: np.minimum(pixels, 240) + 10), "changed_elsewhere"),
        (wrong_way, "moved_otherwise"),
        (wide, "bad_image"),
        (lambda asked: error(400, "no", "moderation_blocked"), "refused"),
    ],
)
def test_a_move_that_goes_wrong_is_dropped_with_its_reason(behave, reason, proposals):
    counts: Counter[str] = Counter()
    assert edited_places(behave, proposals, THINGS[:1], counts) == []
    assert counts == {reason: 1}


def test_proposals_that_cannot_be_read_cost_no_edit():
    counts: Counter[str] = Counter()
    with ChatServer(good) as server:
        editor = ImageEditor(endpoint(server.url))
        assert not list(position_edit_pairs(THINGS[:1], {"shelf": "Move the mug."}, editor, counts=counts))
    assert counts == {"bad_proposals": 1} and not server.log
