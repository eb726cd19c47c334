"""Candidates of pages: mutations that were captured and decided, one per operator and tier on a page.

Belongs here: the walk from a stored page to its candidate rows. Does not belong here: which
pages a cell looks at and which candidates become pairs (`sampling.py`).
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from diffbench_assets.browser.flight import in_flight
from diffbench_assets.browser.frames import Captured, Framed, decide_all
from diffbench_assets.browser.gate import Pixels, decode, is_blank, pixels_hash, region
from diffbench_assets.browser.render import VIEWPORT, PageFailed, Renderer, Tab
from diffbench_assets.pairs.css.filters import filter_box, filter_text
from diffbench_assets.pairs.css.floor import FLOOR, below_floor
from diffbench_assets.pairs.css.operators import split_cell
from diffbench_assets.pairs.css.search import Search, Survivor, search_page
from diffbench_assets.pairs.made import box_struct
from diffbench_assets.pairs.record import dumps

Row = dict[str, Any]

ATTEMPTS: Final = 3
"""Most candidates captured for one cell on one page; the first accepted one ends it."""


SPARE: Final = "spare"
"""Status of what could have been made instead of the accepted candidate, and was not captured; questions name it."""


@dataclass(frozen=True)
class PageTask:
    """A page of the pool, and the cells that want candidates from it.

    `class_swap_only`: operators on a scale act in no other way. `exact`: one pixel that differs is enough (DiffSpot);
    else what falls below the visibility floor is turned down as invisible.
    """

    page_id: str
    html: str
    missing_glyphs: str
    cells: tuple[str, ...]
    class_swap_only: bool = False
    exact: bool = False


@dataclass
class PageResult:
    """Candidate rows of one page by cell, and counts of what layout and filters ruled out before any capture."""

    rows: dict[str, list[Row]] = field(default_factory=dict)
    discarded: Counter[str] = field(default_factory=Counter)


async def candidates_of_page(tab: Tab, task: PageTask, seed: int) -> PageResult:
    """Candidate rows for every cell of `task`.

    A page that fails as a whole (blank, unsettled, unstable between two loads or by itself) gives each cell a row with
    that status.
    Raises PageFailed when the tab or the browser was lost.
    """
    try:
        before = await _stable_before(tab, task.html)
        search = await search_page(tab, task.page_id, task.missing_glyphs, seed, task.class_swap_only)
        rows = await _decide_cells(tab, task, before, search)
        if any(row["status"] == "nonlocal" for cell in rows.values() for row in cell):
            await _check_stable(tab, before)
    except PageFailed as failure:
        if failure.tab_lost:
            raise
        return PageResult({cell: [_page_row(task.page_id, cell, failure.reason)] for cell in task.cells})
    return PageResult(rows, search.discarded)


async def _stable_before(tab: Tab, html: str) -> Pixels:
    """The page before any mutation, after the A/A check: two loads must give the same pixels."""
    await tab.load(html)
    first = await tab.capture()
    await tab.load(html)
    second = await tab.capture()
    if first != second:
        settled = await tab.settled()
        await tab.load(html)
        if settled != await tab.settled():
            raise PageFailed("page_unstable")
        second = settled
    pixels = await asyncio.to_thread(decode, second)
    if is_blank(pixels):
        raise PageFailed("page_blank")
    return pixels


async def _check_stable(tab: Tab, before: Pixels) -> None:
    """What changed outside a box may be no mutation's doing: an animation can be in the same phase after two loads."""
    if not np.array_equal(before, await asyncio.to_thread(decode, await tab.capture())):
        raise PageFailed("page_unstable")


async def _decide_cells(tab: Tab, task: PageTask, before: Pixels, search: Search) -> dict[str, list[Row]]:
    before_sha = pixels_hash(before)
    rows: dict[str, list[Row]] = {cell: [] for cell in task.cells}
    queues = {cell: iter(search.survivors[cell]) for cell in task.cells}
    captures = Counter[str]()
    open_cells = list(task.cells)
    while open_cells:
        waiting = []
        for cell in open_cells:
            survivor = _next_fair(task, cell, queues[cell], rows[cell], before_sha)
            if survivor is not None and captures[cell] < ATTEMPTS:
                captures[cell] += 1
                waiting.append((cell, survivor))
        decided = await _capture(tab, before, [survivor for _, survivor in waiting])
        for (cell, survivor), captured in zip(waiting, decided, strict=True):
            hidden = not task.exact and captured.seen is not None and below_floor(captured.seen.pixels)
            status = "invisible" if hidden else None
            rows[cell].append(_row(task.page_id, cell, survivor, captured, before_sha, status))
        open_cells = [cell for cell, _ in waiting if rows[cell][-1]["status"] != "accepted"]
    for cell in task.cells:
        if not rows[cell]:
            rows[cell].append(_page_row(task.page_id, cell, "no_target"))
        elif rows[cell][-1]["status"] == "accepted":
            rows[cell] += [
                _row(task.page_id, cell, survivor, None, before_sha, SPARE)
                for survivor in queues[cell]
                if _unfair(survivor) is None
            ]
    return rows


def _next_fair(
    task: PageTask, cell: str, queue: Iterable[Survivor], rows: list[Row], before_sha: str
) -> Survivor | None:
    """The next survivor that the content filters let through; the others become rows with their reason."""
    for survivor in queue:
        reason = _unfair(survivor)
        if reason is None:
            return survivor
        if len(rows) < ATTEMPTS:
            rows.append(_row(task.page_id, cell, survivor, None, before_sha, reason))
    return None


def _unfair(survivor: Survivor) -> str | None:
    return filter_box(survivor.box_after) or filter_text(survivor.mutation, survivor.element, survivor.ink)


async def _capture(tab: Tab, before: Pixels, survivors: Sequence[Survivor]) -> list[Captured]:
    mutations = [
        {
            "element": survivor.element.index,
            "edits": [vars(edit) for edit in survivor.mutation.edits],
            "box": survivor.box_after,
        }
        for survivor in survivors
    ]
    shape = (VIEWPORT[1], VIEWPORT[0])
    framed = [Framed(region(s.element.box, s.box_after, shape), region(s.reach, s.reach, shape)) for s in survivors]

    async def capture(indices: list[int]) -> Pixels | None:
        png = await tab.mutated([mutations[index] for index in indices])
        return None if png is None else await asyncio.to_thread(decode, png)

    return await decide_all(before, framed, capture, FLOOR.delta_e)


def _page_row(page_id: str, cell: str, status: str) -> Row:
    operator, tier = split_cell(cell)
    return {
        "candidate_id": _candidate_id(page_id, cell, status),
        "page_id": page_id,
        "operator": operator,
        "tier": tier,
        "status": status,
    }


def _row(
    page_id: str, cell: str, survivor: Survivor, captured: Captured | None, before_sha: str, status: str | None = None
) -> Row:
    mutation = survivor.mutation
    record = dumps([mutation])
    decision = captured.decision if captured else None
    seen = captured.seen if captured else None
    return {
        "candidate_id": _candidate_id(page_id, cell, record),
        "page_id": page_id,
        "operator": mutation.operator,
        "tier": mutation.tier,
        "mechanism": mutation.mechanism,
        "selector": mutation.selector,
        "element": mutation.element,
        "property": mutation.property,
        "before": mutation.before,
        "after": mutation.after,
        "direction": mutation.direction,
        "magnitude": float(mutation.magnitude),
        "magnitude_unit": mutation.magnitude_unit,
        "record": record,
        "box_before": box_struct(survivor.element.box),
        "box_after": box_struct(survivor.box_after),
        "inside_changed_px": decision.inside if decision else None,
        "outside_changed_px": decision.outside if decision else None,
        "visible_px": seen.pixels if seen else None,
        "largest_delta_e": seen.largest if seen else None,
        "before_pixels": before_sha,
        "after_pixels": captured.after if captured else None,
        "status": status or (decision.status if decision else "unresolved"),
    }


def _candidate_id(page_id: str, cell: str, record: str) -> str:
    return hashlib.sha256(f"{page_id}\n{cell}\n{record}".encode()).hexdigest()[:20]


async def find_candidates(
    renderer: Renderer, tasks: Sequence[PageTask], seed: int, progress: Callable[[int], object] = lambda pages: None
) -> list[PageResult]:
    """Results of `tasks`, in order; a page that loses its tab or the browser twice is given up with that reason."""
    return await in_flight(renderer, tasks, lambda tab, task: candidates_of_page(tab, task, seed), _given_up, progress)


def _given_up(task: PageTask, failure: PageFailed) -> PageResult:
    return PageResult({cell: [_page_row(task.page_id, cell, failure.reason)] for cell in task.cells})


def discarded_total(results: Iterable[PageResult]) -> Mapping[str, int]:
    """Counts over all pages of what was ruled out before any capture, most frequent first."""
    return dict(sum((result.discarded for result in results), Counter()).most_common())
