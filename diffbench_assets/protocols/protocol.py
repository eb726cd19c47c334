"""What a protocol is, the tables that it may need made first, and a suite: pairs bound to a protocol.

Belongs here: everything that the asset graph, the shell and the reports may ask of a protocol. Does not belong here:
any one protocol (`protocols/NAME/`), which suites there are (`suites.py`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow as pa
from pydantic import BaseModel

from diffbench_assets.errors import UserError
from diffbench_assets.lake import Lake
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.registry import EndpointModel
from diffbench_assets.pairs.pair_set import PairSet
from diffbench_assets.protocols.asking import Baseline, Item, Row
from diffbench_assets.protocols.judging import Judge, Subject
from diffbench_assets.protocols.raw import Raw
from diffbench_assets.schemas import JUDGE_REPLIES, METRICS, PAIRS, RESPONSES, VERDICTS, Table

if TYPE_CHECKING:
    from diffbench_assets.report.output import ReportFiles
    from diffbench_assets.statistics.graded import Graded

WHOLE = ""
"""Stands for the cell of a table that is not divided into cells."""


@dataclass(frozen=True)
class Suite:
    """Pairs bound to a protocol; suites may share pairs."""

    name: str
    protocol: Protocol
    pair_set: PairSet

    def table(self, table: Table) -> Table:
        """A table of this suite; pairs are those of the suite that they are made for."""
        return table.of(self.pair_set.name if table == PAIRS else self.name)

    def result(self, name: str) -> Table:
        """One of the protocol's result tables, whose columns are those that it was written with."""
        return self.table(Table(name, (), pa.schema([])))

    @property
    def pairs(self) -> Table:
        return self.table(PAIRS)

    @property
    def asked(self) -> Table:
        """The table that one partition of responses answers."""
        return self.table(self.protocol.asks)

    @property
    def owns_pairs(self) -> bool:
        """Whether the pairs are made for this suite, and not borrowed from another one."""
        return self.pair_set.name == self.name

    @property
    def cells(self) -> tuple[str, ...]:
        return self.pair_set.cells

    @property
    def settings(self) -> Mapping[str, type[BaseModel]]:
        """What can be set about the tables that are made for the suite, by the name of its pairs or its protocol."""
        owners: list[PairSet | Protocol] = [self.pair_set, self.protocol] if self.owns_pairs else [self.protocol]
        return {owner.name: owner.settings for owner in owners if owner.settings}

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


def by_name(*suites: Suite) -> dict[str, Suite]:
    """Suites by their names.

    Raises ValueError when two have one name, or one is named like a protocol: a table of the one would be a view of
    the other, and so would their settings.
    """
    taken = [*(suite.name for suite in suites), *{suite.protocol.name for suite in suites}]
    if doubled := next((name for name in taken if taken.count(name) > 1), None):
        raise ValueError(f"{doubled!r} names a suite and another suite or a protocol: name the suite otherwise")
    return {suite.name: suite for suite in suites}


@dataclass(frozen=True)
class Bench:
    """What is at hand when a table is made: lake, suite, the protocol's settings, and models that may be asked."""

    lake: Lake
    suite: Suite
    settings: Any
    endpoint: Callable[[str], EndpointModel]
    """The entry of models.yaml by its id; raises RegistryError."""
    deciding: Callable[[str], Mapping[str, Any]]
    """What decides a model's answers beside the question, by its id."""
    journal: Callable[[str], AbstractContextManager[Journal]]
    budget: Budget


@dataclass(frozen=True)
class Made:
    """Rows of a partition, and what a person should know of them.

    `about` holds numbers, Markdown and counts by name. `failed` says why nothing that follows may go on; empty when
    it may.
    """

    rows: Sequence[Mapping[str, Any]]
    about: Mapping[str, Any] = field(default_factory=dict)
    failed: str = ""


@dataclass(frozen=True)
class Plan:
    """Everything a partition is made from, as JSON values, and how."""

    inputs: Mapping[str, Any]
    make: Callable[[], Made]


class Preparation(ABC):
    """One table of a suite, of the suite's cells or as a whole.

    `check` is the name and description of what `Made.failed` tells of, where there is such.
    """

    table: ClassVar[Table]
    check: ClassVar[tuple[str, str] | None] = None

    @abstractmethod
    def made_of(self, suite: Suite) -> Sequence[Table]:
        """The tables that it is made of."""

    @abstractmethod
    def plans(self, bench: Bench, cells: Sequence[str]) -> Mapping[str, Plan]:
        """A plan for each of `cells` that can be made now; for the whole table under WHOLE where it has no cells.

        Raises UserError when nothing can be made, and says what to do.
        """


class Protocol(ABC):
    """How models are asked about pairs, and how their answers are scored.

    A suite holds an instance: fields of it tell the variants of a protocol apart.
    """

    name: ClassVar[str]
    asks: ClassVar[Table] = PAIRS
    """The table whose cells are asked about: pairs, or one that is prepared from them."""

    prepares: ClassVar[Sequence[Preparation]] = ()
    settings: ClassVar[type[BaseModel] | None] = None
    """What can be set about the tables that are prepared."""

    baselines: ClassVar[Mapping[str, Baseline]]
    judges: ClassVar[Mapping[str, Judge]]
    """The kinds of judges by name."""

    verdicts: ClassVar[Table] = VERDICTS
    """Verdict rows: the columns of every protocol, and its own scores."""

    result_tables: ClassVar[tuple[str, ...]]
    """Tables that `results` gives; metrics, leaderboard and comparisons are among them."""

    headline: ClassVar[str]
    board_columns: ClassVar[tuple[str, ...]]
    """The score that models are ranked by, and the other columns of the leaderboard that people see first."""

    percent: ClassVar[bool] = True
    """Whether scores are shares, which are shown in percent."""

    views: ClassVar[Path | None] = None
    """SQL views over the protocol's tables of all suites, which are there as <protocol>_<table>."""

    @property
    def tables(self) -> tuple[Table, ...]:
        """The public tables of a suite of this protocol."""
        replies = (JUDGE_REPLIES,) if any(judge.asks_model for judge in self.judges.values()) else ()
        prepared = (preparation.table for preparation in self.prepares)
        return (PAIRS, *prepared, RESPONSES, *replies, self.verdicts, METRICS)

    @abstractmethod
    def items(self, lake: Lake, suite: Suite, cell: str) -> list[Item]:
        """What is asked about a cell, in stored order."""

    @abstractmethod
    def question_sha256(self) -> str:
        """Version of the question: hash of its template and whatever else is in every one."""

    def subjects(self, responses: Iterable[Row]) -> Iterator[Subject]:
        """What is judged: each response by itself, unless a protocol judges some together."""
        for response in responses:
            yield Subject(response["item_id"], (response,))

    @abstractmethod
    def truth(self, lake: Lake, suite: Suite, cell: str) -> Mapping[str, Any]:
        """What judges judge by: item id of each subject → what is true of it."""

    @abstractmethod
    def results(self, raw: Raw) -> dict[str, pa.Table]:
        """Every number of a suite, as `result_tables`. Raises ValueError when tables contradict one another."""

    @abstractmethod
    def scores(self, raw: Raw) -> Sequence[Graded]:
        """What suites of this protocol are compared by when they stand side by side, the headline first."""

    @abstractmethod
    def write_report(self, raw: Raw, results: Mapping[str, pa.Table], out: Path) -> ReportFiles:
        """The report of a suite; `raw` comes with images."""

    def to_review(self, lake: Lake, suite: Suite) -> list[dict[str, Any]]:
        """What people can accept, rewrite or discard, as the review page takes it. Raises UserError for nothing."""
        raise UserError(f"suite {suite.name} has nothing to review: {self.name} asks about pairs as they are")
