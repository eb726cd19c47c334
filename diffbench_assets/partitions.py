"""Partitions of the asset graph: sources, cells and models."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from dagster import (
    DynamicPartitionsDefinition,
    MultiPartitionsDefinition,
    StaticPartitionMapping,
    StaticPartitionsDefinition,
)

from diffbench_assets.pages.sources import CrawlSource, GeneratorSource, ScenesSource, SourceSpec, load_corpus
from diffbench_assets.pairs.css.operators import CELLS
from diffbench_assets.pairs.pair_set import PairSet
from diffbench_assets.protocols.protocol import Suite

GENERATED_PAGES = 60
SCENES = 300
"""More than the pairs that the largest category of VDiff-Bench has, for each scene gives one pair of a category."""
SHARDS = int(os.environ.get("DIFFBENCH_SHARDS", "16"))
"""Shards of hosts of every crawl: each is crawled alone, on any machine."""


@cache
def corpus() -> dict[str, SourceSpec]:
    """The sources of corpus.yaml (DIFFBENCH_CORPUS names another file), by name; without one, generated pages.

    Where no source has scenes there is one that does: suites of pixel-level pairs always have them.
    """
    named = os.environ.get("DIFFBENCH_CORPUS")
    path = Path(named or "corpus.yaml")
    if not named and not path.exists():
        specs: list[SourceSpec] = [GeneratorSource(name="generator", kind="generator", count=GENERATED_PAGES)]
    else:
        specs = load_corpus(path)
    if not any(isinstance(spec, ScenesSource) or spec.name == "scenes" for spec in specs):
        specs.append(ScenesSource(name="scenes", kind="scenes", count=SCENES))
    return {spec.name: spec for spec in specs}


def scene_sources() -> list[str]:
    """The sources whose pages are scenes."""
    return [name for name, spec in corpus().items() if isinstance(spec, ScenesSource)]


sources = StaticPartitionsDefinition(list(corpus()))
crawl_sources = StaticPartitionsDefinition([name for name, spec in corpus().items() if isinstance(spec, CrawlSource)])
shards = StaticPartitionsDefinition([f"{shard:03}" for shard in range(SHARDS)])
crawls = MultiPartitionsDefinition({"source": crawl_sources, "shard": shards})
mutated_cells = StaticPartitionsDefinition(list(CELLS))


def cells_of(of: Suite | PairSet) -> StaticPartitionsDefinition:
    """The cells of a suite or of a set of pairs."""
    return StaticPartitionsDefinition(list(of.cells))


def models_of(suite: Suite) -> DynamicPartitionsDefinition:
    """The models that are asked about a suite: a baseline that does not answer its protocol is none of them."""
    return DynamicPartitionsDefinition(name=f"{suite.name}_models")


def evaluations_of(suite: Suite) -> MultiPartitionsDefinition:
    """The cells of a suite, for every model."""
    return MultiPartitionsDefinition({"cell": cells_of(suite), "model": models_of(suite)})


candidates_of_pairs = StaticPartitionMapping({cell: cell for cell in CELLS})
"""Pairs of a cell are drawn from its candidates; no_diff pairs have none."""


def range_tags(first: str, last: str) -> dict[str, str]:
    """Tags of a run that makes all partitions from `first` to `last`."""
    return {"dagster/asset_partition_range_start": first, "dagster/asset_partition_range_end": last}
