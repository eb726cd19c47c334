"""What changed inside one region.

Belongs here: comparing the two crops of a region and deciding, from measurements alone, which account of the
change explains the pixels best. Does not belong here: wording.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import fft, ndimage

from diffbench_assets.baselines.pixel_diff.ink import Ink, coverage, ground_color, measure_ink, rim_color
from diffbench_assets.baselines.pixel_diff.palette import lightness
from diffbench_assets.baselines.pixel_diff.regions import Region, frame_share

MARGIN = 6
"""Unchanged pixels kept around a region, so that its ground shows."""
EXPLAINED = 0.35
"""A move explains a change when it leaves at most this share of the difference."""

Pixels = NDArray[np.uint8]
Color = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Change:
    """The account of a region. kind: moved, corners, frame, recolored, faded, scaled, spread, leading, stroke, redrawn.

    sign: +1 more, -1 less (corners rounder, frame thicker, faded more solid, …). dx, dy: px. old, new: main colours
    of the changed pixels. ratio: new over old of what the kind measures. step: change of mean CIE L*.
    """

    kind: str
    sign: int
    step: float
    old: Color
    new: Color
    dx: int = 0
    dy: int = 0
    ratio: float = 1.0
    smooth: bool = False


def measure(before: Pixels, after: Pixels, region: Region) -> Change:
    """The account that fits the pixels of `region` (images of one size, (height, width, 3) sRGB)."""
    rows = slice(max(0, region.y0 - MARGIN), region.y1 + MARGIN)
    columns = slice(max(0, region.x0 - MARGIN), region.x1 + MARGIN)
    one, two = before[rows, columns], after[rows, columns]
    mask = np.any(one != two, axis=2)
    old, new = _main_colors(one[mask], two[mask])
    step = lightness(two[mask].mean(axis=0)) - lightness(one[mask].mean(axis=0))
    colors = (step, old, new)
    if move := _move(one, two):
        return Change("moved", 0, *colors, dx=move[0], dy=move[1])
    inner = mask[region.y0 - rows.start : region.y1 - rows.start, region.x0 - columns.start : region.x1 - columns.start]
    if (outline := _outline(inner, one, two, colors)) is not None:
        return outline
    if (tint := _tint(one, two, mask, colors)) is not None:
        return tint
    return _marks(measure_ink(one), measure_ink(two), colors)


def moved_together(before: Pixels, after: Pixels, regions: list[Region]) -> Region | None:
    """The rectangle around several regions when one move of its content explains them all."""
    whole = Region(
        min(r.x0 for r in regions),
        min(r.y0 for r in regions),
        max(r.x1 for r in regions),
        max(r.y1 for r in regions),
        sum(r.changed for r in regions),
    )
    rows, columns = (
        slice(max(0, whole.y0 - MARGIN), whole.y1 + MARGIN),
        slice(max(0, whole.x0 - MARGIN), whole.x1 + MARGIN),
    )
    return whole if _move(before[rows, columns], after[rows, columns]) else None


def _main_colors(old: Pixels, new: Pixels) -> tuple[Color, Color]:
    """The most frequent change of colour among the changed pixels."""
    pairs, counts = np.unique(np.concatenate([old, new], axis=1), axis=0, return_counts=True)
    best = pairs[np.argmax(counts)].astype(np.float64)
    return best[:3], best[3:]


def _move(one: Pixels, two: Pixels) -> tuple[int, int] | None:
    """Whole-pixel shift (dx, dy) that turns the first crop's marks into the second's, or None."""
    ground = rim_color(one)
    if np.abs(ground - rim_color(two)).sum() > 12:
        return None
    first = np.abs(one.astype(np.float64) - ground).sum(axis=2)
    second = np.abs(two.astype(np.float64) - ground).sum(axis=2)
    if min(first.sum(), second.sum()) == 0 or not 0.9 < first.sum() / second.sum() < 1.1:
        return None
    shape = tuple(fft.next_fast_len(2 * side, real=True) for side in first.shape)
    correlation = fft.irfft2(fft.rfft2(second, shape) * np.conj(fft.rfft2(first, shape)), shape)
    dy, dx = (int(index) for index in np.unravel_index(int(np.argmax(correlation)), shape))
    dy, dx = dy - shape[0] * (dy > shape[0] // 2), dx - shape[1] * (dx > shape[1] // 2)
    if (dx, dy) == (0, 0):
        return None
    shifted = ndimage.shift(first, (dy, dx), order=0, cval=0.0)
    left = float(np.abs(second - shifted).sum()) / max(1.0, float(np.abs(second - first).sum()))
    return (dx, dy) if left <= EXPLAINED else None


def _outline(mask: NDArray[np.bool_], one: Pixels, two: Pixels, colors: tuple[float, Color, Color]) -> Change | None:
    """A change of the corners, or of the lines along the sides, of a rectangle."""
    height, width = mask.shape
    if min(height, width) < 8 or frame_share(mask) < 0.98:
        return None
    reach_x, reach_y = max(2, min(width // 3, 40)), max(2, min(height // 2, 40))
    sides = mask.copy()
    for rows in (slice(0, reach_y), slice(-reach_y, None)):
        for columns in (slice(0, reach_x), slice(-reach_x, None)):
            sides[rows, columns] = False
    outside = rim_color(one)
    shape_before, shape_after = (
        float((np.abs(crop.astype(np.float64) - outside).sum(axis=2) > 24).sum()) for crop in (one, two)
    )
    if not sides.any() and _square(mask):
        # rounder corners give pixels of the shape back to what lies around it
        return Change("corners", 1 if shape_after < shape_before else -1, *colors)
    fill = (
        ground_color(one[2 * MARGIN : -2 * MARGIN, 2 * MARGIN : -2 * MARGIN])
        if min(one.shape[:2]) > 4 * MARGIN
        else ground_color(one)
    )
    band = np.any(one != two, axis=2)
    lines = [_unlike(crop[band], fill, outside) for crop in (one, two)]
    if lines[0] == lines[1]:
        return None
    return Change("frame", 1 if lines[1] > lines[0] else -1, *colors, ratio=lines[1] / max(1.0, lines[0]))


def _unlike(pixels: Pixels, *colors: Color) -> int:
    """How many pixels, shape (n, 3), are near none of the colours."""
    return int(np.all([np.abs(pixels.astype(np.float64) - color).sum(axis=1) > 24 for color in colors], axis=0).sum())


def _square(mask: NDArray[np.bool_]) -> bool:
    """True when every changed spot reaches about as far across as down, as a corner does."""
    labels, count = ndimage.label(ndimage.binary_dilation(mask, iterations=2))
    boxes = [(rows.stop - rows.start, columns.stop - columns.start) for rows, columns in ndimage.find_objects(labels)]
    return count <= 4 and all(0.4 < tall / wide < 2.5 for tall, wide in boxes)


def _tint(one: Pixels, two: Pixels, mask: NDArray[np.bool_], colors: tuple[float, Color, Color]) -> Change | None:
    """A change of colour with the shapes kept: one colour for another, a shaded surface, or everything fainter."""
    step, old, new = colors
    share = float(mask.mean())
    ground_old, ground_new = ground_color(one[mask][None]), ground_color(two[mask][None])
    flat = float((np.abs(one[mask].astype(np.float64) - ground_old).sum(axis=1) < 12).mean())
    if share > 0.5 and flat < 0.35 and _same_shapes(one, two):
        return Change("recolored", 0, step, one[mask].mean(axis=0), two[mask].mean(axis=0), smooth=True)
    if share > 0.5 and flat >= 0.35 and np.abs(ground_old - ground_new).sum() > 6:
        return Change("recolored", 0, step, ground_old, ground_new)
    if not _same_shapes(one, two):
        return None
    ground = ground_color(one)
    contrast = [float(np.abs(crop[mask].astype(np.float64) - ground).sum()) for crop in (one, two)]
    colorful = len(np.unique(one[mask] // 32, axis=0)) > 40
    if colorful and min(contrast) > 0:
        return Change("faded", 1 if contrast[1] > contrast[0] else -1, step, old, new, ratio=contrast[1] / contrast[0])
    reach = np.abs(one.astype(np.float64) - ground).sum(axis=2) * mask
    core = reach >= 0.9 * reach.max()
    return Change("recolored", 0, step, np.median(one[core], axis=0), np.median(two[core], axis=0))


def _same_shapes(one: Pixels, two: Pixels) -> bool:
    """True when the marks of both crops cover the same pixels to the same share."""
    first, second = (coverage(crop, ground_color(crop)).ravel() for crop in (one, two))
    if first.std() == 0 or second.std() == 0:
        return True
    return float(np.corrcoef(first, second)[0, 1]) > 0.97


def _marks(one: Ink, two: Ink, colors: tuple[float, Color, Color]) -> Change:
    """A change of letters or other marks: their size, distance, strokes, or none of these."""
    if not one.area or not two.area:
        return Change("redrawn", 0, *colors)
    wide, tall = two.width / one.width, two.height / one.height
    line = two.line_height / one.line_height if one.line_height and two.line_height else 1.0
    area, stroke = two.area / one.area, two.stroke / one.stroke
    same_lines = len(one.lines) == len(two.lines)
    if same_lines and len(one.lines) > 1 and abs(line - 1) < 0.06 and 0.9 < area < 1.1:
        pitch = (two.lines[-1] - two.lines[0]) / max(1e-9, one.lines[-1] - one.lines[0])
        if abs(pitch - 1) > 0.02:
            return Change("leading", 1 if pitch > 1 else -1, *colors, ratio=pitch)
    if abs(line - 1) >= 0.05 and (wide - 1) * (line - 1) >= 0 and (area - 1) * (line - 1) > 0:
        return Change("scaled", 1 if line > 1 else -1, *colors, ratio=line)
    if same_lines and abs(stroke - 1) > 0.05 and (area - 1) * (stroke - 1) > 0 and abs(area - 1) > 0.06:
        return Change("stroke", 1 if stroke > 1 else -1, *colors, ratio=stroke)
    if abs(wide - 1) > 0.01 and 0.92 < area < 1.08 and one.gaps and (two.gaps - one.gaps) * (wide - 1) > 0:
        return Change("spread", 1 if wide > 1 else -1, *colors, ratio=wide)
    if (wide - 1) * (tall - 1) > 0 and min(abs(wide - 1), abs(tall - 1)) > 0.02 and (area - 1) * (wide - 1) > 0:
        return Change("scaled", 1 if wide > 1 else -1, *colors, ratio=(wide * tall) ** 0.5)
    return Change("redrawn", 0, *colors, ratio=area)
