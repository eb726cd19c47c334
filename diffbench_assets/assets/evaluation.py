"""Evaluation of a suite: one factory makes what its protocol prepares, responses, verdicts, metrics and the report.

Belongs here: wiring that all protocols share. Does not belong here: preparations (`prepared.py`), verdicts
(`judging.py`), the protocol itself (`protocols/`), asking (`models/`) or numbers (`statistics/`).

Metrics and the report are not ranged: the columns of results are known when they are computed, and a report is files.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from dagster import (
    AssetKey,
    AssetsDefinition,
    AutomationCondition,
    MaterializeResult,
    MetadataValue,
    asset,
)

from diffbench_assets.assets.evaluated import Failures, about_answers, by_model, complete, evaluated, place
from diffbench_assets.assets.judging import judge_assets
from diffbench_assets.assets.prepared import key_of, prepared_assets
from diffbench_assets.assets.ranged import Made, Run
from diffbench_assets.assets.shown import stopping_fails, table_of
from diffbench_assets.lake import Lake
from diffbench_assets.models.progress import progress_bar
from diffbench_assets.models.registry import BaselineModel, Judge, Model
from diffbench_assets.models.requests import Call
from diffbench_assets.protocols import asking
from diffbench_assets.protocols.asking import Baseline, Item
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.protocols.results import gather, sources
from diffbench_assets.resources.lake import LakeResource
from diffbench_assets.resources.models import NOT_ASKED, RegistryResource, SpendingResource
from diffbench_assets.schemas import METRICS, REPORT, RESPONSES
from diffbench_assets.versions import code_of, fingerprint


def suite_assets(suite: Suite, judges: Mapping[str, Judge]) -> list[AssetsDefinition]:
    """All evaluation assets of a suite. `judges` are the entries of judges.yaml."""
    verdicts = judge_assets(suite, judges)
    retired = {judge for judge, entry in judges.items() if entry.retired}
    keys = [made.key for made in verdicts if made.key.path[1] == "verdicts" and made.key.path[2] not in retired]
    return [*prepared_assets(suite), _responses(suite), *verdicts, _metrics(suite, keys), _report(suite)]


def _asked(run: Run, suite: Suite, registry: RegistryResource) -> dict[str, list[Item]]:
    """Partitions that can be asked about, with their items; why the others cannot is logged."""
    protocol = suite.protocol
    items: dict[str, list[Item]] = {}
    for name, keys in by_model(run.keys).items():
        model = registry.model(name)
        if model.retired:
            run.log.info(f"{name} is retired: its answers are kept as they are")
        elif not asking.answers(model, protocol.baselines):
            run.log.info(f"{name} is a baseline that does not answer {protocol.name} questions: not asked")
        else:
            cells = {key: place(key)["cell"] for key in keys}
            built = {key: cell for key, cell in cells.items() if run.lake.exists(suite.asked, {"cell": cell})}
            if missing := [cell for key, cell in cells.items() if key not in built]:
                run.log.warning(f"{suite.asked.name} has no {', '.join(missing)} yet: not asked")
            items |= {key: protocol.items(run.lake, suite, cell) for key, cell in built.items()}
    return items


def _responses(suite: Suite) -> AssetsDefinition:
    protocol = suite.protocol

    def wanted(run: Run, registry: RegistryResource) -> Mapping[str, Any]:
        return {
            key: {
                "answered_by": _answered_by(registry.model(place(key)["model"]), protocol.baselines),
                "items": [item.identity() for item in items],
                "pairs": run.lake.version(suite.pairs, {"cell": place(key)["cell"]}),
            }
            for key, items in _asked(run, suite, registry).items()
        }

    @evaluated(
        suite,
        suite.table(RESPONSES),
        key=["responses"],
        wanted=wanted,
        deps=[key_of(table) for table in dict.fromkeys((suite.asked, suite.pairs))],
    )
    def responses(run: Run, todo: list[str], registry: RegistryResource, spending: SpendingResource) -> Generator[Made]:
        """Answers of a model, one row a question; failed calls keep a row of their own."""
        budget = spending.budget()
        for name, keys in by_model(todo).items():
            items = {key: protocol.items(run.lake, suite, place(key)["cell"]) for key in keys}
            with (
                spending.journal(run.lake, suite.name, name) as journal,
                progress_bar(f"asking {name}") as show,
                stopping_fails(),
            ):
                shown = partial(_calls, run.lake, suite, items)
                model, baselines = registry.model(name), protocol.baselines
                failures = Failures(name, run.log.warning)
                for key, rows in asking.ask(model, protocol.name, items, shown, baselines, journal, budget, show):
                    answers = [row | {"cell": place(key)["cell"]} for row in rows]
                    failures.count(answers)
                    yield Made(key, answers, about_answers(answers), complete=complete(answers))
                failures.tell()

    return responses


def _answered_by(model: Model, baselines: Mapping[str, Baseline]) -> Any:
    """What decides the answers of a model, beside the question."""
    code = code_of(baselines[model.baseline]) if isinstance(model, BaselineModel) else ""
    return model.model_dump(mode="json", exclude=NOT_ASKED), code


def _calls(lake: Lake, suite: Suite, items: Mapping[str, list[Item]], key: str) -> Iterator[Call]:
    return asking.calls(lake, suite.pairs, place(key)["cell"], items[key])


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
        inputs = {table.name: store.versions(table) for table in sources(suite)}
        facts = {name: model.facts.model_dump() for name, model in registry.models.items()}
        wanted = fingerprint(code=code_of(type(protocol)), inputs=inputs, facts=facts)
        if any(store.fingerprint(suite.result(name)) != wanted for name in protocol.result_tables):
            for name, found in protocol.results(gather(store, suite, registry.models)).items():
                store.write(replace(suite.result(name), schema=found.schema), found.to_pylist(), fingerprint=wanted)
        board = store.read(suite.result("leaderboard")).to_pylist()
        columns = ("rank", "model", "judge", protocol.headline, *protocol.board_columns)
        return MaterializeResult(metadata={"models": len(board), "leaderboard": table_of(board, columns)})

    return metrics


def _files_exist(store: Lake, suite: Suite) -> bool:
    folder = store.report_folder(suite.name)
    return all((folder / file).exists() for file in store.read(suite.table(REPORT))["file"].to_pylist())


def _report(suite: Suite) -> AssetsDefinition:
    protocol, table = suite.protocol, suite.table(REPORT)

    @asset(
        name="report",
        key_prefix=suite.name,
        group_name="report",
        deps=[AssetKey([suite.name, "metrics"])],
        automation_condition=AutomationCondition.eager(),
    )
    def report(lake: LakeResource, registry: RegistryResource) -> MaterializeResult:
        """One HTML file with all numbers, plots and every pair; figures and the leaderboard for a paper beside it."""
        from diffbench_assets.report.overview import write_overview

        store = lake.open()
        folder = store.report_folder(suite.name)
        wanted = store.fingerprint(suite.table(METRICS)) or ""
        if store.fingerprint(table) != wanted or not _files_exist(store, suite):
            results = {name: store.read(suite.result(name)) for name in protocol.result_tables}
            files = protocol.write_report(gather(store, suite, registry.models, images=True), results, folder)
            paths = (files.html, files.leaderboard_md, *files.figures)
            rows = [{"file": path.relative_to(folder).as_posix()} for path in paths]
            store.write(table, rows, fingerprint=wanted)
        write_overview(store.reports_folder())
        html, leaderboard, *figures = store.read(table)["file"].to_pylist()
        return MaterializeResult(
            metadata={
                "report": MetadataValue.path(str((folder / html).absolute())),
                "leaderboard": MetadataValue.md((folder / leaderboard).read_text()),
                "figures": len(figures),
            }
        )

    return report
