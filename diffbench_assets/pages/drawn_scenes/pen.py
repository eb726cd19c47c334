"""A pen that draws filled outlines the way a storybook does: soft light from above, a darker edge, simple patterns.

Belongs here: turning outlines, paint and text into pixels. Does not belong here: what things look like (`kinds/`).

Corners are rounded to whole subpixels and text comes from a packaged font, so pixels are equal on every machine.
"""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from math import cos, pi, sin
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from diffbench_assets.pages.drawn_scenes.palette import RGB, dark, light
from diffbench_assets.pages.drawn_scenes.shapes import Points, box, oval
from diffbench_assets.pages.fonts import SANS, SERIF, Font

SHADE: Final = 0.13
"""How much lighter the top and darker the bottom of a filled outline is."""
EDGE: Final = 0.42
"""How much darker than its fill an outline's edge is."""

WEIGHT: Final = 700
"""Of all text."""


@lru_cache(maxsize=256)
def font(face: Font, weight: int, pixels: int) -> ImageFont.FreeTypeFont:
    """A packaged font at a size, upright; basic layout, because the other needs a system library."""
    spec = importlib.util.find_spec(face.package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"the font package {face.package} is missing; install this project's dependencies")
    path = Path(spec.submodule_search_locations[0], face.file)
    loaded = ImageFont.truetype(str(path), pixels, layout_engine=ImageFont.Layout.BASIC)
    wanted = {b"weight": weight, b"optical size": 14}
    loaded.set_variation_by_axes([wanted[axis["name"].lower()] for axis in loaded.get_variation_axes()])
    return loaded


def text_width(text: str, em: float, serif: bool = False) -> float:
    """Width of a line of text in the unit of `em`."""
    return font(SERIF if serif else SANS, WEIGHT, 100).getlength(text) * em / 100


class Pen:
    """Draws on one picture (RGB, or RGBA for a thing by itself).

    `unit` is subpixels per unit of the outlines, `origin` the subpixel of their (0, 0); they are turned by `angle`
    degrees clockwise. `main` is the thing's color, from which `trim` (goes with it) and `ink` (darkest) follow;
    `pattern` is on its `body`. `line` is the width of edges in subpixels, `em` the size of text in units.
    """

    def __init__(
        self,
        picture: Image.Image,
        unit: float,
        origin: tuple[float, float] = (0, 0),
        angle: float = 0,
        main: RGB = (142, 148, 156),
        pattern: str = "",
        line: float = 0,
        em: float = 0,
        serif: bool = False,
    ) -> None:
        self.picture, self.unit, self.origin = picture, unit, origin
        self.main, self.pattern, self.line = main, pattern, line
        self.em, self.serif = em, serif
        self.trim = light(main, 0.6) if sum(main) < 560 else dark(main, 0.22)
        self.ink = dark(main, 0.55)
        self._turn = cos(angle * pi / 180), sin(angle * pi / 180)
        self._upright = angle == 0
        self._draw = ImageDraw.Draw(picture)
        self.glows: list[tuple[float, float, float, RGB, float]] = []

    def at(self, points: Points) -> list[tuple[int, int]]:
        """Points in subpixels of the picture."""
        (c, s), (left, top), unit = self._turn, self.origin, self.unit
        x, y = np.asarray(points, np.float64).T
        placed = np.stack((left + (x * c - y * s) * unit, top + (x * s + y * c) * unit), axis=1)
        # Rounded twice: what differs in the last bit between two machines must not decide a subpixel.
        return [(x, y) for x, y in np.rint(placed.round(4)).astype(int).tolist()]

    def fill(
        self, points: Points, color: RGB | None = None, edge: bool = True, shade: float = SHADE, pattern: str = ""
    ) -> None:
        """A filled outline in `color` (the main color when not given)."""
        color = self.main if color is None else color
        corners = self.at(points)
        if shade or pattern:
            self._shaded(points, corners, color, shade, pattern)
        else:
            self._draw.polygon(corners, fill=color)
        if edge and self.line:
            # Joints are slow and show at sharp corners only.
            joint = "curve" if len(corners) < 12 else None
            self._draw.line([*corners, *corners[:2]], fill=dark(color, EDGE), width=round(self.line), joint=joint)

    def body(self, points: Points) -> None:
        """The part that shows the thing's color, with its pattern."""
        self.fill(points, pattern=self.pattern)

    def stroke(self, points: Points, width: float, color: RGB) -> None:
        """A line of constant width with round ends."""
        corners, pixels = self.at(points), max(1, round(width * self.unit))
        self._draw.line(corners, fill=color, width=pixels, joint="curve" if pixels > 3 and len(corners) > 2 else None)
        for x, y in (corners[0], corners[-1]):
            radius = pixels // 2
            self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=color)

    def dot(self, x: float, y: float, radius: float, color: RGB) -> None:
        """A small flat disc."""
        self.fill(oval(x, y, radius), color, edge=False, shade=0)

    def ramp(self, top: float, bottom: float, above: RGB, below: RGB) -> None:
        """The whole width between two heights, from one color to the other."""
        (_, first), (_, last) = self.at([(0, top), (0, bottom)])
        column = np.linspace(above, below, last - first).round().astype(np.uint8)[:, None, :]
        size = self.picture.width, last - first
        self.picture.paste(Image.fromarray(column).resize(size, Image.Resampling.NEAREST), (0, first))

    def gloss(self, points: Points, alpha: float = 0.35, color: RGB = (255, 255, 255)) -> None:
        """A see-through patch on what is drawn already."""
        corners = self.at(points)
        left, top, right, bottom = _bounds(corners, self.picture.size)
        if right <= left or bottom <= top:
            return
        area = (left, top, right, bottom)
        mask = Image.new("L", (right - left, bottom - top))
        ImageDraw.Draw(mask).polygon([(x - left, y - top) for x, y in corners], fill=round(255 * alpha))
        under = self.picture.crop(area)
        over = Image.new("RGB", mask.size, color)
        if under.mode == "RGBA":
            over.putalpha(under.getchannel("A"))
        self.picture.paste(Image.composite(over, under, mask), (left, top))

    def glow(self, x: float, y: float, radius: float, color: RGB, alpha: float) -> None:
        """Light around a point, under the thing; whoever made the picture paints it."""
        self.glows.append((x, y, radius, color, alpha))

    def text(self, text: str, x: float, y: float, color: RGB) -> None:
        """One upright line of text centred on (x, y), in the pen's size and face."""
        if not self._upright:
            raise ValueError(f"text {text!r} on a turned thing: things with text must stay upright")
        chosen = font(SERIF if self.serif else SANS, WEIGHT, max(1, round(self.em * self.unit)))
        (place,) = self.at([(x, y)])
        self._draw.text(place, text, fill=color, font=chosen, anchor="mm")

    def _shaded(self, points: Points, corners: list[tuple[int, int]], color: RGB, shade: float, pattern: str) -> None:
        left, top, right, bottom = _bounds(corners, self.picture.size)
        if right <= left or bottom <= top:
            return
        mask = Image.new("L", (right - left, bottom - top))
        ImageDraw.Draw(mask).polygon([(x - left, y - top) for x, y in corners], fill=255)
        paint = _ramp(color, shade, bottom - top, self.picture.mode).resize(mask.size, Image.Resampling.NEAREST)
        if pattern:
            self._ornament(ImageDraw.Draw(paint), points, (left, top), color, pattern)
        self.picture.paste(paint, (left, top), mask)

    def _ornament(
        self, draw: ImageDraw.ImageDraw, points: Points, corner: tuple[int, int], color: RGB, pattern: str
    ) -> None:
        """Stripes, dots or checks in unit space, so that they turn and grow with the thing."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        x0, y0, x1, y1 = min(xs), min(ys), max(xs), max(ys)
        tint = light(color, 0.42) if sum(color) < 600 else dark(color, 0.16)
        step = (x1 - x0) / 7
        marks: list[Points] = []
        if pattern == "striped":
            marks = [box(x0 + step * (2 * n + 1), y0, x0 + step * (2 * n + 2), y1) for n in range(3)]
        elif pattern == "banded":
            rise = (y1 - y0) / 7
            marks = [box(x0, y0 + rise * (2 * n + 1), x1, y0 + rise * (2 * n + 2)) for n in range(3)]
        elif pattern == "dotted":
            rows = max(2, round((y1 - y0) / step))
            marks = [
                oval(x0 + step * (column + (row % 2) / 2 + 0.25), y0 + step * (row + 0.5), step * 0.23)
                for row in range(rows) for column in range(8)
            ]  # fmt: skip
        for mark in marks:
            draw.polygon([(x - corner[0], y - corner[1]) for x, y in self.at(mark)], fill=tint)


@lru_cache(maxsize=4096)
def _ramp(color: RGB, shade: float, height: int, mode: str) -> Image.Image:
    """A column one pixel wide, from the lighter to the darker tone."""
    ramp = np.linspace(light(color, shade), dark(color, shade), height).round().astype(np.uint8)
    return Image.fromarray(ramp[:, None, :]).convert(mode)


def _bounds(corners: list[tuple[int, int]], size: tuple[int, int]) -> tuple[int, int, int, int]:
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return max(0, min(xs)), max(0, min(ys)), min(size[0], max(xs) + 1), min(size[1], max(ys) + 1)
