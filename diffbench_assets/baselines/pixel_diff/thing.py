"""What became of the one thing that differs: where it is, its colors, and whether it came, went, moved, turned or grew.

Belongs here: measurements of the part of two images that differs. Does not belong here: changes of everything at once
(`whole.py`), CSS effects (`measure.py`), words.

What lies behind a thing is not known. It is filled in from the pixels around, which fits plain and shaded grounds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from diffbench_assets.baselines.pixel_diff.images import Pixels
from diffbench_assets.baselines.pixel_diff.palette import lab

SIDE = 160
"""Most pixels of a side that are looked at; larger regions are thinned out."""
FORE = 16.0
"""Levels that a pixel must differ from the ground to belong to a thing."""
TURNS = tuple(step for step in range(-90, 91, 10) if step)
"""Degrees clockwise that are tried."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Thing:
    """Signed values are positive when image B has more, about 1 in size when the change is plain.

    spots: (x, y) shares of the image, 0…1, of the change, and of the thing in A and in B. presence: came +, went -.
    size: log ratio of the areas. right, down: move in shares of the region. turn: clockwise. lightness: CIE L* / 10.
    colors: for A and B, (n, 3) Lab of the thing's pixels. changed: the same pairwise, of the pixels that changed.
    """

    spots: tuple[tuple[float, float], ...]
    presence: float
    size: float
    right: float
    down: float
    turn: float
    lightness: float
    colors: tuple[Floats, Floats]
    changed: tuple[Floats, Floats]


def measure_thing(one: Pixels, two: Pixels, mask: NDArray[np.bool_]) -> Thing:
    """The thing that differs between images of one size where `mask`, (height, width), is True; some pixel must be."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    margin = 4 + (max(rows[-1] - rows[0], columns[-1] - columns[0])) // 8
    top, left = max(0, rows[0] - margin), max(0, columns[0] - margin)
    crop = slice(top, rows[-1] + margin + 1), slice(left, columns[-1] + margin + 1)
    step = 1 + max(mask[crop].shape) // SIDE
    thin = slice(None, None, step), slice(None, None, step)
    # Thinning by maximum keeps changes that are one pixel wide.
    part = ndimage.maximum_filter(mask[crop], size=step, origin=-(step // 2) if step > 1 else 0)[thin]
    first, second = (image[crop][thin].astype(np.float64) for image in (one, two))

    ground_one, ground_two = _ground(first, part), _ground(second, part)
    far = [np.abs(image - ground).max(axis=2) * part for image, ground in ((first, ground_one), (second, ground_two))]
    fore = [distance > FORE for distance in far]
    areas = [float(mark.sum()) for mark in fore]
    weight = [float(distance.sum()) for distance in far]
    centers = [_center(distance) for distance in far]
    gone, came = np.maximum(far[0] - far[1], 0), np.maximum(far[1] - far[0], 0)
    (y0, x0), (y1, x1) = _center(gone), _center(came)
    reach = max(part.shape)
    presence = (weight[1] - weight[0]) / max(1.0, sum(weight))
    shift = (centers[1][1] - centers[0][1], centers[1][0] - centers[0][0])
    right, down = (0.5 * (a + b) / reach for a, b in ((shift[0], x1 - x0), (shift[1], y1 - y0)))
    old, new = (lab(image[part]) for image in (first, second))

    def spot(y: float, x: float) -> tuple[float, float]:
        return (left + x * step) / mask.shape[1], (top + y * step) / mask.shape[0]

    return Thing(
        spots=(spot(*_center(part.astype(np.float64))), spot(*centers[0]), spot(*centers[1])),
        presence=presence,
        size=float(np.log((areas[1] + 4) / (areas[0] + 4))),
        right=right,
        down=down,
        turn=_turn(far[0], far[1]),
        lightness=float(new[:, 0].mean() - old[:, 0].mean()) / 10,
        colors=(lab(first[fore[0]]), lab(second[fore[1]])),
        changed=(old, new),
    )


def _ground(image: Floats, mask: NDArray[np.bool_]) -> Floats:
    """`image` with what is under `mask` filled in from around it."""
    around = ~ndimage.binary_dilation(mask, iterations=1)
    if not around.any():
        return np.broadcast_to(np.median(image.reshape(-1, 3), axis=0), image.shape)
    filled = np.empty_like(image)
    sigma = max(2.0, max(mask.shape) / 10)
    weights = ndimage.gaussian_filter(around.astype(np.float64), sigma, truncate=3) + 1e-6
    middle = np.median(image[around], axis=0)
    for channel in range(3):
        known = (image[..., channel] - middle[channel]) * around
        filled[..., channel] = middle[channel] + ndimage.gaussian_filter(known, sigma, truncate=3) / weights
    return filled


def _center(weights: Floats) -> tuple[float, float]:
    """(row, column) of the weighted middle; the middle of the area when nothing weighs."""
    total = float(weights.sum())
    if total <= 0:
        return weights.shape[0] / 2, weights.shape[1] / 2
    down, across = np.arange(weights.shape[0]), np.arange(weights.shape[1])
    return float(weights.sum(axis=1) @ down) / total, float(weights.sum(axis=0) @ across) / total


def _alike(one: Floats, two: Floats) -> float:
    """Correlation of two maps, 0…1."""
    one, two = one - one.mean(), two - two.mean()
    return max(0.0, float((one * two).sum()) / max(1e-9, float(np.sqrt((one**2).sum() * (two**2).sum()))))


def _turn(one: Floats, two: Floats) -> float:
    """The sign of the turn about its middle that brings the first map nearest the second, times what it gains, -1…1."""
    first, second = (_centered(distance) for distance in (one, two))
    still = _alike(first, second)
    fits = [_alike(ndimage.rotate(first, -degrees, reshape=False, order=1), second) for degrees in TURNS]
    best = int(np.argmax(fits))
    return float(np.sign(TURNS[best])) * min(1.0, max(0.0, fits[best] - still) * 4)


def _centered(weights: Floats, side: int = 48) -> Floats:
    """A square of `side` pixels around the weighted middle that shows the whole map."""
    y, x = _center(weights)
    reach = max(y, x, weights.shape[0] - y, weights.shape[1] - x, 1.0)
    grid = (np.arange(side) - (side - 1) / 2) * (2 * reach / side)
    return ndimage.map_coordinates(weights, np.meshgrid(y + grid, x + grid, indexing="ij"), order=1, cval=0.0)
