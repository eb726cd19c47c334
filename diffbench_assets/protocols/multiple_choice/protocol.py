"""The multiple-choice protocol on stored tables: questions to calls, responses to verdict rows.

Belongs here: the walk from one table to the next, cell by cell. Does not belong here: wording, reading answers and
scoring (`protocols/multiple_choice/`), sending (`run.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from diffbench_assets.lake import Lake
from diffbench_assets.models.asking import Item, Row
from diffbench_assets.models.requests import Call
from diffbench_assets.protocols.multiple_choice.prompt import LABELS, question_prompt
from diffbench_assets.protocols.multiple_choice.score import verdict_row
from diffbench_assets.suites import Suite


def items(lake: Lake, suite: Suite, cell: str) -> list[Item]:
    """One item for each question of the cell, rotations included, in stored order."""
    rows = lake.read(suite.table("questions"), {"cell": cell}, ["question_id", "pair_id", "order"]).to_pylist()
    return [Item(row["question_id"], row["pair_id"], row["order"]) for row in rows]


def calls(lake: Lake, suite: Suite, cell: str) -> Iterator[Call]:
    """Each question of the cell with its two images, in the question's order; a pair's images are read once."""
    questions: dict[str, list[Mapping[str, Any]]] = {}
    columns = ["question_id", "pair_id", "order", "options"]
    for row in lake.read(suite.table("questions"), {"cell": cell}, columns).to_pylist():
        questions.setdefault(row["pair_id"], []).append(row)
    for pair in lake.iter_partition(suite.pairs, {"cell": cell}, ("pair_id", "image_before", "image_after")):
        images = pair["image_before"]["bytes"], pair["image_after"]["bytes"]
        for row in questions.get(pair["pair_id"], ()):
            first, second = images if row["order"] == "forward" else images[::-1]
            options = {label: row["options"][label] for label in LABELS}
            yield Call(row["question_id"], (first, second, question_prompt(options)))


def verdicts(responses: Iterable[Mapping[str, Any]], questions: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    """Verdict rows by the answer key; a response to a question that is not there any more is left out."""
    by_id = {row["question_id"]: row for row in questions}
    for response in responses:
        if response["item_id"] in by_id:
            yield verdict_row(response, by_id[response["item_id"]])
