"""The tidy `metrics` table of one suite: every score of every model under every judge, with its interval.

Belongs here: which metric is reported over which slice. Does not belong here: how a verdict becomes a success
(`scores.py`), how an interval is made (`intervals.py`), rankings and comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from diffbench_assets.protocols.open_ended.statistics.correction import corrected_rows
from diffbench_assets.schemas import METRICS
from diffbench_assets.statistics.answers import Answers, Bools, Floats, distinct
from diffbench_assets.statistics.intervals import (
    REPLICATES,
    Weights,
    page_weights,
    percentile_interval,
    proportion_interval,
    ratio,
    weighted_sums,
)
from diffbench_assets.statistics.scores import MAX_UNSCORED_SHARE, Scores
from diffbench_assets.statistics.slices import Slice, slices
from diffbench_assets.statistics.tables import interval
from diffbench_assets.statistics.usage import usage_rows

RECALL_SLICES = ("tier", "operator", "cell", "family", "domain", "style", "language", "element")
COVERED_METRICS = ("accuracy", "recall", "specificity", "hallucination_rate", "hallucinations_per_answer")
"""Metrics that are null where too many pairs have no verdict."""


def metrics_table(
    answers: Answers,
    scores: Scores,
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    max_unscored: float = MAX_UNSCORED_SHARE,
) -> pa.Table:
    """Every metric of a suite with 95 % intervals, columns of schemas.METRICS.

    accuracy, recall, specificity (DiffSpot §3.1): share of successes among all, has-diff, no-diff pairs; an unscored
    pair is in the denominator and not a success. hallucination_rate: 1 - specificity. hallucinations_per_answer: false
    claims divided by scored answers, without interval where the bootstrap has no width. coverage: share of pairs with
    a verdict. recall_corrected: recall less the known errors of the judge, for judges that were measured. A score is
    null where more than `max_unscored` of its pairs have no verdict (`coverage_failures` lists them). Rows with a null
    judge (outcome, tokens, cost, latency) need no judge.
    """
    weights = page_weights(scores.pages, replicates, seed)
    rows = [row for part in _judged(scores, weights, max_unscored) for row in part.rows(scores)]
    rows += corrected_rows(rows.copy())
    return pa.Table.from_pylist(rows + usage_rows(answers), schema=METRICS.schema)


@dataclass(frozen=True)
class CoverageFailure:
    """A score that is null because too many of its pairs have no verdict."""

    suite: str
    model: str
    judge: str
    metric: str
    slice: str
    slice_value: str
    n: int
    n_unscored: int

    def __str__(self) -> str:
        return (
            f"{self.suite}: {self.metric} of {self.model} under judge {self.judge}, {self.slice} {self.slice_value}: "
            f"{self.n_unscored} of {self.n} pairs have no verdict; ask or judge them again, or raise the limit"
        )


def coverage_failures(metrics: pa.Table, max_unscored: float = MAX_UNSCORED_SHARE) -> list[CoverageFailure]:
    """Every score of a metrics table that more than `max_unscored` of its pairs leave without a verdict."""
    names = list(CoverageFailure.__dataclass_fields__)
    judged = metrics.filter(pc.is_in(metrics["metric"], pa.array(COVERED_METRICS))).select(names).to_pylist()
    return [CoverageFailure(**row) for row in judged if row["n_unscored"] > max_unscored * row["n"]]


@dataclass(frozen=True)
class _Part:
    """One metric over one slice; arrays are (judge, model)."""

    metric: str
    slice: Slice
    value: Floats
    low: Floats
    high: Floats
    unscored: np.ndarray

    def rows(self, scores: Scores) -> Iterator[dict[str, object]]:
        for j, judge in enumerate(scores.judges):
            for m, model in enumerate(scores.models):
                yield {
                    "suite": scores.suite,
                    "model": model,
                    "judge": judge,
                    "metric": self.metric,
                    "slice": self.slice.name,
                    "slice_value": self.slice.value,
                    **interval(self.value[j, m], self.low[j, m], self.high[j, m]),
                    "n": len(self.slice.members),
                    "n_unscored": int(self.unscored[j, m]),
                }


def _judged(scores: Scores, weights: Weights, max_unscored: float) -> Iterator[_Part]:
    everything = scores.members("accuracy")
    for part in slices(scores.pairs, everything, ()):
        yield _proportion("accuracy", part, scores, scores.success, weights, max_unscored)
    for part in slices(scores.pairs, scores.members("recall"), RECALL_SLICES):
        yield _proportion("recall", part, scores, scores.success, weights, max_unscored)
    for part in slices(scores.pairs, scores.members("specificity"), ()):
        yield _proportion("specificity", part, scores, scores.success, weights, max_unscored)
        yield _proportion("hallucination_rate", part, scores, ~scores.success, weights, max_unscored)
    for part in slices(scores.pairs, everything, ("tier",)):
        yield _hallucinations(part, scores, weights, max_unscored)
    for part in slices(scores.pairs, everything, ("tier", "cell")):
        unscored = _unscored(part, scores)
        undefined = np.full(unscored.shape, np.nan)
        yield _Part("coverage", part, 1 - unscored / len(part.members), undefined, undefined, unscored)


def _proportion(
    metric: str, part: Slice, scores: Scores, success: Bools, weights: Weights, max_unscored: float
) -> _Part:
    members = part.members
    counted = success[:, :, members]
    one_cell = len(distinct(scores.pairs["cell"].take(pa.array(members)))) == 1
    columns = counted.reshape(-1, len(members)).T
    low, high = proportion_interval(columns, weights[members], scores.pages[members], one_cell)
    return _covered(metric, part, scores, counted.sum(axis=2) / len(members), low, high, max_unscored)


def _hallucinations(part: Slice, scores: Scores, weights: Weights, max_unscored: float) -> _Part:
    members = part.members
    claims, answered = scores.hallucinations[:, :, members], scores.scored[:, :, members]
    replicates = ratio(
        weighted_sums(weights[members], claims.reshape(-1, len(members)).T),
        weighted_sums(weights[members], answered.reshape(-1, len(members)).T),
    )
    value = ratio(claims.sum(axis=2), answered.sum(axis=2))
    low, high = percentile_interval(replicates)
    flat = low == high
    low[flat] = high[flat] = np.nan
    return _covered("hallucinations_per_answer", part, scores, value, low, high, max_unscored)


def _covered(
    metric: str, part: Slice, scores: Scores, value: Floats, low: Floats, high: Floats, max_unscored: float
) -> _Part:
    covered = scores.covered(part.members, max_unscored)
    value, low, high = (np.where(covered, shown.reshape(covered.shape), np.nan) for shown in (value, low, high))
    return _Part(metric, part, value, low, high, _unscored(part, scores))


def _unscored(part: Slice, scores: Scores) -> np.ndarray:
    return (~scores.scored[:, :, part.members]).sum(axis=2)
