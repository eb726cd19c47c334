"""Evaluation of a suite: one factory makes responses, verdicts, metrics and the report, whatever the protocol.

Belongs here: wiring that all protocols share. Does not belong here: verdicts (`judging.py`, `choices.py`), the protocol
itself (`protocols/`), asking (`evaluation/`) or numbers (`statistics/`).
"""

from collections.abc import Mapping, Sequence

from dagster import (
    AssetExecutionContext,
    AssetKey,
    AssetsDefinition,
    AutomationCondition,
    Failure,
    MaterializeResult,
    MetadataValue,
    asset,
)

from diffbench_assets import __version__
from diffbench_assets.assets.choices import choice_assets
from diffbench_assets.assets.evaluated import (
    answers_metadata,
    by_model,
    due_again,
    landed,
    on_evaluations,
    partition_key,
    place,
)
from diffbench_assets.assets.judging import judge_assets
from diffbench_assets.assets.shown import stopping_fails, table_of
from diffbench_assets.lake import Lake
from diffbench_assets.models import asking
from diffbench_assets.models.progress import progress_bar
from diffbench_assets.models.registry import Judge, Model
from diffbench_assets.protocols.protocol import baselines_of, protocol_of
from diffbench_assets.resources.lake import LakeResource
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.schemas import REPORT, RESPONSES, Table
from diffbench_assets.suites import OPEN_ENDED, Suite
from diffbench_assets.versions import fingerprint


def suite_assets(suite: Suite, judges: Mapping[str, Judge]) -> list[AssetsDefinition]:
    """All evaluation assets of a suite: `responses`, its verdicts, `metrics` and `report`."""
    verdicts = judge_assets(suite, judges) if suite.protocol == OPEN_ENDED else choice_assets(suite)
    retired = {judge for judge, entry in judges.items() if entry.retired}
    keys = [made.key for made in verdicts if made.key.path[1] == "verdicts" and made.key.path[2] not in retired]
    return [_responses(suite), *verdicts, _metrics(suite, keys), _report(suite)]


def _model(registry: RegistryResource, name: str) -> Model:
    if name not in registry.models:
        raise Failure(f"model {name} is not in {registry.models_file}; a model that is done is retired, not removed")
    return registry.models[name]


def _responses(suite: Suite) -> AssetsDefinition:
    protocol = protocol_of(suite)
    asked, table = protocol.asks(suite), suite.table(RESPONSES)

    @asset(name="responses", key_prefix=suite.name, **on_evaluations(suite), deps=[AssetKey(asked.split("/"))])
    def responses(
        context: AssetExecutionContext, lake: LakeResource, registry: RegistryResource, spending: SpendingResource
    ) -> None:
        """Answers of a model, one row a question; failed calls keep a row of their own."""
        store, budget, baselines = lake.open(), spending.budget(), baselines_of(protocol.name)
        for name, cells in by_model(context).items():
            model = _model(registry, name)
            if model.retired:
                context.log.info(f"{name} is retired: its answers are kept as they are")
                continue
            if not asking.answers(model, baselines):
                context.log.info(f"{name} does not answer {protocol.name} questions: not asked")
                continue
            built = [cell for cell in cells if store.exists(asked, {"cell": cell})]
            if missing := [cell for cell in cells if cell not in built]:
                context.log.warning(f"{asked} has no {', '.join(missing)} yet: not asked")
            wanted = {cell: _asked_for(store, suite, cell, model) for cell in built}
            todo = {
                cell: protocol.items(store, suite, cell)
                for cell in built
                if store.fingerprint(table, place(cell, name)) != wanted[cell]
            }
            with (
                spending.journal(store, suite.name, name) as journal,
                progress_bar(f"asking {name}") as show,
                stopping_fails(),
            ):
                for cell, rows in asking.ask(
                    model,
                    protocol.name,
                    todo,
                    lambda cell: protocol.calls(store, suite, cell),
                    baselines,
                    journal,
                    budget,
                    show,
                ):
                    # A cell with failed calls stays due: the next run asks those again, and only those.
                    done = due_again(rows) or wanted[cell]
                    path = store.write(table, rows, place(cell, name), fingerprint=done)
                    landed(context, partition_key(cell, name), path, answers_metadata(rows))

    return responses


def _asked_for(store: Lake, suite: Suite, cell: str, model: Model) -> str:
    protocol = protocol_of(suite)
    settings = model.model_dump(mode="json", exclude={"facts", "retired", "concurrency", "timeout_s", "api_key_env"})
    asked = store.fingerprint(protocol.asks(suite), {"cell": cell})
    return fingerprint(version=__version__, model=settings, question=protocol.question_sha256(), asked=asked)


def _metrics(suite: Suite, judged: Sequence[AssetKey]) -> AssetsDefinition:
    @asset(
        name="metrics",
        key_prefix=suite.name,
        group_name=suite.name,
        deps=[*judged, AssetKey([suite.name, "responses"])],
        automation_condition=AutomationCondition.eager(),
    )
    def metrics(lake: LakeResource, registry: RegistryResource) -> MaterializeResult:
        """Every number of the suite with its interval; leaderboard, comparisons and agreement beside it."""
        from diffbench_assets.protocols.results import results_of

        store, results = lake.open(), results_of(suite)
        inputs = {name: store.versions(table) for name, table in results.inputs(suite).items()}
        facts = {name: model.facts.model_dump() for name, model in registry.models.items()}
        wanted = fingerprint(version=__version__, inputs=inputs, facts=facts)
        if any(store.fingerprint(suite.table(name)) != wanted for name in results.tables):
            for name, table in results.compute(store, suite, registry.models).items():
                store.write(suite.table(Table(name, (), table.schema)), table.to_pylist(), fingerprint=wanted)
        board = store.read(suite.table("leaderboard")).to_pylist()
        return MaterializeResult(metadata={"models": len(board), "leaderboard": table_of(board, results.board_columns)})

    return metrics


def _files_exist(store: Lake, suite: Suite) -> bool:
    folder = store.report_folder(suite.name)
    return all((folder / file).exists() for file in store.read(suite.table("report"))["file"].to_pylist())


def _report(suite: Suite) -> AssetsDefinition:
    @asset(
        name="report",
        key_prefix=suite.name,
        group_name="report",
        deps=[AssetKey([suite.name, "metrics"])],
        automation_condition=AutomationCondition.eager(),
    )
    def report(lake: LakeResource, registry: RegistryResource) -> MaterializeResult:
        """One HTML file with all numbers, plots and every pair; figures and the leaderboard for a paper beside it."""
        from diffbench_assets.protocols.results import results_of

        store = lake.open()
        folder, table = store.report_folder(suite.name), suite.table(REPORT)
        wanted = store.fingerprint(suite.table("metrics")) or ""
        if store.fingerprint(table) != wanted or not _files_exist(store, suite):
            files = results_of(suite).write_report(store, suite, registry.models)
            paths = (files.html, files.leaderboard_md, *files.figures)
            rows = [{"file": path.relative_to(folder).as_posix()} for path in paths]
            store.write(table, rows, fingerprint=wanted)
        html, leaderboard, *figures = store.read(table)["file"].to_pylist()
        return MaterializeResult(
            metadata={
                "report": MetadataValue.path(str((folder / html).absolute())),
                "leaderboard": MetadataValue.md((folder / leaderboard).read_text()),
                "figures": len(figures),
            }
        )

    return report
