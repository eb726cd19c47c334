"""How many questions and pairs VDiff-Bench has of each of its ten categories, and how many without a difference.

Belongs here: counts. Does not belong here: the categories themselves (`categories.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PAPER_QUESTIONS: Final[Mapping[str, int]] = {
    "position": 158, "motion": 138, "regional_color": 170, "whole_color": 147, "appearance": 201, "noise": 150,
    "texture": 177, "substitution": 199, "ocr": 221, "illumination": 195,
}  # fmt: skip
"""Questions of each category, 1,756 in all (Table 1)."""

PAPER_PAIRS: Final[Mapping[str, int]] = {
    "position": 140, "motion": 68, "regional_color": 154, "whole_color": 147, "appearance": 105, "noise": 150,
    "texture": 164, "substitution": 199, "ocr": 221, "illumination": 195,
}  # fmt: skip
"""Pairs of each category, 1,543 in all.

Table 5 counts pairs by source: 120 edited positions, 67 motions, 137 regional colors and 150 smoothed textures have one
category, and so have the five categories that are asked about once a pair. The 157 pairs left (scenes filmed twice and
puzzles) are shared among the five others in proportion to the 300 questions that these have beyond that.
"""


def no_difference_count(n_with: int, share: float) -> int:
    """How many questions without a difference make up `share` of all, beside `n_with` that have one.

    Raises ValueError unless 0 <= share < 1.
    """
    if not 0 <= share < 1:
        raise ValueError(f"the share of no-difference questions must be at least 0 and below 1, not {share}")
    return round(n_with * share / (1 - share))
