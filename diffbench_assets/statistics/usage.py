"""What the answers cost and how they ended: outcome counts, tokens, dollars, seconds.

Belongs here: numbers that need no judge. Does not belong here: whether an answer is right.
"""

from __future__ import annotations

import numpy as np

from diffbench_assets.statistics.answers import OUTCOMES, USAGE_COLUMNS, Answers, Floats
from diffbench_assets.statistics.slices import OVERALL

MISSING = "missing"
"""Outcome of a pair the model has no response for."""


def usage_rows(answers: Answers) -> list[dict[str, object]]:
    """Rows of `metrics` with a null judge: outcome counts, token and dollar totals and means, latency.

    n is the number of pairs, n_unscored how many of them have no such number reported.
    """
    rows = []
    for model, outcome in zip(answers.models, answers.outcome, strict=True):
        for code, name in enumerate((*OUTCOMES, MISSING)):
            code = -1 if name == MISSING else code
            rows.append(_row(answers, model, "outcome", ("outcome", name), float((outcome == code).sum()), 0))
    for column in USAGE_COLUMNS:
        for model, values in zip(answers.models, answers.usage[column], strict=True):
            reported = values[~np.isnan(values)]
            for metric, value in _summaries(column, reported).items():
                rows.append(_row(answers, model, metric, OVERALL, value, len(values) - len(reported)))
    return rows


def _summaries(column: str, values: Floats) -> dict[str, float | None]:
    kinds = ("mean", "p50", "p95") if column == "latency_s" else ("total", "mean")
    if not len(values):
        return {f"{column}_{kind}": None for kind in kinds}
    computed = {
        "total": values.sum(),
        "mean": values.mean(),
        "p50": np.percentile(values, 50),
        "p95": np.percentile(values, 95),
    }
    return {f"{column}_{kind}": float(computed[kind]) for kind in kinds}


def _row(
    answers: Answers, model: str, metric: str, where: tuple[str, str], value: float | None, unknown: int
) -> dict[str, object]:
    return {
        "suite": answers.suite,
        "model": model,
        "judge": None,
        "metric": metric,
        "slice": where[0],
        "slice_value": where[1],
        "value": value,
        "ci_low": None,
        "ci_high": None,
        "n": answers.pairs.num_rows,
        "n_unscored": unknown,
    }
