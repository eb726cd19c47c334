"""One thing as pixels: its body, and the shadow and light under it.

Belongs here: drawing a thing by itself, with antialiasing. Does not belong here: where it stands, other things.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, hypot
from typing import Final

import numpy as np
from PIL import Image, ImageChops, ImageFilter

from diffbench_assets.pages.drawn_scenes.kinds import KINDS
from diffbench_assets.pages.drawn_scenes.model import Box, Thing
from diffbench_assets.pages.drawn_scenes.palette import COLORS, toned
from diffbench_assets.pages.drawn_scenes.pen import Pen

SUBPIXELS: Final = 2
"""Subpixels per pixel and direction."""
_SHADOW: Final = (52, 40, 66)
_DROP: Final = {"wall": (3, 5, 3), "flat": (4, 6, 4), "shelf": (2, 2, 2)}
"""Shadow of what hangs or lies on a surface: pixels right, pixels down, blur radius."""


@dataclass(frozen=True)
class Sprite:
    """`body` and `under` (RGBA) with the pixel of their corners, counted from the thing's centre.

    `box` surrounds the body, `extent` body and under.
    """

    body: Image.Image
    body_at: tuple[int, int]
    under: Image.Image
    under_at: tuple[int, int]

    @property
    def box(self) -> Box:
        (left, top), (width, height) = self.body_at, self.body.size
        return left, top, left + width, top + height

    @property
    def extent(self) -> Box:
        (left, top), (width, height) = self.under_at, self.under.size
        under = (left, top, left + width, top + height)
        return _union(self.box, under) if width and height else self.box


def sprite(thing: Thing) -> Sprite:
    """The thing's pixels; raises ValueError when its drawing leaves its picture."""
    return _sprite(replace(thing, id="", x=0, y=0, zone="", shown=True))


@lru_cache(maxsize=384)
def _sprite(look: Thing) -> Sprite:
    kind = KINDS[look.kind]
    wide, high = kind.width / 2 + 0.08, kind.height / 2 + 0.08
    reach = (hypot(wide, high),) * 2 if look.angle else (wide, high)
    across, down = (ceil(look.size * units) for units in reach)
    picture = Image.new("RGBA", (2 * across * SUBPIXELS, 2 * down * SUBPIXELS))
    main = toned(look.color, look.tone) if look.color else COLORS["gray"]
    pen = Pen(
        picture, look.size * SUBPIXELS, (across * SUBPIXELS, down * SUBPIXELS), look.angle, main, look.pattern,
        line=SUBPIXELS * (1.1 + look.size / 160),
        em=kind.label.em if kind.label else 0, serif=bool(kind.label and kind.label.serif),
    )  # fmt: skip
    kind.draw(pen, look)
    body = picture.reduce(SUBPIXELS)
    box = body.getbbox()
    if box is None or box[0] == 0 or box[1] == 0 or box[2] == body.width or box[3] == body.height:
        raise ValueError(f"the drawing of {look.kind!r} is empty or leaves its {kind.width} by {kind.height} units")
    corner = box[0] - across, box[1] - down
    under, under_corner = _under(look, pen, body.crop(box), corner)
    return Sprite(body.crop(box), corner, under, under_corner)


def _under(look: Thing, pen: Pen, body: Image.Image, corner: tuple[int, int]) -> tuple[Image.Image, tuple[int, int]]:
    """Shadow and light, cropped, and the pixel of the crop's corner from the thing's centre."""
    margin = ceil(0.45 * look.size) if pen.glows else 24
    left, top = corner[0] - margin, corner[1] - margin
    layer = Image.new("RGBA", (body.width + 2 * margin, body.height + 2 * margin))
    if look.rest == "ground":
        width, height = round(body.width * 1.08), max(6, round(look.size * 0.1))
        place = margin + (body.width - width) // 2 + 3, margin + body.height - height // 2 - 1
        layer.paste(_SHADOW, place, _soft(width, height, 0.42))
    elif look.rest in _DROP:
        right, lower, blur = _DROP[look.rest]
        mask = Image.new("L", layer.size)
        mask.paste(body.getchannel("A").point(lambda alpha: alpha * 0.36), (margin + right, margin + lower))
        layer.paste(_SHADOW, (0, 0), mask.filter(ImageFilter.GaussianBlur(blur)))
    for x, y, radius, color, alpha in pen.glows:
        pixels = max(1, round(radius * look.size))
        light = Image.new("RGBA", layer.size)
        place = round(x * look.size) - pixels - left, round(y * look.size) - pixels - top
        light.paste(color, place, _soft(2 * pixels, 2 * pixels, alpha))
        layer = Image.alpha_composite(layer, light)
    filled = layer.getbbox()
    if filled is None:
        return layer.crop((0, 0, 0, 0)), (0, 0)
    return layer.crop(filled), (left + filled[0], top + filled[1])


@lru_cache(maxsize=64)
def _disc() -> Image.Image:
    return ImageChops.invert(Image.radial_gradient("L"))


def _soft(width: int, height: int, alpha: float) -> Image.Image:
    """A disc that fades toward its rim."""
    faded = np.clip((np.asarray(_disc().resize((width, height)), np.float32) - 74) / 181, 0, 1)
    return Image.fromarray((faded**0.9 * 255 * alpha).astype(np.uint8))


def _union(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
