"""Marks on a ground: letters, icons, lines.

Belongs here: separating marks from the ground they stand on and measuring them in one image. Does not belong
here: comparing two images (`measure.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage


@dataclass(frozen=True, slots=True)
class Ink:
    """The marks of one crop. Lengths in px; an empty crop has area 0.

    ground: sRGB of the ground. area: coverage, anti-aliased pixels counting by their share. width, height: extent.
    left, top: offset of the extent. stroke: mean stroke width. lines: centres of the text lines, from the top.
    line_height: mean height of a line's marks. gaps: mean empty space between neighbouring marks of a line.
    """

    ground: NDArray[np.float64]
    area: float
    width: int
    height: int
    left: int
    top: int
    stroke: float
    lines: tuple[float, ...]
    line_height: float
    gaps: float


def ground_color(crop: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The most frequent colour of a crop, shape (3,)."""
    flat = crop.reshape(-1, 3).astype(np.int64)
    codes, counts = np.unique((flat[:, 0] << 16) | (flat[:, 1] << 8) | flat[:, 2], return_counts=True)
    code = int(codes[np.argmax(counts)])
    return np.array([code >> 16, (code >> 8) & 255, code & 255], dtype=np.float64)


def rim_color(crop: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The most frequent colour along the four sides of a crop: what lies around its content."""
    return ground_color(np.concatenate([crop[0], crop[-1], crop[:, 0], crop[:, -1]])[None])


def coverage(crop: NDArray[np.uint8], ground: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far each pixel is from the ground, 0…1 of the farthest."""
    distance = np.abs(crop.astype(np.float64) - ground).sum(axis=2)
    farthest = float(distance.max())
    return distance / farthest if farthest > 24 else np.zeros_like(distance)


def measure_ink(crop: NDArray[np.uint8]) -> Ink:
    """Measurements of the marks in a crop."""
    ground = ground_color(crop)
    cover = coverage(crop, ground)
    marks = cover > 0.35
    if not marks.any():
        return Ink(ground, 0.0, 0, 0, 0, 0, 0.0, (), 0.0, 0.0)
    rows, columns = np.flatnonzero(marks.any(axis=1)), np.flatnonzero(marks.any(axis=0))
    runs = _runs(np.asarray(marks.any(axis=1)))
    gaps = [gap for start, end in runs for gap in _gaps(np.asarray(marks[start:end].any(axis=0)))]
    edge = marks & ~ndimage.binary_erosion(marks)
    return Ink(
        ground,
        float(cover.sum()),
        int(columns[-1] - columns[0]) + 1,
        int(rows[-1] - rows[0]) + 1,
        int(columns[0]),
        int(rows[0]),
        2 * float(cover.sum()) / max(1.0, float(edge.sum())),
        tuple((start + end) / 2 for start, end in runs),
        float(np.mean([end - start for start, end in runs])) if runs else 0.0,
        float(np.mean(gaps)) if gaps else 0.0,
    )


def _runs(present: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """(start, end) of every stretch of True that is at least 4 long."""
    steps = np.flatnonzero(np.diff(np.concatenate([[0], present.astype(np.int8), [0]])))
    return [(int(a), int(b)) for a, b in zip(steps[::2], steps[1::2], strict=True) if b - a >= 4]


def _gaps(present: NDArray[np.bool_]) -> list[int]:
    steps = np.flatnonzero(np.diff(present.astype(np.int8)))
    return [int(b - a) for a, b in zip(steps, steps[1:], strict=False) if not present[a + 1]]
