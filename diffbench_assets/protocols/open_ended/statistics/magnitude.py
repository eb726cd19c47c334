"""Does the size of a change on the screen explain whether models find it (DiffSpot §3.4, figure 4)?

Belongs here: recall against in-box pixel change and CLIP distance, per operator and per pair. Does not belong here:
measuring either magnitude.
"""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
from scipy import stats

from diffbench_assets.statistics.answers import Floats, Ints, numbers, text
from diffbench_assets.statistics.correlation import correlation_replicates
from diffbench_assets.statistics.intervals import LEVEL, REPLICATES, page_weights, percentile_interval
from diffbench_assets.statistics.scores import MAX_UNSCORED_SHARE, Scores
from diffbench_assets.statistics.tables import described, interval

MAGNITUDES = ("inside_change", "clip_distance")
ALL_MODELS = "all"

OPERATOR_POINTS = described(
    ("suite", pa.string(), "Suite."),
    ("judge", pa.string(), "Judge."),
    ("model", pa.string(), "Model, or all for the mean of the covered models."),
    ("operator", pa.string(), "Operator."),
    ("family", pa.string(), "Family of the operator."),
    ("magnitude", pa.string(), "inside_change or clip_distance."),
    ("mean_magnitude", pa.float64(), "Mean over the operator's pairs that have it."),
    ("recall", pa.float64(), "Recall over the same pairs."),
    ("n", pa.int64(), "Those pairs."),
)
"""The points of the magnitude plots."""

MAGNITUDE = described(
    ("suite", pa.string(), "Suite."),
    ("judge", pa.string(), "Judge."),
    ("model", pa.string(), "Model, or all: the mean of the covered models."),
    ("magnitude", pa.string(), "inside_change or clip_distance."),
    ("level", pa.string(), "operator (one point each) or pair."),
    ("method", pa.string(), "pearson or spearman."),
    ("value", pa.float64(), "Correlation of recall with the magnitude; null where either is constant."),
    ("ci_low", pa.float64(), "Lower end of the 95 % interval: Fisher z over operators, page bootstrap over pairs."),
    ("ci_high", pa.float64(), "Upper end of the 95 % interval."),
    ("n", pa.int64(), "Operators or pairs that have the magnitude."),
)


def operator_points(scores: Scores, *, max_unscored: float = MAX_UNSCORED_SHARE) -> pa.Table:
    """Mean magnitude and recall of each operator; columns of OPERATOR_POINTS. Models short of verdicts are left out."""
    rows = []
    for magnitude in MAGNITUDES:
        members, size = _measured(scores, magnitude)
        taken = scores.pairs.take(pa.array(members))
        operators = text(taken["operator"]).to_numpy(zero_copy_only=False)
        families = text(taken["family"]).to_pylist()
        covered = scores.covered(scores.members("recall"), max_unscored)
        for operator in sorted({name for name in operators if name is not None}):
            inside = np.flatnonzero(operators == operator)
            recall = scores.success[:, :, members[inside]].mean(axis=2)
            for j, judge in enumerate(scores.judges):
                by_model = {model: recall[j, m] for m, model in enumerate(scores.models) if covered[j, m]}
                if by_model:
                    by_model[ALL_MODELS] = np.mean(list(by_model.values()))
                rows += [
                    {
                        "suite": scores.suite,
                        "judge": judge,
                        "model": model,
                        "operator": operator,
                        "family": families[inside[0]],
                        "magnitude": magnitude,
                        "mean_magnitude": size[inside].mean(),
                        "recall": value,
                        "n": len(inside),
                    }
                    for model, value in by_model.items()
                ]
    return pa.Table.from_pylist(rows, schema=OPERATOR_POINTS)


def magnitude_correlations(
    scores: Scores, *, replicates: int = REPLICATES, seed: int = 0, max_unscored: float = MAX_UNSCORED_SHARE
) -> pa.Table:
    """Pearson and Spearman of recall with each magnitude, per operator and per pair; columns of MAGNITUDE.

    Operators are few, so there the interval is Fisher's z over operators (for Spearman with the variance of Bonett and
    Wright, 2000): it says what other operators might have shown. Over pairs it is the bootstrap over pages.
    """
    return pa.concat_tables(
        [
            _over_operators(operator_points(scores, max_unscored=max_unscored)),
            _over_pairs(scores, page_weights(scores.pages, replicates, seed), max_unscored),
        ]
    )


def _measured(scores: Scores, magnitude: str) -> tuple[Ints, Floats]:
    """Has-diff pairs that have the magnitude, and its values."""
    members = scores.members("recall")
    size = numbers(scores.pairs[magnitude])[members]
    known = ~np.isnan(size)
    return members[known], size[known]


def _over_operators(points: pa.Table) -> pa.Table:
    rows = []
    keys = ["suite", "judge", "model", "magnitude"]
    groups = points.group_by(keys, use_threads=False).aggregate([("mean_magnitude", "list"), ("recall", "list")])
    for group in groups.sort_by([(key, "ascending") for key in keys]).to_pylist():
        x, y = group.pop("mean_magnitude_list"), group.pop("recall_list")
        for method, value in _correlate(np.array(x), np.array(y)).items():
            ends = fisher_interval(value, len(x), method)
            rows.append(group | {"level": "operator", "method": method, **interval(value, *ends), "n": len(x)})
    return pa.Table.from_pylist(rows, schema=MAGNITUDE)


def _over_pairs(scores: Scores, weights: np.ndarray, max_unscored: float) -> pa.Table:
    rows = []
    for magnitude in MAGNITUDES:
        members, size = _measured(scores, magnitude)
        covered = scores.covered(scores.members("recall"), max_unscored)
        for j, judge in enumerate(scores.judges):
            if len(members) < 2 or not covered[j].any():
                continue
            success = scores.success[j][covered[j]][:, members].T.astype(np.int64)
            found = np.column_stack([success, success.sum(axis=1)])
            drawn = correlation_replicates(weights[members], size, found)
            ends = {method: percentile_interval(getattr(drawn, method)) for method in drawn._fields}
            models = [model for m, model in enumerate(scores.models) if covered[j, m]]
            for column, model in enumerate([*models, ALL_MODELS]):
                for method, value in _correlate(size, found[:, column]).items():
                    low, high = ends[method]
                    rows.append(
                        {
                            "suite": scores.suite,
                            "judge": judge,
                            "model": model,
                            "magnitude": magnitude,
                            "level": "pair",
                            "method": method,
                            **interval(value, low[column], high[column]),
                            "n": len(members),
                        }
                    )
    return pa.Table.from_pylist(rows, schema=MAGNITUDE)


def _correlate(x: np.ndarray, y: np.ndarray) -> dict[str, float]:
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return {"pearson": math.nan, "spearman": math.nan}
    return {"pearson": float(stats.pearsonr(x, y).statistic), "spearman": float(stats.spearmanr(x, y).statistic)}


def fisher_interval(value: float, n: int, method: str) -> tuple[float, float]:
    """95 % interval of a correlation over n independent points; NaN below 4 points."""
    if n < 4 or math.isnan(value):
        return math.nan, math.nan
    if abs(value) >= 1:
        return value, value
    variance = (1 if method == "pearson" else 1 + value**2 / 2) / (n - 3)
    reach = stats.norm.ppf((1 + LEVEL) / 2) * math.sqrt(variance)
    return math.tanh(math.atanh(value) - reach), math.tanh(math.atanh(value) + reach)
