"""Sensitivity against restraint: which models find changes without inventing them (DiffSpot §3.2, appendix C).

Belongs here: the front and the region on two numbers per model. Does not belong here: computing the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from diffbench_assets.statistics.answers import Bools

MIN_RECALL = 0.30
MAX_HALLUCINATION_RATE = 0.05
"""The "accurate and restrained" region of DiffSpot §3.2, both ends included."""


def pareto_front(recall: Sequence[float], hallucination_rate: Sequence[float]) -> Bools:
    """(models,): whether no other model has at least the recall and at most the hallucination rate, and one better."""
    found, invented = np.asarray(recall, dtype=float), np.asarray(hallucination_rate, dtype=float)
    as_good = (found[None, :] >= found[:, None]) & (invented[None, :] <= invented[:, None])
    better = (found[None, :] > found[:, None]) | (invented[None, :] < invented[:, None])
    beaten: Bools = np.any(as_good & better, axis=1)
    return ~beaten


def accurate_and_restrained(recall: float, hallucination_rate: float) -> bool:
    """Whether a model lies in the region that DiffSpot §3.2 asks for."""
    return recall >= MIN_RECALL and hallucination_rate <= MAX_HALLUCINATION_RATE
