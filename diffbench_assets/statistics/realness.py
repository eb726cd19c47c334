"""Whether copies of pages look as real as their originals, and whether judges see it alike (DiffSpot §3.6, table 2).

Belongs here: the paired difference by richness and judge, and judge against judge. Does not belong here: asking judges
(`corpus/realness.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa

from diffbench_assets import schemas
from diffbench_assets.statistics.answers import Bools, Floats
from diffbench_assets.statistics.correlation import correlation_replicates
from diffbench_assets.statistics.intervals import REPLICATES, page_weights, percentile_interval, ratio, weighted_sums
from diffbench_assets.statistics.tables import interval, number

RICHNESS = ("rich", "standard", "minimal")
ALL = "all"
SIDES = ("original", "copy")

ALIKE = 0.3
"""Largest |Δ| in the paper's audit of 501 pairs by three judges."""

REALNESS = schemas.REALNESS.schema.remove(0)
"""Without its source: these numbers are of one."""
JUDGE_CORRELATION = schemas.REALNESS_JUDGES.schema.remove(0)


@dataclass(frozen=True)
class _Grid:
    judges: tuple[str, ...]
    pages: tuple[str, ...]
    scores: Floats
    """(judges, pages, 2): score of original and copy, NaN where there is none."""
    asked: Bools
    """(judges, pages): whether the judge has rows of the page."""


def realness_table(
    rows: Iterable[Mapping[str, Any]],
    richness: Mapping[str, str],
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> pa.Table:
    """Paired mean difference original − copy for each judge and richness; columns of REALNESS.

    `rows` are those of `corpus.realness.audit`, of any number of judges; `richness` maps page ids to theirs. Only pages
    whose both sides a judge scored count for it. Raises ValueError for an item with two rows, or a page of no richness.
    """
    grid = _grid(rows)
    if unknown := [page for page in grid.pages if richness.get(page) not in RICHNESS]:
        raise ValueError(
            f"page {unknown[0]}: richness {richness.get(unknown[0])!r} is not one of {', '.join(RICHNESS)}"
        )
    if not grid.pages:
        return REALNESS.empty_table()
    kinds = np.array([richness[page] for page in grid.pages])
    weights = page_weights(np.arange(len(grid.pages)), replicates, seed)
    complete: Bools = ~np.any(np.isnan(grid.scores), axis=2)
    table = []
    for j, judge in enumerate(grid.judges):
        for kind in (*RICHNESS, ALL):
            members = np.ones(len(kinds), bool) if kind == ALL else kinds == kind
            used = np.flatnonzero(members & complete[j])
            scores = grid.scores[j, used]
            means = scores.mean(axis=0) if len(used) else np.full(2, np.nan)
            difference = scores[:, :1] - scores[:, 1:]
            value = float(difference.mean()) if len(used) else np.nan
            ends = np.nan, np.nan
            if len(used) > 1:
                drawn = weights[used]
                means_drawn = ratio(weighted_sums(drawn, difference), drawn.sum(axis=0, dtype=float)[:, None])
                low, high = percentile_interval(means_drawn)
                ends = low[0], high[0]
            table.append(
                {
                    "judge": judge,
                    "richness": kind,
                    "mean_original": number(means[0]),
                    "mean_copy": number(means[1]),
                    **interval(value, *ends),
                    "alike": abs(value) <= ALIKE if len(used) else None,
                    "n": len(used),
                    "n_unscored": int((members & grid.asked[j] & ~complete[j]).sum()),
                }
            )
    return pa.Table.from_pylist(table, schema=REALNESS)


def judge_correlations(rows: Iterable[Mapping[str, Any]], *, replicates: int = REPLICATES, seed: int = 0) -> pa.Table:
    """Pearson and Spearman between every two judges, of scores and of differences; columns of JUDGE_CORRELATION.

    The paper's judges agreed on no page in particular: their differences were uncorrelated. Raises ValueError for an
    item with two rows.
    """
    grid = _grid(rows)
    if not grid.pages:
        return JUDGE_CORRELATION.empty_table()
    weights = page_weights(np.arange(len(grid.pages)), replicates, seed)
    pages = np.arange(len(grid.pages))
    readings = {
        "score": (grid.scores.reshape(len(grid.judges), -1), np.repeat(pages, 2)),
        "difference": (grid.scores[:, :, 0] - grid.scores[:, :, 1], pages),
    }
    table = []
    for a, b in combinations(range(len(grid.judges)), 2):
        for of, (values, page) in readings.items():
            shared = np.flatnonzero(~np.isnan(values[[a, b]]).any(axis=0))
            x, y = values[a, shared], values[b, shared].astype(np.int64)[:, None]
            for method in ("pearson", "spearman"):
                value, low, high = np.nan, np.nan, np.nan
                if len(shared) > 1:
                    once = np.ones((len(shared), 1), np.float32)
                    value = float(getattr(correlation_replicates(once, x, y), method)[0, 0])
                    drawn = getattr(correlation_replicates(weights[page[shared]], x, y), method)
                    low, high = (float(end[0]) for end in percentile_interval(drawn))
                table.append(
                    {
                        "judge_a": grid.judges[a],
                        "judge_b": grid.judges[b],
                        "of": of,
                        "method": method,
                        **interval(value, low, high),
                        "n": len(shared),
                    }
                )
    return pa.Table.from_pylist(table, schema=JUDGE_CORRELATION)


def _grid(rows: Iterable[Mapping[str, Any]]) -> _Grid:
    rows = list(rows)
    judges = tuple(sorted({row["judge"] for row in rows}))
    pages = tuple(sorted({row["page_id"] for row in rows}))
    place_of_judge = {judge: j for j, judge in enumerate(judges)}
    place_of_page = {page: p for p, page in enumerate(pages)}
    scores = np.full((len(judges), len(pages), 2), np.nan)
    asked = np.zeros(scores.shape, bool)
    for row in rows:
        place = place_of_judge[row["judge"]], place_of_page[row["page_id"]], SIDES.index(row["side"])
        if asked[place]:
            raise ValueError(f"audit: two rows for judge={row['judge']}, page_id={row['page_id']}, side={row['side']}")
        asked[place] = True
        if row["score"] is not None:
            scores[place] = row["score"]
    return _Grid(judges, pages, scores, np.any(asked, axis=2))
