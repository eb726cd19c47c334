"""A polished sentence stands in for its template only where it says the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from diffbench_assets.models.journal import Journal
from diffbench_assets.pairs.css.polish import objection, polish_version, polished
from diffbench_assets.pairs.grammar import Claim, describe
from diffbench_assets_tests.models.chat_server import Answer, Asked, ChatServer, completion, error
from diffbench_assets_tests.models.helpers import endpoint

SUBJECT = "the heading “Our services” at the left"
BOLDER = Claim(SUBJECT, "bolder")
GREEN = Claim(SUBJECT, "recolored", "gray", "green")
READS = Claim("the link at the left", "reads", "free", "frea")


def told(claim: Claim, values: str = "") -> str:
    return describe(claim.subject, [claim], values)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (BOLDER, "The heading “Our services” at the left is set in heavier letters."),
        (BOLDER, 'At the left, the strokes of the heading "Our services" are thicker.'),
        (GREEN, "The heading “Our services” at the left went from gray to green."),
        (GREEN, "The heading “Our services” at the left used to be gray and is now green."),
        (READS, "The link at the left now says “frea”; it said “free” before."),
    ],
)
def test_another_way_to_say_the_same_is_taken(claim: Claim, text: str) -> None:
    assert objection(told(claim), text, [claim]) == ""


@pytest.mark.parametrize(
    ("claim", "text", "reason"),
    [
        (BOLDER, "", "length"),
        (BOLDER, "The heading “Our services” is bolder. " * 20, "length"),
        (BOLDER, "The heading at the left is bolder.", "quoted_text"),
        (BOLDER, "The heading “Our Services” at the left is bolder.", "quoted_text"),
        (BOLDER, "The heading “Our services” at the left, not “Contact”, is bolder.", "quoted_text"),
        (BOLDER, "The heading “Our services” at the left went from 400 to 700.", "number"),
        (BOLDER, "The heading “Our services” at the left isn’t as thin any more.", "denial"),
        (BOLDER, "The heading “Our services” at the left has lighter letters.", "reversed"),
        (GREEN, "The heading “Our services” at the left is gray instead of green.", "reversed"),
        (GREEN, "The heading “Our services” at the left went from green to gray.", "reversed"),
        (READS, "The link at the left reads “free” instead of “frea”.", "reversed"),
    ],
)
def test_what_says_something_else_is_turned_down(claim: Claim, text: str, reason: str) -> None:
    assert objection(told(claim), text, [claim]) == reason


def test_numbers_of_the_template_may_be_kept_or_left_out() -> None:
    for text in ("The heading “Our services” at the left is bolder (400 → 700).", "“Our services” is bolder."):
        assert objection(told(BOLDER, "400 → 700"), text, [BOLDER]) == ""


def row(pair_id: str, *claims: Claim) -> dict[str, Any]:
    differences = [{"claim": claim.as_dict()} for claim in claims]
    return {"pair_id": pair_id, "description": told(claims[0], f"{pair_id} style") if claims else "Nothing differs.",
            "differences": differences}  # fmt: skip


def test_sentences_are_sampled_warm_and_every_pair_that_fails_keeps_its_template(tmp_path: Path) -> None:
    good = "The heading “Our services” at the left is set in heavier letters."
    bodies: dict[str, Answer] = {
        "good": completion(good), "turned": completion(good.replace("heavier", "lighter")), "down": error(400, "no"),
    }  # fmt: skip
    log: list[Asked] = []

    def behave(asked: Asked) -> Answer:
        log.append(asked)
        return bodies[list(bodies)[len(log) - 1]]

    rows = [*(row(name, BOLDER) for name in bodies), row("same")]
    with ChatServer(behave) as server, Journal(tmp_path / "journal.jsonl") as journal:
        found, counts = polished(endpoint(server.url, concurrency=1), rows, journal)
    assert found == {"good": good}
    assert counts == {"polished": 1, "reversed": 1, "error": 1}
    assert {asked.document["temperature"] for asked in log} == {0.7} == {polish_version()["temperature"]}
    assert all("Book a table" in asked.text for asked in log), "exemplars show how wording may vary"
