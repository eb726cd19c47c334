"""The suites: which pairs, asked in which way, over which cells.

Belongs here: one row per suite. Adding a suite is adding a row, and a pair maker when its pairs are new. Does not
belong here: what a protocol does (`protocols/`), partitions or assets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, overload

from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.categories import CATEGORIES
from diffbench_assets.pairs.css.operators import CELLS
from diffbench_assets.schemas import Table

OPEN_ENDED: Final = "open_ended"
MULTIPLE_CHOICE: Final = "multiple_choice"
CHOICE_TABLES: Final = ("questions", "blind_check", "reviews")


@dataclass(frozen=True)
class Suite:
    """Pairs bound to a protocol. `pairs` is the lake name of the pairs asset; suites may share pairs."""

    name: str
    protocol: str
    cells: tuple[str, ...]
    pairs: str

    @overload
    def table(self, table: Table) -> Table: ...

    @overload
    def table(self, table: str) -> str: ...

    def table(self, table: Table | str) -> Table | str:
        """A table of this suite; by name its name in the lake."""
        return f"{self.name}/{table}" if isinstance(table, str) else table.of(self.name)

    @property
    def owns_pairs(self) -> bool:
        """Whether the pairs are made for this suite, and not borrowed from another one."""
        return self.pairs == self.table("pairs")

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the public tables that this suite has of its own."""
        own_pairs = ("pairs",) if self.owns_pairs else ()
        asked = ("candidates", "judge_replies") if self.protocol == OPEN_ENDED else CHOICE_TABLES
        return (*own_pairs, *asked, "responses", "verdicts", "metrics")

    def select(self, patterns: list[str]) -> list[str]:
        """Cells named by keys or by a part of one before or after the dot, in table order; all for an empty list.

        Raises ValueError for a name that is none of these.
        """
        parts = {cell: {cell, *cell.split(".")} for cell in self.cells}
        for pattern in patterns:
            if not any(pattern in names for names in parts.values()):
                known = dict.fromkeys(name for cell in self.cells for name in cell.split("."))
                raise ValueError(f"suite {self.name} has no cell {pattern!r}; there are {', '.join(known)}")
        return [cell for cell, names in parts.items() if not patterns or names & set(patterns)]


SUITES: Final[dict[str, Suite]] = {
    suite.name: suite
    for suite in (
        Suite("webdiff", OPEN_ENDED, (*CELLS, NO_DIFF), "webdiff/pairs"),
        Suite("webdiff_mcq", MULTIPLE_CHOICE, (*CELLS, NO_DIFF), "webdiff/pairs"),
        Suite("lowlevel_mcq", MULTIPLE_CHOICE, (*CATEGORIES, NO_DIFF), "lowlevel_mcq/pairs"),
    )
}


def suite_named(name: str) -> Suite:
    """Raises ValueError, naming what exists, when there is no such suite."""
    if name not in SUITES:
        raise ValueError(f"there is no suite {name!r}; suites are {', '.join(SUITES)}")
    return SUITES[name]
