"""What a report is made from.

Belongs here: what the bundles of all protocols share. Does not belong here: computing any of it, wording.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import ClassVar

import pyarrow as pa

from diffbench_assets.statistics.contrasts import ModelFacts

BASELINE = "baseline"
"""Family of the embedded baselines; averages and rankings over models leave them out where there are others."""


@dataclass(frozen=True, kw_only=True)
class SuiteTables:
    """Tables of a suite of any protocol: the first three as in schemas.py, the others as `statistics/` makes them."""

    ITEMS: ClassVar[str] = "pairs"
    """The table of what is asked; its suite is the report's."""

    pairs: pa.Table
    responses: pa.Table
    verdicts: pa.Table
    metrics: pa.Table
    leaderboard: pa.Table
    comparisons: pa.Table
    facts: Mapping[str, ModelFacts] = field(default_factory=dict)
    """What the registry says about a model, by model id; models may be missing."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Name → version of whatever made these numbers: package, browser, prompts, judges."""

    def require_one_suite(self) -> None:
        """Raise ValueError when a table has rows of another suite than what is asked; pairs may be another suite's."""
        suites = set(getattr(self, self.ITEMS)["suite"].unique().to_pylist())
        for name, table in self._tables():
            if "suite" in table.column_names and (found := set(table["suite"].unique().to_pylist()) - suites):
                raise ValueError(
                    f"{name}: rows of suite {', '.join(sorted(map(str, found)))}, but the {self.ITEMS} are of "
                    f"{', '.join(sorted(map(str, suites)))}; build one report per suite"
                )

    def _tables(self) -> Iterator[tuple[str, pa.Table]]:
        for item in fields(self):
            if item.name != "pairs" and isinstance(value := getattr(self, item.name), pa.Table):
                yield item.name, value
