"""Two readings of a line of text against its pixels, without knowing letters.

Belongs here: where in a line the change stands, and which way its width went. Does not belong here: anything but text.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from diffbench_assets.baselines.pixel_diff.images import Pixels
from diffbench_assets.baselines.pixel_diff.whole import gray

_NARROW, _WIDE = frozenset("iljtfrI1.,'!|:;()[] "), frozenset("mwMWQO@%")
INK = 40.0
"""Levels from the line's ground."""


def supports(one: Pixels, two: Pixels, mask: NDArray[np.bool_], before: str, after: str) -> float:
    """How well `before` in the first image and `after` in the second fit the change under `mask`, about -1…1."""
    if not before or not after or "…" in before[:1] + after[:1]:
        return 0.0
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    height = int(rows[-1] - rows[0]) + 1
    band = slice(int(rows[0]), int(rows[-1]) + 1)
    first, second = (_extent(gray(image[band]), int(columns[0]), height) for image in (one, two))
    if first is None or second is None:
        return 0.0
    start = len(_shared(before, after)) / max(len(before), len(after))
    end = 1 - len(_shared(before[::-1], after[::-1])) / max(len(before), len(after))
    left, right = min(first[0], second[0]), max(first[1], second[1])
    seen = ((columns[0] - left) / (right - left), (columns[-1] + 1 - left) / (right - left))
    same_width = abs((first[1] - first[0]) - (second[1] - second[0])) <= 1
    apart = abs(seen[0] - start) + (abs(seen[1] - end) if same_width else 0.0)
    grown = (second[1] - second[0]) - (first[1] - first[0])
    said = _width(after) - _width(before)
    agrees = 0.5 * float(np.sign(grown) * np.sign(said)) if abs(grown) > 1 and abs(said) > 0.2 else 0.0
    return max(-1.0, 0.5 - 2 * apart) + agrees


def _extent(band: NDArray[np.float32], near: int, height: int) -> tuple[int, int] | None:
    """(start, end) of the run of ink around column `near`; gaps wider than `height` end it."""
    ground = float(np.median(band))
    ink = np.abs(band - ground).max(axis=0) > INK
    if not ink.any():
        return None
    joined = ndimage.binary_closing(np.pad(ink, height), iterations=max(1, height // 2))[height:-height]
    labels, count = ndimage.label(joined)
    runs = [(part[0].start, part[0].stop) for part in ndimage.find_objects(labels)]
    start, end = min(runs, key=lambda run: max(run[0] - near, near - run[1], 0))
    inside = np.flatnonzero(ink[start:end])
    return (start + int(inside[0]), start + int(inside[-1]) + 1) if inside.size > 1 else None


def _shared(one: str, two: str) -> str:
    length = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return one[:length]


def _width(text: str) -> float:
    return sum(0.5 if c in _NARROW else 1.5 if c in _WIDE else 1.2 if c.isupper() else 1.0 for c in text)
