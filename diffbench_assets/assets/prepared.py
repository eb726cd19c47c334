"""What a suite's protocol needs made from pairs before it can ask: one asset for each of its preparations.

Belongs here: wiring. Does not belong here: what is made, and of what (`protocols/`).
"""

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from dagster import (
    AllPartitionMapping,
    AssetCheckResult,
    AssetCheckSeverity,
    AssetCheckSpec,
    AssetDep,
    AssetKey,
    AssetsDefinition,
    AutomationCondition,
    MaterializeResult,
    asset,
)

from diffbench_assets import partitions
from diffbench_assets.assets.ranged import Made, Run, ranged, when_data_changes
from diffbench_assets.assets.shown import stopping_fails, table_of
from diffbench_assets.lake import Lake
from diffbench_assets.protocols.protocol import WHOLE, Bench, Plan, Preparation, Suite
from diffbench_assets.resources.build import BuildSettings
from diffbench_assets.resources.lake import LakeResource
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.schemas import Table
from diffbench_assets.versions import code_of, fingerprint


def prepared_assets(suite: Suite) -> list[AssetsDefinition]:
    """The tables that the suite's protocol prepares."""
    return [_by_cell(suite, made) if made.table.keys else _whole(suite, made) for made in suite.protocol.prepares]


def key_of(table: Table) -> AssetKey:
    """The key of the asset that keeps a table of the lake."""
    return AssetKey(table.name.split("/"))


def _by_cell(suite: Suite, preparation: Preparation) -> AssetsDefinition:
    plans: dict[Run, Mapping[str, Plan]] = {}

    def wanted(
        run: Run, settings: BuildSettings, registry: RegistryResource, spending: SpendingResource
    ) -> Mapping[str, Any]:
        plans.clear()
        plans[run] = preparation.plans(_bench(run.lake, suite, settings, registry, spending), run.keys)
        code = code_of(type(preparation))
        return {cell: {"code": code, **plan.inputs} for cell, plan in plans[run].items()}

    def make(run: Run, todo: list[str]) -> Generator[Made]:
        for cell in todo:
            with stopping_fails():
                made = plans[run][cell].make()
            yield Made(cell, made.rows, made.about)

    make.__doc__ = preparation.__doc__
    return ranged(
        suite.table(preparation.table),
        partitions.cells_of(suite),
        group=suite.name,
        wanted=wanted,
        deps=_deps(suite, preparation),
        automation=when_data_changes(),
    )(make)


def _whole(suite: Suite, preparation: Preparation) -> AssetsDefinition:
    table = suite.table(preparation.table)
    checks = [preparation.check] if preparation.check else []

    @asset(
        key=key_of(table),
        group_name=suite.name,
        description=preparation.__doc__,
        deps=_deps(suite, preparation),
        automation_condition=AutomationCondition.eager(),
        check_specs=[
            AssetCheckSpec(name, asset=key_of(table), description=text, blocking=True) for name, text in checks
        ],
    )
    def prepared(
        lake: LakeResource, settings: BuildSettings, registry: RegistryResource, spending: SpendingResource
    ) -> MaterializeResult:
        store = lake.open()
        with stopping_fails():
            plan = preparation.plans(_bench(store, suite, settings, registry, spending), suite.cells)[WHOLE]
            made = plan.make()
        wanted = fingerprint(code=code_of(type(preparation)), inputs=plan.inputs)
        store.write(table, made.rows, fingerprint=wanted, about=made.about)
        about = {**made.about, "table": table_of(made.rows, table.names)}
        results = [AssetCheckResult(passed=not made.failed, severity=AssetCheckSeverity.ERROR, metadata=made.about)]
        return MaterializeResult(metadata=about, check_results=results if checks else [])

    return prepared


def _deps(suite: Suite, preparation: Preparation) -> Sequence[AssetDep]:
    """Tables of the suite's cells are needed cell by cell, where the prepared one has cells; the others as a whole."""
    by_cell = {suite.table(table) for table in suite.protocol.tables if preparation.table.keys == table.keys}
    return [
        AssetDep(key_of(table), partition_mapping=None if table in by_cell else AllPartitionMapping())
        for table in preparation.made_of(suite)
    ]


def _bench(
    lake: Lake, suite: Suite, settings: BuildSettings, registry: RegistryResource, spending: SpendingResource
) -> Bench:
    return Bench(
        lake=lake,
        suite=suite,
        settings=settings.of(suite.protocol),
        endpoint=registry.endpoint,
        deciding=registry.deciding,
        journal=lambda name: spending.journal(lake, suite.name, name),
        budget=spending.budget(),
    )
