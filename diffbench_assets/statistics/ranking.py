"""Kendall's tau of many rankings at once.

Belongs here: the vectorised form that bootstrap and subsampling need, equal to scipy.stats.kendalltau (tau-b).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from diffbench_assets.statistics.answers import Floats
from diffbench_assets.statistics.intervals import ratio


def order_signs(scores: Floats) -> npt.NDArray[np.int8]:
    """(..., M(M-1)/2): -1, 0 or +1 for each two of the M models on the last axis, in the order of np.triu_indices."""
    first, second = np.triu_indices(scores.shape[-1], k=1)
    return np.sign(scores[..., first] - scores[..., second]).astype(np.int8)


def kendall_tau(a: Floats, b: Floats) -> Floats:
    """tau-b of the rankings on the last axis, other axes broadcast; NaN where one side has all models equal."""
    signs_a, signs_b = order_signs(a).astype(np.float64), order_signs(b).astype(np.float64)
    untied = np.sqrt(np.abs(signs_a).sum(axis=-1) * np.abs(signs_b).sum(axis=-1))
    return ratio((signs_a * signs_b).sum(axis=-1), untied)
