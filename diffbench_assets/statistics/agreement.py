"""Judge against judge: do two judges see the same answers alike, and do they rank the models alike (DiffSpot §3.5)?

Belongs here: agreement on successes and on rankings. Does not belong here: agreement with people.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pyarrow as pa

from diffbench_assets.statistics.answers import Bools, Floats, Ints
from diffbench_assets.statistics.intervals import (
    REPLICATES,
    Weights,
    page_weights,
    percentile_interval,
    ratio,
    weighted_sums,
)
from diffbench_assets.statistics.ranking import kendall_tau
from diffbench_assets.statistics.scores import MAX_UNSCORED_SHARE, Scores
from diffbench_assets.statistics.tables import described, interval

TASKS = {
    "all": ("accuracy", "success", "failure"),
    "has_diff": ("recall", "correct", "wrong"),
    "no_diff": ("specificity", "clean", "hallucinated"),
}
"""Task: the metric whose pairs it looks at, and its two classes."""

POOLED = "all"

AGREEMENT = described(
    ("suite", pa.string(), "Suite."),
    ("judge_a", pa.string(), "First judge, by name."),
    ("judge_b", pa.string(), "Second judge."),
    ("model", pa.string(), "The model whose answers were judged; all for every model's answers together."),
    ("task", pa.string(), "all, has_diff or no_diff pairs."),
    (
        "measure",
        pa.string(),
        "kappa, agreement, agreement_<class> (of the answers either judge puts into a class, both judges "
        "counted, the share on which they agree), or kendall_tau of the two rankings of models.",
    ),
    ("value", pa.float64(), "The number; null where it is not defined."),
    ("ci_low", pa.float64(), "Lower end of the 95 % interval, bootstrap over pages."),
    ("ci_high", pa.float64(), "Upper end of the 95 % interval."),
    ("n", pa.int64(), "Answers that both judges scored; for kendall_tau the models ranked."),
    ("n_excluded", pa.int64(), "Answers, or models, left out for want of verdicts."),
)


def judge_agreement(
    scores: Scores, *, replicates: int = REPLICATES, seed: int = 0, max_unscored: float = MAX_UNSCORED_SHARE
) -> pa.Table:
    """Cohen's kappa, agreement by class and Kendall's tau for every two judges; columns of AGREEMENT.

    Rankings are by accuracy, recall and specificity (task all, has_diff, no_diff), over the models that both judges
    cover up to `max_unscored`.
    """
    weights = page_weights(scores.pages, replicates, seed)
    rows = []
    for a, b in combinations(range(len(scores.judges)), 2):
        for task, (metric, *classes) in TASKS.items():
            members = scores.members(metric)
            if not len(members):
                continue
            drawn = weights[members]
            parts = [*_answers(scores, a, b, members, drawn, classes)]
            parts.append(_rankings(scores, a, b, members, drawn, max_unscored))
            rows += [
                {"suite": scores.suite, "judge_a": scores.judges[a], "judge_b": scores.judges[b], "task": task} | part
                for part in parts
            ]
    return pa.Table.from_pylist(rows, schema=AGREEMENT)


def cohen_kappa(both: Floats, only_a: Floats, only_b: Floats, neither: Floats) -> Floats:
    """Kappa of 2×2 tables given cell by cell; NaN where both judges used one class only."""
    total = both + only_a + only_b + neither
    observed = ratio(both + neither, total)
    a, b = ratio(both + only_a, total), ratio(both + only_b, total)
    chance = a * b + (1 - a) * (1 - b)
    return ratio(observed - chance, 1 - chance)


def _measures(cells: list[Floats], classes: list[str]) -> dict[str, Floats]:
    both, only_a, only_b, neither = cells
    apart = only_a + only_b
    return {
        "kappa": cohen_kappa(both, only_a, only_b, neither),
        "agreement": ratio(both + neither, both + neither + apart),
        f"agreement_{classes[0]}": ratio(2 * both, 2 * both + apart),
        f"agreement_{classes[1]}": ratio(2 * neither, 2 * neither + apart),
    }


def _answers(
    scores: Scores, a: int, b: int, members: Ints, weights: Weights, classes: list[str]
) -> Iterator[dict[str, object]]:
    """Per model and pooled; a page's answers of all models are drawn together."""
    shared = (scores.scored[a] & scores.scored[b])[:, members].T
    in_a, in_b = scores.success[a][:, members].T, scores.success[b][:, members].T
    cells = [shared & in_a & in_b, shared & in_a & ~in_b, shared & ~in_a & in_b, shared & ~in_a & ~in_b]
    points = _measures([_with_pooled(cell.sum(axis=0)) for cell in cells], classes)
    drawn = _measures([_with_pooled(weighted_sums(weights, cell)) for cell in cells], classes)
    n = _with_pooled(shared.sum(axis=0))
    asked = _with_pooled(np.full(len(scores.models), len(members)))
    for measure, values in points.items():
        low, high = percentile_interval(drawn[measure])
        for m, model in enumerate((*scores.models, POOLED)):
            yield _row(model, measure, (values[m], low[m], high[m]), int(n[m]), int(asked[m] - n[m]))


def _with_pooled(counts: np.ndarray) -> Floats:
    """Counts (..., models) with their sum over models appended."""
    return np.concatenate([counts, counts.sum(axis=-1, keepdims=True)], axis=-1).astype(np.float64)


def _rankings(scores: Scores, a: int, b: int, members: Ints, weights: Weights, max_unscored: float) -> dict:
    covered: Bools = np.all(scores.covered(members, max_unscored)[[a, b]], axis=0)
    in_a, in_b = (scores.success[judge][covered][:, members].T for judge in (a, b))
    value = kendall_tau(in_a.sum(axis=0), in_b.sum(axis=0))
    drawn = kendall_tau(weighted_sums(weights, in_a), weighted_sums(weights, in_b))
    low, high = percentile_interval(drawn[:, None])
    return _row(POOLED, "kendall_tau", (float(value), low[0], high[0]), int(covered.sum()), int((~covered).sum()))


def _row(model: str, measure: str, numbers: tuple[float, float, float], n: int, excluded: int) -> dict[str, object]:
    return {"model": model, "measure": measure, **interval(*numbers), "n": n, "n_excluded": excluded}
