"""Would fewer pairs a cell have given the same ranking of models (DiffSpot appendix, figure 7)?

Belongs here: stratified subsampling of the has-diff pairs. Does not belong here: intervals of single scores.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from diffbench_assets.statistics.answers import Ints, codes, distinct
from diffbench_assets.statistics.intervals import Weights, percentile_interval, weighted_sums
from diffbench_assets.statistics.ranking import kendall_tau, order_signs
from diffbench_assets.statistics.scores import MAX_UNSCORED_SHARE, Scores
from diffbench_assets.statistics.tables import described, number

SUBSAMPLES = 200
SIZES = tuple(range(10, 101, 10))

STABILITY = described(
    ("suite", pa.string(), "Suite."),
    ("judge", pa.string(), "Judge."),
    ("per_cell", pa.int64(), "Pairs drawn from each has-diff cell."),
    ("n", pa.int64(), "Pairs in a subsample; a cell with fewer gives all it has."),
    ("subsamples", pa.int64(), "Number of subsamples."),
    ("models", pa.int64(), "Models ranked: those that this judge covers."),
    ("tau", pa.float64(), "Mean Kendall tau of the subsample's recall ranking against the full one."),
    ("ci_low", pa.float64(), "2.5th percentile of tau over the subsamples."),
    ("ci_high", pa.float64(), "97.5th percentile."),
    ("top1_kept", pa.float64(), "Share of subsamples with the same best model (or the same tied best)."),
    ("ranking_kept", pa.float64(), "Share of subsamples with exactly the full ranking."),
)


def ranking_stability(
    scores: Scores,
    *,
    sizes: tuple[int, ...] = SIZES,
    subsamples: int = SUBSAMPLES,
    seed: int = 0,
    max_unscored: float = MAX_UNSCORED_SHARE,
) -> pa.Table:
    """Recall rankings from `sizes` pairs a cell against that from all pairs; columns of STABILITY.

    Each cell is sampled without replacement and by itself, so operators and tiers keep their shares. Sizes above the
    largest cell, which would only repeat the full set, are left out; so are judges with fewer than two models.
    """
    members = scores.members("recall")
    cells = codes(scores.pairs["cell"], distinct(scores.pairs["cell"]))[members]
    sizes = tuple(size for size in sizes if len(members) and size <= np.bincount(cells).max())
    covered = scores.covered(members, max_unscored)
    ranks = _draw_ranks(cells, subsamples, seed)
    rows = []
    for size in sizes:
        chosen: Weights = (ranks < size).astype(np.float32)
        for j, judge in enumerate(scores.judges):
            success = scores.success[j][covered[j]][:, members].T
            if success.shape[1] < 2:
                continue
            full, found = success.sum(axis=0), weighted_sums(chosen, success)
            tau = kendall_tau(found, full)
            low, high = percentile_interval(tau[:, None])
            rows.append(
                {
                    "suite": scores.suite,
                    "judge": judge,
                    "per_cell": size,
                    "n": int(chosen[:, 0].sum()),
                    "subsamples": subsamples,
                    "models": success.shape[1],
                    "tau": number(tau[~np.isnan(tau)].mean()) if (~np.isnan(tau)).any() else None,
                    "ci_low": number(low[0]),
                    "ci_high": number(high[0]),
                    "top1_kept": float((_best(found) == _best(full)).all(axis=-1).mean()),
                    "ranking_kept": float((order_signs(found) == order_signs(full)).all(axis=-1).mean()),
                }
            )
    return pa.Table.from_pylist(rows, schema=STABILITY)


def _draw_ranks(cells: Ints, subsamples: int, seed: int) -> Ints:
    """(pairs, subsamples): place of each pair in a random order of its cell; those below K are a subsample of K."""
    random = np.random.default_rng(seed)
    ranks = np.empty((len(cells), subsamples), dtype=np.int64)
    for cell in np.unique(cells):
        inside = np.flatnonzero(cells == cell)
        ranks[inside] = np.argsort(random.random((len(inside), subsamples)), axis=0)
    return ranks


def _best(scores: np.ndarray) -> np.ndarray:
    return scores == scores.max(axis=-1, keepdims=True)
