"""Running the asset graph from Python, range by range: what the commands of `diffbench` do.

Belongs here: which runs a build or an evaluation needs. Does not belong here: what the assets do.
"""

import logging
import os
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from dagster import (
    AssetCheckEvaluation,
    AssetChecksDefinition,
    AssetKey,
    AssetsDefinition,
    AssetSelection,
    DagsterInstance,
    Definitions,
    ExecuteInProcessResult,
    define_asset_job,
)

from diffbench_assets import partitions
from diffbench_assets.assets.prepared import key_of
from diffbench_assets.errors import UserError
from diffbench_assets.graph import definitions_of
from diffbench_assets.lake import Lake, keys_of
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.resources.lake import LakeResource
from diffbench_assets.schemas import PAGES
from diffbench_assets.suites import SUITES


class RunFailed(UserError):
    """A run of the graph failed; the message is the failing step's own."""


def contiguous(keys: Sequence[str], order: Sequence[str]) -> list[tuple[str, str]]:
    """`keys` as ranges of `order`: a run takes one range, so neighbours share a run."""
    places = sorted(order.index(key) for key in set(keys))
    runs = [[place for _, place in group] for _, group in groupby(enumerate(places), lambda pair: pair[1] - pair[0])]
    return [(order[run[0]], order[run[-1]]) for run in runs]


class Graph:
    """The asset graph with some resources replaced, on one Dagster instance."""

    def __init__(self, definitions: Definitions, instance: DagsterInstance, **resources: Any) -> None:
        self._assets = [asset for asset in definitions.assets or [] if isinstance(asset, AssetsDefinition)]
        self._sources = [asset for asset in definitions.assets or [] if not isinstance(asset, AssetsDefinition)]
        self._checks = [check for check in definitions.asset_checks or [] if isinstance(check, AssetChecksDefinition)]
        self._resources = {**(definitions.resources or {}), **resources}
        self.instance = instance

    def made_for(self, suite: Suite) -> list[AssetsDefinition]:
        """The assets of what the suite asks about, each after those that it is made of, from pages on."""
        by_key = {asset.key: asset for asset in self._assets}
        found: dict[AssetKey, AssetsDefinition] = {}

        def visit(key: AssetKey) -> None:
            asset = by_key.get(key)
            # Pairs of another suite lie in that one's folder; pages of a crawl have a command of their own.
            if asset is None or key in found or key.path[:-1] not in ([], [suite.name]):
                return
            if asset.partitions_def != partitions.sources:
                for upstream in sorted(asset.dependency_keys):
                    visit(upstream)
            found[key] = asset

        for table in (suite.pairs, *(suite.table(preparation.table) for preparation in suite.protocol.prepares)):
            visit(key_of(table))
        return list(found.values())

    def run(self, key: Sequence[str], span: tuple[str, str] | None = None) -> None:
        """Materializes one asset, for the partitions of `span`. Raises RunFailed; finished partitions stay."""
        asset_key = AssetKey(list(key))
        result = self.execute("_".join(asset_key.path), AssetSelection.assets(asset_key), span)
        for entry in self.instance.all_logs(result.run_id):
            if entry.level == logging.WARNING:
                print(f"{asset_key.to_user_string()}: {entry.user_message}", file=sys.stderr)
        if not result.success:
            raise RunFailed(f"{asset_key.to_user_string()}: {_reason(result)}")

    def check(self) -> list[AssetCheckEvaluation]:
        """Evaluates the checks of all assets over whatever they hold. Raises RunFailed when one cannot be."""
        keys = [key for check in self._checks for key in check.check_keys]
        result = self.execute("checks", AssetSelection.checks(*keys), checks=self._checks)
        if not result.success:
            raise RunFailed(f"checks: {_reason(result)}")
        return list(result.get_asset_check_evaluations())

    def execute(
        self,
        name: str,
        selection: AssetSelection,
        span: tuple[str, str] | None = None,
        checks: Sequence[AssetChecksDefinition] = (),
    ) -> ExecuteInProcessResult:
        """One run of a selection under this name, for the partitions of `span`; of checks that are no assets' own only
        those of `checks`.
        """
        # A job of its own, so that the run has a name that says what it does.
        job = define_asset_job(re.sub(r"\W", "_", name), selection)
        graph = Definitions(
            assets=[*self._assets, *self._sources],
            asset_checks=checks,
            jobs=[job],
            resources=self._resources,
        )
        return graph.resolve_job_def(job.name).execute_in_process(
            instance=self.instance,
            tags=partitions.range_tags(*span) if span else None,
            raise_on_error=False,
            # Dagster's console would print the stack of every failure; what is worth saying is said here.
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
        )


def _reason(result: ExecuteInProcessResult) -> str:
    """Why a run failed. The stack is printed of what nobody at the keyboard can put right. An interrupt goes on."""
    failures = (event.step_failure_data for event in result.all_events if event.is_step_failure)
    failure = next(failures, None)
    if failure is None or failure.error is None:
        return "failed"
    if failure.user_failure_data:
        return str(failure.user_failure_data.description)
    error = failure.error.cause or failure.error
    if error.cls_name in ("KeyboardInterrupt", "DagsterExecutionInterruptedError"):
        raise KeyboardInterrupt
    if error.cls_name in _told(UserError, OSError):
        return error.message.partition(": ")[2].strip()
    if error.cls_name != "DagsterAssetCheckFailedError":
        print(error.to_string(), file=sys.stderr)
    return error.message.strip()


def _told(*kinds: type[BaseException]) -> set[str]:
    """Names of these kinds of errors and of all kinds of them: of an error in a step only its name comes back."""
    return {name for kind in kinds for name in {kind.__name__, *_told(*kind.__subclasses__())}}


@contextmanager
def graph(lake: Lake, suites: Mapping[str, Suite] = SUITES, **resources: Any) -> Iterator[Graph]:
    """The graph of `suites` on a lake, with `resources` in place of its own.

    Raises UserError for a DAGSTER_HOME that cannot be used.
    """
    home = os.environ.get("DAGSTER_HOME")
    try:
        opened = DagsterInstance.get() if home else DagsterInstance.ephemeral()
    except Exception as error:  # each storage of Dagster fails with errors of its own database
        raise UserError(f"DAGSTER_HOME is {home}: {str(error).splitlines()[0]}") from error
    with opened as instance:
        yield Graph(definitions_of(suites.values()), instance, lake=LakeResource(root=lake.root), **resources)


def sources_of(suite: Suite, named: Collection[str]) -> set[str]:
    """The sources whose pages are made for a suite: those that are named, and the scenes for pairs that are made of
    them; by default all but scenes, or the scenes alone. Raises UserError for an unknown source.
    """
    known, scenes = list(partitions.corpus()), partitions.scene_sources()
    if unknown := sorted({*named} - {*known}):
        raise UserError(f"there is no file and no source {unknown[0]!r}; corpus.yaml has {', '.join(known)}")
    return {*named, *scenes} if suite.pair_set.scenes else {*named} or {*known} - {*scenes}


def check_alone(lake: Lake, sources: Collection[str]) -> None:
    """Raises UserError when the lake holds pages of other sources: pairs would be made of these too."""
    others = sorted(
        {keys_of(place)["source"] for place in lake.places(PAGES)} - {*sources, *partitions.scene_sources()}
    )
    if others:
        raise UserError(
            f"{lake.root} holds pages of {', '.join(others)}, and pairs are made of all pages of a lake: name another "
            f"lake with --lake, or {'these sources' if others[1:] else 'this source'} with --source too"
        )


def build(running: Graph, suite: Suite, sources: Sequence[str], cells: Sequence[str]) -> None:
    """Materializes what the suite asks about, for `cells`: pairs that are made for it, with all that these are made of,
    and what its protocol prepares; pairs of another suite are taken as they are.

    Pages are those of `sources_of` the suite. Raises UserError for an unknown source, RunFailed when a check of the
    protocol says that nothing may follow.
    """
    chosen = sources_of(suite, sources)
    for asset in running.made_for(suite):
        if asset.partitions_def is None:
            running.run(asset.key.path)
        else:
            order = asset.partitions_def.get_partition_keys()
            wanted = chosen if asset.partitions_def == partitions.sources else set(cells)
            for span in contiguous([key for key in order if key in wanted], order):
                running.run(asset.key.path, span)


def crawl_sources(running: Graph, sources: Sequence[str], shards: Sequence[str]) -> None:
    """Every stage of the crawl of `sources`, for the hosts of `shards`, down to their pages and the report."""
    order = partitions.shards.get_partition_keys()
    for source in sources:
        running.run(["domains"], (source, source))
        for name in ("sites", "crawled"):
            _on_shards(running, name, source, contiguous(shards, order))
        running.run(["unique_pages"], (source, source))
        _on_shards(running, "self_contained", source, contiguous(shards, order))
        for name in ("sampled", "crawl_funnel", "pages"):
            running.run([name], (source, source))
    running.run(["corpus_report"])


def audit_sources(running: Graph, sources: Sequence[str]) -> None:
    """Asks the judges of `sources` how real originals and copies look, and reports what they say."""
    for source in sources:
        for name in ("realness_scores", "realness"):
            running.run([name], (source, source))
    running.run(["corpus_report"])


def _on_shards(running: Graph, name: str, source: str, spans: Sequence[tuple[str, str]]) -> None:
    for first, last in spans:
        # Keys of two dimensions list them by name: shard, then source.
        running.run([name], (f"{first}|{source}", f"{last}|{source}"))


def evaluate(running: Graph, suite: Suite, models: Sequence[str], cells: Sequence[str]) -> None:
    """Asks each model about `cells`; models become partitions first."""
    running.instance.add_dynamic_partitions(str(partitions.models_of(suite).name), list(models))
    _on_evaluations(running, suite, ["responses"], models, cells)


def judge(
    running: Graph, suite: Suite, judge_id: str, models: Sequence[str], cells: Sequence[str], replies: bool
) -> None:
    """Verdicts of a judge on what models answered about `cells`; `replies` when the judge is a model to be asked."""
    running.instance.add_dynamic_partitions(str(partitions.models_of(suite).name), list(models))
    if replies:
        _on_evaluations(running, suite, ["judge_replies", judge_id], models, cells)
    _on_evaluations(running, suite, ["verdicts", judge_id], models, cells)


def _on_evaluations(
    running: Graph, suite: Suite, key: Sequence[str], models: Sequence[str], cells: Sequence[str]
) -> None:
    for model in models:
        for first, last in contiguous(cells, suite.cells):
            running.run([suite.name, *key], (f"{first}|{model}", f"{last}|{model}"))
