"""Where two images of the same size differ.

Belongs here: changed pixels grouped into rectangles. Does not belong here: what changed in them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

REACH = 20
"""Changed pixels at most twice this far apart (px, along either axis) belong to one region: about a line of text."""


class Region(NamedTuple):
    """Pixels x0 ≤ x < x1, y0 ≤ y < y1, and how many of them changed."""

    x0: int
    y0: int
    x1: int
    y1: int
    changed: int

    @property
    def width(self) -> int:
        return self.x1 - self.x0

    @property
    def height(self) -> int:
        return self.y1 - self.y0


def changed_regions(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> list[Region]:
    """Regions of differing pixels, most changed first. Exact comparison, no threshold.

    Four spots at the corners of one rectangle, or lines along its sides, are one region: that is how a changed
    corner radius or border looks.
    """
    mask = np.any(before != after, axis=2)
    if not mask.any():
        return []
    whole = _bounds(mask, 0, 0)
    if _frame_like(mask[whole.y0 : whole.y1, whole.x0 : whole.x1]):
        return [whole]
    near = ndimage.maximum_filter(mask, size=2 * REACH + 1)
    labels, _ = ndimage.label(near)
    found = []
    for number, (rows, columns) in enumerate(ndimage.find_objects(labels), start=1):
        part = mask[rows, columns] & (labels[rows, columns] == number)
        found.append(_bounds(part, rows.start, columns.start))
    return sorted(found, key=lambda region: (-region.changed, region.y0, region.x0))


def frame_share(mask: NDArray[np.bool_]) -> float:
    """Share of the changed pixels that lie near the edge: within a fifth of the shorter side, at most 32 px."""
    inner = _inner(mask)
    total = int(mask.sum())
    return 1.0 - float(inner.sum()) / total if total else 0.0


def _inner(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    band = max(1, min(32, min(mask.shape) // 5))
    return mask[band:-band, band:-band]


def _frame_like(mask: NDArray[np.bool_]) -> bool:
    """True when changes lie along the edge only, in all four quarters of the rectangle."""
    height, width = mask.shape
    if min(height, width) < 12 or _inner(mask).any():
        return False
    top, bottom = mask[: height // 2], mask[height // 2 :]
    return all(half[:, side].any() for half in (top, bottom) for side in (slice(width // 2), slice(width // 2, None)))


def _bounds(mask: NDArray[np.bool_], top: int, left: int) -> Region:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return Region(
        left + int(columns[0]),
        top + int(rows[0]),
        left + int(columns[-1]) + 1,
        top + int(rows[-1]) + 1,
        int(mask.sum()),
    )
