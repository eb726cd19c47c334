"""When assets are made without being asked: only what changed, new models as they appear, and on a schedule.

Belongs here: sensors and schedules. Does not belong here: the conditions of single assets (`assets/`), what runs do.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dagster import (
    AssetKey,
    AssetSelection,
    DagsterInstance,
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
from diffbench_assets.protocols.asking import answers
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.resources.models import RegistryResource

RE_EVALUATION_CRON = "0 6 * * 1"
"""Mondays at six."""


def all_cells_of(suite: Suite, model: str) -> dict[str, str]:
    """Run tags that ask for every cell of a model as one range."""
    return partitions.range_tags(f"{suite.cells[0]}|{model}", f"{suite.cells[-1]}|{model}")


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
                description=f"Answers of one model to all of {suite.name}, the verdicts on them, and the report.",
                selection=AssetSelection.assets(
                    *(AssetKey([suite.name, name]) for name in ("responses", "metrics", "report")),
                    *verdicts[suite.name],
                ),
            ),
        )
        for suite in suites
    ]

    @sensor(
        name="new_models",
        jobs=[job for _, job in jobs],
        minimum_interval_seconds=60,
        description="Models that are new in models.yaml become partitions, and every suite evaluates them.",
    )
    def new_models(context, registry: RegistryResource) -> SensorResult:  # type: ignore[no-untyped-def]
        asked = [(suite, job, _new_models(context.instance, suite, registry)) for suite, job in jobs]
        return SensorResult(
            run_requests=[
                RunRequest(
                    run_key=f"new model {name} in {suite.name}",
                    job_name=job.name,
                    tags=all_cells_of(suite, name),
                )
                for suite, job, new in asked
                for name in new
            ],
            dynamic_partitions_requests=[
                partitions.models_of(suite).build_add_request(new) for suite, _, new in asked if new
            ],
        )

    return new_models, [_re_evaluation(suite, job) for suite, job in jobs]


def _known_models(instance: DagsterInstance, suite: Suite) -> set[str]:
    return set(instance.get_dynamic_partitions(str(partitions.models_of(suite).name)))


def _new_models(instance: DagsterInstance, suite: Suite, registry: RegistryResource) -> list[str]:
    known = _known_models(instance, suite)
    return [
        name
        for name, entry in registry.models.items()
        if not entry.retired and name not in known and answers(entry, suite.protocol.baselines)
    ]


def _re_evaluation(suite: Suite, job: UnresolvedAssetJobDefinition) -> ScheduleDefinition:
    @schedule(
        name=f"re_evaluate_{suite.name}",
        job=job,
        cron_schedule=RE_EVALUATION_CRON,
        description=f"{suite.name}: failed calls are asked again, changed pairs anew; what is finished costs nothing.",
        default_status=DefaultScheduleStatus.STOPPED,
    )
    def re_evaluate(context, registry: RegistryResource) -> Iterator[RunRequest]:  # type: ignore[no-untyped-def]
        """One ranged run for every model that is not retired."""
        known = _known_models(context.instance, suite)
        for name, entry in registry.models.items():
            if not entry.retired and name in known:
                yield RunRequest(tags=all_cells_of(suite, name))

    return re_evaluate
