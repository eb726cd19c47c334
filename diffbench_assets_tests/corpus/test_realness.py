"""Judges see one picture at a time, in shuffled order, without a word on which kind it is."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest
from PIL import Image

from diffbench_assets.corpus.realness import (
    SIDES,
    AuditPair,
    Unparseable,
    audit,
    audit_calls,
    audit_sample,
    parse_score,
    reply_schema,
)
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.run import Stopped
from diffbench_assets.statistics.realness import realness_table
from diffbench_assets_tests.models.chat_server import Answer, Asked, ChatServer, completion
from diffbench_assets_tests.models.helpers import endpoint, png

GRAYS = range(10, 250, 12)


def gray(level: int) -> bytes:
    return png(f"rgb({level}, {level}, {level})")


PAIRS = [AuditPair(f"page-{level:03}", gray(level), gray(level + 5)) for level in GRAYS]


def brightness(asked: Asked) -> int:
    [picture] = asked.images
    with Image.open(io.BytesIO(picture)) as image:
        return image.convert("L").getpixel((0, 0))


def score_of(level: int) -> int:
    """The rule of the loopback judge: the brighter, the more real."""
    return 1 + level * 5 // 256


def rule_judge(asked: Asked) -> Answer:
    return completion(json.dumps({"reasoning": "by brightness", "score": score_of(brightness(asked))}))


def audited(
    tmp_path, behave: Callable[[Asked], Answer] = rule_judge, pairs=PAIRS, **options
) -> tuple[list, ChatServer]:
    with ChatServer(behave) as server, Journal(tmp_path / "replies.jsonl") as journal:
        rows = audit(endpoint(server.url, id="bright", json_schema=True), pairs, journal, **options)
    return rows, server


def test_every_picture_is_scored_by_what_it_shows_and_rows_come_in_order(tmp_path):
    rows, server = audited(tmp_path)
    assert [(row["page_id"], row["side"]) for row in rows] == [(pair.page_id, side) for pair in PAIRS for side in SIDES]
    expected = [score for level in GRAYS for score in (score_of(level), score_of(level + 5))]
    assert [row["score"] for row in rows] == expected
    assert {(row["judge"], row["outcome"], row["unscored_reason"]) for row in rows} == {("bright", "completed", None)}
    assert len(server.log) == 2 * len(PAIRS)


def test_a_request_shows_one_picture_and_tells_nothing_of_kinds(tmp_path):
    _, server = audited(tmp_path)
    texts = {json.dumps([part for part in asked.content if part["type"] == "text"]) for asked in server.log}
    assert all(len(asked.images) == 1 for asked in server.log)
    [text] = texts
    assert not any(word in text.lower() for word in ("original", "copy", "regenerat", "render", "pair"))
    schema = server.log[0].document["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["score"]["minimum"] == 1 and schema["properties"]["score"]["maximum"] == 5


def test_the_order_is_shuffled_by_the_seed_alone():
    def order(seed: int, pairs=PAIRS) -> list[bytes | str]:
        return [call.parts[0] for call in audit_calls(pairs, seed)]

    assert order(1) == order(1) == order(1, PAIRS[::-1]) and order(1) != order(2)
    sides = [picture in {pair.original for pair in PAIRS} for picture in order(1)]
    assert any(a == b for a, b in zip(sides, sides[1:], strict=False)) and len(set(sides)) == 2
    rest = [picture for picture in order(1) if picture not in (PAIRS[0].original, PAIRS[0].copy)]
    assert order(1, PAIRS[1:]) == rest


def test_a_finished_audit_costs_nothing_again(tmp_path):
    first, _ = audited(tmp_path)
    again, server = audited(tmp_path, behave=lambda asked: completion("never asked"))
    assert again == first and not server.log


@pytest.mark.parametrize(
    ("answer", "unscored"),
    [
        (completion("5"), "judge: the reply: Input should be a valid dictionary"),
        (completion('{"reasoning": "a", "score": 6}'), "judge: score: Input should be less than or equal to 5"),
        (completion('{"reasoning": "a", "score": 0}'), "judge: score: Input should be greater than or equal to 1"),
        (completion('{"reasoning": "a", "score": "4"}'), "judge: score: Input should be a valid integer"),
        (completion('{"reasoning": "a", "score": true}'), "judge: score: Input should be a valid integer"),
        (completion('{"reasoning": "a", "score": 4.5}'), "judge: score: Input should be a valid integer"),
        (completion('{"reasoning": "a", "score": 2, "score": 5}'), "judge: a field stands twice"),
        (completion('{"reasoning": "a", "score": NaN}'), "judge: NaN is not JSON"),
        (completion('{"score": 4}'), "judge: reasoning: Field required"),
        (completion('{"reasoning": "a", "score": 4, "side": "copy"}'), "judge: side: Extra inputs"),
        (completion('{"reasoning": "a", "score": 4} Score: 4'), "judge: not one JSON object"),
        (completion("[" * 100_000), "judge: not one JSON object (RecursionError)"),
        (completion(""), "response: empty"),
        (completion('{"reasoning": "a", "sco', finish_reason="length"), "response: truncated"),
        (completion("no", finish_reason="content_filter"), "response: refused"),
    ],
)
def test_a_reply_that_is_no_score_leaves_the_picture_unscored(tmp_path, answer, unscored):
    rows, _ = audited(tmp_path, lambda asked: answer, PAIRS[:1])
    assert [row["score"] for row in rows] == [None, None]
    assert all(row["unscored_reason"].startswith(unscored) for row in rows)


def test_a_fence_around_the_reply_is_tolerated():
    assert parse_score('```json\n{"reasoning": "a", "score": 3}\n```') == 3
    with pytest.raises(Unparseable):
        parse_score('The score is ```json\n{"reasoning": "a", "score": 3}\n```')
    assert set(reply_schema()["required"]) == {"reasoning", "score"}


def test_an_audit_that_ends_early_says_so(tmp_path):
    with pytest.raises(Stopped, match="budget"):
        audited(tmp_path, budget=Budget(calls=3))


def test_pictures_that_could_be_told_apart_by_size_are_an_error():
    with pytest.raises(ValueError, match="page a: its original is 8x6 and its copy 9x6"):
        audit_calls([AuditPair("a", png("white"), png("white", (9, 6)))], 0)
    with pytest.raises(ValueError, match="page a: stands twice"):
        audit_calls([PAIRS[0], AuditPair("a", *[png("white")] * 2), AuditPair("a", *[png("white")] * 2)], 0)
    with pytest.raises(ValueError, match="page a: its copy is not a PNG"):
        audit_calls([AuditPair("a", png("white"), b"JFIF" * 9)], 0)


def test_the_table_of_an_audit_finds_the_difference_that_the_rule_makes(tmp_path):
    rows, _ = audited(tmp_path)
    kinds = ("rich", "standard", "minimal")
    table = realness_table(rows, {pair.page_id: kinds[n % 3] for n, pair in enumerate(PAIRS)}).to_pylist()
    expected = [score_of(level) - score_of(level + 5) for level in GRAYS]
    whole = table[-1]
    assert whole["richness"] == "all" and whole["n"] == len(PAIRS)
    assert whole["value"] == pytest.approx(sum(expected) / len(expected)) and whole["value"] < 0
    assert whole["ci_low"] <= whole["value"] <= whole["ci_high"] and whole["alike"]


def test_a_sample_is_even_over_richness_and_stays_when_pages_are_added():
    richness = {
        f"{kind}-{n}": kind for kind, count in (("rich", 40), ("standard", 40), ("minimal", 5)) for n in range(count)
    }
    drawn = audit_sample(richness, 30, seed=1)
    assert drawn == sorted(drawn) and len(set(drawn)) == 30
    counts = [sum(richness[page] == kind for page in drawn) for kind in ("rich", "standard", "minimal")]
    assert counts[2] == 5 and abs(counts[0] - counts[1]) <= 1
    assert audit_sample(dict(reversed(richness.items())), 30, seed=1) == drawn
    assert audit_sample(richness, 30, seed=2) != drawn
    assert len(audit_sample(richness, 1000, seed=1)) == len(richness)
