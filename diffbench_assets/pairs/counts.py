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

SINGLE: Final = ("whole_color", "noise", "substitution", "ocr", "illumination")
"""Categories whose pairs are asked about once: as many pairs as questions (Table 5)."""

PAPER_PAIRS: Final = 1543
"""Distinct pairs behind the paper's questions (Table 1)."""


def pair_counts(questions: Mapping[str, int]) -> dict[str, int]:
    """How many pairs to make of each category for that many questions.

    A category of the paper with one question per pair keeps that; the others share pairs in the paper's proportion,
    rounded by largest remainder, so that PAPER_QUESTIONS gives 1,543 pairs. Raises KeyError for an unknown category.
    """
    if unknown := questions.keys() - PAPER_QUESTIONS.keys():
        raise KeyError(min(unknown))
    shared = {name: n for name, n in questions.items() if name not in SINGLE}
    paper_single = sum(PAPER_QUESTIONS[name] for name in SINGLE)
    paper_shared = sum(PAPER_QUESTIONS.values()) - paper_single
    # Exact in integers: n pairs' worth of questions times the paper's pairs, in units of 1 / paper_shared.
    units = {name: n * (PAPER_PAIRS - paper_single) for name, n in shared.items()}
    counts = {name: unit // paper_shared for name, unit in units.items()}
    left_over = round(sum(units.values()) / paper_shared) - sum(counts.values())
    for name in sorted(units, key=lambda name: (-(units[name] % paper_shared), name))[:left_over]:
        counts[name] += 1
    return {name: n if name in SINGLE else max(counts[name], min(n, 1)) for name, n in questions.items()}


def no_difference_count(n_with: int, share: float) -> int:
    """How many questions without a difference make up `share` of all, beside `n_with` that have one.

    Raises ValueError unless 0 <= share < 1.
    """
    if not 0 <= share < 1:
        raise ValueError(f"the share of no-difference questions must be at least 0 and below 1, not {share}")
    return round(n_with * share / (1 - share))
