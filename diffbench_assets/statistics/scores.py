"""Right or wrong answers under every judge: the judge × model × pair grid that other numbers are taken from.

Belongs here: the grid, and the three headline proportions as subsets of the pairs (DiffSpot §3.1). Does not belong
here: the rule that turns a verdict into success (`protocols/`), intervals, slices, tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from diffbench_assets.statistics.answers import (
    Bools,
    Ints,
    codes,
    distinct,
)

NO_DIFF = "no_diff"
HEADLINE = ("accuracy", "recall", "specificity")
"""Each is the share of successes over a subset of the pairs: all, has-diff, no-diff."""

MAX_UNSCORED_SHARE = 0.05
"""Above this share of pairs without a verdict a score says more about the run than about the model: it is null."""


@dataclass(frozen=True)
class Scores:
    """Successes of M models on N pairs as J judges see them. Every array is (J, M, N), pairs in order of pair_id.

    An unscored pair (no response, no completed answer, no verdict) is not a success and stays in the denominator.
    """

    pairs: pa.Table
    judges: tuple[str, ...]
    models: tuple[str, ...]
    success: Bools
    scored: Bools
    hallucinations: Ints
    """Number of claims that are not true; 0 where unscored."""
    stale: int
    """Verdicts left out because their pair or their response is no longer in the lake."""

    @property
    def suite(self) -> str:
        return str(self.pairs["suite"][0].as_py())

    @property
    def pages(self) -> Ints:
        """(N,) number of each pair's source page in the order of page_id: the cluster of every interval."""
        return codes(self.pairs["page_id"], distinct(self.pairs["page_id"]))

    def of_models(self, models: Sequence[str]) -> Scores:
        """The same scores of `models` alone, in their order: what to rank or average when some models are baselines."""
        index = [self.models.index(model) for model in models]
        return replace(
            self,
            models=tuple(models),
            success=self.success[:, index],
            scored=self.scored[:, index],
            hallucinations=self.hallucinations[:, index],
        )

    def members(self, metric: str) -> Ints:
        """Indices of the pairs that are the denominator of `metric`, one of HEADLINE."""
        no_diff = pc.equal(self.pairs["cell"], NO_DIFF).to_numpy()
        return np.flatnonzero({"accuracy": np.ones_like(no_diff), "recall": ~no_diff, "specificity": no_diff}[metric])

    def covered(self, members: Ints, max_unscored: float = MAX_UNSCORED_SHARE) -> Bools:
        """(J, M): whether at most `max_unscored` of the pairs `members` have no verdict."""
        if not len(members):
            return np.zeros(self.scored.shape[:2], dtype=bool)
        return (~self.scored[:, :, members]).sum(axis=2) / len(members) <= max_unscored
