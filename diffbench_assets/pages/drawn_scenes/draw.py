"""A scene as pixels.

Belongs here: the backdrop, the things on it in their order, paper grain. Does not belong here: what any of them looks
like.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from PIL import Image, ImageChops, ImageFilter

from diffbench_assets.pages.drawn_scenes.model import HEIGHT, WIDTH, Backdrop, Box, Scene, Thing
from diffbench_assets.pages.drawn_scenes.pen import Pen
from diffbench_assets.pages.drawn_scenes.places import PLACES
from diffbench_assets.pages.drawn_scenes.sprites import SUBPIXELS, sprite
from diffbench_assets.seeds import rng

FRAME: Final[Box] = (0, 0, WIDTH, HEIGHT)
_GRAIN: Final = 7
"""Levels between the lightest and the darkest fibre of the paper, of 255."""


def draw(scene: Scene, box: Box = FRAME) -> np.ndarray:
    """The scene, or the part of it in `box`: height × width × 3, uint8. Equal scenes give equal bytes.

    A thing changes no pixel outside its `extent`. Shadows and light lie under every body: they fall on the backdrop
    only, so that no thing changes how another looks.
    """
    left, top, right, bottom = box
    picture = _backdrop(scene.backdrop).crop(box)
    looks = [(thing, sprite(thing)) for thing in scene.shown]
    looks = [(thing, look) for thing, look in looks if _meet(_moved(look.extent, thing), box)]
    for layer, (x, y), thing in (
        *((look.under, look.under_at, thing) for thing, look in looks if look.under.width),
        *((look.body, look.body_at, thing) for thing, look in looks),
    ):
        picture.paste(layer, (thing.x + x - left, thing.y + y - top), layer)
    return np.array(ImageChops.multiply(picture, _paper().crop((left, top, right, bottom))))


def body_box(thing: Thing) -> Box:
    """Pixels of the image that the thing's body lies in."""
    return _moved(sprite(thing).box, thing)


def extent(thing: Thing) -> Box:
    """Pixels of the image that the thing, its shadow and its light lie in."""
    return _moved(sprite(thing).extent, thing)


def _moved(box: Box, thing: Thing) -> Box:
    return box[0] + thing.x, box[1] + thing.y, box[2] + thing.x, box[3] + thing.y


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@lru_cache(maxsize=4)
def _backdrop(backdrop: Backdrop) -> Image.Image:
    place = PLACES[backdrop.place]
    picture = Image.new("RGB", (WIDTH * SUBPIXELS, HEIGHT * SUBPIXELS))
    place.paint(Pen(picture, SUBPIXELS), place.moods[backdrop.mood], rng("backdrop", backdrop.seed))
    return picture.reduce(SUBPIXELS)


@lru_cache(maxsize=1)
def _paper() -> Image.Image:
    fibres = rng("paper").integers(0, 256, (HEIGHT, WIDTH), dtype=np.uint8)
    soft = np.asarray(Image.fromarray(fibres).filter(ImageFilter.BoxBlur(1)), np.int32)
    grain = (255 - _GRAIN // 2 - (soft - 128) * _GRAIN // 128).clip(0, 255).astype(np.uint8)
    return Image.fromarray(np.stack([grain] * 3, axis=-1))
