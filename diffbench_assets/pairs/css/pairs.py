"""Pairs of a cell: candidates in draw order, confirmed by replay, until there are enough.

Belongs here: from candidates to pair rows. Does not belong here: the order (`sampling.py`), rendering (`replay.py`) or
the CLIP distance, which is added to finished rows where weights can be had.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from diffbench_assets.browser.gate import decode, region
from diffbench_assets.browser.render import VIEWPORT, Renderer
from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.css.operators import OPERATORS
from diffbench_assets.pairs.css.possible import box_of, claims_of, subject_of
from diffbench_assets.pairs.css.shift import rigid_shift
from diffbench_assets.pairs.grammar import describe
from diffbench_assets.pairs.made import Difference, MadePair, Measured, Row, labels_of, pair_row
from diffbench_assets.pairs.naming import location
from diffbench_assets.pairs.record import NOTHING, Mutation, loads
from diffbench_assets.pairs.replay import Render, Replay, ReplayTask, confirm, replay_all

SUITE: Final = "webdiff"


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
    befores: dict[str, Render] | None = None,
) -> Drawn:
    """Up to `n` pairs of `cell` from `order`: candidates, or for no_diff the page ids in `page_id`.

    `pages` maps page ids to rows with html and labels; `befores` is that of `replay_all`.
    Fewer than `n` come back when supply ends: nothing is padded.
    """
    drawn = Drawn()
    start = 0
    while len(drawn.rows) < n and start < len(order):
        batch = order[start : start + n - len(drawn.rows)]
        start += len(batch)
        tasks = [
            ReplayTask(
                pages[row["page_id"]]["html"],
                row.get("record", NOTHING),
                (row.get("before_pixels"), row.get("after_pixels")),
            )
            for row in batch
        ]
        for row, replay in zip(batch, await replay_all(renderer, tasks, progress, befores), strict=True):
            reason = _confirm_no_diff(replay) if cell == NO_DIFF else confirm(row, replay)
            if reason:
                drawn.rejected[reason] += 1
            else:
                made = _made(row, pages[row["page_id"]], replay, renderer.fingerprint)
                operator = row.get("operator")
                family = OPERATORS[operator].family if operator else None
                drawn.rows.append(pair_row(SUITE, cell, made, operator, family, row.get("tier", NO_DIFF)))
    return drawn


def _confirm_no_diff(replay: Replay) -> str | None:
    return replay.failure or (None if replay.before_pixels == replay.after_pixels else "page_unstable")


def _made(row: Mapping[str, Any], page: Mapping[str, Any], replay: Replay, made_by: str) -> MadePair:
    """The pair of a candidate, or of a page without a difference; what else could be said, its candidates tell."""
    steps, differences, share = loads(row.get("record", NOTHING)), [], None
    if steps:
        differences = [_difference(row, replay)]
        x0, y0, x1, y1 = region(box_of(row, "before"), box_of(row, "after"), (VIEWPORT[1], VIEWPORT[0]))
        share = row["inside_changed_px"] / ((x1 - x0) * (y1 - y0))
    return MadePair(
        "css",
        row["page_id"],
        replay.before,
        replay.after,
        tuple(differences),
        steps,
        None,
        made_by,
        labels_of(page),
        Measured(share, replay.before_pixels, replay.after_pixels),
    )


def _difference(row: Mapping[str, Any], replay: Replay) -> Difference:
    """What the candidate makes true; its box is the union of the target's boxes before and after."""
    claims = claims_of(row)
    shift = None
    if OPERATORS[row["operator"]].shifts:
        shift = rigid_shift(decode(replay.before), decode(replay.after), box_of(row, "before"), box_of(row, "after"))
    values = f"{row['property']}: {row['before']} to {row['after']}"
    if claims and (claims[0].before, claims[0].after) == (row["before"], row["after"]):
        values = ""
    before, after = box_of(row, "before"), box_of(row, "after")
    x, y = min(before[0], after[0]), min(before[1], after[1])
    steps = loads(row["record"])
    right, bottom = (max(before[i] + before[i + 2], after[i] + after[i + 2]) for i in (0, 1))
    return Difference(
        kind=row["operator"],
        claim=claims[0] if len(claims) == 1 else None,
        description=describe(subject_of(row), claims, values),
        dimensions=OPERATORS[row["operator"]].dimensions,
        target={**row["element"], "location": location(before)},
        property=row["property"],
        before=row["before"],
        after=row["after"],
        direction=row["direction"],
        magnitude=row["magnitude"],
        unit=row["magnitude_unit"],
        box=(x, y, right - x, bottom - y),
        steps=steps,
        axis=next((step.axis for step in steps if isinstance(step, Mutation)), ""),
        shift=shift,
    )
