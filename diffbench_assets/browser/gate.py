"""The grounding gate: does a pair of captures differ exactly where its record says?

Belongs here: decisions from pixels. Comparison is exact over RGBA, without threshold or anti-aliasing allowance. Does
not belong here: anything known before pixels exist (`filters.py`), how captures are made (`render.py`, `frames.py`) or
how plainly a change shows (`visibility.py`).
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass

import numpy as np
from blake3 import blake3
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.uint32]
"""(height, width) RGBA pixels, one 32-bit word each."""

Box = tuple[float, float, float, float]
"""x, y, width, height in CSS px, fractional as the browser reports it."""

Region = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels, x1 and y1 exclusive."""


@dataclass(frozen=True)
class Decision:
    """`status` is accepted, ineffective or nonlocal; the counts are pixels that differ in and outside the region."""

    status: str
    inside: int
    outside: int


def decode(png: bytes) -> Pixels:
    """PNG bytes to pixels, writable."""
    with Image.open(io.BytesIO(png)) as image:
        rgba = np.array(image.convert("RGBA"))
    return rgba.view(np.uint32)[..., 0]


def pixel_agreement(a: bytes, b: bytes) -> float:
    """Share of pixels of two PNG images that are equal in all of RGBA.

    Images of different sizes are laid on each other at the top left; a pixel that only one of them has is unequal.
    Raises OSError when one is no picture.
    """
    if a == b:
        return 1.0
    first, second = decode(a), decode(b)
    height, width = min(first.shape[0], second.shape[0]), min(first.shape[1], second.shape[1])
    equal = int((first[:height, :width] == second[:height, :width]).sum())
    return equal / (first.size + second.size - height * width)


def pixels_hash(pixels: Pixels) -> str:
    """BLAKE3 of the RGBA pixels, whatever PNG encoding they came in; SHA-256 would cost more than the comparison."""
    return blake3(np.ascontiguousarray(pixels).view(np.uint8).data).hexdigest()


def is_blank(pixels: Pixels) -> bool:
    """Whether every pixel has the same colour."""
    return bool((pixels == pixels.flat[0]).all())


def region(before: Box, after: Box, shape: tuple[int, int]) -> Region:
    """Floor and ceil of the union of both boxes, cut to an image of (height, width) `shape`."""
    height, width = shape
    x0 = math.floor(min(before[0], after[0]))
    y0 = math.floor(min(before[1], after[1]))
    x1 = math.ceil(max(before[0] + before[2], after[0] + after[2]))
    y1 = math.ceil(max(before[1] + before[3], after[1] + after[3]))
    return max(0, x0), max(0, y0), min(width, x1), min(height, y1)


def decide(before: Pixels, after: Pixels, where: Region) -> Decision:
    """Effective (something inside `where` differs) and local (nothing outside differs): DiffSpot §2.3."""
    changed = before != after
    x0, y0, x1, y1 = where
    inside = int(np.count_nonzero(changed[y0:y1, x0:x1])) if x1 > x0 and y1 > y0 else 0
    outside = int(np.count_nonzero(changed)) - inside
    if outside:
        return Decision("nonlocal", inside, outside)
    return Decision("accepted" if inside else "ineffective", inside, 0)
