"""Verdicts of a suite: each judge its own asset, raw replies apart from what is read out of them.

Belongs here: wiring. Does not belong here: what a judge is asked, or how it decides (`protocols/`).
"""

from collections.abc import Iterable, Mapping

from dagster import AssetExecutionContext, AssetKey, AssetsDefinition, asset

from diffbench_assets import __version__
from diffbench_assets.assets.evaluated import (
    answered,
    answers_metadata,
    by_model,
    due_again,
    on_evaluations,
    partition_key,
    place,
    responses_of,
)
from diffbench_assets.assets.ranged import counts, fingerprint, landed, stopping_fails
from diffbench_assets.lake import Lake
from diffbench_assets.models.progress import progress_bar
from diffbench_assets.models.registry import EndpointJudge, Entry
from diffbench_assets.models.requests import Call
from diffbench_assets.protocols import judging
from diffbench_assets.protocols.asking import Item, calls
from diffbench_assets.protocols.judging import Judge, ModelJudge
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.resources.webdiff import LakeResource
from diffbench_assets.schemas import JUDGE_REPLIES


def judge_assets(suite: Suite, entries: Mapping[str, Entry]) -> list[AssetsDefinition]:
    """Verdicts of every judge of the suite, and the raw replies of those that are models.

    `entries` are those of judges.yaml.
    """
    made = []
    for name, judge in judging.judges_of(suite.protocol.judges, entries).items():
        if isinstance(judge, ModelJudge):
            made.append(_replies(suite, name, judge))
        made.append(_verdicts(suite, name, judge))
    return made


def _replies_table(suite: Suite, name: str) -> str:
    return suite.table(f"judge_replies/judge={name}")


def _replies(suite: Suite, name: str, judge: ModelJudge) -> AssetsDefinition:
    protocol, table = suite.protocol, _replies_table(suite, name)

    @asset(
        name=name,
        key_prefix=[suite.name, "judge_replies"],
        **on_evaluations(suite),
        deps=[AssetKey([suite.name, "responses"])],
    )
    def replies(
        context: AssetExecutionContext, lake: LakeResource, registry: RegistryResource, spending: SpendingResource
    ) -> None:
        """What the judge replied about each answer, unread: reading it again costs nothing."""
        store, budget = lake.open(), spending.budget()
        entry = registry.judges[name]
        assert isinstance(entry, EndpointJudge)
        with spending.journal(store, suite.name, f"judge-{name}") as journal, progress_bar(f"judge {name}") as show:
            for model, cells in by_model(context).items():
                for cell in answered(store, suite, model, cells):
                    rows, upstream = responses_of(store, suite, cell, model)
                    wanted = fingerprint(
                        version=__version__,
                        judge=entry.model_dump(mode="json"),
                        prompt=judge.version(),
                        of=upstream,
                        asked=_asked(store, suite, cell),
                    )
                    if store.fingerprint(table, place(cell, model)) == wanted:
                        continue
                    subjects, truth = list(protocol.subjects(rows)), protocol.truth(store, suite, cell)

                    def calls_of(items: Iterable[Item], cell: str = cell) -> Iterable[Call]:
                        return calls(store, suite.pairs, cell, items)

                    with stopping_fails():
                        found = judging.ask_judge(entry, judge, subjects, truth, calls_of, journal, budget, show)
                    done = due_again(found) or wanted
                    path = store.write(table, JUDGE_REPLIES, found, place(cell, model), done)
                    landed(context, partition_key(cell, model), path, answers_metadata(found))

    return replies


def _verdicts(suite: Suite, name: str, judge: Judge) -> AssetsDefinition:
    protocol, table, replies_table = suite.protocol, suite.table(f"verdicts/judge={name}"), _replies_table(suite, name)
    upstream_key = [suite.name, "judge_replies", name] if judge.asks_model else [suite.name, "responses"]

    @asset(
        name=name,
        key_prefix=[suite.name, "verdicts"],
        **on_evaluations(suite),
        deps=[AssetKey(upstream_key), AssetKey(suite.asked.split("/"))],
    )
    def verdicts(context: AssetExecutionContext, lake: LakeResource) -> None:
        """One verdict for each answer; what cannot be judged is unscored, with its reason."""
        store = lake.open()
        for model, cells in by_model(context).items():
            for cell in answered(store, suite, model, cells):
                here = place(cell, model)
                rows, upstream = responses_of(store, suite, cell, model)
                wanted = fingerprint(
                    code=__version__,
                    version=judge.version(),
                    replies=store.fingerprint(replies_table, here) if judge.asks_model else "",
                    of=upstream,
                    asked=_asked(store, suite, cell),
                )
                if store.fingerprint(table, here) == wanted:
                    continue
                replies = store.read(replies_table, here).to_pylist() if judge.asks_model else []
                truth = protocol.truth(store, suite, cell)
                found = list(judging.verdicts(name, judge, protocol.subjects(rows), truth, replies))
                path = store.write(table, protocol.verdict_columns, found, here, wanted)
                kinds = counts(row["unscored_reason"] or row["verdict"] or "no verdict" for row in found)
                landed(context, partition_key(cell, model), path, {"rows": len(found), "verdicts": kinds})

    return verdicts


def _asked(store: Lake, suite: Suite, cell: str) -> list[str | None]:
    """Fingerprints of what the truth about a cell is read from."""
    return [store.fingerprint(name, {"cell": cell}) for name in dict.fromkeys((suite.pairs, suite.asked))]
