"""The result tables of one judge, as the rows that tables and figures show: what all protocols have.

Belongs here: looking numbers up and putting them in order. Does not belong here: computing them, formatting them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from diffbench_assets.report.plots import Estimate, Grid
from diffbench_assets.report.tables import SuiteTables

Row = dict[str, Any]


@dataclass(frozen=True)
class SuiteResults:
    """What the tables of every protocol say under one judge; models in the order of its leaderboard."""

    tables: SuiteTables
    judge: str

    @cached_property
    def board(self) -> list[Row]:
        return self._rows(self.tables.leaderboard)

    @cached_property
    def models(self) -> list[str]:
        return [row["model"] for row in self.board]

    @cached_property
    def _cells(self) -> dict[tuple[str, str, str, str], Row]:
        rows = self._rows(self.tables.metrics)
        return {(row["model"], row["metric"], row["slice"], row["slice_value"]): row for row in rows}

    def metric(self, model: str, metric: str, slice: str = "overall", value: str = "all") -> Row | None:
        """The row of the metrics table, or None."""
        return self._cells.get((model, metric, slice, value))

    def estimate(self, model: str, metric: str, slice: str = "overall", value: str = "all") -> Estimate | None:
        """The same as numbers; None where the score is not defined."""
        row = self.metric(model, metric, slice, value)
        return None if row is None or row["value"] is None else Estimate(row["value"], row["ci_low"], row["ci_high"])

    def slice_sizes(self, name: str, metric: str) -> dict[str, int]:
        """Value of the slice → size of the denominator."""
        return {key[3]: row["n"] for key, row in self._cells.items() if key[1:3] == (metric, name)}

    def grid(self, name: str, metric: str) -> Grid | None:
        """`metric` by slice `name` and model, the highest slice first; None where no model has any."""
        estimates = {
            value: [self.estimate(model, metric, name, value) for model in self.models]
            for value in self.slice_sizes(name, metric)
        }
        means = {
            value: sum(e.value for e in row if e) / sum(e is not None for e in row)
            for value, row in estimates.items()
            if any(row)
        }
        if not means:
            return None
        order = sorted(means, key=lambda value: (-means[value], value))
        return Grid(order, self.models, [estimates[value] for value in order])

    def comparisons(self, metric: str) -> list[Row]:
        """Every two models, the better one as model_a, the largest difference first."""
        rows = [_better_first(row) for row in self._rows(self.tables.comparisons) if row["metric"] == metric]
        return sorted(rows, key=lambda row: (-(row["difference"] or 0), row["model_a"], row["model_b"]))

    def _rows(self, table: pa.Table) -> list[Row]:
        return table.filter(pc.equal(table["judge"], pa.scalar(self.judge))).to_pylist()


def _better_first(row: Row) -> Row:
    if row["difference"] is None or row["difference"] >= 0:
        return row
    turned = {"model_a": row["model_b"], "model_b": row["model_a"], "only_a": row["only_b"], "only_b": row["only_a"]}
    ends = {"ci_low": row["ci_high"], "ci_high": row["ci_low"]}
    negated = {name: None if value is None else -value for name, value in ends.items()}
    return row | turned | negated | {"difference": -row["difference"]}
