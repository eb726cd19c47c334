"""When assets are made without being asked: only what changed, new models as they appear, and on a schedule.

Belongs here: conditions, sensors and schedules. Does not belong here: what the runs do.
"""

from collections.abc import Iterator, Sequence

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

from diffbench_assets import partitions
from diffbench_assets.resources.models import RegistryResource
from diffbench_assets.web.operators import CELLS, NO_DIFF

START, END = "dagster/asset_partition_range_start", "dagster/asset_partition_range_end"
RE_EVALUATION_CRON = "0 6 * * 1"
"""Mondays at six: failed calls are asked again, changed pairs anew; what is finished costs nothing."""


def when_data_changes() -> AutomationCondition:
    """Like eager, but only when the data version of an input changed, not whenever it was made again."""
    return AutomationCondition.eager().replace("newly_updated", AutomationCondition.data_version_changed())


def all_cells_of(model: str) -> dict[str, str]:
    """Run tags that ask for every cell of a model as one range."""
    return {START: f"{CELLS[0]}|{model}", END: f"{NO_DIFF}|{model}"}


def evaluation_automation(suite: str, judges: Sequence[AssetKey]) -> tuple[SensorDefinition, ScheduleDefinition]:
    """The sensor that registers and evaluates new models of models.yaml, and the schedule that re-evaluates all."""
    job = define_asset_job(
        f"evaluate_{suite}",
        selection=AssetSelection.assets(AssetKey([suite, "responses"]), *judges),
    )

    @sensor(name=f"new_models_{suite}", job=job, minimum_interval_seconds=60)
    def new_models(context, registry: RegistryResource) -> SensorResult:  # type: ignore[no-untyped-def]
        """Models of models.yaml that are no partition yet become one, and are asked for as one ranged run each."""
        known = set(context.instance.get_dynamic_partitions("models"))
        new = [name for name, entry in registry.models.items() if not entry.retired and name not in known]
        return SensorResult(
            run_requests=[RunRequest(run_key=f"new model {name}", tags=all_cells_of(name)) for name in new],
            dynamic_partitions_requests=[partitions.models.build_add_request(new)] if new else [],
        )

    @schedule(
        name=f"re_evaluate_{suite}",
        job=job,
        cron_schedule=RE_EVALUATION_CRON,
        default_status=DefaultScheduleStatus.STOPPED,
    )
    def re_evaluate(context, registry: RegistryResource) -> Iterator[RunRequest]:  # type: ignore[no-untyped-def]
        """One ranged run for every model that is not retired."""
        known = set(context.instance.get_dynamic_partitions("models"))
        for name, entry in registry.models.items():
            if not entry.retired and name in known:
                yield RunRequest(tags=all_cells_of(name))

    return new_models, re_evaluate
