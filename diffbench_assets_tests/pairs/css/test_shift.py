"""One rigid shift that explains a change: found where there is one, and not where a box grows or a color turns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from diffbench_assets.browser.gate import Box, Pixels
from diffbench_assets.pairs.css.shift import rigid_shift
from diffbench_assets_tests.live import Live
from diffbench_assets_tests.small_pages import page

SHAPE = (200, 320)
WHITE, BLUE = 0xFFFFFFFF, 0xFFFF0000
INK = np.random.default_rng(0).integers(0, 2**24, (20, 40), np.uint32) | np.uint32(0xFF000000)
WHOLE = (0.0, 0.0, 320.0, 200.0)


def drawn(x: int, y: int, what: Pixels = INK) -> Pixels:
    """A white screen with something on it."""
    pixels = np.full(SHAPE, WHITE, np.uint32)
    pixels[y : y + what.shape[0], x : x + what.shape[1]] = what
    return pixels


@given(x=st.integers(0, 280), y=st.integers(0, 180), to_x=st.integers(0, 280), to_y=st.integers(0, 180))
def test_a_thing_that_moved_is_found_along_one_axis_anywhere_and_along_both_nearby(
    x: int, y: int, to_x: int, to_y: int
) -> None:
    right, down = to_x - x, to_y - y
    assume(0 <= x - right <= 280 and 0 <= y - down <= 180)  # beyond the edge nobody knows what was there
    reached = (not right or not down or max(abs(right), abs(down)) <= 64) and (right or down)
    assert rigid_shift(drawn(x, y), drawn(to_x, to_y), WHOLE, WHOLE) == ((right, down) if reached else None)


def test_a_thing_that_changed_its_color_or_what_it_shows_did_not_move() -> None:
    before = drawn(20, 20)
    assert rigid_shift(before, before, WHOLE, WHOLE) is None
    assert rigid_shift(before, drawn(20, 20, INK[::-1]), WHOLE, WHOLE) is None
    blue = np.full((20, 40), BLUE, np.uint32)
    assert rigid_shift(drawn(20, 20, blue), drawn(20, 20, blue - np.uint32(9)), WHOLE, WHOLE) is None


def test_a_box_that_is_seen_to_grow_did_not_move_whatever_it_holds() -> None:
    def card(height: int, words: int) -> tuple[Pixels, Box]:
        pixels = drawn(20, 20, np.full((height, 100), BLUE, np.uint32))
        pixels[words : words + 20, 40:80] = INK
        return pixels, (20.0, 20.0, 100.0, float(height))

    (before, small), (after, large) = card(60, 30), card(64, 34)
    assert rigid_shift(before, after, small, large) is None
    still, _ = card(60, 34)
    assert rigid_shift(before, still, small, small) == (0, 4)


@pytest.mark.parametrize(("words", "moves"), [("One line", True), ("Two lines<br>of words", False)])
def test_a_line_height_shows_as_a_move_of_one_line_and_not_of_two(words: str, moves: bool, live: Live) -> None:
    html = page(f'<p style="position:absolute;left:80px;top:80px;width:300px;height:200px;margin:0">{words}</p>')
    before, after = (live.pixels(html.replace("margin:0", f"line-height:{px}px")) for px in (30, 36))
    box = live.box(html, "p")
    assert rigid_shift(before, after, box, box) == ((0, 3) if moves else None)
