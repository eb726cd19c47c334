"""Cutting, fitting and pasting of pixels."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from diffbench_assets.pairs.photographs.crops import FEATHER, BadImage, Box, decode, encode, fit, paste


def saved(image: Image.Image, kind: str, **options) -> bytes:
    data = io.BytesIO()
    image.save(data, kind, **options)
    return data.getvalue()


def random_pixels(width: int, height: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def test_a_crop_is_padded_within_the_image():
    assert Box(30, 10, 80, 30).grown(24, (100, 200)) == (6, 0, 100, 54)
    assert Box(30, 10, 80, 30).within(Box(6, 0, 100, 54)) == (24, 10, 74, 30)


@pytest.mark.parametrize("crop", [Box(40, 30, 160, 90), Box(0, 0, 120, 60), Box(80, 60, 200, 120), Box(5, 5, 15, 14)])
def test_a_pasted_crop_fades_in_and_leaves_the_rest_byte_equal(crop):
    source, edited = random_pixels(200, 120), random_pixels(crop.width, crop.height, 1)
    result = paste(source, edited, crop)
    outside = np.ones(source.shape[:2], bool)
    outside[crop.slices] = False
    assert result[outside].tobytes() == source[outside].tobytes()
    inner = Box(*crop).within(crop)
    core = Box(inner.left + FEATHER, inner.top + FEATHER, inner.right - FEATHER, inner.bottom - FEATHER)
    if core.width > 0 and core.height > 0:
        assert np.array_equal(result[crop.slices][core.slices], edited[core.slices])


def test_the_feather_is_a_ramp_of_eight_pixels_except_at_the_images_border():
    source, edited = np.zeros((100, 100, 3), np.uint8), np.full((50, 60, 3), 160, np.uint8)
    result = paste(source, edited, Box(40, 0, 100, 50))
    assert result[20, 40:49, 0].tolist() == [10, 30, 50, 70, 90, 110, 130, 150, 160]
    assert result[0, 99, 0] == result[20, 99, 0] == 160
    assert result[49, 70, 0] == 10


def test_an_edit_equal_to_its_source_changes_nothing():
    source = random_pixels(90, 70)
    crop = Box(10, 10, 60, 50)
    assert np.array_equal(paste(source, source[crop.slices], crop), source)


def test_answers_are_fitted_only_where_that_does_not_distort_them():
    pixels, came = fit(encode(random_pixels(90, 60)), (90, 60))
    assert came is None and pixels.shape == (60, 90, 3)
    pixels, came = fit(encode(random_pixels(181, 120)), (90, 60))
    assert came == (181, 120) and pixels.shape == (60, 90, 3)
    with pytest.raises(BadImage, match="60x90"):
        fit(encode(random_pixels(60, 90)), (90, 60))
    with pytest.raises(BadImage, match="92x60"):
        fit(encode(random_pixels(92, 60)), (90, 60))


def test_photographs_are_read_upright_and_over_white():
    turned = Image.new("RGB", (40, 20))
    exif = Image.Exif()
    exif[0x0112] = 6
    assert decode(saved(turned, "JPEG", exif=exif)).shape == (40, 20, 3)
    assert decode(saved(Image.new("RGBA", (4, 4), (9, 9, 9, 0)), "PNG"))[0, 0].tolist() == [255] * 3
    assert decode(saved(Image.new("L", (4, 4), 7), "WEBP", lossless=True))[0, 0].tolist() == [7] * 3


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", saved(Image.new("RGB", (4, 4)), "GIF"), b"%PDF-1.4"])
def test_other_files_are_no_images(data):
    with pytest.raises(BadImage):
        decode(data)


def test_an_image_that_unpacks_to_too_much_is_refused_before_it_is_unpacked():
    bomb = saved(Image.new("1", (20_000, 20_000)), "PNG")
    assert len(bomb) < 100_000
    with pytest.raises(BadImage, match=r"megapixels|Bomb"):
        decode(bomb)
