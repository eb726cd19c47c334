"""One row per model and judge: the table a reader looks at first, and who stands on the sensitivity-restraint front.

Belongs here: choosing and ranking overall numbers of a metrics table. Does not belong here: computing them.
"""

from __future__ import annotations

from itertools import groupby

import pyarrow as pa

from diffbench_assets.protocols.open_ended.statistics.pareto import accurate_and_restrained, pareto_front
from diffbench_assets.statistics.board import Numbers, Row, board_schema, rank

_INTERVALS = ("accuracy", "recall", "recall_corrected", "specificity", "hallucination_rate")
_TIERS = ("easy", "medium", "hard")
_PLAIN = ("hallucinations_per_answer", "coverage")

LEADERBOARD = board_schema(
    _INTERVALS,
    (*(f"recall_{tier}" for tier in _TIERS), *_PLAIN),
    ("on_front", pa.bool_()),
    ("accurate_and_restrained", pa.bool_()),
)
"""`recall_corrected` is null under judges whose errors are not known. `note` says why a row has no rank; `on_front` and
`accurate_and_restrained` are null where a score is."""


def leaderboard(metrics: pa.Table) -> pa.Table:
    """Overall numbers of every model, best accuracy first within each suite and judge.

    Equal accuracies share a rank. A model whose accuracy is null stands last, without rank, with a note.
    """
    numbers = Numbers(metrics)
    found: list[Row] = []
    for (suite, judge), entries in groupby(numbers.entries("accuracy"), key=lambda entry: entry[:2]):
        board = [_entry(numbers, suite, judge, model) for *_, model in entries]
        rank(board, "accuracy", "pairs have no verdict")
        _mark_front(board)
        found += board
    return pa.Table.from_pylist(found, schema=LEADERBOARD)


def _entry(numbers: Numbers, suite: str, judge: str, model: str) -> Row:
    row = numbers.entry(suite, judge, model, "accuracy", _INTERVALS, _PLAIN)
    tiers = {tier: numbers.number(suite, judge, model, "recall", ("tier", tier)) for tier in _TIERS}
    return row | {f"recall_{tier}": found.get("value") for tier, found in tiers.items()}


def _mark_front(board: list[Row]) -> None:
    placed = [row for row in board if row["recall"] is not None and row["hallucination_rate"] is not None]
    front = pareto_front([row["recall"] for row in placed], [row["hallucination_rate"] for row in placed])
    for row, on_front in zip(placed, front, strict=True):
        row["on_front"] = bool(on_front)
        row["accurate_and_restrained"] = accurate_and_restrained(row["recall"], row["hallucination_rate"])
