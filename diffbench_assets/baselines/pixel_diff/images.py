"""PNG bytes as pixels.

Belongs here: decoding, bringing two images to one size, and which pixels differ. Does not belong here: what differs.
"""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.uint8]
"""(height, width, 3), sRGB."""


def pixels(png: bytes) -> Pixels:
    """An image on white. Raises PIL.UnidentifiedImageError when the bytes are no image."""
    image: Image.Image = Image.open(io.BytesIO(png))
    if image.mode == "RGB" and "transparency" not in image.info:
        return np.asarray(image)
    image = image.convert("RGBA")
    flat = Image.new("RGBA", image.size, "white")
    flat.alpha_composite(image)
    return np.asarray(flat.convert("RGB"))


def common(before: Pixels, after: Pixels) -> tuple[Pixels, Pixels]:
    """Both images cut to the size they share, at the top left."""
    height, width = (min(pair) for pair in zip(before.shape[:2], after.shape[:2], strict=True))
    return before[:height, :width], after[:height, :width]


def differing(one: Pixels, two: Pixels) -> NDArray[np.bool_]:
    """(height, width): True where any channel differs. Channel by channel, four times as fast as `np.any`."""
    mask = one[..., 0] != two[..., 0]
    mask |= one[..., 1] != two[..., 1]
    mask |= one[..., 2] != two[..., 2]
    return mask
