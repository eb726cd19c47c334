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

from diffbench_assets.web.operators import CELLS, NO_DIFF
from diffbench_assets.web.sources import SourceSpec, load_corpus


@cache
def corpus() -> dict[str, SourceSpec]:
    """The sources of corpus.yaml (DIFFBENCH_CORPUS names another file), by name."""
    return {spec.name: spec for spec in load_corpus(Path(os.environ.get("DIFFBENCH_CORPUS", "corpus.yaml")))}


sources = StaticPartitionsDefinition(list(corpus()))
mutated_cells = StaticPartitionsDefinition(list(CELLS))
cells = StaticPartitionsDefinition([*CELLS, NO_DIFF])
models = DynamicPartitionsDefinition(name="models")
evaluations = MultiPartitionsDefinition({"cell": cells, "model": models})

candidates_of_pairs = StaticPartitionMapping({cell: cell for cell in CELLS})
"""Pairs of a cell are drawn from its candidates; no_diff pairs have none."""
