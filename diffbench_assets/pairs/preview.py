"""Pictures for people: a pair side by side with its difference boxed, and a contact sheet of many pairs.

Belongs here: drawing. Does not belong here: choosing what to draw.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any, Final

from PIL import Image, ImageDraw, ImageFont

from diffbench_assets.pages import fonts

MARK: Final = (225, 29, 72)
THUMB_WIDTH: Final = 320
CAPTION_PX: Final = 18
TEXT_PX: Final = 18
LINE_PX: Final = 24


def _open(image: Mapping[str, Any]) -> Image.Image:
    return Image.open(io.BytesIO(image["bytes"])).convert("RGB")


def _mark(image: Image.Image, pair: Mapping[str, Any], scale: float, width: int) -> None:
    draw = ImageDraw.Draw(image)
    for difference in pair["differences"] or ():
        box = difference["box"]
        left, top = scale * box["x"] - width, scale * box["y"] - width
        right = scale * (box["x"] + box["width"]) + width
        bottom = scale * (box["y"] + box["height"]) + width
        draw.rectangle((left, top, max(left, right), max(top, bottom)), outline=MARK, width=width)


def side_by_side(pair: Mapping[str, Any]) -> bytes:
    """PNG of before and after at full size, the difference boxed on both and the whole description above."""
    images = [_open(pair["image_before"]), _open(pair["image_after"])]
    width, height = images[0].size
    lines = _lines(f"{pair['cell']}  {pair['pair_id']}  {pair['description'] or ''}", 2 * width + 16 - 24)
    top = 16 + LINE_PX * len(lines)
    sheet = Image.new("RGB", (2 * width + 16, height + top), "white")
    for index, image in enumerate(images):
        _mark(image, pair, 1.0, 3)
        sheet.paste(image, (index * (width + 16), top))
    draw = ImageDraw.Draw(sheet)
    for number, line in enumerate(lines):
        left = 12.0
        for font, run in _runs(line):
            draw.text((left, 8 + LINE_PX * (number + 0.75)), run, fill="black", font=font, anchor="ls")
            left += font.getlength(run)
    return _encode(sheet, "PNG")


def _lines(text: str, width: float) -> list[str]:
    """`text` in lines no wider than `width` px, broken between words, and inside those that are wider."""
    lines, left = [""], width
    for word in re.findall(r"\S+\s*|\s+", text):
        if _width(word.rstrip()) > left and lines[-1]:
            lines, left = [*lines, ""], width
        for part in [word] if _width(word.rstrip()) <= width else word:
            if _width(part.rstrip()) > left:
                lines, left = [*lines, ""], width
            lines[-1] += part
            left -= _width(part)
    return lines


def _width(text: str) -> float:
    return sum(font.getlength(run) for font, run in _runs(text))


def _runs(text: str) -> list[tuple[ImageFont.FreeTypeFont, str]]:
    """`text` in pieces, each with the first packaged font that has all its characters."""
    return [(font, "".join(run)) for font, run in groupby(text, _font_of)]


@cache
def _font_of(character: str) -> ImageFont.FreeTypeFont:
    known = (fonts.SANS, *fonts.FALLBACKS, fonts.CJK["zh-hans"])
    return _loaded(next((font for font in known if character in fonts.coverage(font)), fonts.SANS))


@cache
def _loaded(font: fonts.Font) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(fonts.source(font.package, font.file), TEXT_PX, index=font.face_index)


def contact_sheet(pairs: Sequence[Mapping[str, Any]], columns: int = 3) -> bytes:
    """WebP of small before/after thumbnails, two rows a pair, the changed box marked on the after image.

    Three columns are as wide as the dialog in which Dagster shows them.
    """
    thumb_height = max((_thumb_height(pair) for pair in pairs), default=0)
    cell_height = 2 * thumb_height + CAPTION_PX
    rows = max(1, -(-len(pairs) // columns))
    sheet = Image.new("RGB", (columns * (THUMB_WIDTH + 8), rows * (cell_height + 8)), "white")
    draw = ImageDraw.Draw(sheet)
    for index, pair in enumerate(pairs):
        x, y = index % columns * (THUMB_WIDTH + 8), index // columns * (cell_height + 8)
        draw.text((x, y + 2), pair["cell"], fill="black")
        for row, key in enumerate(("image_before", "image_after")):
            full = _open(pair[key])
            image = full.resize((THUMB_WIDTH, _thumb_height(pair)), Image.Resampling.BILINEAR)
            if row:
                _mark(image, pair, THUMB_WIDTH / full.width, 2)
            sheet.paste(image, (x, y + CAPTION_PX + row * thumb_height))
    return _encode(sheet, "WEBP")


def _thumb_height(pair: Mapping[str, Any]) -> int:
    width, height = Image.open(io.BytesIO(pair["image_before"]["bytes"])).size
    return round(THUMB_WIDTH * height / width)


def _encode(image: Image.Image, kind: str) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind)
    return buffer.getvalue()
