"""Photograph-like images for tests: signs with text and things on a table, with light, grain and a tilted camera.

Also what a good image-edit model does to them: writing new text over old, and moving a thing.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import fontpkg_inter
import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from scipy import ndimage

from diffbench_assets.pairs.photographs.crops import Box, Pixels, encode

_FONT = Path(fontpkg_inter.__file__).parent / "files" / "Inter[opsz,wght].ttf"
SIZE = (560, 380)
GRAIN = 3.0


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """Inter at `size` pixels."""
    return ImageFont.truetype(str(_FONT), size)


def grain(shape: tuple[int, ...], seed: int, sigma: float = GRAIN) -> np.ndarray:
    """Noise of a sensor."""
    return np.random.default_rng(seed).normal(0, sigma, shape)


def lit(size: tuple[int, int], seed: int) -> np.ndarray:
    """A wall in light from one side, float RGB."""
    across = np.linspace(0, 1, size[0])[None, :, None]
    down = np.linspace(0, 1, size[1])[:, None, None]
    tint = np.array([[200, 205, 190], [215, 200, 190], [190, 200, 215]][seed % 3])
    return tint + 30 * across - 25 * down


def finished(pixels: np.ndarray, seed: int) -> Pixels:
    """With grain, as 8 bits."""
    return np.clip(np.rint(pixels + grain(pixels.shape, seed)), 0, 255).astype(np.uint8)


def signs(
    lines: list[tuple[str, int, int]], seed: int = 0, tilt_deg: float = 0.0, size: tuple[int, int] = SIZE
) -> bytes:
    """PNG of a wall with (text, x, y) painted on it."""
    layer = Image.new("L", size)
    draw = ImageDraw.Draw(layer)
    for text, x, y in lines:
        draw.text((x, y), text, font=font(34), fill=255)
    if tilt_deg:
        layer = layer.rotate(tilt_deg, Image.Resampling.BICUBIC)
    share = np.asarray(layer.filter(ImageFilter.GaussianBlur(0.5)), float)[..., None] / 255
    ink = np.array([[40, 40, 110], [110, 30, 30], [20, 80, 50]][seed % 3])
    return encode(finished(lit(size, seed) * (1 - share) + ink * share, seed))


THINGS = {"red": (190, 40, 40), "blue": (40, 60, 170), "green": (40, 130, 60)}


def table(places: dict[str, tuple[int, int]], seed: int = 0, size: tuple[int, int] = SIZE) -> bytes:
    """PNG of a wall before which shaded discs stand at `places`: color → center."""
    pixels = lit(size, seed)
    for color, (x, y) in places.items():
        down, across = np.mgrid[: size[1], : size[0]]
        inside = (across - x) ** 2 + (down - y) ** 2 <= 30**2
        shade = 1.2 - ((across - x) + (down - y))[..., None] / 150
        pixels = np.where(inside[..., None], np.array(THINGS[color]) * shade, pixels)
    return encode(finished(pixels, seed))


def plane(pixels: Pixels, known: np.ndarray) -> np.ndarray:
    """The light on the wall, fitted to its `known` pixels."""
    down, across = np.mgrid[: pixels.shape[0], : pixels.shape[1]]
    terms = np.stack([np.ones_like(down), across, down], axis=-1).astype(float)
    fitted, *_ = np.linalg.lstsq(terms[known], pixels[known].astype(float), rcond=None)
    return terms @ fitted


def rewrite(pixels: Pixels, old: str, new: str) -> Pixels:
    """`pixels` with `new` painted over the writing `old` that stands nearest to the middle."""
    height, width = pixels.shape[:2]
    border = np.ones((height, width), bool)
    border[6:-6, 6:-6] = False
    wall = plane(pixels, border)
    contrast = np.abs(pixels - wall).max(axis=2)
    labels, count = ndimage.label(ndimage.binary_dilation(contrast > 45, np.ones((5, 25))))
    assert count, "there is no writing in the crop"
    middles = ndimage.center_of_mass(labels > 0, labels, range(1, count + 1))
    nearest = 1 + int(np.argmin([abs(y - height / 2) * 5 + abs(x - width / 2) for y, x in middles]))
    rows, columns = np.nonzero((labels == nearest) & (contrast > 45))
    box = Box(columns.min() - 2, rows.min() - 2, columns.max() + 3, rows.max() + 3)
    inside = contrast[box.slices]
    ink = np.median(pixels[box.slices][inside > 0.9 * inside.max()], axis=0)
    size = min(range(8, 90), key=lambda size: abs(_width(old, size) - (box.width - 4)))
    result = pixels.astype(float)
    result[box.slices] = (wall + grain(wall.shape, 1))[box.slices]
    layer = Image.new("L", (width, height))
    left, top, right, bottom = font(size).getbbox(old)
    at = (box.left + box.right - left - right) / 2, (box.top + box.bottom - top - bottom) / 2
    ImageDraw.Draw(layer).text(at, new, font=font(size), fill=255)
    share = np.asarray(layer, float)[..., None] / 255
    return np.clip(np.rint(result * (1 - share) + ink * share), 0, 255).astype(np.uint8)


def _width(text: str, size: int) -> float:
    left, _, right, _ = font(size).getbbox(text)
    return right - left


def shift(pixels: Pixels, color: str, dx: int, dy: int) -> Pixels:
    """`pixels` with the disc of `color` moved, and the wall behind it painted in."""
    hue = np.array(THINGS[color]) / np.linalg.norm(THINGS[color])
    levels = np.linalg.norm(pixels.astype(float), axis=2) + 1e-9
    disc = ndimage.binary_opening((pixels @ hue) / levels > 0.97, np.ones((5, 5)))
    disc = ndimage.binary_dilation(disc, iterations=3)
    around = ndimage.binary_dilation(disc, iterations=12) & ~disc
    result = pixels.astype(float)
    result[disc] = (plane(pixels, around) + grain(pixels.shape, 2))[disc]
    rows, columns = np.nonzero(ndimage.binary_erosion(disc, iterations=2))
    result[rows + dy, columns + dx] = pixels[rows, columns]
    return np.clip(np.rint(result), 0, 255).astype(np.uint8)
