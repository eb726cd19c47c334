"""Tables that a protocol needs made from pairs before it can ask, such as questions.

Belongs here: how a protocol declares one, so that the asset graph can make it without knowing it. Does not belong here:
what is in any (`protocols/NAME/`), Dagster.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from diffbench_assets.lake import Lake
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.registry import EndpointModel
from diffbench_assets.schemas import Table

if TYPE_CHECKING:
    from diffbench_assets.protocols.protocol import Suite

WHOLE = ""
"""Stands for the cell of a table that is not divided into cells."""


@dataclass(frozen=True)
class Bench:
    """What is at hand when a table is made: lake, suite, the protocol's settings, and models that may be asked."""

    lake: Lake
    suite: Suite
    settings: Any
    endpoint: Callable[[str], EndpointModel]
    """The entry of models.yaml by its id; raises RegistryError."""
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
