"""What changed everywhere at once: grain, resolution, surface detail, pattern, light and tint.

Belongs here: measurements of two whole images. Does not belong here: one thing in them (`thing.py`), words.

Every value is signed, positive when image B has more of it, and about 1 in size when a change is plain to see.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import fft, ndimage

from diffbench_assets.baselines.pixel_diff.images import Pixels

Floats = NDArray[np.float32]

GRAIN_FLOOR = 1.0
"""Levels of noise that the eye, and rounding, leave unseen."""
PEAK = 20.0
"""A pattern stands out of the spectrum by this factor; of noise or an edge the highest peak does not."""
CROP = 256
"""Side of the square in the middle that is looked at for patterns."""
TILES, TILE = 4, 128
"""Grain, edges and detail are measured in TILES × TILES squares of TILE pixels a side, spread over the image."""
SEEN = 0.6
"""Levels by which the mean or one half of the image must change to count as light or tint."""


@dataclass(frozen=True, slots=True)
class Whole:
    """light: toward the right and the bottom. tint: red, green and blue, which sum to 0."""

    grain: float
    resolution: float
    detail: float
    pattern: float
    brightness: float
    light: tuple[float, float]
    tint: tuple[float, float, float]


def measure_whole(one: Pixels, two: Pixels) -> Whole:
    """Measurements of images of one size, (height, width, 3) sRGB."""
    brightness, light, tint = _light(one, two)
    pattern = _pattern(one, two)
    one_tiles, two_tiles = _tiles(one), _tiles(two)
    gray_one, gray_two = gray(one_tiles), gray(two_tiles)
    grain = _ratio(_grain(one_tiles), _grain(two_tiles), GRAIN_FLOOR) / 0.7
    still = 1 / (1 + 4 * abs(pattern))  # threads have edges and detail of their own
    quiet = still / (1 + 4 * max(0.0, abs(grain) - 0.3))  # and so has noise
    return Whole(
        grain=grain * still,
        resolution=_ratio(_sharpness(gray_one), _sharpness(gray_two), 2.0) / 0.35 * quiet,
        detail=_ratio(_detail(gray_one), _detail(gray_two), 0.2) / 0.35 * quiet,
        pattern=pattern,
        brightness=brightness,
        light=light,
        tint=tint,
    )


def gray(image: Pixels) -> Floats:
    """(…) luma, 0…255, of (…, 3)."""
    return np.asarray(image @ np.array([0.299, 0.587, 0.114], dtype=np.float32), dtype=np.float32)


def _ratio(one: float, two: float, floor: float) -> float:
    return float(np.log((two + floor) / (one + floor)))


def _tiles(image: Pixels) -> Pixels:
    """(tiles, height, width, 3): squares in the middle of each field of a grid; the fields themselves when smaller."""
    height, width = (side // TILES for side in image.shape[:2])
    tall, wide = min(height, TILE), min(width, TILE)
    grid = image[: height * TILES, : width * TILES].reshape(TILES, height, TILES, width, 3).swapaxes(1, 2)
    top, left = (height - tall) // 2, (width - wide) // 2
    return grid[:, :, top : top + tall, left : left + wide].reshape(TILES * TILES, tall, wide, 3)


def _grain(tiles: Pixels) -> float:
    """Noise in levels: the median second difference between color channels, which edges and gray detail leave alone."""
    levels = tiles[:, ::2].astype(np.int16)
    chroma = np.stack([levels[..., 0] - levels[..., 1], levels[..., 2] - levels[..., 1]])
    steps = np.abs(chroma[..., 2:] - 2 * chroma[..., 1:-1] + chroma[..., :-2])
    return float(np.median(steps)) * 1.4826 / 12**0.5 if steps.size else 0.0


def _sharpness(tiles: Floats) -> float:
    """Levels per pixel across the strongest 0.5 % of edges; edge-aware smoothing leaves them."""
    steps = np.maximum(np.abs(np.diff(tiles[:, :-1], axis=2)), np.abs(np.diff(tiles[:, :, :-1], axis=1))).ravel()
    most = max(1, steps.size // 200)
    return float(np.partition(steps, -most)[-most:].mean()) if steps.size else 0.0


def _detail(tiles: Floats) -> float:
    """Levels of fine structure on surfaces: the lower half of what differs from a blurred copy."""
    rough = np.abs(tiles - ndimage.uniform_filter(tiles, (1, 5, 5)))[:, ::2, ::2].ravel()
    half = rough.size // 2
    return float(np.partition(rough, half)[: half + 1].mean()) if rough.size else 0.0


def _pattern(one: Pixels, two: Pixels) -> float:
    """How far a periodic pattern stands out of the difference, and which image has it."""
    top, left = (max(0, (side - CROP) // 2) for side in one.shape[:2])
    first, second = (gray(image[top : top + CROP, left : left + CROP]) for image in (one, two))
    window = np.outer(np.hanning(first.shape[0]), np.hanning(first.shape[1])).astype(np.float32)
    spectra = [np.abs(fft.rfft2((image - image.mean()) * window)) for image in (second - first, first, second)]
    down, across = np.meshgrid(
        *(f(n) for f, n in zip((fft.fftfreq, fft.rfftfreq), first.shape, strict=True)), indexing="ij"
    )
    fine = np.hypot(down, across) > 1 / 24
    if not fine.any():
        return 0.0
    values = spectra[0][fine]
    mean = float(values.mean())
    tops = np.argsort(values)[-6:]
    if mean == 0 or float(values[tops].mean()) < PEAK * mean:
        return 0.0
    before, after = (float(spectrum[fine][tops].sum()) for spectrum in spectra[1:])
    if before + after == 0:
        return 0.0  # two flat images: what stands out of their difference is rounding
    return (after - before) / (after + before) * min(2.0, float(values[tops].mean()) / (2 * PEAK * mean))


def _light(one: Pixels, two: Pixels) -> tuple[float, tuple[float, float], tuple[float, float, float]]:
    """Brightness, light toward right and bottom, tint; over pixels that no channel clips."""
    first, second = (image[::8, ::8].astype(np.float32) for image in (one, two))
    free = np.all((first > 5) & (first < 250) & (second > 5) & (second < 250), axis=2)
    if free.mean() < 0.05:
        free = np.ones_like(free)
    change = (second - first)[free]
    rows, columns = np.nonzero(free)
    x, y = columns / max(1, free.shape[1] - 1) - 0.5, rows / max(1, free.shape[0] - 1) - 0.5
    plane, *_ = np.linalg.lstsq(np.column_stack([np.ones_like(x), x, y]), change.mean(axis=1), rcond=None)
    mean, right, down = float(plane[0]), float(plane[1]) / 2, float(plane[2]) / 2
    size = max(SEEN, abs(mean) + abs(right) + abs(down))
    tint = change.mean(axis=0) - change.mean()
    tint = tint / max(SEEN, float(np.abs(tint).max()))
    red, green, blue = (float(value) for value in tint)
    return mean / size, (right / size, down / size), (red, green, blue)
