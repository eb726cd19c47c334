"""Running the asset graph from Python, range by range: what the commands of `diffbench` do.

Belongs here: which runs a build or an evaluation needs. Does not belong here: what the assets do.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from dagster import AssetKey, AssetsDefinition, DagsterInstance, Definitions, materialize

from diffbench_assets import partitions
from diffbench_assets.errors import UserError
from diffbench_assets.graph import definitions_of
from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.schemas import PAIRS
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
        self._resources = {**(definitions.resources or {}), **resources}
        self.instance = instance

    def run(self, key: Sequence[str], span: tuple[str, str] | None = None) -> None:
        """Materializes one asset, for the partitions of `span`. Raises RunFailed; finished partitions stay."""
        asset_key = AssetKey(list(key))
        result = materialize(
            [*self._assets, *self._sources],  # type: ignore[list-item]
            selection=[asset_key],
            resources=self._resources,
            instance=self.instance,
            tags=partitions.range_tags(*span) if span else None,
            raise_on_error=False,
            run_config={"loggers": {"console": {"config": {"log_level": "WARNING"}}}},
        )
        if not result.success:
            raise RunFailed(_reason(result, asset_key))


def _reason(result: Any, key: AssetKey) -> str:
    for event in result.all_events:
        if event.is_step_failure:
            error = event.step_failure_data.error
            cause = error.cause or error
            return f"{key.to_user_string()}: {cause.message.strip()}"
    return f"{key.to_user_string()} failed"


@contextmanager
def graph(suites: Mapping[str, Suite] = SUITES, **resources: Any) -> Iterator[Graph]:
    """The graph of `suites`, with `resources` in place of its own."""
    home = os.environ.get("DAGSTER_HOME")
    with DagsterInstance.get() if home else DagsterInstance.ephemeral() as instance:
        yield Graph(definitions_of(suites.values()), instance, **resources)


def build_pairs(running: Graph, sources: Sequence[str], cells: Sequence[str]) -> None:
    """Materializes pages of `sources` (all but scenes by default), the pool, and candidates and pairs of `cells`."""
    known = list(partitions.corpus())
    if unknown := sorted(set(sources) - set(known)):
        raise ValueError(f"unknown source {unknown[0]!r}; corpus.yaml has {', '.join(known)}")
    build_pages(running, sources or [name for name in known if name not in partitions.scene_sources()])
    running.run(["page_pool"])
    mutated = [cell for cell in cells if cell != NO_DIFF]
    for span in contiguous(mutated, partitions.mutated_cells.get_partition_keys()):
        running.run(["webdiff", "candidates"], span)
    for span in contiguous(cells, SUITES["webdiff"].cells):
        running.run(["webdiff", "pairs"], span)


def build_pages(running: Graph, sources: Sequence[str]) -> None:
    """Materializes pages of `sources`."""
    for span in contiguous(sources, list(partitions.corpus())):
        running.run(["pages"], span)


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


def prepare(running: Graph, suite: Suite, cells: Sequence[str]) -> None:
    """Materializes what the suite's protocol prepares for `cells`, and first the pairs where the suite makes its own.

    Such a suite has scenes at hand. Raises RunFailed when a check of the protocol says that nothing may follow.
    """
    spans = contiguous(cells, suite.cells)
    prepared = [preparation.table for preparation in suite.protocol.prepares]
    if suite.owns_pairs:
        build_pages(running, partitions.scene_sources())
    for table in ([PAIRS] if suite.owns_pairs else []) + [table for table in prepared if table.keys]:
        for span in spans:
            running.run(suite.table(table).name.split("/"), span)
    for table in prepared:
        if not table.keys:
            running.run(suite.table(table).name.split("/"))


def evaluate(running: Graph, suite: Suite, models: Sequence[str], cells: Sequence[str]) -> None:
    """Asks each model about `cells`; models become partitions first."""
    running.instance.add_dynamic_partitions("models", list(models))
    _on_evaluations(running, suite, ["responses"], models, cells)


def judge(
    running: Graph, suite: Suite, judge_id: str, models: Sequence[str], cells: Sequence[str], replies: bool
) -> None:
    """Verdicts of a judge on what models answered about `cells`; `replies` when the judge is a model to be asked."""
    running.instance.add_dynamic_partitions("models", list(models))
    if replies:
        _on_evaluations(running, suite, ["judge_replies", judge_id], models, cells)
    _on_evaluations(running, suite, ["verdicts", judge_id], models, cells)


def _on_evaluations(
    running: Graph, suite: Suite, key: Sequence[str], models: Sequence[str], cells: Sequence[str]
) -> None:
    for model in models:
        for first, last in contiguous(cells, suite.cells):
            running.run([suite.name, *key], (f"{first}|{model}", f"{last}|{model}"))
