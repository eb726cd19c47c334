"""The open-ended protocol on stored tables: pairs to calls, replies to response rows, responses to verdict rows.

Belongs here: the walk from one table to the next, cell by cell. Does not belong here: wording and judging
(`protocols/open_ended/`), sending (`run.py`), or reading and writing tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from diffbench_assets.baselines import BASELINES
from diffbench_assets.evaluation.journal import Journal
from diffbench_assets.evaluation.limits import Budget
from diffbench_assets.evaluation.progress import Progress
from diffbench_assets.evaluation.registry import EndpointJudge, Model
from diffbench_assets.evaluation.requests import Call
from diffbench_assets.evaluation.run import Run
from diffbench_assets.protocols.open_ended.judge import judge_messages, judge_sha256, reply_schema
from diffbench_assets.protocols.open_ended.parse import parse_reply
from diffbench_assets.protocols.open_ended.prompt import question_prompt
from diffbench_assets.protocols.open_ended.rules.judge import judge as judge_by_rules
from diffbench_assets.protocols.open_ended.rules.judge import rules_sha256
from diffbench_assets.protocols.open_ended.score import unscored_response, verdict_row
from diffbench_assets.protocols.open_ended.verdict import Difference, Verdict, only_difference, unscored

Row = dict[str, Any]
PROTOCOL: Final = "open_ended"
RULES: Final = "rules"


class Stopped(RuntimeError):
    """A run ended before every call was asked; what was finished is kept and will not be asked again."""


def item_id(pair_id: str) -> str:
    """Id of the one question about a pair: protocol, order and repeat are fixed here."""
    return f"{pair_id}:{PROTOCOL}:forward:0"


def ask(
    model: Model,
    cells: Mapping[str, Sequence[str]],
    load_pairs: Callable[[str], Iterable[Mapping[str, Any]]],
    journal: Journal | None,
    budget: Budget | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Iterator[tuple[str, list[Row]]]:
    """Response rows of each cell as soon as its last answer is there.

    `cells` maps a cell to its pair ids in stored order; `load_pairs` gives a cell's pairs with images, read as they are
    asked. Raises Stopped, after the finished cells, when the budget ends or the endpoint keeps failing.
    """
    question = question_prompt()
    cell_of = {item_id(pair): (cell, pair) for cell, pairs in cells.items() for pair in pairs}

    def calls() -> Iterator[Call]:
        for cell in cells:
            for pair in load_pairs(cell):
                images = pair["image_before"]["bytes"], pair["image_after"]["bytes"]
                yield Call(item_id(pair["pair_id"]), (*images, question))

    run = Run(
        model,
        calls(),
        journal,
        budget=budget,
        total=len(cell_of),
        on_progress=on_progress,
        baselines={name: _on_images(answer) for name, answer in BASELINES.items()},
    )
    replies: dict[str, dict[str, Row]] = {cell: {} for cell in cells}
    for cell in [cell for cell, pairs in cells.items() if not pairs]:
        yield cell, []
    for reply in run:
        cell, pair_id = cell_of[reply.item_id]
        replies[cell][pair_id] = {
            **reply.row(),
            "pair_id": pair_id,
            "model": model.id,
            "cell": cell,
            "protocol": PROTOCOL,
            "order": "forward",
        }
        if len(replies[cell]) == len(cells[cell]):
            yield cell, [replies[cell][pair] for pair in cells[cell]]
    _raise_if_stopped(run)


def _on_images(answer: Callable[[bytes, bytes], str]) -> Callable[[Call], str]:
    def baseline(call: Call) -> str:
        before, after = (part for part in call.parts if isinstance(part, bytes))
        return answer(before, after)

    return baseline


def _raise_if_stopped(run: Run) -> None:
    if run.stopped_by_budget:
        raise Stopped(f"{run.model.id}: the budget is used up ({run.progress.line()}); raise it and run again to go on")
    if run.stopped_by_errors:
        raise Stopped(
            f"{run.model.id}: call after call failed ({run.progress.line()}); "
            f"`diffbench models check {run.model.id}` says what is wrong"
        )


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

    def calls() -> Iterator[Call]:
        for response in asked:
            difference = differences[response["pair_id"]]
            messages = judge_messages(difference, response["text"])
            text = "\n\n".join(message["content"] for message in messages)
            yield Call(_judged_item(response), (text,), response_schema=reply_schema(difference is not None))

    run = Run(judge, calls(), journal, budget=budget, total=len(asked), on_progress=on_progress)
    replies = {reply.item_id: reply for reply in run}
    _raise_if_stopped(run)
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
