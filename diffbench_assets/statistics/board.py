"""Rows of a leaderboard, whatever is scored: overall numbers of a metrics table, and ranks.

Belongs here: looking numbers up and ranking by one. Does not belong here: which columns a protocol's leaderboard has,
computing any number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

USAGE = ("input_tokens_total", "output_tokens_total", "output_tokens_mean", "cost_usd_total", "latency_s_p50")
"""What every leaderboard says of the answers themselves."""

Row = dict[str, Any]


class Numbers:
    """The numbers of a metrics table by where they stand."""

    def __init__(self, metrics: pa.Table) -> None:
        names = ("suite", "judge", "model", "metric", "slice", "slice_value")
        self._rows = {tuple(row[name] for name in names): row for row in metrics.to_pylist()}

    def entries(self, metric: str) -> list[tuple[str, str, str]]:
        """(suite, judge, model) of each row that `metric` has overall under a judge, in order."""
        overall = (metric, "overall", "all")
        return sorted(key[:3] for key in self._rows if key[3:] == overall and key[1] is not None)

    def number(
        self, suite: str, judge: str | None, model: str, metric: str, where: tuple[str, str] = ("overall", "all")
    ) -> Row:
        """The row of a number; empty where there is none."""
        return self._rows.get((suite, judge, model, metric, *where), {})

    def entry(
        self, suite: str, judge: str, model: str, headline: str, intervals: Sequence[str], plain: Sequence[str]
    ) -> Row:
        """A row of the leaderboard: suite, judge, model; `intervals` with _low and _high, `plain`, USAGE; and of
        `headline` n and n_unscored.
        """
        row: Row = {"suite": suite, "judge": judge, "model": model}
        for name in intervals:
            found = self.number(suite, judge, model, name)
            row |= {name: found.get("value"), f"{name}_low": found.get("ci_low"), f"{name}_high": found.get("ci_high")}
        row |= {name: self.number(suite, judge, model, name).get("value") for name in plain}
        row |= {name: self.number(suite, None, model, name).get("value") for name in USAGE}
        return row | {name: self.number(suite, judge, model, headline)[name] for name in ("n", "n_unscored")}


def rank(board: list[Row], headline: str, lacking: str) -> None:
    """Sorts `board` by `headline`, best first; equal scores share a rank, and one without stands last with a note.

    `lacking` completes the note: "3 of 40 …".
    """
    board.sort(key=lambda row: (row[headline] is None, -(row[headline] or 0), row["model"]))
    scores = [row[headline] for row in board if row[headline] is not None]
    for row in board:
        if row[headline] is None:
            row["note"] = f"no score: {row['n_unscored']} of {row['n']} {lacking}"
        else:
            row["rank"] = 1 + sum(score > row[headline] for score in scores)


def board_schema(intervals: Sequence[str], plain: Sequence[str], *more: tuple[str, pa.DataType]) -> pa.Schema:
    """Columns of a leaderboard; `more` stand before the note."""
    return pa.schema(
        [("suite", pa.string()), ("judge", pa.string()), ("rank", pa.int64()), ("model", pa.string())]
        + [(name + end, pa.float64()) for name in intervals for end in ("", "_low", "_high")]
        + [(name, pa.float64()) for name in (*plain, *USAGE)]
        + [("n", pa.int64()), ("n_unscored", pa.int64()), *more, ("note", pa.string())]
    )
