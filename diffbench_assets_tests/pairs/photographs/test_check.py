"""What counts as changed, where, and which way a thing went."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from diffbench_assets.pairs.photographs.check import Moved, move_problem, text_problem
from diffbench_assets.pairs.photographs.crops import Box, decode
from diffbench_assets_tests.pairs.photographs.edit_server import redrawn, spotted
from diffbench_assets_tests.pairs.photographs.scenes import grain, shift, table

SCENE = decode(table({"red": (120, 100), "blue": (300, 220), "green": (150, 300)}))
TEXT = Box(180, 80, 300, 110)
AWAY = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def moved(direction: str, distance: int, color: str = "blue") -> np.ndarray:
    dx, dy = AWAY[direction]
    return shift(SCENE, color, dx * distance, dy * distance)


@pytest.mark.parametrize("direction", AWAY)
def test_a_clean_move_shows_where_from_where_to_and_how_far(direction):
    found = move_problem(SCENE, redrawn(moved(direction, 90)), direction)
    assert isinstance(found, Moved) and len(found.regions) == 2
    along = found.dx * AWAY[direction][0] + found.dy * AWAY[direction][1]
    assert along == pytest.approx(90, abs=3)


@pytest.mark.parametrize("direction", AWAY)
def test_a_move_that_overlaps_its_own_place_is_one_region_with_the_right_direction(direction):
    found = move_problem(SCENE, moved(direction, 30), direction)
    assert isinstance(found, Moved) and len(found.regions) == 1


@pytest.mark.parametrize("direction", AWAY)
def test_a_move_another_way_than_asked_is_told(direction):
    for other in AWAY.keys() - {direction}:
        assert move_problem(SCENE, moved(other, 90), direction) == "moved_otherwise"


def test_a_slanted_move_would_make_two_statements_true():
    assert move_problem(SCENE, shift(SCENE, "blue", 80, 70), "right") == "moved_otherwise"
    assert isinstance(move_problem(SCENE, shift(SCENE, "blue", 80, 20), "right"), Moved)


def test_an_unchanged_image_is_unchanged_even_when_drawn_anew():
    assert move_problem(SCENE, SCENE, "left") == "unchanged"
    assert move_problem(SCENE, redrawn(SCENE), "left") == "unchanged"


def brighter(pixels: np.ndarray) -> np.ndarray:
    return np.clip(pixels.astype(int) + 10, 0, 255).astype(np.uint8)


def streaked(pixels: np.ndarray) -> np.ndarray:
    result = pixels.copy()
    for step in range(-3, 4):
        rows = np.arange(300)
        result[rows, np.clip(rows + 100 + step, 0, 559)] = 0
    return result


@pytest.mark.parametrize(
    ("after", "problem"),
    [
        (spotted(moved("right", 90)), "too_many_regions"),
        (shift(moved("right", 90), "red", 200, 0), "too_many_regions"),
        (np.full_like(SCENE, 128), "too_much_changed"),
        (brighter(moved("right", 90)), "changed_elsewhere"),
        (streaked(SCENE), "scattered"),
    ],
)
def test_changes_elsewhere_are_told(after, problem):
    assert move_problem(SCENE, after, "right") == problem


CROP = SCENE[60:200, 60:460]


def test_only_the_text_may_change_in_a_crop():
    new = CROP.copy()
    new[TEXT.slices] = 20
    assert text_problem(CROP, CROP, TEXT) is None
    assert text_problem(CROP, redrawn(new), TEXT) is None
    assert text_problem(CROP, spotted(new), TEXT) == "changed_elsewhere"
    assert text_problem(CROP, brighter(new), TEXT) == "changed_elsewhere"
    assert text_problem(CROP, np.roll(new, 4, axis=1), TEXT) == "changed_elsewhere"


def test_grain_compression_and_scaling_are_forgiven():
    noisy = np.clip(CROP + grain(CROP.shape, 3, 4.0), 0, 255).astype(np.uint8)
    assert text_problem(CROP, noisy, TEXT) is None
    twice = Image.fromarray(CROP).resize((800, 280), Image.Resampling.BICUBIC).resize((400, 140))
    assert text_problem(CROP, np.asarray(twice), TEXT) is None


def test_text_that_fills_its_crop_leaves_nothing_to_compare():
    assert text_problem(CROP, np.zeros_like(CROP), Box(0, 0, 400, 140)) is None
