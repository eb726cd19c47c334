"""Verdicts of a suite: each judge its own asset, raw replies apart from what is read out of them.

Belongs here: wiring. Does not belong here: what a judge is asked, or how it decides (`protocols/`).
"""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from dagster import AssetKey, AssetsDefinition

from diffbench_assets.assets.evaluated import Failures, about_answers, complete, evaluated, place
from diffbench_assets.assets.prepared import key_of
from diffbench_assets.assets.ranged import Made, Run
from diffbench_assets.assets.shown import stopping_fails
from diffbench_assets.lake import Lake
from diffbench_assets.models.progress import progress_bar
from diffbench_assets.models.registry import EndpointJudge, Entry
from diffbench_assets.models.requests import Call
from diffbench_assets.protocols import judging
from diffbench_assets.protocols.asking import Item, calls
from diffbench_assets.protocols.judging import Judge, ModelJudge, Subject
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.schemas import JUDGE_REPLIES, RESPONSES, Table
from diffbench_assets.versions import code_of


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


def _replies_table(suite: Suite, name: str) -> Table:
    return suite.table(JUDGE_REPLIES).within(name)


def _judged(run: Run, suite: Suite) -> dict[str, dict[str, Any]]:
    """What judges of the suite are shown, in partitions that have answers: those, and what is true of their pairs."""
    answered = [key for key in run.keys if run.lake.exists(suite.table(RESPONSES), place(key))]
    truth = dict.fromkeys((suite.pairs, suite.asked))
    return {
        key: {
            "responses": run.lake.version(suite.table(RESPONSES), place(key)),
            "truth": [run.lake.version(table, {"cell": place(key)["cell"]}) for table in truth],
        }
        for key in answered
    }


def _subjects(lake: Lake, suite: Suite, key: str) -> tuple[list[Subject], Mapping[str, Any]]:
    """What is judged in a partition, and what is true of each."""
    rows = lake.read(suite.table(RESPONSES), place(key)).to_pylist()
    return list(suite.protocol.subjects(rows)), suite.protocol.truth(lake, suite, place(key)["cell"])


def _replies(suite: Suite, name: str, judge: ModelJudge) -> AssetsDefinition:
    def wanted(run: Run, registry: RegistryResource) -> Mapping[str, Any]:
        asked = {"judge": registry.judges[name].model_dump(mode="json"), "prompt": judge.version()}
        return {key: {**asked, **judged} for key, judged in _judged(run, suite).items()}

    @evaluated(
        suite,
        _replies_table(suite, name),
        key=["judge_replies", name],
        wanted=wanted,
        deps=[AssetKey([suite.name, "responses"]), key_of(suite.asked)],
    )
    def replies(run: Run, todo: list[str], registry: RegistryResource, spending: SpendingResource) -> Generator[Made]:
        """What the judge replied about each answer, unread: reading it again costs nothing."""
        entry, budget = registry.judges[name], spending.budget()
        assert isinstance(entry, EndpointJudge)
        with (
            spending.journal(run.lake, suite.name, f"judge-{name}") as journal,
            progress_bar(f"judge {name}") as show,
            stopping_fails(),
        ):
            failures = Failures(name, run.log.warning)
            groups = {key: _subjects(run.lake, suite, key) for key in todo}
            shown = partial(_calls, run.lake, suite)
            for key, found in judging.ask_judge(entry, judge, groups, shown, journal, budget, show):
                failures.count(found)
                yield Made(key, found, about_answers(found), complete=complete(found))
            failures.tell()

    return replies


def _calls(lake: Lake, suite: Suite, key: str, items: Iterable[Item]) -> Iterator[Call]:
    return calls(lake, suite.pairs, place(key)["cell"], items)


def _verdicts(suite: Suite, name: str, judge: Judge) -> AssetsDefinition:
    said = _replies_table(suite, name) if judge.asks_model else None

    def wanted(run: Run) -> Mapping[str, Any]:
        decided = {"judge": judge.version(), "code": code_of(type(judge), judging.verdicts)}
        return {
            key: {**decided, **judged, "replies": run.lake.version(said, place(key)) if said else ""}
            for key, judged in _judged(run, suite).items()
        }

    @evaluated(
        suite,
        suite.table(suite.protocol.verdicts).within(name),
        key=["verdicts", name],
        wanted=wanted,
        deps=[AssetKey([suite.name, *(("judge_replies", name) if said else ("responses",))]), key_of(suite.asked)],
    )
    def verdicts(run: Run, todo: list[str]) -> Generator[Made]:
        """One verdict for each answer; what cannot be judged is unscored, with its reason."""
        for key in todo:
            subjects, truth = _subjects(run.lake, suite, key)
            replies = run.lake.read(said, place(key)).to_pylist() if said else []
            found = list(judging.verdicts(name, judge, subjects, truth, replies))
            yield Made(key, found, {"verdicts": Counter(map(_said, found))})

    return verdicts


def _said(row: Mapping[str, Any]) -> str:
    return row["unscored_reason"] or row["verdict"] or "no verdict"
