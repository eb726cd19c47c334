"""The ten categories of VDiff-Bench: their groups, and how many questions and pairs the paper has of each.

Belongs here: names and counts. Does not belong here: which changes a category makes (the pair makers), questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

GROUPS: Final = ("semantic", "low_level", "ocr")
NO_DIFF: Final = "no_diff"
"""Cell, category and group of pairs that show the same image twice."""


@dataclass(frozen=True)
class Category:
    """A kind of difference. `questions` is the paper's count; `single` tells that each pair is asked about once."""

    name: str
    group: str
    questions: int
    single: bool


CATEGORIES: Final[Mapping[str, Category]] = {
    category.name: category
    for category in (
        # Counts: VDiff-Bench Table 1. Sources with as many pairs as questions: Table 5.
        Category("position", "semantic", 158, single=False),
        Category("motion", "semantic", 138, single=False),
        Category("regional_color", "semantic", 170, single=False),
        Category("whole_color", "low_level", 147, single=True),
        Category("appearance", "semantic", 201, single=False),
        Category("noise", "low_level", 150, single=True),
        Category("texture", "low_level", 177, single=False),
        Category("substitution", "semantic", 199, single=True),
        Category("ocr", "ocr", 221, single=True),
        Category("illumination", "low_level", 195, single=True),
    )
}

PAPER_PAIRS: Final = 1543
"""Distinct pairs behind the paper's 1,756 questions (Table 1)."""


def paper_counts() -> dict[str, int]:
    """Questions of each category in the paper; 1,756 in all."""
    return {name: category.questions for name, category in CATEGORIES.items()}


def pair_counts(questions: Mapping[str, int]) -> dict[str, int]:
    """How many pairs to make of each category for that many questions.

    A category of the paper with one question per pair keeps that; the others share pairs in the paper's proportion,
    rounded by largest remainder, so that `paper_counts()` gives 1,543 pairs. Raises KeyError for an unknown category.
    """
    single = {name: n for name, n in questions.items() if CATEGORIES[name].single}
    shared = {name: n for name, n in questions.items() if not CATEGORIES[name].single}
    paper_single = sum(category.questions for category in CATEGORIES.values() if category.single)
    paper_shared = sum(category.questions for category in CATEGORIES.values() if not category.single)
    # Exact in integers: n pairs' worth of questions times the paper's pairs, in units of 1 / paper_shared.
    units = {name: n * (PAPER_PAIRS - paper_single) for name, n in shared.items()}
    counts = {name: unit // paper_shared for name, unit in units.items()}
    left_over = round(sum(units.values()) / paper_shared) - sum(counts.values())
    for name in sorted(units, key=lambda name: (-(units[name] % paper_shared), name))[:left_over]:
        counts[name] += 1
    return {name: single.get(name, max(counts.get(name, 0), min(n, 1))) for name, n in questions.items()}
