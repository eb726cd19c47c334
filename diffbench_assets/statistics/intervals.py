"""Uncertainty: Wilson intervals for cells and a bootstrap over source pages for everything else.

Pairs made from one page succeed and fail together, so pages are drawn, not pairs; an interval that ignores this is too
narrow. One draw is shared by all models, judges and metrics: a replicate is a vector of pair weights, and many
proportions at once are one matrix product.

Belongs here: weights, replicates, interval ends. Does not belong here: which proportions to report.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from statsmodels.stats.proportion import proportion_confint

from diffbench_assets.statistics.answers import Bools, Floats, Ints

Weights = npt.NDArray[np.float32]
"""(pairs, replicates), whole numbers. float32 holds them and their sums exactly up to 2**24."""

REPLICATES = 1000
LEVEL = 0.95


def page_weights(pages: Ints, replicates: int = REPLICATES, seed: int = 0) -> Weights:
    """How often each pair stands in each bootstrap replicate: (pairs, replicates).

    `pages` numbers the page of each pair. Pages are drawn with replacement, as many as there are; all pairs of a page
    share its count. Depends on the set of pages and the seed alone, not on the order of the pairs.
    """
    n = int(pages.max()) + 1
    drawn = np.random.default_rng(seed).integers(n, size=(replicates, n)) + np.arange(replicates)[:, None] * n
    counts = np.bincount(drawn.ravel(), minlength=replicates * n).reshape(replicates, n)
    return counts.astype(np.float32).T[pages]


def weighted_sums(weights: Weights, values: npt.NDArray) -> Floats:
    """(replicates, columns): sum of `values` (pairs, columns; whole numbers) in each replicate, exact."""
    return (weights.T @ values.astype(np.float32)).astype(np.float64)


def ratio(numerator: npt.NDArray, denominator: npt.NDArray) -> Floats:
    """numerator / denominator, NaN where the denominator is 0."""
    shape = np.broadcast_shapes(numerator.shape, denominator.shape)
    return np.divide(numerator, denominator, out=np.full(shape, np.nan), where=denominator != 0)


def percentile_interval(replicates: Floats) -> tuple[Floats, Floats]:
    """Ends of the central 95 % of `replicates` along axis 0; undefined (NaN) replicates are left out."""
    ends = [50 * (1 - LEVEL), 50 * (1 + LEVEL)]
    undefined = np.isnan(replicates)
    if not undefined.any():
        low, high = np.percentile(replicates, ends, axis=0)
        return low, high
    low = np.full(replicates.shape[1:], np.nan)
    high = low.copy()
    some = ~undefined.all(axis=0)
    if some.any():
        low[some], high[some] = np.nanpercentile(replicates[:, some], ends, axis=0)
    return low, high


def wilson(successes: npt.NDArray, n: int) -> tuple[Floats, Floats]:
    """Wilson score interval of successes out of n independent pairs."""
    low, high = proportion_confint(np.asarray(successes), n, alpha=1 - LEVEL, method="wilson")
    return np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)


def proportion_interval(success: Bools, weights: Weights, pages: Ints, one_cell: bool) -> tuple[Floats, Floats]:
    """95 % interval of the share of successes in each column of `success` (pairs, columns).

    Wilson for one cell whose pages are all different: independent pairs, and too few for a bootstrap. Otherwise the
    page bootstrap; where that has no width, because all pairs agree or there is one page, Wilson with the pages as the
    sample.
    """
    n, n_pages = len(pages), len(np.unique(pages))
    count = success.sum(axis=0)
    if one_cell and n == n_pages:
        return wilson(count, n)
    low, high = percentile_interval(ratio(weighted_sums(weights, success), weights.sum(axis=0, dtype=float)[:, None]))
    flat = low == high
    if flat.any():
        low[flat], high[flat] = wilson(count[flat] / n * n_pages, n_pages)
    return low, high
