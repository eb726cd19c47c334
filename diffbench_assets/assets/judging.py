"""Verdicts of open-ended suites: each judge its own asset, raw replies apart from what is read out of them.

Belongs here: wiring. Does not belong here: what a judge is asked or how its reply is read (`protocols/open_ended/`).
"""

from collections.abc import Mapping
from typing import Any

from dagster import AssetDep, AssetExecutionContext, AssetKey, AssetsDefinition, asset

from diffbench_assets import __version__
from diffbench_assets.assets.evaluated import (
    answered,
    answers_metadata,
    by_model,
    counts,
    due_again,
    landed,
    on_evaluations,
    partition_key,
    place,
    responses_of,
)
from diffbench_assets.assets.shown import stopping_fails
from diffbench_assets.lake import Lake
from diffbench_assets.models.progress import progress_bar
from diffbench_assets.models.registry import EndpointJudge, Judge
from diffbench_assets.protocols.open_ended import protocol as open_ended
from diffbench_assets.resources.lake import LakeResource
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.schemas import JUDGE_REPLIES, VERDICTS, Table
from diffbench_assets.suites import Suite
from diffbench_assets.versions import fingerprint

TRUTH = ("pair_id", "cell", "differences")


def judge_assets(suite: Suite, judges: Mapping[str, Judge]) -> list[AssetsDefinition]:
    """Verdicts of every judge, and the raw replies of those that are models."""
    made = []
    for judge in judges.values():
        if judge.embedded:
            made.append(_verdicts(suite, judge.id, AssetKey([suite.name, "responses"]), with_replies=False))
        else:
            replies = _replies(suite, judge.id)
            made += [replies, _verdicts(suite, judge.id, replies.key, with_replies=True)]
    return made


def _replies_table(suite: Suite, judge: str) -> Table:
    return suite.table(JUDGE_REPLIES).within(judge)


def _replies(suite: Suite, judge: str) -> AssetsDefinition:
    @asset(
        name=judge,
        key_prefix=[suite.name, "judge_replies"],
        **on_evaluations(suite),
        deps=[AssetKey([suite.name, "responses"])],
    )
    def replies(
        context: AssetExecutionContext, lake: LakeResource, registry: RegistryResource, spending: SpendingResource
    ) -> None:
        """What the judge replied about each answer, unread: reading it again costs nothing."""
        store = lake.open()
        entry = registry.judges[judge]
        assert isinstance(entry, EndpointJudge)
        budget, table = spending.budget(), _replies_table(suite, judge)
        with spending.journal(store, suite.name, f"judge-{judge}") as journal, progress_bar(f"judge {judge}") as show:
            for name, cells in by_model(context).items():
                for cell in answered(store, suite, name, cells):
                    rows, upstream = responses_of(store, suite, cell, name)
                    wanted = fingerprint(
                        version=__version__,
                        judge=entry.model_dump(mode="json"),
                        prompt=open_ended.judge_sha256(),
                        of=upstream,
                    )
                    if store.fingerprint(table, place(cell, name)) == wanted:
                        continue
                    truth = _truth(store, suite, cell)
                    with stopping_fails():
                        found = open_ended.ask_judge(entry, rows, truth, journal, budget, show)
                    done = due_again(found) or wanted
                    path = store.write(table, found, place(cell, name), fingerprint=done)
                    landed(context, partition_key(cell, name), path, answers_metadata(found))

    return replies


def _verdicts(suite: Suite, judge: str, upstream_key: AssetKey, with_replies: bool) -> AssetsDefinition:
    @asset(
        name=judge,
        key_prefix=[suite.name, "verdicts"],
        **on_evaluations(suite),
        deps=[AssetDep(upstream_key)],
    )
    def verdicts(context: AssetExecutionContext, lake: LakeResource) -> None:
        """One verdict for each answer; what cannot be judged is unscored, with its reason."""
        store = lake.open()
        table, replies_table = suite.table(VERDICTS).within(judge), _replies_table(suite, judge)
        version = open_ended.judge_sha256() if with_replies else open_ended.rules_sha256()
        for name, cells in by_model(context).items():
            for cell in answered(store, suite, name, cells):
                here = place(cell, name)
                rows, upstream = responses_of(store, suite, cell, name)
                replies = store.read(replies_table, here).to_pylist() if with_replies else []
                seen = store.fingerprint(replies_table, here) if with_replies else upstream
                pairs = store.fingerprint(suite.pairs, {"cell": cell})
                wanted = fingerprint(code=__version__, version=version, replies=seen, of=upstream, pairs=pairs)
                if store.fingerprint(table, here) == wanted:
                    continue
                truth = _truth(store, suite, cell)
                found = list(
                    open_ended.verdicts_from_replies(judge, rows, replies, truth)
                    if with_replies
                    else open_ended.verdicts_by_rules(rows, truth)
                )
                path = store.write(table, found, here, fingerprint=wanted)
                verdict = counts(row["unscored_reason"] or row["verdict"] or "no difference" for row in found)
                landed(context, partition_key(cell, name), path, {"rows": len(found), "verdicts": verdict})

    return verdicts


def _truth(store: Lake, suite: Suite, cell: str) -> dict[str, Any]:
    return open_ended.differences_of(store.iter_partition(suite.pairs, {"cell": cell}, TRUTH))
