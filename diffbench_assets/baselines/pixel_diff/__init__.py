"""The baseline that compares pixels: classical image differencing that words what it measured.

Belongs here: from two PNGs to an answer. Regions (`regions`), measurements of one region (`measure`, `ink`),
colour names (`palette`) and sentences (`words`). Does not belong here: anything that is not in the pixels;
it does not know elements, texts or CSS, and says so by naming places and coordinates.
"""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from diffbench_assets.baselines.pixel_diff.measure import measure, moved_together
from diffbench_assets.baselines.pixel_diff.regions import changed_regions
from diffbench_assets.baselines.pixel_diff.words import sentence, size_sentence
from diffbench_assets.protocols.open_ended.prompt import NO_DIFFERENCE

MOST_REGIONS = 5
"""Sentences in an answer at most; the largest regions come first."""


def pixel_diff(before_png: bytes, after_png: bytes) -> str:
    """One line per changed region, worded from its measurements; the agreed sentence when no pixel differs.

    Raises PIL.UnidentifiedImageError when the bytes are no image.
    """
    before, after = _pixels(before_png), _pixels(after_png)
    lines = []
    if before.shape != after.shape:
        lines.append(size_sentence(before.shape, after.shape))
        height, width = (min(pair) for pair in zip(before.shape[:2], after.shape[:2], strict=True))
        before, after = before[:height, :width], after[:height, :width]
    regions = changed_regions(before, after)
    if 1 < len(regions) <= MOST_REGIONS and (whole := moved_together(before, after, regions)):
        regions = [whole]
    for region in regions[:MOST_REGIONS]:
        lines.append(sentence(region, measure(before, after, region), before.shape))
    return "\n".join(f"- {line}" for line in lines) or NO_DIFFERENCE


def _pixels(png: bytes) -> NDArray[np.uint8]:
    """(height, width, 3) of an image on white."""
    image = Image.open(io.BytesIO(png)).convert("RGBA")
    flat = Image.new("RGBA", image.size, "white")
    flat.alpha_composite(image)
    return np.asarray(flat.convert("RGB"))
