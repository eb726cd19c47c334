"""Pixels of photographs: decoding, cutting, fitting an answer, and pasting it back.

Belongs here: arithmetic on arrays of shape (height, width, 3), uint8 RGB, and boxes (left, top, right, bottom) in
pixels, right and bottom excluded. Does not belong here: judging whether an edit was good (`check.py`).
"""

from __future__ import annotations

import io
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps

PADDING: Final = 24
"""Pixels of context around a text box (VDiff-Bench A.3)."""

FEATHER: Final = 8
"""Pixels over which a pasted crop fades into its source (VDiff-Bench A.3)."""

ASPECT_TOLERANCE: Final = 0.01
"""An answer of another size is scaled back while its aspect differs by no more than this share."""

LARGEST_PIXELS: Final = 50_000_000
FORMATS: Final = ("PNG", "JPEG", "WEBP")

Pixels = npt.NDArray[np.uint8]
Size = tuple[int, int]


class Box(NamedTuple):
    """A rectangle in whole pixels."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def slices(self) -> tuple[slice, slice]:
        """Index of an array's rows and columns."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def grown(self, by: int, size: Size) -> Box:
        """`by` pixels more on each side, within an image of `size` (width, height)."""
        return Box(
            max(0, self.left - by), max(0, self.top - by), min(size[0], self.right + by), min(size[1], self.bottom + by)
        )

    def within(self, other: Box) -> Box:
        """The same rectangle seen from the top left of `other`."""
        return Box(self.left - other.left, self.top - other.top, self.right - other.left, self.bottom - other.top)

    @property
    def xywh(self) -> tuple[float, float, float, float]:
        """x, y, width, height, as everywhere else."""
        return float(self.left), float(self.top), float(self.width), float(self.height)


class BadImage(ValueError):
    """Bytes that are no usable image, or one of another shape than asked for."""


def decode(data: bytes) -> Pixels:
    """RGB pixels of a PNG, JPEG or WebP, upright, transparency over white. Raises BadImage."""
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as image:
            if image.width * image.height > LARGEST_PIXELS:
                raise BadImage(f"{image.width}x{image.height} is more than {LARGEST_PIXELS // 10**6} megapixels")
            upright = ImageOps.exif_transpose(image)
            if upright.has_transparency_data:
                upright = upright.convert("RGBA")
                upright = Image.alpha_composite(Image.new("RGBA", upright.size, "white"), upright)
            return np.array(upright.convert("RGB"))
    except BadImage:
        raise
    except Exception as error:
        # Decoders of damaged files raise nearly anything, so everything they raise means the same.
        raise BadImage(f"not a readable PNG, JPEG or WebP ({type(error).__name__})") from None


def encode(pixels: Pixels) -> bytes:
    """PNG bytes; equal pixels give equal bytes."""
    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "PNG", compress_level=6)
    return data.getvalue()


def size_of(pixels: Pixels) -> Size:
    """(width, height)."""
    return pixels.shape[1], pixels.shape[0]


def fit(data: bytes, size: Size) -> tuple[Pixels, Size | None]:
    """Pixels of an answer at `size`, and the size that it came in when that was another.

    Raises BadImage when it is no image, or when its aspect is another, so that scaling would distort it.
    """
    pixels = decode(data)
    came = size_of(pixels)
    if came == size:
        return pixels, None
    if abs(came[0] * size[1] / (came[1] * size[0]) - 1) > ASPECT_TOLERANCE:
        raise BadImage(
            f"answer is {came[0]}x{came[1]}, whose aspect is not that of the {size[0]}x{size[1]} asked about"
        )
    return np.array(Image.fromarray(pixels).resize(size, Image.Resampling.LANCZOS)), came


def paste(source: Pixels, edited: Pixels, crop: Box) -> Pixels:
    """`source` with `edited` in place of `crop`, fading over FEATHER pixels; outside `crop` not one bit differs.

    Sides of the crop that lie on the image's border do not fade: there is nothing to fade into.
    """
    width, height = size_of(source)
    across = _ramp(crop.width, crop.left > 0, crop.right < width)
    down = _ramp(crop.height, crop.top > 0, crop.bottom < height)
    share = np.minimum(down[:, None], across[None, :])[..., None]
    result = source.copy()
    blended = source[crop.slices] * (1 - share) + edited * share
    result[crop.slices] = np.rint(blended).astype(np.uint8)
    return result


def _ramp(length: int, fades_in: bool, fades_out: bool) -> npt.NDArray[np.float64]:
    middles = np.arange(length) + 0.5
    ramp = np.ones(length)
    if fades_in:
        ramp = np.minimum(ramp, middles / FEATHER)
    if fades_out:
        ramp = np.minimum(ramp, middles[::-1] / FEATHER)
    return ramp
