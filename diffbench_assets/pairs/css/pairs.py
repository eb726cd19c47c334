"""Pairs of a cell: candidates in draw order, confirmed by replay, until there are enough.

Belongs here: from candidates to pair rows. Does not belong here: the order (`sampling.py`), rendering (`replay.py`) or
the CLIP distance, which is added to finished rows where weights can be had.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from diffbench_assets.browser.gate import Box, region
from diffbench_assets.browser.render import VIEWPORT, Renderer
from diffbench_assets.pairs.css.mutation import Mutation
from diffbench_assets.pairs.css.operators import NO_DIFF, OPERATORS
from diffbench_assets.pairs.css.wording import difference
from diffbench_assets.pairs.replay import Replay, ReplayTask, confirm, replay_all

Row = dict[str, Any]
SUITE = "webdiff"


@dataclass
class Drawn:
    """Pair rows of a cell, and counts of candidates that the replay turned down."""

    rows: list[Row] = field(default_factory=list)
    rejected: Counter[str] = field(default_factory=Counter)


async def draw_pairs(
    renderer: Renderer,
    cell: str,
    order: Sequence[Mapping[str, Any]],
    pages: Mapping[str, Mapping[str, Any]],
    n: int,
    progress: Callable[[int], object] = lambda done: None,
) -> Drawn:
    """Up to `n` pairs of `cell` from `order`: candidates, or for no_diff the page ids in `page_id`.

    `pages` maps page ids to rows with html and labels. Fewer than `n` come back when supply ends: nothing is padded.
    """
    drawn = Drawn()
    start = 0
    while len(drawn.rows) < n and start < len(order):
        batch = order[start : start + n - len(drawn.rows)]
        start += len(batch)
        tasks = [
            ReplayTask(
                pages[row["page_id"]]["html"], row.get("record"), (row.get("before_pixels"), row.get("after_pixels"))
            )
            for row in batch
        ]
        for row, replay in zip(batch, await replay_all(renderer, tasks, progress), strict=True):
            reason = _confirm_no_diff(replay) if cell == NO_DIFF else confirm(row, replay)
            if reason:
                drawn.rejected[reason] += 1
            else:
                drawn.rows.append(_pair(renderer.fingerprint, cell, row, pages[row["page_id"]], replay))
    return drawn


def _confirm_no_diff(replay: Replay) -> str | None:
    return replay.failure or (None if replay.before_pixels == replay.after_pixels else "page_unstable")


def _pair(fingerprint: str, cell: str, row: Mapping[str, Any], page: Mapping[str, Any], replay: Replay) -> Row:
    name = f"{cell} {row.get('candidate_id', row['page_id'])}"
    pair_id = f"{SUITE}-{hashlib.sha256(name.encode()).hexdigest()[:16]}"
    pair: Row = {
        "pair_id": pair_id,
        "suite": SUITE,
        "cell": cell,
        "page_id": row["page_id"],
        "image_before": {"bytes": replay.before, "path": f"{pair_id}-before.png"},
        "image_after": {"bytes": replay.after, "path": f"{pair_id}-after.png"},
        "differences": [],
        "indistinguishable": [],
        "description": "Nothing differs.",
        **{label: page[label] for label in ("domain", "style", "language")},
        "tier": NO_DIFF,
        "before_pixels": replay.before_pixels,
        "after_pixels": replay.after_pixels,
        "render_fingerprint": fingerprint,
    }
    return pair if cell == NO_DIFF else pair | _truth(row)


def _truth(candidate: Mapping[str, Any]) -> Row:
    mutation = Mutation.from_record(candidate["record"])
    before, after = _box(candidate["box_before"]), _box(candidate["box_after"])
    truth = difference(mutation, before, after)
    x0, y0, x1, y1 = region(before, after, (VIEWPORT[1], VIEWPORT[0]))
    return {
        "differences": [truth],
        "description": truth["description"],
        "operator": mutation.operator,
        "family": OPERATORS[mutation.operator].family,
        "tier": mutation.tier,
        "record": candidate["record"],
        "inside_change": candidate["inside_changed_px"] / ((x1 - x0) * (y1 - y0)),
    }


def _box(struct: Mapping[str, float]) -> Box:
    return struct["x"], struct["y"], struct["width"], struct["height"]
