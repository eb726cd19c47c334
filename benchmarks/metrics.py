"""Time, memory and correctness of the statistics at the size of DiffSpot with three judges.

    python -m benchmarks.metrics [--models 13] [--judges 3] [--replicates 1000] [--loops 10]

13 models × 4,400 pairs × 3 judges of made-up verdicts: every table of `diffbench_assets.statistics` with 1,000
bootstrap replicates, wall time by part and peak memory. Beside it the same numbers as plain Python loops, at `--loops`
replicates (and half as many ranking subsamples), because all of them would take about twenty minutes. Both sides get
the same draws, each number of the loops is compared, and their time is scaled up to the full number of replicates. The
loops leave out contrasts, agreement other than kappa and tau, and correlations over operators.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Iterable
from typing import TypeVar

import numpy as np
import pyarrow as pa
from scipy import stats

from diffbench_assets.protocols.open_ended.statistics.leaderboard import leaderboard
from diffbench_assets.protocols.open_ended.statistics.magnitude import magnitude_correlations
from diffbench_assets.protocols.open_ended.statistics.metrics import metrics_table
from diffbench_assets.protocols.open_ended.statistics.scores import score_verdicts
from diffbench_assets.protocols.open_ended.statistics.stability import SIZES, SUBSAMPLES, _draw_ranks, ranking_stability
from diffbench_assets.statistics.agreement import judge_agreement
from diffbench_assets.statistics.answers import place_responses
from diffbench_assets.statistics.comparison import compare_models
from diffbench_assets.statistics.contrasts import Contrast, contrast_models
from diffbench_assets.statistics.intervals import page_weights
from diffbench_assets.statistics.scores import MAX_UNSCORED_SHARE, Scores
from diffbench_assets_tests.protocols.open_ended.statistics.plain_loops import Number, Plain, ends
from diffbench_assets_tests.protocols.open_ended.statistics.synthetic import benchmark

Result = TypeVar("Result")
PARTS = ("metrics", "comparisons", "agreement", "stability", "magnitude")
KEYS = {
    "metrics": ("judge", "model", "metric", "slice", "slice_value"),
    "comparisons": ("judge", "metric", "model_a", "model_b"),
    "agreement": ("judge_a", "judge_b", "model", "measure"),
    "stability": ("judge", "per_cell"),
    "magnitude": ("judge", "model", "magnitude", "method"),
}


def vectorised(tables: tuple[pa.Table, ...], replicates: int, subsamples: int) -> tuple[dict, dict, Scores]:
    """({part: table}, {part: seconds}, scores) of everything the report needs."""
    seconds: dict[str, float] = {}

    def timed(name: str, compute: Callable[[], Result]) -> Result:
        start = time.perf_counter()
        result = compute()
        seconds[name] = time.perf_counter() - start
        return result

    pairs, responses, verdicts = tables
    answers = timed("place responses", lambda: place_responses(pairs, responses))
    scores = timed("score verdicts", lambda: score_verdicts(answers, verdicts))
    found = {"metrics": timed("metrics", lambda: metrics_table(answers, scores, replicates=replicates))}
    timed("leaderboard", lambda: leaderboard(found["metrics"]))
    found["comparisons"] = timed("comparisons", lambda: compare_models(scores, replicates=replicates))
    half = len(scores.models) // 2
    upper = {model: (1 if m >= half else -1) / half for m, model in enumerate(scores.models[: 2 * half])}
    timed("contrasts", lambda: contrast_models(scores, [Contrast("upper - lower", upper)], replicates=replicates))
    found["agreement"] = timed("agreement", lambda: judge_agreement(scores, replicates=replicates))
    found["stability"] = timed("stability", lambda: ranking_stability(scores, subsamples=subsamples))
    found["magnitude"] = timed("magnitude", lambda: magnitude_correlations(scores, replicates=replicates))
    return found, seconds, scores


def loops(tables: tuple[pa.Table, ...], scores: Scores, replicates: int, subsamples: int) -> tuple[dict, dict]:
    """({part: {key: numbers}}, {part: seconds}) of the same by plain loops."""
    weights = page_weights(scores.pages, replicates)
    ids = scores.pairs["pair_id"].to_pylist()
    pairs, responses, verdicts = (table.to_pylist() for table in tables)
    plain = Plain(pairs, responses, verdicts, [dict(zip(ids, map(int, column), strict=True)) for column in weights.T])
    compute = {
        "metrics": lambda: plain.metrics(MAX_UNSCORED_SHARE),
        "comparisons": plain.comparisons,
        "agreement": lambda: (
            {(*key, "kappa"): numbers for key, numbers in plain.kappas().items()}
            | {(*key, "all", "kendall_tau"): numbers for key, numbers in plain.taus().items()}
        ),
        "stability": lambda: plain_stability(plain, scores, subsamples),
        "magnitude": lambda: plain_magnitude(plain, scores),
    }
    found, seconds = {}, {}
    for name, run in compute.items():
        start = time.perf_counter()
        found[name] = run()
        seconds[name] = time.perf_counter() - start
    return found, seconds


def plain_stability(plain: Plain, scores: Scores, subsamples: int) -> dict[tuple, tuple[Number, ...]]:
    members = scores.members("recall")
    ids = np.asarray(scores.pairs["pair_id"].to_pylist())[members]
    cells = np.unique(np.asarray(scores.pairs["cell"].to_pylist())[members], return_inverse=True)[1]
    ranks = _draw_ranks(cells, subsamples, 0)
    drawn = {size: [set(ids[column < size].tolist()) for column in ranks.T] for size in SIZES}
    return {(judge, size): (plain.stability(judge, drawn[size]),) for judge in plain.judges for size in SIZES}


def plain_magnitude(plain: Plain, scores: Scores) -> dict[tuple, tuple[Number, ...]]:
    """scipy on the pairs of each replicate, written out as often as they were drawn."""
    rows = plain.task("recall")
    drawn = [[i for i, row in enumerate(rows) for _ in range(weights[row["pair_id"]])] for weights in plain.weights]
    found: dict[tuple, tuple[Number, ...]] = {}
    for magnitude in ("inside_change", "clip_distance"):
        x = np.array([row[magnitude] for row in rows])
        for judge in plain.judges:
            hits = {
                model: np.array([plain.success.get((judge, model, row["pair_id"]), False) for row in rows], dtype=float)
                for model in plain.models
            }
            hits["all"] = np.sum(list(hits.values()), axis=0)
            for model, y in hits.items():
                for method, correlate in (("pearson", stats.pearsonr), ("spearman", stats.spearmanr)):
                    replicates = [float(correlate(x[index], y[index]).statistic) for index in drawn]
                    found[judge, model, magnitude, method] = (float(correlate(x, y).statistic), *ends(replicates))
    return found


def largest_difference(part: str, table: pa.Table, expected: dict[tuple, tuple[Number, ...]]) -> tuple[int, float]:
    """(numbers compared, largest absolute difference). Raises KeyError or ValueError where a number is missing."""
    rows = {}
    for row in table.to_pylist():
        if row.get("task", "all") == "all" and row.get("level", "pair") == "pair":
            value = next(row[name] for name in ("value", "difference", "tau") if name in row)
            rows[tuple(row[key] for key in KEYS[part])] = (value, row["ci_low"], row["ci_high"])
    compared, largest = 0, 0.0
    for key, numbers in expected.items():
        for got, wanted in zip(rows[key], numbers[:3], strict=False):
            if (got is None) != (wanted is None):
                raise ValueError(f"{part} {key}: {got} against {wanted} by plain loops")
            if got is not None:
                compared, largest = compared + 1, max(largest, abs(got - wanted))
    return compared, largest


def line(cells: Iterable[object]) -> None:
    print("".join(f"{cell:>18}" for cell in cells))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--models", type=int, default=13)
    parser.add_argument("--judges", type=int, default=3)
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--loops", type=int, default=10, help="replicates of the plain loops; 0 leaves them out")
    options = parser.parse_args()

    tables = benchmark(options.models, options.judges, per_cell=100, no_diff=500, pages=1500)
    print(
        f"{options.models} models × {tables[0].num_rows} pairs × {options.judges} judges, {tables[2].num_rows} verdicts"
    )
    found, seconds, scores = vectorised(tables, options.replicates, SUBSAMPLES)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rows = sum(table.num_rows for table in found.values())
    total = sum(seconds.values())
    print(f"\nvectorised, {options.replicates} replicates: {rows} rows in {total:.2f} s, peak {peak:.0f} MiB")
    for name, spent in seconds.items():
        print(f"    {name:<16}{spent:7.2f} s")
    if not options.loops:
        return

    subsamples = max(1, options.loops // 2)
    checked, _, _ = vectorised(tables, options.loops, subsamples)
    expected, spent = loops(tables, scores, options.loops, subsamples)
    print(f"\nplain loops at {options.loops} replicates and {subsamples} subsamples a size, scaled up to all:")
    line(("part", "loops, s", "scaled, s", "vectorised, s", "times faster", "numbers", "max difference"))
    for part in PARTS:
        factor = SUBSAMPLES / subsamples if part == "stability" else options.replicates / options.loops
        compared, difference = largest_difference(part, checked[part], expected[part])
        scaled = spent[part] * factor
        cells = (f"{spent[part]:.2f}", f"{scaled:.0f}", f"{seconds[part]:.2f}", f"{scaled / seconds[part]:.0f}")
        line((part, *cells, compared, f"{difference:.1e}"))


if __name__ == "__main__":
    main()
