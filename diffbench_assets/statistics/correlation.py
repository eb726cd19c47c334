"""Pearson and Spearman correlation in every bootstrap replicate at once.

Belongs here: weighted moments and weighted ranks. The y side takes few distinct values (right or wrong, or how many
models were right), so its ranks come from a count per value, and all sums are matrix products.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from diffbench_assets.statistics.answers import Floats, Ints
from diffbench_assets.statistics.intervals import Weights, ratio


class Replicates(NamedTuple):
    """(replicates, columns) each; NaN where x or y is constant."""

    pearson: Floats
    spearman: Floats


def correlation_replicates(weights: Weights, x: Floats, y: Ints) -> Replicates:
    """Correlation of `x` (pairs,) with each column of `y` (pairs, columns) under each column of `weights`.

    A pair of weight w counts as w equal pairs: with weights of 1 this is scipy's pearsonr and spearmanr.
    """
    exact = weights.astype(np.float64)
    levels = [np.unique(column, return_inverse=True) for column in y.T]
    indicators = np.hstack([np.eye(len(values))[index] for values, index in levels])
    x_ranks = weighted_ranks(exact, x)
    by_x = _Side.of(exact, np.broadcast_to((x - x.mean())[:, None], exact.shape), indicators)
    by_rank = _Side.of(exact, x_ranks, indicators)

    pearson, spearman = [], []
    start = 0
    for values, _ in levels:
        columns = slice(start, start := start + len(values))
        held = by_x.held[:, columns]
        pearson.append(by_x.correlate(columns, np.broadcast_to(values - values.mean(), held.shape)))
        spearman.append(by_rank.correlate(columns, _mid_ranks(held.T).T))
    return Replicates(np.stack(pearson, axis=1), np.stack(spearman, axis=1))


def weighted_ranks(weights: Floats, x: Floats) -> Floats:
    """(pairs, replicates): mean rank of each pair among weights.sum() pairs, ties sharing theirs."""
    values, index = np.unique(x, return_inverse=True)
    order = np.argsort(index, kind="stable")
    starts = np.searchsorted(index[order], np.arange(len(values)))
    return _mid_ranks(np.add.reduceat(weights[order], starts, axis=0))[index]


def _mid_ranks(held: Floats) -> Floats:
    """(values, replicates): mean rank of the pairs that hold each value, values ascending on axis 0."""
    return np.cumsum(held, axis=0) - held + (held + 1) / 2


class _Side(NamedTuple):
    """Sums over pairs, per replicate, of one version of x (raw or ranked)."""

    total: Floats
    x: Floats
    xx: Floats
    held: Floats
    """(replicates, indicators): weight of the pairs at each value of y."""
    x_held: Floats
    """(replicates, indicators): the same, times x."""

    @classmethod
    def of(cls, weights: Floats, x: npt.NDArray, indicators: Floats) -> _Side:
        weighted = weights * x
        return cls(
            weights.sum(axis=0),
            weighted.sum(axis=0),
            np.einsum("ib,ib->b", weighted, x),
            weights.T @ indicators,
            weighted.T @ indicators,
        )

    def correlate(self, columns: slice, y: npt.NDArray) -> Floats:
        """(replicates,): correlation when the pairs of each indicator in `columns` have the value `y`."""
        held = self.held[:, columns]
        sum_y, sum_yy = (held * y).sum(axis=1), (held * y * y).sum(axis=1)
        sum_xy = (self.x_held[:, columns] * y).sum(axis=1)
        variance_x = self.xx * self.total - self.x**2
        variance_y = sum_yy * self.total - sum_y**2
        spread = np.sqrt(np.maximum(variance_x, 0) * np.maximum(variance_y, 0))
        negligible = spread <= 1e-12 * self.total * np.sqrt(self.xx * sum_yy)
        return ratio(sum_xy * self.total - self.x * sum_y, np.where(negligible, 0, spread))
