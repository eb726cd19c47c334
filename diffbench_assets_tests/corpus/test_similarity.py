"""Comparing a copy with its original: exact pixels, and CLIP similarity where there are weights."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from PIL import Image

from diffbench_assets.browser.gate import pixel_agreement
from diffbench_assets.corpus.similarity import KEEP, compare, decide


def png(size: tuple[int, int], color: str, spot: tuple[int, int, int, int] | None = None, mode: str = "RGB") -> bytes:
    image = Image.new(mode, size, color)
    if spot:
        image.paste((255, 0, 0), spot)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def test_agreement_is_the_share_of_equal_pixels() -> None:
    white = png((20, 10), "white")
    assert pixel_agreement(white, white) == 1.0
    assert pixel_agreement(white, png((20, 10), "white", (0, 0, 5, 2))) == 0.95
    assert pixel_agreement(white, png((20, 10), "white", mode="RGBA")) == 1.0


def test_a_difference_of_one_level_or_of_alpha_alone_counts() -> None:
    assert pixel_agreement(png((4, 4), "#808080"), png((4, 4), "#808081")) == 0.0
    assert pixel_agreement(png((4, 4), "#808080ff", mode="RGBA"), png((4, 4), "#808080fe", mode="RGBA")) == 0.0


def test_pixels_that_one_image_lacks_are_unequal() -> None:
    assert pixel_agreement(png((10, 10), "white"), png((10, 20), "white")) == 0.5
    # 10 by 10 in common, 10 by 10 more on either side.
    assert pixel_agreement(png((20, 10), "white"), png((10, 20), "white")) == pytest.approx(100 / 300)


class Counting:
    """A measure that says how many pairs it was given at once."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def distances(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[float]:
        self.batches.append(len(pairs))
        return [0.0 if a == b else 0.31 for a, b in pairs]


def test_similarities_come_in_one_call_and_in_order() -> None:
    white, red = png((4, 4), "white"), png((4, 4), "red")
    measure = Counting()
    assert compare([white, white], [white, red], measure) == [(1.0, 1.0), (0.69, 0.0)]
    assert measure.batches == [2]


def test_without_weights_there_is_no_similarity_and_no_decision() -> None:
    white = png((4, 4), "white")
    assert compare([white], [white], None) == [(None, 1.0)]
    assert decide(None) == "unknown"


def test_the_threshold_is_the_papers() -> None:
    assert KEEP == 0.70
    assert [decide(value) for value in (0.70, 0.699999, 1.0)] == ["kept", "dissimilar", "kept"]


def test_originals_without_copies_are_an_error() -> None:
    with pytest.raises(ValueError):
        compare([png((2, 2), "white")], [], None)
