"""Real-valued scores: means with their uncertainty, and differences of models on the same items.

Belongs here: scores that are numbers rather than right or wrong. Does not belong here: what a score means
(`protocols/`), right and wrong (`scores.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pyarrow as pa
from statsmodels.stats.multitest import multipletests

from diffbench_assets.statistics.answers import (
    Bools,
    Floats,
    Ints,
    codes,
    distinct,
    numbers,
    require_present,
    require_unique,
    text,
)
from diffbench_assets.statistics.comparison import COMPARISONS
from diffbench_assets.statistics.intervals import REPLICATES, page_weights, percentile_interval, ratio
from diffbench_assets.statistics.scores import MAX_UNSCORED_SHARE, Scores
from diffbench_assets.statistics.slices import slices
from diffbench_assets.statistics.tables import interval, number

FLIPS = 9999
"""Random sign changes of the paired test; the smallest p-value is one in FLIPS + 1."""

Row = dict[str, object]


@dataclass(frozen=True)
class Graded:
    """A score of M models on N items as J judges see them, items in the order of item_id."""

    name: str
    items: pa.Table
    """Columns suite, item_id, pair_id, page_id and cell; whatever else slices are by."""
    judges: tuple[str, ...]
    models: tuple[str, ...]
    value: Floats
    """(J, M, N), NaN where unscored."""
    worst: float | None = 0.0
    """What an unscored item counts as in a mean; None leaves it out."""

    @property
    def suite(self) -> str:
        return str(self.items["suite"][0].as_py())

    @property
    def scored(self) -> Bools:
        """(J, M, N)"""
        return ~np.isnan(self.value)

    @property
    def pages(self) -> Ints:
        """(N,) number of each item's source page: the cluster of every interval."""
        return codes(self.items["page_id"], distinct(self.items["page_id"]))


def place_scores(
    items: pa.Table, verdicts: pa.Table, models: Sequence[str], column: str, worst: float | None = 0.0
) -> Graded:
    """Lay `column` of verdicts out over the items of one suite; verdicts on other items are left out.

    Raises ValueError for items without rows or given twice, and when an item has two verdicts of one judge.
    """
    require_present(items, "items", ("suite", "item_id", "pair_id", "page_id", "cell"))
    require_present(verdicts, "verdicts", ("item_id", "pair_id", "model", "judge"))
    if not items.num_rows:
        raise ValueError("items: no rows; make what is asked about before its metrics")
    items = items.sort_by("item_id").combine_chunks()
    ids = text(items["item_id"])
    require_unique(codes(ids, pa.compute.unique(ids)), items.append_column("model", pa.nulls(items.num_rows)), "items",
                   ("item_id",))  # fmt: skip
    judges = distinct(verdicts["judge"])
    item, model = codes(verdicts["item_id"], ids), codes(verdicts["model"], pa.array(models, pa.string()))
    row = np.flatnonzero((item >= 0) & (model >= 0))
    rows = verdicts.take(pa.array(row))
    shape = (len(judges), len(models), items.num_rows)
    place = np.ravel_multi_index((codes(rows["judge"], judges), model[row], item[row]), shape)
    require_unique(place, rows, "verdicts", ("item_id", "model", "judge"))
    value = np.full(shape, np.nan)
    scored = text(rows["unscored_reason"]).is_null().to_numpy(zero_copy_only=False)
    value.ravel()[place] = np.where(scored, numbers(rows[column]), np.nan)
    return Graded(column, items, tuple(judges.to_pylist()), tuple(models), value, worst)


def of_successes(scores: Scores, metric: str, pair_id: str = "pair_id") -> Graded:
    """One of the headline proportions as a score of 0 or 1. `pair_id` is the column with the id of an item's pair."""
    members = scores.members(metric)
    pairs = scores.pairs.take(pa.array(members))
    items = pa.table(
        {"item_id": pairs["pair_id"], "pair_id": pairs[pair_id]}
        | {name: pairs[name] for name in ("suite", "page_id", "cell")}
    )
    value = np.where(scores.scored, scores.success, np.nan)[:, :, members]
    return Graded(metric, items, scores.judges, scores.models, value)


def graded_rows(
    graded: Graded,
    by: Sequence[str] = (),
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    max_unscored: float = MAX_UNSCORED_SHARE,
) -> Iterator[Row]:
    """Rows of `metrics`: the mean score overall and by each column of `by`, with 95 % intervals, bootstrap over pages.

    A mean is null where more than `max_unscored` of its items are unscored.
    """
    weights = page_weights(graded.pages, replicates, seed).astype(np.float64)
    counted = graded.scored if graded.worst is None else np.ones_like(graded.scored)
    value = np.nan_to_num(graded.value, nan=graded.worst or 0.0)
    for part in slices(graded.items, np.arange(graded.items.num_rows), tuple(by)):
        unscored = (~graded.scored[:, :, part.members]).sum(axis=2)
        for j, judge in enumerate(graded.judges):
            held, n = value[j][:, part.members] * counted[j][:, part.members], counted[j][:, part.members]
            mean = ratio(held.sum(axis=1), n.sum(axis=1))
            drawn = weights[part.members]
            low, high = percentile_interval(ratio(drawn.T @ held.T, drawn.T @ n.T.astype(np.float64)))
            for m, model in enumerate(graded.models):
                covered = unscored[j, m] <= max_unscored * len(part.members)
                yield {
                    "suite": graded.suite,
                    "model": model,
                    "judge": judge,
                    "metric": graded.name,
                    "slice": part.name,
                    "slice_value": part.value,
                    **interval(mean[m] if covered else np.nan, low[m], high[m]),
                    "n": len(part.members),
                    "n_unscored": int(unscored[j, m]),
                }


def compare_graded(graded: Graded, *, replicates: int = REPLICATES, seed: int = 0) -> pa.Table:
    """Every two models under every judge on the items that both have a score for; columns of COMPARISONS.

    The p-value is of a test that swaps the models on random pages; only_a and only_b count the items on which one did
    better.
    """
    pages, rows = graded.pages, []
    pairs = list(combinations(range(len(graded.models)), 2))
    for j, judge in enumerate(graded.judges if pairs else ()):
        gains = np.stack([graded.value[j, a] - graded.value[j, b] for a, b in pairs], axis=1)
        for (a, b), found, gain in zip(pairs, paired(gains, pages, replicates, seed), gains.T, strict=True):
            rows.append(
                {
                    "suite": graded.suite,
                    "judge": judge,
                    "metric": graded.name,
                    "model_a": graded.models[a],
                    "model_b": graded.models[b],
                    **found,
                    "only_a": int((gain > 0).sum()),
                    "only_b": int((gain < 0).sum()),
                }
            )
    return pa.Table.from_pylist(rows, schema=COMPARISONS)


def paired(gains: Floats, pages: Ints, replicates: int = REPLICATES, seed: int = 0) -> list[Row]:
    """The mean of each column of `gains` (items, columns; NaN left out), its interval, and p-values, Holm's across all.

    Keys: difference, ci_low, ci_high, p_value, p_holm, n, n_excluded. Items of a page are drawn, and swapped, together.
    """
    shared = ~np.isnan(gains)
    gain, n = np.nan_to_num(gains), shared.sum(axis=0)
    weights = page_weights(pages, replicates, seed).astype(np.float64)
    drawn = ratio(weights.T @ gain, weights.T @ shared.astype(np.float64))
    (low, high), p = percentile_interval(drawn), _swapped(gain, pages, seed)
    holm = multipletests(p, method="holm")[1] if len(p) else p
    return [
        {
            "difference": number(mean),
            "ci_low": number(low[k]) if n[k] else None,
            "ci_high": number(high[k]) if n[k] else None,
            "p_value": float(p[k]),
            "p_holm": float(holm[k]),
            "n": int(n[k]),
            "n_excluded": int(len(gain) - n[k]),
        }
        for k, mean in enumerate(ratio(gain.sum(axis=0), n))
    ]


def _swapped(gain: Floats, pages: Ints, seed: int) -> Floats:
    """(columns,): how often a sum of gains is as far from 0 when the sign of each page's is drawn."""
    sums = np.zeros((int(pages.max()) + 1, gain.shape[1]))
    np.add.at(sums, pages, gain)
    seen, dice, as_far = np.abs(sums.sum(axis=0)), np.random.default_rng(seed), np.ones(gain.shape[1])
    for start in range(0, FLIPS, 1000):
        signs = dice.integers(2, size=(min(1000, FLIPS - start), len(sums))) * 2.0 - 1
        as_far += (np.abs(signs @ sums) >= seen * (1 - 1e-9)).sum(axis=0)
    return as_far / (FLIPS + 1)
