"""The factory of ranged assets: what is wanted, what of it is stale; that is made, written, and said to have landed.

An asset declares its table, what each partition is made from (`wanted`) and how (a generator of `Made`). One run takes
any range of partitions, so that a browser or a client serves them all. Belongs here: what all such assets do. Does not
belong here: any one asset.
"""

import inspect
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from dagster import (
    AssetExecutionContext,
    AssetKey,
    AssetMaterialization,
    AssetsDefinition,
    AutomationCondition,
    BackfillPolicy,
    DagsterLogManager,
    MultiPartitionKey,
    PartitionsDefinition,
    asset,
)

from diffbench_assets.assets.shown import shown
from diffbench_assets.lake import Damaged, Lake
from diffbench_assets.schemas import Table
from diffbench_assets.versions import code_sha256, fingerprint

Rows = Iterable[Mapping[str, Any]]
Wanted = Callable[..., Mapping[str, Mapping[str, Any]]]
"""(run, resources by their names) → what each partition is made from. Partitions that it leaves out are not made."""


def when_data_changes() -> AutomationCondition[Any]:
    """Like eager, but only when the data version of an input changed, not whenever it was made again."""
    return AutomationCondition.eager().replace("newly_updated", AutomationCondition.data_version_changed())


WHOLE = ""
"""The one partition of a table that has no keys."""


@dataclass(frozen=True)
class Run:
    """What a run was asked for: partitions of the range, in order."""

    keys: tuple[str, ...]
    lake: Lake
    log: DagsterLogManager


@dataclass(frozen=True)
class Made:
    """A partition, ready to be written.

    `about` is what the UI says of it: numbers, texts, tables (counts by name, or rows), pictures; it may change until
    the last row was taken. `also` are the rows of the asset's other tables. What is not `complete` is written, and made
    again by the next run.
    """

    key: str
    rows: Rows
    about: Mapping[str, Any] = field(default_factory=dict)
    also: tuple[Rows, ...] = ()
    complete: bool = True


Make = Callable[..., Generator[Made]]
"""(run, stale partitions, resources by their names) → partitions as they are finished."""


def place_of(table: Table, key: str) -> dict[str, str]:
    """The values of the table's partition keys."""
    if isinstance(key, MultiPartitionKey):
        return {name: key.keys_by_dimension[name] for name in table.keys}
    return {name: key for name in table.keys}


@dataclass(frozen=True)
class Declaration:
    """What makes an asset: its tables (its own first), its code, its inputs, and how it is made."""

    tables: tuple[Table, ...]
    code: tuple[str, ...]
    wanted: Wanted
    make: Make

    def fingerprints(self, run: Run, resources: Any) -> dict[str, str]:
        """What each partition that is wanted is made from. `resources` has them as attributes."""
        columns = [(table.name, field.name, str(field.type)) for table in self.tables for field in table.schema]
        code = code_sha256(*self.code)
        inputs = self.wanted(run, **_named(self.wanted, resources))
        return {key: fingerprint(code=code, columns=columns, inputs=of) for key, of in inputs.items()}

    def resources(self) -> set[str]:
        return {"lake", *_parameters(self.wanted), *_parameters(self.make)}


DECLARED: dict[AssetKey, Declaration] = {}
"""Every ranged asset, by its key."""


def ranged(
    table: Table,
    partitions_def: PartitionsDefinition[Any] | None = None,
    *,
    group: str,
    wanted: Wanted,
    code: Sequence[str] = (),
    deps: Iterable[Any] = (),
    key: Sequence[str] = (),
    also: Sequence[Table] = (),
    automation: AutomationCondition[Any] | None = None,
) -> Callable[[Make], AssetsDefinition]:
    """Turns a generator of `Made` into the asset that keeps `table`, and the tables `also` beside it.

    A partition is stale when what `wanted` says of it, the tables' columns, or `code` (modules of this package, with
    all they import) is not what it was written with. The asset's key is the table's name unless `key` is another.
    Without partitions the asset is one partition, WHOLE.
    """

    def of(make: Make) -> AssetsDefinition:
        declaration = Declaration((table, *also), tuple(code), wanted, make)

        @asset(
            key=list(key) or [part.rpartition("=")[2] for part in table.name.split("/")],
            group_name=group,
            description=inspect.getdoc(make),
            partitions_def=partitions_def,
            backfill_policy=BackfillPolicy.single_run() if partitions_def else None,
            deps=deps,
            required_resource_keys=declaration.resources(),
            automation_condition=automation,
        )
        def compute(context: AssetExecutionContext) -> None:
            _Landing(context, declaration).run()

        DECLARED[compute.key] = declaration
        return compute

    return of


class _Landing:
    """One run of one asset."""

    def __init__(self, context: AssetExecutionContext, declaration: Declaration) -> None:
        self._context, self._declaration = context, declaration
        self._table, *self._also = declaration.tables
        self._lake: Lake = context.resources.lake.open()
        self._landed: dict[str, Mapping[str, Any]] = {}

    def run(self) -> None:
        keys = self._context.partition_keys if self._context.assets_def.partitions_def else [WHOLE]
        run = Run(tuple(keys), self._lake, self._context.log)
        wanted = self._declaration.fingerprints(run, self._context.resources)
        todo = [key for key in wanted if not self._current(key, wanted[key])]
        try:
            if todo:
                self._make(run, todo, wanted)
        except BaseException:
            # A step that fails says nothing of what it had finished.
            for key, metadata in self._landed.items():
                self._context.log_event(
                    AssetMaterialization(self._context.asset_key, partition=key or None, metadata=metadata)
                )
            raise
        # A step that ends has an event for every partition of its range, made now or long ago.
        for key in run.keys:
            self._context.add_asset_metadata(self._landed.get(key) or self._shown(key), partition_key=key or None)

    def _current(self, key: str, wanted: str) -> bool:
        try:
            written = {self._lake.fingerprint(table, place_of(table, key)) for table in self._declaration.tables}
        except Damaged as error:
            self._context.log.warning(f"{error}; it is made again now")
            return False
        if written == {wanted}:
            self._context.log.info(f"{self._table.name} {key}: unchanged, kept")
        return written == {wanted}

    def _make(self, run: Run, todo: list[str], wanted: Mapping[str, str]) -> None:
        make = self._declaration.make
        with closing(make(run, todo, **_named(make, self._context.resources))) as partitions:
            for made in partitions:
                self._land(made, wanted[made.key])

    def _land(self, made: Made, wanted: str) -> None:
        done = wanted if made.complete else f"incomplete {wanted}"
        # The asset's own table last: when it is there, all are.
        for table, rows in zip(self._also, made.also, strict=True):
            self._lake.write(table, rows, place_of(table, made.key), fingerprint=done)
        place = place_of(self._table, made.key)
        self._lake.write(self._table, made.rows, place, fingerprint=done, about=made.about)
        self._landed[made.key] = self._shown(made.key)

    def _shown(self, key: str) -> Mapping[str, Any]:
        noted = self._lake.noted(self._table, place_of(self._table, key))
        return shown(noted) if noted else {}


def _named(work: Callable[..., Any], resources: Any) -> dict[str, Any]:
    return {name: getattr(resources, name) for name in _parameters(work)}


def _parameters(work: Callable[..., Any]) -> list[str]:
    """The resources that a function takes, by their names."""
    return [name for name in inspect.signature(work).parameters if name not in ("run", "todo")]
