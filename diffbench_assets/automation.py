"""When assets are made without being asked: only what changed, new models as they appear, and on a schedule.

Belongs here: conditions, sensors and schedules. Does not belong here: what the runs do.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dagster import (
    AssetKey,
    AssetSelection,
    AutomationCondition,
    DefaultScheduleStatus,
    RunRequest,
    ScheduleDefinition,
    SensorDefinition,
    SensorResult,
    define_asset_job,
    schedule,
    sensor,
)
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from diffbench_assets import partitions
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.resources.models import RegistryResource

START, END = "dagster/asset_partition_range_start", "dagster/asset_partition_range_end"
RE_EVALUATION_CRON = "0 6 * * 1"
"""Mondays at six: failed calls are asked again, changed pairs anew; what is finished costs nothing."""


def when_data_changes() -> AutomationCondition:
    """Like eager, but only when the data version of an input changed, not whenever it was made again."""
    return AutomationCondition.eager().replace("newly_updated", AutomationCondition.data_version_changed())


def all_cells_of(suite: Suite, model: str) -> dict[str, str]:
    """Run tags that ask for every cell of a model as one range."""
    return {START: f"{suite.cells[0]}|{model}", END: f"{suite.cells[-1]}|{model}"}


def evaluation_automation(
    suites: Iterable[Suite], verdicts: Mapping[str, Sequence[AssetKey]]
) -> tuple[SensorDefinition, list[ScheduleDefinition]]:
    """The sensor that registers new models of models.yaml and has every suite evaluate them, and a schedule a suite.

    `verdicts` maps names of suites to the keys of their verdicts (and judge replies).
    """
    jobs = [
        (
            suite,
            define_asset_job(
                f"evaluate_{suite.name}",
                selection=AssetSelection.assets(AssetKey([suite.name, "responses"]), *verdicts[suite.name]),
            ),
        )
        for suite in suites
    ]

    @sensor(name="new_models", jobs=[job for _, job in jobs], minimum_interval_seconds=60)
    def new_models(context, registry: RegistryResource) -> SensorResult:  # type: ignore[no-untyped-def]
        """Models of models.yaml that are no partition yet become one, and are asked for as one ranged run a suite."""
        known = set(context.instance.get_dynamic_partitions("models"))
        new = [name for name, entry in registry.models.items() if not entry.retired and name not in known]
        return SensorResult(
            run_requests=[
                RunRequest(
                    run_key=f"new model {name} in {suite.name}",
                    job_name=job.name,
                    tags=all_cells_of(suite, name),
                )
                for name in new
                for suite, job in jobs
            ],
            dynamic_partitions_requests=[partitions.models.build_add_request(new)] if new else [],
        )

    return new_models, [_re_evaluation(suite, job) for suite, job in jobs]


def _re_evaluation(suite: Suite, job: UnresolvedAssetJobDefinition) -> ScheduleDefinition:
    @schedule(
        name=f"re_evaluate_{suite.name}",
        job=job,
        cron_schedule=RE_EVALUATION_CRON,
        default_status=DefaultScheduleStatus.STOPPED,
    )
    def re_evaluate(context, registry: RegistryResource) -> Iterator[RunRequest]:  # type: ignore[no-untyped-def]
        """One ranged run for every model that is not retired."""
        known = set(context.instance.get_dynamic_partitions("models"))
        for name, entry in registry.models.items():
            if not entry.retired and name in known:
                yield RunRequest(tags=all_cells_of(suite, name))

    return re_evaluate
