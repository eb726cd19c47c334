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
from diffbench_assets.lake import Lake
from diffbench_assets.schemas import Table
from diffbench_assets.versions import code_sha256, fingerprint

Rows = Iterable[Mapping[str, Any]]
Wanted = Callable[..., Mapping[str, Mapping[str, Any]]]
"""(run, resources by their names) → what each partition is made from. Partitions that it leaves out are not made."""


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
    (name,) = table.keys
    return {name: key}


def ranged(
    table: Table,
    partitions_def: PartitionsDefinition[Any],
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

    A partition is stale when what `wanted` says of it, the table's columns, or `code` (modules of this package, with
    all they import) is not what it was written with. The asset's key is the table's name unless `key` is another.
    """

    def of(make: Make) -> AssetsDefinition:
        resources = {"lake"} | {name for work in (wanted, make) for name in _resources(work)}

        @asset(
            key=list(key) or [part.rpartition("=")[2] for part in table.name.split("/")],
            group_name=group,
            description=inspect.getdoc(make),
            partitions_def=partitions_def,
            backfill_policy=BackfillPolicy.single_run(),
            deps=deps,
            required_resource_keys=resources,
            automation_condition=automation,
        )
        def compute(context: AssetExecutionContext) -> None:
            _Landing(context, table, also, code).run(wanted, make)

        return compute

    return of


class _Landing:
    """One run of one asset."""

    def __init__(
        self, context: AssetExecutionContext, table: Table, also: Sequence[Table], code: Sequence[str]
    ) -> None:
        self._context, self._table, self._also, self._code = context, table, also, code
        self._lake: Lake = context.resources.lake.open()
        self._landed: dict[str, Mapping[str, Any]] = {}

    def run(self, wanted: Wanted, make: Make) -> None:
        run = Run(tuple(self._context.partition_keys), self._lake, self._context.log)
        inputs = wanted(run, **self._named(wanted))
        fingerprints = {key: self._fingerprint(of) for key, of in inputs.items()}
        todo = [key for key in fingerprints if not self._current(key, fingerprints[key])]
        try:
            if todo:
                with closing(make(run, todo, **self._named(make))) as partitions:
                    for made in partitions:
                        self._land(made, fingerprints[made.key])
        except BaseException:
            # A step that fails says nothing of what it had finished.
            for key, metadata in self._landed.items():
                self._context.log_event(AssetMaterialization(self._context.asset_key, partition=key, metadata=metadata))
            raise
        # A step that ends has an event for every partition of its range, made now or long ago.
        for key in run.keys:
            self._context.add_asset_metadata(self._landed.get(key) or self._shown(key), partition_key=key)

    def _named(self, work: Callable[..., Any]) -> dict[str, Any]:
        return {name: getattr(self._context.resources, name) for name in _resources(work)}

    def _fingerprint(self, inputs: Mapping[str, Any]) -> str:
        columns = [(field.name, str(field.type)) for table in (self._table, *self._also) for field in table.schema]
        return fingerprint(code=code_sha256(*self._code), columns=columns, inputs=inputs)

    def _current(self, key: str, wanted: str) -> bool:
        tables = (self._table, *self._also)
        current = all(self._lake.fingerprint(table, place_of(table, key)) == wanted for table in tables)
        if current:
            self._context.log.info(f"{self._table.name} {key}: unchanged, kept")
        return current

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


def _resources(work: Callable[..., Any]) -> list[str]:
    """Resources are named by parameters that have no place before them."""
    parameters = inspect.signature(work).parameters.values()
    return [parameter.name for parameter in parameters if parameter.name not in ("run", "todo")]
