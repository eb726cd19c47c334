"""What a suite's protocol needs made from pairs before it can ask: one asset for each of its preparations.

Belongs here: wiring. Does not belong here: what is made, and of what (`protocols/`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from dagster import (
    AllPartitionMapping,
    AssetCheckResult,
    AssetCheckSeverity,
    AssetCheckSpec,
    AssetDep,
    AssetExecutionContext,
    AssetKey,
    AssetsDefinition,
    AutomationCondition,
    BackfillPolicy,
    MaterializeResult,
    MetadataValue,
    asset,
)

from diffbench_assets import __version__, partitions
from diffbench_assets.assets.ranged import counts, fingerprint, landed, stale, stopping_fails, table_of
from diffbench_assets.automation import when_data_changes
from diffbench_assets.protocols.preparing import WHOLE, Bench, Preparation
from diffbench_assets.protocols.protocol import Suite

RESOURCES = {"lake", "registry", "spending"}


def prepared_assets(suite: Suite) -> list[AssetsDefinition]:
    """The tables that the suite's protocol prepares."""
    return [_by_cell(suite, made) if made.by_cell else _whole(suite, made) for made in suite.protocol.prepares]


def _by_cell(suite: Suite, preparation: Preparation) -> AssetsDefinition:
    table = suite.table(preparation.name)

    @asset(
        name=preparation.name,
        key_prefix=suite.name,
        group_name=suite.name,
        description=preparation.__doc__,
        partitions_def=partitions.cells_of(suite),
        backfill_policy=BackfillPolicy.single_run(),
        deps=_deps(suite, preparation),
        required_resource_keys=RESOURCES | _settings(suite),
        automation_condition=when_data_changes(),
    )
    def prepared(context: AssetExecutionContext) -> None:
        bench = _bench(context, suite)
        with stopping_fails():
            plans = preparation.plans(bench, context.partition_keys)
            wanted = {cell: fingerprint(version=__version__, **plan.inputs) for cell, plan in plans.items()}
            for cell in stale(context, bench.lake, table, "cell", wanted):
                made = plans[cell].make()
                path = bench.lake.write(table, preparation.schema, made.rows, {"cell": cell}, wanted[cell])
                landed(context, cell, path, _metadata(made.notes))

    return prepared


def _whole(suite: Suite, preparation: Preparation) -> AssetsDefinition:
    key = AssetKey([suite.name, preparation.name])

    @asset(
        name=preparation.name,
        key_prefix=suite.name,
        group_name=suite.name,
        description=preparation.__doc__,
        deps=_deps(suite, preparation),
        required_resource_keys=RESOURCES | _settings(suite),
        automation_condition=AutomationCondition.eager(),
        check_specs=[
            AssetCheckSpec(name, asset=key, description=text, blocking=True)
            for name, text in ([preparation.check] if preparation.check else [])
        ],
    )
    def prepared(context: AssetExecutionContext) -> MaterializeResult:
        bench = _bench(context, suite)
        with stopping_fails():
            plan = preparation.plans(bench, suite.cells)[WHOLE]
            made = plan.make()
        wanted = fingerprint(version=__version__, **plan.inputs)
        bench.lake.write(suite.table(preparation.name), preparation.schema, made.rows, fingerprint=wanted)
        notes = _metadata(made.notes)
        result = AssetCheckResult(passed=not made.failed, severity=AssetCheckSeverity.ERROR, metadata=notes)
        return MaterializeResult(metadata=notes, check_results=[result] if preparation.check else [])

    return prepared


def _deps(suite: Suite, preparation: Preparation) -> list[AssetDep]:
    """Tables of the same cells are needed cell by cell, where the prepared one has cells; the others as a whole."""
    by_cell = {suite.pairs, *(suite.table(made.name) for made in suite.protocol.prepares if made.by_cell)}
    return [
        AssetDep(AssetKey(name.split("/")))
        if preparation.by_cell and name in by_cell
        else AssetDep(AssetKey(name.split("/")), partition_mapping=AllPartitionMapping())
        for name in preparation.made_of(suite)
    ]


def _settings(suite: Suite) -> set[str]:
    return {suite.protocol.name} if suite.protocol.settings else set()


def _bench(context: AssetExecutionContext, suite: Suite) -> Bench:
    resources: Any = context.resources
    lake = resources.lake.open()

    @contextmanager
    def journal(name: str):  # type: ignore[no-untyped-def]
        with resources.spending.journal(lake, suite.name, name) as opened:
            yield opened

    return Bench(
        lake=lake,
        suite=suite,
        settings=getattr(resources, suite.protocol.name) if suite.protocol.settings else None,
        endpoint=resources.registry.endpoint,
        journal=journal,
        budget=resources.spending.budget(),
    )


def _metadata(notes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _shown(note) for name, note in notes.items()}


def _shown(note: Any) -> Any:
    if isinstance(note, Counter):
        return counts(note.elements())
    if isinstance(note, Sequence) and not isinstance(note, str):
        return table_of(note, list(note[0]) if note else [])
    return MetadataValue.md(note) if isinstance(note, str) else note
