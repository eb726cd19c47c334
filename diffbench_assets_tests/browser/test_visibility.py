"""How plainly a change shows: the color difference against its published test data, and what is counted of it."""

from __future__ import annotations

import numpy as np
import pytest
from coloraide import Color
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets.browser.visibility import Seen, ciede2000, lab, seen

PUBLISHED = """
50 2.6772 -79.7751 50 0 -82.7485 2.0425
50 3.1571 -77.2803 50 0 -82.7485 2.8615
50 2.8361 -74.0200 50 0 -82.7485 3.4412
50 -1.3802 -84.2814 50 0 -82.7485 1.0000
50 -1.1848 -84.8006 50 0 -82.7485 1.0000
50 -0.9009 -85.5211 50 0 -82.7485 1.0000
50 0 0 50 -1 2 2.3669
50 -1 2 50 0 0 2.3669
50 2.4900 -0.0010 50 -2.4900 0.0009 7.1792
50 2.4900 -0.0010 50 -2.4900 0.0010 7.1792
50 2.4900 -0.0010 50 -2.4900 0.0011 7.2195
50 2.4900 -0.0010 50 -2.4900 0.0012 7.2195
50 -0.0010 2.4900 50 0.0009 -2.4900 4.8045
50 -0.0010 2.4900 50 0.0010 -2.4900 4.8045
50 -0.0010 2.4900 50 0.0011 -2.4900 4.7461
50 2.5 0 50 0 -2.5 4.3065
50 2.5 0 73 25 -18 27.1492
50 2.5 0 61 -5 29 22.8977
50 2.5 0 56 -27 -3 31.9030
50 2.5 0 58 24 15 19.4535
50 2.5 0 50 3.1736 0.5854 1.0000
50 2.5 0 50 3.2972 0 1.0000
50 2.5 0 50 1.8634 0.5757 1.0000
50 2.5 0 50 3.2592 0.3350 1.0000
60.2574 -34.0099 36.2677 60.4626 -34.1751 39.4387 1.2644
63.0109 -31.0961 -5.8663 62.8187 -29.7946 -4.0864 1.2630
61.2901 3.7196 -5.3901 61.4292 2.2480 -4.9620 1.8731
35.0831 -44.1164 3.7933 35.0232 -40.0716 1.5901 1.8645
22.7233 20.0904 -46.6940 23.0331 14.9730 -42.5619 2.0373
36.4612 47.8580 18.3852 36.2715 50.5065 21.2231 1.4146
90.8027 -2.0831 1.4410 91.1528 -1.6435 0.0447 1.4441
90.9257 -0.5406 -0.9208 88.6381 -0.8985 -0.7239 1.5381
6.7747 -0.2908 -2.4247 5.8714 -0.0985 -2.2286 0.6377
2.0776 0.0795 -1.1350 0.9033 -0.0636 -0.5514 0.9082
"""
"""Pairs of CIELAB colors and their CIEDE2000: Sharma, Wu and Dalal 2005, table 1."""

BYTES = st.tuples(*[st.integers(0, 255)] * 3)


def word(color: tuple[int, ...]) -> int:
    red, green, blue = color
    return 0xFF000000 | blue << 16 | green << 8 | red


def test_the_published_pairs_come_out_to_the_last_digit() -> None:
    rows = np.array([[float(value) for value in line.split()] for line in PUBLISHED.split("\n") if line])
    found = ciede2000(rows[:, :3], rows[:, 3:6])
    assert np.abs(found - rows[:, 6]).max() < 6e-5
    assert np.abs(ciede2000(rows[:, 3:6], rows[:, :3]) - rows[:, 6]).max() < 6e-5


@given(one=BYTES, other=BYTES)
def test_any_two_colors_of_a_screen_differ_as_another_implementation_has_it(
    one: tuple[int, ...], other: tuple[int, ...]
) -> None:
    ours = ciede2000(lab(np.array([word(one)], np.uint64)), lab(np.array([word(other)], np.uint64)))[0]
    colors = [Color("srgb", [level / 255 for level in color]).convert("lab-d65") for color in (one, other)]
    assert ours == pytest.approx(colors[0].delta_e(colors[1], method="2000", space="lab-d65"), abs=0.02)


def test_only_pixels_that_differ_enough_inside_the_region_are_counted() -> None:
    before = np.full((20, 20), word((255, 255, 255)), np.uint32)
    after = before.copy()
    after[2:4, 2:6] = word((0, 0, 0))
    after[10:12, 2:6] = word((254, 254, 254))
    after[18, 18] = word((0, 0, 0))
    assert seen(before, after, (0, 0, 12, 12), 2.0) == Seen(8, 100.0)
    assert seen(before, after, (0, 8, 12, 12), 2.0).pixels == 0
    assert 0 < seen(before, after, (0, 8, 12, 12), 2.0).largest < 1
    assert seen(before, after, (12, 0, 16, 4), 2.0) == Seen(0, 0.0)
