"""Whether what changed is that something moved: one rigid shift that explains the changed pixels.

Line height and padding often show as nothing else, and a viewer who says so is right. Belongs here: finding the shift
in two captures. Does not belong here: what follows from it for judges and questions.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from diffbench_assets.browser.gate import Box, Pixels, region
from diffbench_assets.browser.visibility import exchanges

EXPLAINED: Final = 0.97
"""Share of the changed pixels that have to come from where the shift says."""
ALIKE: Final = 0.9
"""Share of changed pixels that go from one color to one other from which an area grew or shrank, and nothing moved."""
NEAR: Final = 64
"""Pixels up to which shifts along both axes at once are tried; along one axis, all that the image has room for."""
SAMPLES: Final = 128
CHECKED: Final = 8
"""Changed pixels that all shifts are tried on, and the best shifts, which are tried on all of them."""


def rigid_shift(before: Pixels, after: Pixels, box_before: Box, box_after: Box) -> tuple[int, int] | None:
    """Pixels (right, down) by which everything that changed has moved; None where no one shift explains it.

    None too where an edge of the target's box is seen to move alone: then it has another size.
    """
    changed = before != after
    ys, xs = np.nonzero(changed)
    if not len(ys) or _recolored(before[changed], after[changed]) or _resized(changed, box_before, box_after):
        return None
    some = np.linspace(0, len(ys) - 1, min(SAMPLES, len(ys))).astype(np.intp)
    right, down = _shifts(before.shape)
    shares = _explained(before, after, ys[some], xs[some], right, down)
    order = np.lexsort((right, down, np.abs(right) + np.abs(down), -shares))[:CHECKED]
    for x, y in zip(right[order], down[order], strict=True):
        if _explained(before, after, ys, xs, np.array([x]), np.array([y]))[0] >= EXPLAINED:
            return int(x), int(y)
    return None


def _shifts(shape: tuple[int, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    near = np.arange(-NEAR, NEAR + 1)
    square = [(x, y) for x in near for y in near if x or y]
    across = [(x, 0) for x in range(-shape[1] + 1, shape[1]) if abs(x) > NEAR]
    along = [(0, y) for y in range(-shape[0] + 1, shape[0]) if abs(y) > NEAR]
    right, down = np.array([*square, *across, *along], np.intp).T
    return right, down


def _explained(
    before: Pixels,
    after: Pixels,
    ys: NDArray[np.intp],
    xs: NDArray[np.intp],
    right: NDArray[np.intp],
    down: NDArray[np.intp],
) -> NDArray[np.float64]:
    """For each shift the share of the pixels at `ys`, `xs` that show what stood there before the shift."""
    from_y, from_x = ys - down[:, None], xs - right[:, None]
    there = (from_y >= 0) & (from_y < before.shape[0]) & (from_x >= 0) & (from_x < before.shape[1])
    same: NDArray[np.bool_] = before[np.where(there, from_y, 0), np.where(there, from_x, 0)] == after[ys, xs]
    shares: NDArray[np.float64] = (same & there).mean(axis=1)
    return shares


def _recolored(was: Pixels, now: Pixels) -> bool:
    *_, counts = exchanges(was, now)
    return bool(counts.max() >= ALIKE * len(was))


def _resized(changed: NDArray[np.bool_], box_before: Box, box_after: Box) -> bool:
    """Whether an edge that only one of the boxes has is seen: most of its pixels changed."""
    if box_before[2:] == box_after[2:]:
        return False
    one, other = (region(box, box, changed.shape) for box in (box_before, box_after))
    lines = []
    for x0, y0, x1, y1 in (one, other):
        columns = [x for x, own, its in ((x0, one[0], other[0]), (x1 - 1, one[2], other[2])) if own != its]
        rows = [y for y, own, its in ((y0, one[1], other[1]), (y1 - 1, one[3], other[3])) if own != its]
        lines += [changed[y0:y1, x] for x in columns] + [changed[y, x0:x1] for y in rows]
    return any(len(line) and line.mean() > 0.5 for line in lines)
