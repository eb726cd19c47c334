"""Verdict rows, whatever the protocol: what may be judged at all, and what a row says of the rest."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from diffbench_assets.models.journal import Journal
from diffbench_assets.models.registry import EmbeddedJudge, EndpointJudge, RegistryError
from diffbench_assets.models.requests import Call
from diffbench_assets.protocols.asking import Item, Question
from diffbench_assets.protocols.judging import Judge, ModelJudge, Subject, ask_judge, judges_of, verdicts
from diffbench_assets.schemas import VERDICTS
from diffbench_assets_tests.models.chat_server import ChatServer, completion


class Lenient(Judge):
    """Takes every answer for right."""

    def version(self) -> str:
        return "0" * 64

    def verdict(self, subject: Subject, truth: Any, reply: str) -> dict[str, Any]:
        return {"verdict": "correct", "matched": subject.text}


class Asked(ModelJudge, Lenient):
    """Says what a model says."""

    def question(self, subject: Subject, truth: Any) -> Question:
        return Question((f"{truth}: {subject.text}",))

    def verdict(self, subject: Subject, truth: Any, reply: str) -> dict[str, Any]:
        return {"verdict": reply}


class Key(Lenient):
    listed = False


def response(outcome: str = "completed", text: str | None = "- bold", item: str = "i") -> dict[str, Any]:
    return {"item_id": item, "pair_id": "p", "model": "m", "cell": "no_diff", "outcome": outcome, "text": text}


def row(*responses: dict[str, Any], judge: Judge = Lenient(), replies: tuple[dict[str, Any], ...] = ()) -> dict:  # noqa: B008
    (found,) = verdicts("j", judge, [Subject("i", responses)], {"i": "truth"}, replies)
    return found


def test_a_row_has_the_columns_of_the_verdicts_table() -> None:
    found = row(response())
    assert list(found) == VERDICTS.names
    assert (found["verdict"], found["matched"], found["unscored_reason"]) == ("correct", "- bold", None)
    assert (found["item_id"], found["pair_id"], found["model"], found["cell"]) == ("i", "p", "m", "no_diff")


@pytest.mark.parametrize("outcome", ["truncated", "empty", "refused", "error"])
def test_only_a_completed_response_can_earn_anything(outcome: str) -> None:
    found = row(response(outcome, "I see no difference."))
    assert (found["verdict"], found["matched"], found["unscored_reason"]) == (None, "", f"response: {outcome}")


@pytest.mark.parametrize("text", [None, "", " \n "])
def test_a_blank_text_is_empty_whatever_its_outcome_says(text: str | None) -> None:
    assert row(response(text=text))["unscored_reason"] == "response: empty"


def test_two_responses_are_judged_together_only_when_both_may_be() -> None:
    assert row(response(), response(item="j"))["verdict"] == "correct"
    assert row(response(), response("refused", item="j"))["unscored_reason"] == "response: refused"


def test_a_judge_that_was_not_asked_or_failed_leaves_an_unscored_row() -> None:
    def reply(outcome: str, text: str | None) -> dict[str, Any]:
        return {"item_id": "i", "outcome": outcome, "text": text}

    assert row(response(), judge=Asked())["unscored_reason"] == "judge: not asked"
    found = row(response(), judge=Asked(), replies=(reply("truncated", "wro"),))
    assert (found["verdict"], found["unscored_reason"]) == (None, "judge: truncated")
    assert row(response(), judge=Asked(), replies=(reply("completed", "wrong"),))["verdict"] == "wrong"
    found = row(response("empty", ""), judge=Asked(), replies=(reply("completed", "wrong"),))
    assert (found["verdict"], found["unscored_reason"]) == (None, "response: empty")


def test_a_judge_that_thinks_aloud_is_read_by_its_answer(tmp_path: Path) -> None:
    subjects, truth = [Subject("i", (response(),))], {"i": "truth"}

    def calls_of(group: str, items: Iterable[Item]) -> list[Call]:
        return [item.question.call(item.item_id, 0, {}) for item in items]

    with (
        ChatServer(lambda asked: completion("<think>correct? No.</think>\nwrong")) as server,
        Journal(tmp_path / "judge.jsonl") as journal,
    ):
        entry = EndpointJudge(id="llm", endpoint=server.url)
        ((_, replies),) = ask_judge(entry, Asked(), {"cell": (subjects, truth)}, calls_of, journal)
    assert replies[0]["thought"] == "<think>correct? No.</think>\nwrong"
    (found,) = verdicts("llm", Asked(), subjects, truth, [row | {"item_id": "i"} for row in replies])
    assert (found["verdict"], found["unscored_reason"]) == ("wrong", None)


def test_a_subject_whose_truth_is_gone_has_no_row() -> None:
    assert list(verdicts("j", Lenient(), [Subject("gone", (response(item="gone"),))], {"i": "truth"})) == []


def test_a_protocol_has_the_judges_of_its_kinds_and_those_that_need_no_entry() -> None:
    entries = {
        "mine": EmbeddedJudge(id="mine", kind="rules"),
        "llm": EndpointJudge(id="llm", endpoint="http://localhost:9/v1"),
    }
    lenient, asked, key = Lenient(), Asked(), Key()
    assert judges_of({"rules": lenient, "model": asked, "key": key}, entries) == {
        "mine": lenient, "llm": asked, "key": key,
    }  # fmt: skip
    assert judges_of({"key": key}, entries) == {"key": key}
    with pytest.raises(RegistryError, match="judge 'key': id: is that of an answer key"):
        judges_of({"rules": lenient, "key": key}, entries | {"key": entries["mine"]})
    assert judges_of({"rules": lenient, "model": asked}, {}) == {}
