"""One suite against others on the pairs that they share: what changing how models are asked does to their scores.

Belongs here: paired differences of suites. Does not belong here: differences of models within one (`comparison.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from diffbench_assets.statistics.answers import Floats, codes, distinct, text
from diffbench_assets.statistics.graded import Graded, Row, paired
from diffbench_assets.statistics.intervals import REPLICATES, ratio
from diffbench_assets.statistics.tables import described

SIDE_BY_SIDE = described(
    ("suite_a", pa.string(), "The suite that others are held against."),
    ("suite_b", pa.string(), "The other one."),
    ("judge", pa.string(), "Judge; the same in both."),
    ("metric", pa.string(), "The score."),
    ("model", pa.string(), "A model that both suites asked."),
    ("difference", pa.float64(), "Mean over the shared pairs of the score in b minus that in a; null without a pair."),
    ("ci_low", pa.float64(), "Lower end of the 95 % interval, bootstrap over pages."),
    ("ci_high", pa.float64(), "Upper end of the 95 % interval."),
    ("p_value", pa.float64(), "Of a test that swaps the suites on random pages."),
    ("p_holm", pa.float64(), "p_value after Holm's correction over the models of these suites, judge and metric."),
    ("n", pa.int64(), "Shared pairs: scored in both suites."),
    ("n_excluded", pa.int64(), "Pairs of either suite left out because they are not."),
)


def side_by_side(suites: Sequence[Sequence[Graded]], *, replicates: int = REPLICATES, seed: int = 0) -> pa.Table:
    """The first suite against each other one, score by score; columns of SIDE_BY_SIDE.

    Each suite is given by its scores. Where a pair has several items in a suite, the mean of those with a score counts.
    """
    first, *others = suites
    rows = [
        row
        for other in others
        for a in first
        for b in other
        if a.name == b.name
        for row in _against(a, b, replicates, seed)
    ]
    return pa.Table.from_pylist(rows, schema=SIDE_BY_SIDE)


def _against(a: Graded, b: Graded, replicates: int, seed: int) -> Iterator[Row]:
    items = pa.concat_tables([graded.items.select(["pair_id", "page_id"]) for graded in (a, b)])
    pairs = distinct(items["pair_id"])
    first = np.unique(codes(items["pair_id"], pairs), return_index=True)[1]
    page_ids = text(items["page_id"]).take(pa.array(first))
    pages = codes(page_ids, pa.compute.unique(page_ids).sort())
    models = [model for model in a.models if model in b.models]
    for judge in [judge for judge in a.judges if judge in b.judges] if models else []:
        gains = _of_pairs(b, judge, models, pairs) - _of_pairs(a, judge, models, pairs)
        for model, found in zip(models, paired(gains, pages, replicates, seed), strict=True):
            named = {"suite_a": a.suite, "suite_b": b.suite, "judge": judge, "metric": a.name, "model": model}
            yield named | found


def _of_pairs(graded: Graded, judge: str, models: Sequence[str], pairs: pa.Array) -> Floats:
    """(pairs, models): mean score of each pair's items; NaN where none is scored."""
    place = codes(graded.items["pair_id"], pairs)
    value = graded.value[graded.judges.index(judge)][[graded.models.index(model) for model in models]].T
    held, n = np.zeros((len(pairs), len(models))), np.zeros((len(pairs), len(models)))
    np.add.at(held, place, np.nan_to_num(value))
    np.add.at(n, place, ~np.isnan(value))
    return ratio(held, n)
