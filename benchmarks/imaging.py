"""Time of each pixel transform on a 1024 × 1024 photograph, beside the obvious alternative, and whether both agree.

    python -m benchmarks.imaging [--side 1024] [--repeats 7]

Needs scikit-image for the alternatives alone: pip install scikit-image. They are the same change with the same drawn
parameters: scikit-image where it has the operation, else the formula on every pixel in floats. The project's time
includes drawing the parameters and measuring that the change shows; the alternatives' time does not. Noise is drawn
anew by each side, so there the sizes of the noise are compared, elsewhere the pixels. Times are CPU time of the whole
process, best of the repeats: on an idle machine as much as the time that passes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

import numpy as np
from matplotlib import cbook
from PIL import Image as Pillow
from scipy import ndimage
from skimage.color import rgb2ycbcr
from skimage.filters import gaussian
from skimage.transform import resize
from skimage.util import random_noise

from diffbench_assets import seeds
from diffbench_assets.pairs.transforms import LOW_LEVEL, Image, Transform, Transformed
from diffbench_assets.pairs.transforms.color import CAP, SCALE
from diffbench_assets.pairs.transforms.surface import EDGE, EDGE_REACH, SKIN_CB, SKIN_CR, SKIN_SOFTNESS
from diffbench_assets.pairs.transforms.texture import HIGHLIGHT_LUMA, SURFACE_AMOUNT

LIMIT_MS: Final = 100
Result = TypeVar("Result")
Numbers = np.ndarray[Any, np.dtype[np.floating[Any]]]


def photograph(side: int) -> Image:
    """A portrait from matplotlib's sample data, repeated to fill the square."""
    with cbook.get_sample_data("grace_hopper.jpg") as file:
        portrait = np.asarray(Pillow.open(file).convert("RGB"))
    times = (-(-side // portrait.shape[0]), -(-side // portrait.shape[1]), 1)
    return np.tile(portrait, times)[:side, :side].copy()


def to_bytes(levels: Numbers) -> Image:
    return np.clip(np.rint(levels), 0, 255).astype(np.uint8)


def step(x: Numbers, low: float, high: float) -> Numbers:
    x = np.clip((x - low) / (high - low), 0, 1)
    return x * x * (3 - 2 * x)


def noisy(image: Image, sigma: float) -> Image:
    return to_bytes(random_noise(image, "gaussian", rng=0, var=(sigma / 255) ** 2) * 255)


def resampled(image: Image, scale: float) -> Image:
    height, width = image.shape[:2]
    small = resize(image / 255, (round(height * scale), round(width * scale)), order=1, anti_aliasing=True)
    return to_bytes(resize(small, (height, width), order=3) * 255)


def tinted(image: Image, made: Transformed) -> Image:
    """The two steps as they are written, on the pixels, for the perturbation that was taken in the end."""
    perturbed = np.clip(image.astype(float) + made.parameters["perturbation"], 0, 255)
    direction = (perturbed - image).mean(axis=(0, 1))
    direction = (direction - direction.mean()) * SCALE
    return to_bytes(image + np.rint(direction * min(1, CAP / np.abs(direction).max())))


def surface(image: Image, blurred: Numbers) -> Numbers:
    edges = np.abs(image @ _LUMA - blurred @ _LUMA)
    return 1 - step(ndimage.maximum_filter(edges, EDGE_REACH), *EDGE)


_LUMA: Final = np.array([0.299, 0.587, 0.114])


def smoothed(image: Image, made: Transformed) -> Image:
    drawn = made.parameters
    blurred = gaussian(image.astype(float), drawn["sigma"], channel_axis=2)
    full_range = (rgb2ycbcr(image)[..., 1:] - 128) * 255 / 224 + 128  # scikit-image's is the studio range.
    skin = np.ones(image.shape[:2])
    for chroma, (low, high) in zip(np.moveaxis(full_range, -1, 0), (SKIN_CB, SKIN_CR), strict=True):
        skin *= step(chroma, low - SKIN_SOFTNESS, low) - step(chroma, high, high + SKIN_SOFTNESS)
    amount = (SURFACE_AMOUNT + (1 - SURFACE_AMOUNT) * skin) * surface(image, blurred) * (1 - drawn["residual"])
    mixed = image + amount[..., None] * (blurred - image)
    mixed += (skin * step(image @ _LUMA, *HIGHLIGHT_LUMA) * drawn["highlight"])[..., None]
    mixed += drawn["desaturation"] * ((mixed @ _LUMA)[..., None] - mixed)
    mixed = 128 + drawn["contrast"] * (mixed - 128)
    return to_bytes(255 * (np.clip(mixed, 0, 255) / 255) ** drawn["gamma"])


def sharpened(image: Image, made: Transformed) -> Image:
    blurred = gaussian(image.astype(float), made.parameters["sigma"], channel_axis=2)
    return to_bytes(image + made.parameters["amount"] * surface(image, blurred)[..., None] * (image - blurred))


def woven(image: Image, made: Transformed) -> Image:
    thread, (down, right) = made.parameters["thread"], made.parameters["phase"]
    y, x = np.indices(image.shape[:2]) + np.array([down, right])[:, None, None]
    ridge_y, ridge_x = (np.sin(np.pi * (axis % thread + 0.5) / thread) for axis in (y, x))
    pattern = np.where((y // thread + x // thread) % 2 == 0, ridge_y, ridge_x)
    ridge = np.sin(np.pi * (np.arange(thread) + 0.5) / thread)
    return to_bytes(image + (made.parameters["levels"] * (pattern - ridge.mean()) / ridge.std())[..., None])


def relit(image: Image, gamma: Numbers | float, offset: Numbers | float) -> Image:
    return to_bytes(255 * (image / 255) ** gamma + offset)


def lit(image: Image, made: Transformed) -> Image:
    drawn = made.parameters
    y, x = ((np.indices(image.shape[:2]) + 0.5) / np.array(image.shape[:2])[:, None, None])[..., None]
    dark = step({"lit_left": x, "lit_right": 1 - x, "lit_top": y, "lit_bottom": 1 - y}[made.change], 0, 1)
    gamma = drawn["gamma_bright"] ** (1 - dark) * drawn["gamma_dark"] ** dark
    return relit(image, gamma, drawn["offset_bright"] * (1 - dark) + drawn["offset_dark"] * dark)


def alternative(image: Image, made: Transformed) -> tuple[Image | None, Image]:
    """(before where it is not the seed, after), from the parameters that were drawn."""
    drawn = made.parameters
    match made.change:
        case "grainier":
            return None, noisy(image, drawn["sigma"])
        case "cleaner":
            return noisy(image, drawn["sigma_before"]), noisy(image, drawn["sigma_after"])
        case "coarser":
            return None, resampled(image, drawn["scale"])
        case "finer":
            return resampled(image, drawn["scale_before"]), resampled(image, drawn["scale_after"])
        case "smoother":
            return None, smoothed(image, made)
        case "rougher":
            return None, sharpened(image, made)
        case "woven":
            return None, woven(image, made)
        case "unwoven":
            return woven(image, made), image
        case "brighter" | "dimmer":
            return None, relit(image, drawn["gamma"], drawn["offset"])
        case change if change.startswith("lit_"):
            return None, lit(image, made)
        case _:
            return None, tinted(image, made)


TOLERANCE: Final = {"grainier": 0.1, "cleaner": 0.1, "coarser": 1.5, "finer": 1.5, "smoother": 0.5, "rougher": 0.5}
"""Mean absolute difference in levels; for noise, difference of its size. 0 for all others: every pixel is equal.

Resampling has other kernels on the two sides, and blurring here rounds to levels and there does not.
"""


def disagreement(image: Image, made: Transformed, other: tuple[Image | None, Image]) -> float:
    worst = 0.0
    for ours, theirs in ((made.before, other[0]), (made.image, other[1])):
        if ours is None or theirs is None:
            continue
        if made.change in ("grainier", "cleaner"):
            unclipped = (image > 64) & (image < 192)
            sizes = [(part[unclipped] - image[unclipped].astype(float)).std() for part in (ours, theirs)]
            worst = max(worst, abs(sizes[0] - sizes[1]))
        else:
            worst = max(worst, float(np.abs(ours.astype(float) - theirs).mean()))
    return worst


def best(repeats: int, compute: Callable[[], Result]) -> tuple[float, Result]:
    """(milliseconds of the quickest of the repeats, result)."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        result = compute()
        times.append(time.process_time() - start)
    return min(times) * 1e3, result


def compare(row: Transform, image: Image, repeats: int) -> tuple[float, float, float]:
    """(milliseconds, milliseconds of the alternative, disagreement)."""
    spent, made = best(repeats, lambda: row.apply(image, seeds.rng("benchmark", row.change)))
    plain, other = best(max(1, repeats // 3), lambda: alternative(image, made))
    return spent, plain, disagreement(image, made, other)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--side", type=int, default=1024)
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    image = photograph(options.side)
    print(f"{options.side} × {options.side} pixels, best of {options.repeats}\n")
    print(f"{'change':<16}{'ms':>8}{'alternative, ms':>18}{'times faster':>14}{'disagreement':>14}{'allowed':>9}")
    slow, apart = [], []
    for row in (row for rows in LOW_LEVEL.values() for row in rows):
        spent, plain, difference = compare(row, image, options.repeats)
        allowed = TOLERANCE.get(row.change, 0)
        print(f"{row.change:<16}{spent:8.1f}{plain:18.1f}{plain / spent:14.1f}{difference:14.3f}{allowed:9.1f}")
        if spent >= LIMIT_MS:
            slow.append(row.change)
        if difference > allowed:
            apart.append(row.change)
    print(f"\n{LIMIT_MS} ms or more: {', '.join(slow) or 'none'}; in disagreement: {', '.join(apart) or 'none'}")
    raise SystemExit(bool(apart or slow))


if __name__ == "__main__":
    main()
