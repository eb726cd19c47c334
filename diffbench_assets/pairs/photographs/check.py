"""Whether an edit did what was asked and nothing else, measured on pixels.

Belongs here: comparing a photograph with its edited version, and naming what is wrong. Does not belong here: reading
text back (`ocr.py`), or making anything.

Edit models draw the whole picture anew, so unchanged parts come back slightly different: grain, compression, a scaling
there and back. Differences are therefore measured twice: their mean, and their largest value after a blur that levels
grain out but not the loss, gain or shift of anything one could point at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from diffbench_assets.pairs.photographs.crops import Box, Pixels, size_of

# Levels of 8 bits throughout. Chosen for this project: the paper says that it checks, not how.
BLUR_SIGMA: Final = 2.0
MOST_MEAN_DIFFERENCE: Final = 6.0
MOST_BLURRED_DIFFERENCE: Final = 40.0
"""A full-contrast edge that shifts by half a pixel reaches about 25."""

CHANGED: Final = 14.0
"""Blurred difference from which a pixel counts as changed."""

TEXT_MARGIN: Final = 8
"""Pixels around a text box that the new text may use; the rest of the crop must not change."""

MOST_REGIONS: Final = 2
"""Where the thing was and where it is."""

LARGEST_CHANGE: Final = 0.35
"""Of the image's area."""

SMALLEST_REGION: Final = 0.0005
"""Of the image's area: smaller ones are measured with the unchanged rest."""

LEAST_FILL: Final = 0.2
"""Share of a region's box that it fills; less is a streak or a scatter, no thing."""

JOIN: Final = 0.01
"""Gap, by the image's longer side, across which changed pixels belong to one region."""

MOST_SIDESTEP: Final = 0.5
"""Movement across the direction asked for, by that along it; more would make a statement about the other axis true."""

Mask = npt.NDArray[np.bool_]
Problem = Literal[
    "changed_elsewhere", "unchanged", "too_many_regions", "too_much_changed", "scattered", "moved_otherwise"
]
_TOWARD: Final = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


@dataclass(frozen=True, slots=True)
class Moved:
    """What a move changed: the boxes of the changed regions, and how far the thing went, in pixels, right and down."""

    regions: tuple[Box, ...]
    dx: float
    dy: float


def text_problem(before: Pixels, edited: Pixels, text: Box) -> Problem | None:
    """What is wrong with a crop's edited version before it is pasted, apart from what its text says.

    `before` and `edited` have one shape; `text` is the text's box in the crop.
    """
    allowed = np.zeros(before.shape[:2], bool)
    allowed[text.grown(TEXT_MARGIN, size_of(before)).slices] = True
    return None if _is_kept(before, edited, ~allowed) else "changed_elsewhere"


def move_problem(before: Pixels, after: Pixels, direction: str) -> Problem | Moved:
    """What is wrong with a photograph's edited version, or what moved in it. Both have one shape."""
    blurred = _blurred_difference(before, after)
    changed = blurred > CHANGED
    gap = max(1, round(JOIN * max(changed.shape)))
    joined = ndimage.maximum_filter(changed, 2 * gap + 1)
    labels, _ = ndimage.label(joined)
    areas = np.bincount(labels[changed], minlength=1)
    areas[0] = 0
    regions = np.flatnonzero(areas >= max(1.0, SMALLEST_REGION * changed.size))
    if regions.size == 0:
        return "unchanged"
    if areas.sum() > LARGEST_CHANGE * changed.size:
        return "too_much_changed"
    if regions.size > MOST_REGIONS:
        return "too_many_regions"
    of_regions = changed & np.isin(labels, regions)
    places = ndimage.find_objects(np.where(of_regions, labels, 0))
    boxes = []
    for region in regions:
        rows, columns = places[region - 1]
        boxes.append(Box(columns.start, rows.start, columns.stop, rows.stop))
        if (labels[rows, columns] == region).mean() < LEAST_FILL:
            return "scattered"
    allowed = np.zeros(changed.shape, bool)
    for box in boxes:
        allowed[box.grown(gap, size_of(before)).slices] = True
    if not _is_kept(before, after, ~allowed):
        return "changed_elsewhere"
    dx, dy = displacement(before, after, of_regions)
    (along_x, along_y) = _TOWARD[direction]
    along, across = dx * along_x + dy * along_y, dx * along_y + dy * along_x
    if along <= 0 or abs(across) > MOST_SIDESTEP * along:
        return "moved_otherwise"
    return Moved(tuple(boxes), dx, dy)


def displacement(before: Pixels, after: Pixels, changed: Mask) -> tuple[float, float]:
    """How far the thing that left and entered the `changed` pixels went, right and down, in pixels.

    Along the outline of what changed, the thing's own edge stands in `before` where it was and in `after` where it is.
    The centers of the edges that went and of those that came are those of the thing. (0, 0) when no edge did either.
    """
    band = ndimage.binary_dilation(changed, iterations=2) & ~ndimage.binary_erosion(changed, iterations=2)
    gained = _edges(after) - _edges(before)
    rows, columns = np.nonzero(band)
    weights = gained[band]
    # Squared, so that the grain of both images weighs next to nothing.
    came, went = np.maximum(weights, 0) ** 2, np.maximum(-weights, 0) ** 2
    if not came.sum() or not went.sum():
        return 0.0, 0.0
    dx = np.average(columns, weights=came) - np.average(columns, weights=went)
    dy = np.average(rows, weights=came) - np.average(rows, weights=went)
    return float(dx), float(dy)


def _is_kept(before: Pixels, after: Pixels, where: Mask) -> bool:
    """Whether the pixels of `where` show the same in both."""
    if not where.any():
        return True
    mean = np.abs(before[where].astype(np.int16) - after[where]).mean()
    if mean > MOST_MEAN_DIFFERENCE:
        return False
    # What changed next to `where` must not be blurred into it.
    hidden = np.where(where[..., None], after, before)
    return bool(_blurred_difference(before, hidden)[where].max() <= MOST_BLURRED_DIFFERENCE)


def _blurred_difference(before: Pixels, after: Pixels) -> npt.NDArray[np.float32]:
    """Largest channel of the blurred difference, per pixel."""
    difference = after.astype(np.float32) - before
    return np.abs(ndimage.gaussian_filter(difference, (BLUR_SIGMA, BLUR_SIGMA, 0))).max(axis=2)


def _edges(pixels: Pixels) -> npt.NDArray[np.float32]:
    gray = pixels.astype(np.float32).mean(axis=2)
    return ndimage.gaussian_gradient_magnitude(gray, 1.0)
