"""Model against model on the pairs that both have a verdict for.

Belongs here: paired differences, their tests and the correction for many comparisons. Does not belong here: contrasts
of groups of models (`contrasts.py`), judges (`agreement.py`).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pyarrow as pa
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from diffbench_assets.statistics.intervals import (
    REPLICATES,
    page_weights,
    percentile_interval,
    ratio,
    weighted_sums,
)
from diffbench_assets.statistics.scores import HEADLINE, Scores
from diffbench_assets.statistics.tables import described, number

COMPARISONS = described(
    ("suite", pa.string(), "Suite."),
    ("judge", pa.string(), "Judge; comparisons never mix judges."),
    ("metric", pa.string(), "accuracy, recall or specificity."),
    ("model_a", pa.string(), "First model, by name."),
    ("model_b", pa.string(), "Second model."),
    ("difference", pa.float64(), "Score of a minus score of b over the shared pairs."),
    ("ci_low", pa.float64(), "Lower end of the 95 % interval, bootstrap over pages."),
    ("ci_high", pa.float64(), "Upper end of the 95 % interval."),
    ("only_a", pa.int64(), "Shared pairs that only a got right."),
    ("only_b", pa.int64(), "Shared pairs that only b got right."),
    ("p_value", pa.float64(), "Exact McNemar test of only_a against only_b."),
    ("p_holm", pa.float64(), "p_value after Holm's correction over all pairs of models of this judge and metric."),
    ("n", pa.int64(), "Shared pairs: both models have a verdict."),
    ("n_excluded", pa.int64(), "Pairs of the benchmark left out because either has none."),
)


def compare_models(scores: Scores, *, replicates: int = REPLICATES, seed: int = 0) -> pa.Table:
    """Every two models under every judge, for accuracy, recall and specificity; columns of COMPARISONS.

    The difference has a page-clustered interval. McNemar's test treats the shared pairs as independent: where pages
    give several pairs, trust the interval first.
    """
    weights = page_weights(scores.pages, replicates, seed)
    rows = []
    for metric in HEADLINE:
        members = scores.members(metric)
        if len(members) and len(scores.models) > 1:
            for j in range(len(scores.judges)):
                rows += _compare(scores, j, metric, members, weights[members])
    return pa.Table.from_pylist(rows, schema=COMPARISONS)


def _compare(scores: Scores, j: int, metric: str, members: np.ndarray, weights: np.ndarray) -> list[dict]:
    success, scored = scores.success[j][:, members].T, scores.scored[j][:, members].T
    first, second = np.triu_indices(len(scores.models), k=1)
    shared = scored[:, first] & scored[:, second]
    only_a = (shared & success[:, first] & ~success[:, second]).sum(axis=0)
    only_b = (shared & success[:, second] & ~success[:, first]).sum(axis=0)
    gain = (success[:, first].astype(np.int8) - success[:, second]) * shared
    n = shared.sum(axis=0)
    difference = ratio(gain.sum(axis=0), n)
    low, high = percentile_interval(ratio(weighted_sums(weights, gain), weighted_sums(weights, shared)))
    p_values = np.array([_mcnemar(a, b) for a, b in zip(only_a, only_b, strict=True)])
    p_holm = multipletests(p_values, method="holm")[1]
    return [
        {
            "suite": scores.suite,
            "judge": scores.judges[j],
            "metric": metric,
            "model_a": model_a,
            "model_b": model_b,
            "difference": number(difference[k]),
            "ci_low": number(low[k]),
            "ci_high": number(high[k]),
            "only_a": only_a[k],
            "only_b": only_b[k],
            "p_value": p_values[k],
            "p_holm": p_holm[k],
            "n": n[k],
            "n_excluded": len(members) - n[k],
        }
        for k, (model_a, model_b) in enumerate(combinations(scores.models, 2))
    ]


def _mcnemar(only_a: int, only_b: int) -> float:
    """Exact p; the concordant counts do not enter it."""
    if only_a == only_b:
        return 1.0  # the exact test doubles a tail that holds more than half
    return float(mcnemar([[0, only_a], [only_b, 0]], exact=True).pvalue)
