"""Several candidates in one frame: a capture costs the same for one mutation as for ten that cannot touch each other.

Belongs here: packing candidates into shared frames and reading each one's decision off the shared capture. The
decisions are those that a frame of its own would give: a shared frame with any pixel changed outside every candidate's
region is not believed, its suspects are captured alone, and the rest are only believed when the suspects account for
every stray pixel.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diffbench_assets.web.gate import Decision, Pixels, Region, decide

GAP_PX: Final = 8
"""Clear pixels between regions that share a frame, so that a stray change shows between them."""

SUSPECT_PX: Final = 64
"""How far from its region a candidate answers for stray pixels; shadows and overflow seldom reach farther."""


@dataclass(frozen=True)
class Framed:
    """The region of a candidate; one that is not `contained` (layout shows it draws elsewhere) gets its own frame."""

    where: Region
    contained: bool


@dataclass(frozen=True)
class Captured:
    """Pixels with exactly one candidate applied, and the gate's decision on them."""

    decision: Decision
    after: Pixels


Capture = Callable[[list[int]], Awaitable[Pixels | None]]
"""Captures the page with the candidates of these indices applied; None when their layouts interfere."""


def pack(candidates: Sequence[Framed]) -> list[list[int]]:
    """Indices of `candidates` in frames: first fit, regions at least GAP_PX apart, uncontained ones alone."""
    frames: list[list[int]] = []
    for index, candidate in enumerate(candidates):
        frame = next(
            (
                frame
                for frame in frames
                if candidate.contained
                and all(candidates[i].contained and _apart(candidates[i].where, candidate.where) for i in frame)
            ),
            None,
        )
        if frame is None:
            frames.append([index])
        else:
            frame.append(index)
    return frames


def _apart(a: Region, b: Region) -> bool:
    return a[2] + GAP_PX <= b[0] or b[2] + GAP_PX <= a[0] or a[3] + GAP_PX <= b[1] or b[3] + GAP_PX <= a[1]


async def decide_all(before: Pixels, candidates: Sequence[Framed], capture: Capture) -> list[Captured]:
    """The decision on every candidate, in order, with as few captures as exactness allows."""
    results: dict[int, Captured] = {}
    for frame in pack(candidates):
        results |= await _decide_frame(before, candidates, frame, capture)
    return [results[index] for index in range(len(candidates))]


async def _alone(before: Pixels, candidates: Sequence[Framed], index: int, capture: Capture) -> Captured:
    after = await capture([index])
    if after is None:
        return Captured(Decision("unreplayable", 0, 0), before)
    return Captured(decide(before, after, candidates[index].where), after)


async def _decide_frame(
    before: Pixels, candidates: Sequence[Framed], frame: list[int], capture: Capture
) -> dict[int, Captured]:
    if len(frame) == 1:
        return {frame[0]: await _alone(before, candidates, frame[0], capture)}
    after = await capture(frame)
    if after is None:
        return {index: await _alone(before, candidates, index, capture) for index in frame}

    changed = before != after
    stray = changed.copy()
    for index in frame:
        x0, y0, x1, y1 = candidates[index].where
        stray[y0:y1, x0:x1] = False

    results: dict[int, Captured] = {}
    if stray.any():
        unexplained = stray.copy()
        for index in frame:
            if _near(stray, candidates[index].where):
                results[index] = await _alone(before, candidates, index, capture)
                unexplained &= before == results[index].after
        if unexplained.any():
            rest = [index for index in frame if index not in results]
            return results | {index: await _alone(before, candidates, index, capture) for index in rest}
    for index in frame:
        if index not in results:
            results[index] = _read(before, after, changed, candidates[index].where)
    return results


def _near(stray: NDArray[np.bool_], where: Region) -> bool:
    x0, y0, x1, y1 = where
    return bool(stray[max(0, y0 - SUSPECT_PX) : y1 + SUSPECT_PX, max(0, x0 - SUSPECT_PX) : x1 + SUSPECT_PX].any())


def _read(before: Pixels, after: Pixels, changed: NDArray[np.bool_], where: Region) -> Captured:
    """The frame that the candidate alone would have given: the shared one inside its region, the page before outside."""
    x0, y0, x1, y1 = where
    alone = before.copy()
    alone[y0:y1, x0:x1] = after[y0:y1, x0:x1]
    inside = int(np.count_nonzero(changed[y0:y1, x0:x1]))
    return Captured(Decision("accepted" if inside else "ineffective", inside, 0), alone)
