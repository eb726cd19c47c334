"""Several candidates in one frame: a capture costs the same for one mutation as for ten that cannot touch each other.

Belongs here: packing candidates into shared frames and reading each one's decision off the shared capture. The
decisions are those that a frame of its own would give: a shared frame with any pixel changed outside every candidate's
region is not believed, its suspects are captured alone, and so are those that a suspect draws over; the rest are only
believed when the suspects account for every stray pixel.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diffbench_assets.browser.gate import Decision, Pixels, Region, decide, pixels_hash
from diffbench_assets.browser.visibility import Seen, seen

GAP_PX: Final = 8
"""Clear pixels between regions that share a frame, so that a stray change shows between them."""

SUSPECT_PX: Final = 64
"""How far from its region a candidate answers for stray pixels; shadows and overflow seldom reach farther."""


@dataclass(frozen=True)
class Framed:
    """`where` a candidate may change pixels, and its `reach`: all that layout knows its target to draw on."""

    where: Region
    reach: Region


@dataclass(frozen=True)
class Captured:
    """The gate's decision on the page with exactly one candidate applied, and the hash of those pixels.

    `seen` is how plainly what was accepted shows, else None.
    """

    decision: Decision
    after: str
    seen: Seen | None = None


Capture = Callable[[list[int]], Awaitable[Pixels | None]]
"""Captures the page with the candidates of these indices applied; None when their layouts interfere."""


def pack(candidates: Sequence[Framed]) -> list[list[int]]:
    """Indices of `candidates` in frames: first fit, what one draws on at least GAP_PX from what another does."""
    frames: list[list[int]] = []
    for index, candidate in enumerate(candidates):
        for frame in frames:
            if all(_apart(_extent(candidates[other]), _extent(candidate)) for other in frame):
                frame.append(index)
                break
        else:
            frames.append([index])
    return frames


def _extent(candidate: Framed) -> Region:
    where, reach = candidate.where, candidate.reach
    return min(where[0], reach[0]), min(where[1], reach[1]), max(where[2], reach[2]), max(where[3], reach[3])


def _apart(a: Region, b: Region) -> bool:
    return a[2] + GAP_PX <= b[0] or b[2] + GAP_PX <= a[0] or a[3] + GAP_PX <= b[1] or b[3] + GAP_PX <= a[1]


async def decide_all(before: Pixels, candidates: Sequence[Framed], capture: Capture, delta_e: float) -> list[Captured]:
    """The decision on every candidate, in order, with as few captures as exactness allows.

    `before` must be writable; it is the same again afterwards. `delta_e` is the color difference (CIEDE2000) from which
    a pixel counts as seen.
    """
    results: dict[int, Captured] = {}
    for frame in pack(candidates):
        results |= await _decide_frame(before, candidates, frame, capture, delta_e)
    return [results[index] for index in range(len(candidates))]


async def _decide_frame(
    before: Pixels, candidates: Sequence[Framed], frame: list[int], capture: Capture, delta_e: float
) -> dict[int, Captured]:
    if len(frame) == 1:
        captured, _ = await _alone(before, candidates, frame[0], capture, delta_e)
        return {frame[0]: captured}
    after = await capture(frame)
    if after is None:
        return {index: (await _alone(before, candidates, index, capture, delta_e))[0] for index in frame}

    changed = before != after
    stray = changed.copy()
    for index in frame:
        _cut(stray, candidates[index].where)[...] = False

    results: dict[int, Captured] = {}
    suspects = [index for index in frame if _near(stray, candidates[index].where)]
    while suspects:
        index = suspects.pop()
        results[index], drawn = await _alone(before, candidates, index, capture, delta_e)
        stray &= ~drawn
        # What a suspect draws inside another candidate's region is not that candidate's: look at it alone as well.
        suspects += [
            other
            for other in frame
            if other not in results and other not in suspects and _cut(drawn, candidates[other].where).any()
        ]
    believed = not stray.any()
    for index in frame:
        if index in results:
            continue
        if believed:
            results[index] = _read(before, after, changed, candidates[index].where, delta_e)
        else:
            results[index], _ = await _alone(before, candidates, index, capture, delta_e)
    return results


async def _alone(
    before: Pixels, candidates: Sequence[Framed], index: int, capture: Capture, delta_e: float
) -> tuple[Captured, NDArray[np.bool_]]:
    """The decision from a frame of the candidate's own, and the mask of the pixels it changed."""
    after = await capture([index])
    if after is None:
        return Captured(Decision("unreplayable", 0, 0), ""), np.zeros(before.shape, dtype=bool)
    where = candidates[index].where
    decision = decide(before, after, where)
    return _captured(before, after, where, decision, pixels_hash(after), delta_e), before != after


def _captured(
    before: Pixels, after: Pixels, where: Region, decision: Decision, after_hash: str, delta_e: float
) -> Captured:
    shows = seen(before, after, where, delta_e) if decision.status == "accepted" else None
    return Captured(decision, after_hash, shows)


def _cut(pixels: NDArray[np.bool_], where: Region) -> NDArray[np.bool_]:
    x0, y0, x1, y1 = where
    return pixels[y0:y1, x0:x1]


def _near(stray: NDArray[np.bool_], where: Region) -> bool:
    x0, y0, x1, y1 = where
    return bool(stray[max(0, y0 - SUSPECT_PX) : y1 + SUSPECT_PX, max(0, x0 - SUSPECT_PX) : x1 + SUSPECT_PX].any())


def _read(before: Pixels, after: Pixels, changed: NDArray[np.bool_], where: Region, delta_e: float) -> Captured:
    """The frame of the candidate alone: the shared one inside its region, the page before outside."""
    x0, y0, x1, y1 = where
    inside = int(np.count_nonzero(changed[y0:y1, x0:x1]))
    # In place and back again: a copy of the whole frame would cost as much as hashing it.
    kept = before[y0:y1, x0:x1].copy()
    before[y0:y1, x0:x1] = after[y0:y1, x0:x1]
    alone = pixels_hash(before)
    before[y0:y1, x0:x1] = kept
    decision = Decision("accepted" if inside else "ineffective", inside, 0)
    return _captured(before, after, where, decision, alone, delta_e)
