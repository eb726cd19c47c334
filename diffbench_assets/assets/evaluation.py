"""Evaluation of a suite: one factory makes responses, verdicts of every judge, metrics and the report.

Belongs here: wiring. Does not belong here: the protocol (`protocols/`), asking (`evaluation/`) or numbers
(`statistics/`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from dagster import (
    AssetDep,
    AssetExecutionContext,
    AssetKey,
    AssetsDefinition,
    AutomationCondition,
    BackfillPolicy,
    Failure,
    MaterializeResult,
    MetadataValue,
    MultiPartitionKey,
    asset,
)

from diffbench_assets import __version__, partitions
from diffbench_assets.assets.ranged import counts, fingerprint, landed
from diffbench_assets.automation import when_data_changes
from diffbench_assets.evaluation import open_ended
from diffbench_assets.evaluation.progress import progress_bar
from diffbench_assets.evaluation.registry import EndpointJudge, Judge, Model, RulesJudge
from diffbench_assets.lake import Lake
from diffbench_assets.protocols.open_ended.prompt import question_sha256
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.resources.webdiff import LakeResource
from diffbench_assets.schemas import JUDGE_REPLIES, REPORT, RESPONSES, VERDICTS

TRUTH = ("pair_id", "cell", "differences")
IMAGES = ("pair_id", "image_before", "image_after")
PREVIEW_ANSWERS = 3


@dataclass(frozen=True)
class Suite:
    """Pairs bound to a protocol. `pairs` is the lake name of the pairs asset."""

    name: str

    @property
    def pairs(self) -> str:
        return f"{self.name}/pairs"

    @property
    def responses(self) -> str:
        return f"{self.name}/responses"

    def replies(self, judge: str) -> str:
        return f"{self.name}/judge_replies/judge={judge}"

    def verdicts(self, judge: str) -> str:
        return f"{self.name}/verdicts/judge={judge}"


def suite_assets(suite: Suite, judges: Mapping[str, Judge]) -> list[AssetsDefinition]:
    """All evaluation assets of a suite: `responses`, verdicts of every judge, `metrics` and `report`."""
    verdicts = [made for judge in judges.values() for made in _judge_assets(suite, judge)]
    judged = [AssetKey([suite.name, "verdicts", judge]) for judge, entry in judges.items() if not entry.retired]
    return [_responses(suite), *verdicts, _metrics(suite, judged), _report(suite)]


def _evaluated(suite: Suite) -> dict[str, Any]:
    """What every asset on cell × model shares: a range of partitions is one run, and only changes ask for it."""
    return {
        "group_name": suite.name,
        "partitions_def": partitions.evaluations,
        "backfill_policy": BackfillPolicy.single_run(),
        "automation_condition": when_data_changes(),
    }


def _by_model(context: AssetExecutionContext) -> dict[str, list[str]]:
    cells: dict[str, list[str]] = {}
    for key in context.partition_keys:
        assert isinstance(key, MultiPartitionKey)
        cells.setdefault(key.keys_by_dimension["model"], []).append(key.keys_by_dimension["cell"])
    return cells


def _key(cell: str, model: str) -> MultiPartitionKey:
    return MultiPartitionKey({"cell": cell, "model": model})


def _place(cell: str, model: str) -> dict[str, str]:
    return {"model": model, "cell": cell}


def _model(registry: RegistryResource, name: str) -> Model:
    if name not in registry.models:
        raise Failure(f"model {name} is not in {registry.models_file}; a model that is done is retired, not removed")
    return registry.models[name]


def _responses(suite: Suite) -> AssetsDefinition:
    @asset(
        name="responses",
        key_prefix=suite.name,
        **_evaluated(suite),
        deps=[AssetKey([suite.name, "pairs"])],
    )
    def responses(
        context: AssetExecutionContext, lake: LakeResource, registry: RegistryResource, spending: SpendingResource
    ) -> None:
        """Answers of a model to the open-ended question, one row a pair; failed calls keep a row of their own."""
        store, budget = lake.open(), spending.budget()
        for name, cells in _by_model(context).items():
            model = _model(registry, name)
            if model.retired:
                context.log.info(f"{name} is retired: its answers are kept as they are")
                continue
            built = [cell for cell in cells if store.exists(suite.pairs, {"cell": cell})]
            if missing := [cell for cell in cells if cell not in built]:
                context.log.warning(f"{suite.pairs} has no {', '.join(missing)} yet: not asked")
            wanted = {cell: _asked_for(store, suite, cell, model) for cell in built}
            todo = {
                cell: store.read(suite.pairs, {"cell": cell}, ["pair_id"])["pair_id"].to_pylist()
                for cell in built
                if store.fingerprint(suite.responses, _place(cell, name)) != wanted[cell]
            }
            with spending.journal(store, suite.name, name) as journal, progress_bar(f"asking {name}") as show:
                try:
                    for cell, rows in open_ended.ask(
                        model, todo, lambda cell: _images(store, suite, cell), journal, budget, show
                    ):
                        # A cell with failed calls stays due: the next run asks those again, and only those.
                        done = _due_again(rows) or wanted[cell]
                        path = store.write(suite.responses, RESPONSES, rows, _place(cell, name), done)
                        landed(context, _key(cell, name), path, _answers(rows))
                except open_ended.Stopped as stopped:
                    raise Failure(str(stopped)) from stopped

    return responses


def _asked_for(store: Lake, suite: Suite, cell: str, model: Model) -> str:
    settings = model.model_dump(mode="json", exclude={"facts", "retired", "concurrency", "timeout_s", "api_key_env"})
    pairs = store.fingerprint(suite.pairs, {"cell": cell})
    return fingerprint(version=__version__, model=settings, question=question_sha256(), pairs=pairs)


def _images(store: Lake, suite: Suite, cell: str) -> Iterator[dict[str, Any]]:
    return store.iter_partition(suite.pairs, {"cell": cell}, IMAGES)


def _due_again(rows: list[dict[str, Any]]) -> str | None:
    """A fingerprint that no request for a complete partition has, when calls of this one failed; else None."""
    if all(row["outcome"] != "error" for row in rows):
        return None
    return f"incomplete {fingerprint(rows=[(row['item_id'], row['outcome'], row['text']) for row in rows])}"


def _answers(rows: list[dict[str, Any]]) -> dict[str, Any]:
    preview = "\n\n".join(
        f"**{row['pair_id']}**\n\n```text\n{_plain(row['text'])}\n```" for row in rows[:PREVIEW_ANSWERS]
    )
    return {
        "rows": len(rows),
        "outcomes": counts(row["outcome"] for row in rows),
        "cost_usd": float(sum(row["cost_usd"] or 0.0 for row in rows)),
        "answers": MetadataValue.md(preview or "none"),
    }


def _plain(text: str | None) -> str:
    # Answers are hostile: inside a code block, nothing but the block's own fence means anything.
    return (text or "(none)")[:600].replace("```", "'''")


def _judge_assets(suite: Suite, judge: Judge) -> list[AssetsDefinition]:
    if isinstance(judge, RulesJudge):
        return [_verdicts(suite, judge.id, AssetKey([suite.name, "responses"]), with_replies=False)]
    replies = _replies(suite, judge.id)
    return [replies, _verdicts(suite, judge.id, replies.key, with_replies=True)]


def _replies(suite: Suite, judge: str) -> AssetsDefinition:
    @asset(
        name=judge,
        key_prefix=[suite.name, "judge_replies"],
        **_evaluated(suite),
        deps=[AssetKey([suite.name, "responses"])],
    )
    def replies(
        context: AssetExecutionContext, lake: LakeResource, registry: RegistryResource, spending: SpendingResource
    ) -> None:
        """What the judge replied about each answer, unread: reading it again costs nothing."""
        store = lake.open()
        entry = registry.judges[judge]
        assert isinstance(entry, EndpointJudge)
        budget = spending.budget()
        with spending.journal(store, suite.name, f"judge-{judge}") as journal, progress_bar(f"judge {judge}") as show:
            for name, cells in _by_model(context).items():
                for cell in _answered(store, suite, name, cells):
                    rows, upstream = _inputs(store, suite, cell, name)
                    wanted = fingerprint(
                        version=__version__,
                        judge=entry.model_dump(mode="json"),
                        prompt=open_ended.judge_sha256(),
                        of=upstream,
                    )
                    place = _place(cell, name)
                    if store.fingerprint(suite.replies(judge), place) == wanted:
                        continue
                    truth = _truth(store, suite, cell)
                    try:
                        found = open_ended.ask_judge(entry, rows, truth, journal, budget, show)
                    except open_ended.Stopped as stopped:
                        raise Failure(str(stopped)) from stopped
                    done = _due_again(found) or wanted
                    path = store.write(suite.replies(judge), JUDGE_REPLIES, found, place, done)
                    landed(context, _key(cell, name), path, _answers(found))

    return replies


def _verdicts(suite: Suite, judge: str, upstream_key: AssetKey, with_replies: bool) -> AssetsDefinition:
    @asset(
        name=judge,
        key_prefix=[suite.name, "verdicts"],
        **_evaluated(suite),
        deps=[AssetDep(upstream_key)],
    )
    def verdicts(context: AssetExecutionContext, lake: LakeResource) -> None:
        """One verdict for each answer; what cannot be judged is unscored, with its reason."""
        store = lake.open()
        version = open_ended.judge_sha256() if with_replies else open_ended.rules_sha256()
        for name, cells in _by_model(context).items():
            for cell in _answered(store, suite, name, cells):
                place = _place(cell, name)
                rows, upstream = _inputs(store, suite, cell, name)
                replies = store.read(suite.replies(judge), place).to_pylist() if with_replies else []
                seen = store.fingerprint(suite.replies(judge), place) if with_replies else upstream
                pairs = store.fingerprint(suite.pairs, {"cell": cell})
                wanted = fingerprint(code=__version__, version=version, replies=seen, of=upstream, pairs=pairs)
                if store.fingerprint(suite.verdicts(judge), place) == wanted:
                    continue
                truth = _truth(store, suite, cell)
                found = list(
                    open_ended.verdicts_from_replies(judge, rows, replies, truth)
                    if with_replies
                    else open_ended.verdicts_by_rules(rows, truth)
                )
                path = store.write(suite.verdicts(judge), VERDICTS, found, place, wanted)
                verdict = counts(row["unscored_reason"] or row["verdict"] or "no difference" for row in found)
                landed(context, _key(cell, name), path, {"rows": len(found), "verdicts": verdict})

    return verdicts


def _answered(store: Lake, suite: Suite, model: str, cells: list[str]) -> list[str]:
    return [cell for cell in cells if store.exists(suite.responses, _place(cell, model))]


def _inputs(store: Lake, suite: Suite, cell: str, model: str) -> tuple[list[dict[str, Any]], str]:
    """Response rows of a partition, and a fingerprint of them: failed calls may have been answered since."""
    rows = store.read(suite.responses, _place(cell, model)).to_pylist()
    return rows, fingerprint(rows=[(row["item_id"], row["outcome"], row["text"]) for row in rows])


def _truth(store: Lake, suite: Suite, cell: str) -> dict[str, Any]:
    return open_ended.differences_of(store.iter_partition(suite.pairs, {"cell": cell}, TRUTH))


def _metrics(suite: Suite, judged: list[AssetKey]) -> AssetsDefinition:
    @asset(
        name="metrics",
        key_prefix=suite.name,
        group_name=suite.name,
        deps=[*judged, AssetKey([suite.name, "responses"])],
        automation_condition=AutomationCondition.eager(),
    )
    def metrics(lake: LakeResource, registry: RegistryResource) -> MaterializeResult:
        """Every number of the suite with its interval; leaderboard, comparisons and agreement beside it."""
        from diffbench_assets.evaluation.results import RESULT_TABLES, compute_results

        store = lake.open()
        inputs = {name: store.fingerprints(f"{suite.name}/{name}") for name in ("pairs", "responses", "verdicts")}
        facts = {name: model.facts.model_dump() for name, model in registry.models.items()}
        wanted = fingerprint(version=__version__, inputs=inputs, facts=facts)
        if any(store.fingerprint(f"{suite.name}/{name}") != wanted for name in RESULT_TABLES):
            tables = compute_results(store, suite.name, registry.models)
            for name in RESULT_TABLES:
                table: pa.Table = getattr(tables, name)
                store.write(f"{suite.name}/{name}", table.schema, table.to_pylist(), fingerprint=wanted)
        board = store.read(f"{suite.name}/leaderboard").to_pylist()
        return MaterializeResult(metadata={"models": len(board), "leaderboard": _board(board)})

    return metrics


def _board(rows: list[dict[str, Any]]) -> MetadataValue:
    columns = ["rank", "model", "judge", "accuracy", "recall", "specificity", "coverage"]

    def shown(value: Any) -> str:
        return f"{value:.3f}" if isinstance(value, float) else str(value)

    lines = ["| " + " | ".join(shown(row[column]) for column in columns) + " |" for row in rows]
    return MetadataValue.md("\n".join(["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns), *lines]))


def _files_exist(store: Lake, suite: Suite) -> bool:
    folder = store.report_folder(suite.name)
    return all((folder / file).exists() for file in store.read(f"{suite.name}/report")["file"].to_pylist())


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
        from diffbench_assets.evaluation.results import write_report

        store = lake.open()
        folder = store.report_folder(suite.name)
        wanted = store.fingerprint(f"{suite.name}/metrics") or ""
        if store.fingerprint(f"{suite.name}/report") != wanted or not _files_exist(store, suite):
            files = write_report(store, suite.name, registry.models)
            paths = (files.html, files.leaderboard_md, *files.figures)
            rows = [{"file": path.relative_to(folder).as_posix()} for path in paths]
            store.write(f"{suite.name}/report", REPORT, rows, fingerprint=wanted)
        html, leaderboard, *figures = store.read(f"{suite.name}/report")["file"].to_pylist()
        return MaterializeResult(
            metadata={
                "report": MetadataValue.path(str((folder / html).absolute())),
                "leaderboard": MetadataValue.md((folder / leaderboard).read_text()),
                "figures": len(figures),
            }
        )

    return report
