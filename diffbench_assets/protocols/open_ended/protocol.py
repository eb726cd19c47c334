"""The open-ended protocol on stored tables: pairs to calls, replies to response rows, responses to verdict rows.

Belongs here: the walk from one table to the next, cell by cell. Does not belong here: wording and judging
(`protocols/open_ended/`), sending (`run.py`), or reading and writing tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from diffbench_assets.lake import Lake
from diffbench_assets.models.asking import Item, Row
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.progress import Progress
from diffbench_assets.models.registry import EndpointJudge
from diffbench_assets.models.requests import Call
from diffbench_assets.models.run import Run, raise_if_stopped
from diffbench_assets.protocols.open_ended.judge import judge_messages, judge_sha256, reply_schema
from diffbench_assets.protocols.open_ended.parse import parse_reply
from diffbench_assets.protocols.open_ended.prompt import question_prompt
from diffbench_assets.protocols.open_ended.rules.judge import judge as judge_by_rules
from diffbench_assets.protocols.open_ended.rules.judge import rules_sha256
from diffbench_assets.protocols.open_ended.score import unscored_response, verdict_row
from diffbench_assets.protocols.open_ended.verdict import Difference, Verdict, only_difference, unscored
from diffbench_assets.suites import OPEN_ENDED, Suite

RULES: Final = "rules"


def items(lake: Lake, suite: Suite, cell: str) -> list[Item]:
    """One item for each pair of the cell, in stored order."""
    ids = lake.read(suite.pairs, {"cell": cell}, ["pair_id"])["pair_id"].to_pylist()
    return [Item(item_id(pair_id), pair_id) for pair_id in ids]


def calls(lake: Lake, suite: Suite, cell: str) -> Iterator[Call]:
    """The open-ended question about each pair of the cell; images are read as they are asked."""
    question = question_prompt()
    for pair in lake.iter_partition(suite.pairs, {"cell": cell}, ("pair_id", "image_before", "image_after")):
        images = pair["image_before"]["bytes"], pair["image_after"]["bytes"]
        yield Call(item_id(pair["pair_id"]), (*images, question))


def item_id(pair_id: str) -> str:
    """Id of the one question about a pair: protocol, order and repeat are fixed here."""
    return f"{pair_id}:{OPEN_ENDED}:forward:0"


def ask_judge(
    judge: EndpointJudge,
    responses: Sequence[Mapping[str, Any]],
    differences: Mapping[str, Difference | None],
    journal: Journal,
    budget: Budget | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> list[Row]:
    """Raw judge replies, one row for each response that may be judged, in order.

    `differences` maps pair ids to their true difference, None for no_diff. Raises Stopped when not all could be asked.
    """
    asked = [response for response in responses if unscored_response(response) is None]

    def questions() -> Iterator[Call]:
        for response in asked:
            difference = differences[response["pair_id"]]
            messages = judge_messages(difference, response["text"])
            text = "\n\n".join(message["content"] for message in messages)
            yield Call(_judged_item(response), (text,), response_schema=reply_schema(difference is not None))

    run = Run(judge, questions(), journal, budget=budget, total=len(asked), on_progress=on_progress)
    replies = {reply.item_id: reply for reply in run}
    raise_if_stopped(run)
    return [
        {
            **replies[_judged_item(response)].row(),
            "item_id": response["item_id"],
            "pair_id": response["pair_id"],
            "model": response["model"],
            "cell": response["cell"],
            "judge": judge.id,
        }
        for response in asked
    ]


def _judged_item(response: Mapping[str, Any]) -> str:
    return f"{response['model']}:{response['item_id']}"


def verdicts_by_rules(
    responses: Iterable[Mapping[str, Any]], differences: Mapping[str, Difference | None]
) -> Iterator[Row]:
    """Verdict rows of the deterministic judge."""
    version = rules_sha256()
    for response in responses:
        verdict = unscored_response(response) or judge_by_rules(differences[response["pair_id"]], response["text"])
        yield verdict_row(response, RULES, version, verdict)


def verdicts_from_replies(
    judge: str,
    responses: Iterable[Mapping[str, Any]],
    replies: Iterable[Mapping[str, Any]],
    differences: Mapping[str, Difference | None],
) -> Iterator[Row]:
    """Verdict rows parsed from raw judge replies; a judge that failed or cannot be read leaves an unscored row."""
    version = judge_sha256()
    by_item = {reply["item_id"]: reply for reply in replies}
    for response in responses:
        verdict = unscored_response(response)
        if verdict is None:
            has_difference = differences[response["pair_id"]] is not None
            verdict = _read(by_item.get(response["item_id"]), response["text"], has_difference)
        yield verdict_row(response, judge, version, verdict)


def _read(reply: Mapping[str, Any] | None, answer: str, has_difference: bool) -> Verdict:
    if reply is None:
        return unscored("judge: not asked")
    if reply["outcome"] != "completed":
        return unscored(f"judge: {reply['outcome']}")
    return parse_reply(reply["text"], answer, has_difference)


def differences_of(pairs: Iterable[Mapping[str, Any]]) -> dict[str, Difference | None]:
    """Pair id → its one true difference, or None."""
    return {pair["pair_id"]: only_difference(pair["differences"]) for pair in pairs}
