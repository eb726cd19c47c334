"""Evaluation of a suite: one factory makes what its protocol prepares, responses, verdicts, metrics and the report.

Belongs here: wiring that all protocols share. Does not belong here: preparations (`prepared.py`), verdicts
(`judging.py`), the protocol itself (`protocols/`), asking (`models/`) or numbers (`statistics/`).
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
from diffbench_assets.assets.evaluated import (
    answers_metadata,
    by_model,
    due_again,
    on_evaluations,
    partition_key,
    place,
)
from diffbench_assets.assets.judging import judge_assets
from diffbench_assets.assets.prepared import prepared_assets
from diffbench_assets.assets.ranged import fingerprint, landed, stopping_fails, table_of
from diffbench_assets.lake import Lake
from diffbench_assets.models.progress import progress_bar
from diffbench_assets.models.registry import Judge, Model
from diffbench_assets.protocols import asking
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.protocols.results import gather, sources
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.resources.webdiff import LakeResource
from diffbench_assets.schemas import REPORT, RESPONSES


def suite_assets(suite: Suite, judges: Mapping[str, Judge]) -> list[AssetsDefinition]:
    """All evaluation assets of a suite. `judges` are the entries of judges.yaml."""
    verdicts = judge_assets(suite, judges)
    retired = {judge for judge, entry in judges.items() if entry.retired}
    keys = [made.key for made in verdicts if made.key.path[1] == "verdicts" and made.key.path[2] not in retired]
    return [*prepared_assets(suite), _responses(suite), *verdicts, _metrics(suite, keys), _report(suite)]


def _model(registry: RegistryResource, name: str) -> Model:
    if name not in registry.models:
        raise Failure(f"model {name} is not in {registry.models_file}; a model that is done is retired, not removed")
    return registry.models[name]


def _responses(suite: Suite) -> AssetsDefinition:
    protocol, table = suite.protocol, suite.table("responses")

    @asset(
        name="responses",
        key_prefix=suite.name,
        **on_evaluations(suite),
        deps=[AssetKey(name.split("/")) for name in dict.fromkeys((suite.asked, suite.pairs))],
    )
    def responses(
        context: AssetExecutionContext, lake: LakeResource, registry: RegistryResource, spending: SpendingResource
    ) -> None:
        """Answers of a model, one row a question; failed calls keep a row of their own."""
        store, budget = lake.open(), spending.budget()
        for name, cells in by_model(context).items():
            model = _model(registry, name)
            if model.retired:
                context.log.info(f"{name} is retired: its answers are kept as they are")
                continue
            if not asking.answers(model, protocol.baselines):
                context.log.info(f"{name} is a baseline that does not answer {protocol.name} questions: not asked")
                continue
            items = {
                cell: protocol.items(store, suite, cell) for cell in cells if store.exists(suite.asked, {"cell": cell})
            }
            if missing := [cell for cell in cells if cell not in items]:
                context.log.warning(f"{suite.asked} has no {', '.join(missing)} yet: not asked")
            wanted = {cell: _wanted(store, suite, cell, of_cell, model) for cell, of_cell in items.items()}
            todo = {cell: items[cell] for cell in items if store.fingerprint(table, place(cell, name)) != wanted[cell]}
            with (
                spending.journal(store, suite.name, name) as journal,
                progress_bar(f"asking {name}") as show,
                stopping_fails(),
            ):
                for cell, rows in asking.ask(
                    model,
                    protocol.name,
                    todo,
                    lambda cell: asking.calls(store, suite.pairs, cell, items[cell]),  # noqa: B023
                    protocol.baselines,
                    journal,
                    budget,
                    show,
                ):
                    # A cell with failed calls stays due: the next run asks those again, and only those.
                    done = due_again(rows) or wanted[cell]
                    path = store.write(table, RESPONSES, rows, place(cell, name), done)
                    landed(context, partition_key(cell, name), path, answers_metadata(rows))

    return responses


def _wanted(store: Lake, suite: Suite, cell: str, items: Sequence[asking.Item], model: Model) -> str:
    settings = model.model_dump(mode="json", exclude={"facts", "retired", "concurrency", "timeout_s", "api_key_env"})
    pairs = store.fingerprint(suite.pairs, {"cell": cell})
    return fingerprint(version=__version__, model=settings, items=[item.identity() for item in items], pairs=pairs)


def _metrics(suite: Suite, judged: Sequence[AssetKey]) -> AssetsDefinition:
    protocol = suite.protocol

    @asset(
        name="metrics",
        key_prefix=suite.name,
        group_name=suite.name,
        deps=[*judged, AssetKey([suite.name, "responses"])],
        automation_condition=AutomationCondition.eager(),
    )
    def metrics(lake: LakeResource, registry: RegistryResource) -> MaterializeResult:
        """Every number of the suite with its interval; leaderboard, comparisons and agreement beside it."""
        store = lake.open()
        inputs = {name: store.fingerprints(name) for name in sources(suite)}
        facts = {name: model.facts.model_dump() for name, model in registry.models.items()}
        wanted = fingerprint(version=__version__, inputs=inputs, facts=facts)
        if any(store.fingerprint(suite.table(name)) != wanted for name in protocol.result_tables):
            for name, table in protocol.results(gather(store, suite, registry.models)).items():
                store.write(suite.table(name), table.schema, table.to_pylist(), fingerprint=wanted)
        board = store.read(suite.table("leaderboard")).to_pylist()
        columns = ("rank", "model", "judge", protocol.headline, *protocol.board_columns)
        return MaterializeResult(metadata={"models": len(board), "leaderboard": table_of(board, columns)})

    return metrics


def _files_exist(store: Lake, suite: Suite) -> bool:
    folder = store.report_folder(suite.name)
    return all((folder / file).exists() for file in store.read(suite.table("report"))["file"].to_pylist())


def _report(suite: Suite) -> AssetsDefinition:
    protocol, table = suite.protocol, suite.table("report")

    @asset(
        name="report",
        key_prefix=suite.name,
        group_name="report",
        deps=[AssetKey([suite.name, "metrics"])],
        automation_condition=AutomationCondition.eager(),
    )
    def report(lake: LakeResource, registry: RegistryResource) -> MaterializeResult:
        """One HTML file with all numbers, plots and every pair; figures and the leaderboard for a paper beside it."""
        store = lake.open()
        folder = store.report_folder(suite.name)
        wanted = store.fingerprint(suite.table("metrics")) or ""
        if store.fingerprint(table) != wanted or not _files_exist(store, suite):
            results = {name: store.read(suite.table(name)) for name in protocol.result_tables}
            files = protocol.write_report(gather(store, suite, registry.models, images=True), results, folder)
            paths = (files.html, files.leaderboard_md, *files.figures)
            rows = [{"file": path.relative_to(folder).as_posix()} for path in paths]
            store.write(table, REPORT, rows, fingerprint=wanted)
        html, leaderboard, *figures = store.read(table)["file"].to_pylist()
        return MaterializeResult(
            metadata={
                "report": MetadataValue.path(str((folder / html).absolute())),
                "leaderboard": MetadataValue.md((folder / leaderboard).read_text()),
                "figures": len(figures),
            }
        )

    return report
