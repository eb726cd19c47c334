"""The ten categories of VDiff-Bench: their groups, and what a difference of each is about.

Belongs here: names of categories. Does not belong here: which changes a category makes (the pair makers), how many
are made of it (`counts.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from diffbench_assets.pairs.grammar import CHANGES, Dimension

GROUPS: Final = ("semantic", "low_level", "ocr")


@dataclass(frozen=True)
class Category:
    """A kind of difference."""

    name: str
    group: str
    dimensions: tuple[Dimension, ...]


CATEGORIES: Final[Mapping[str, Category]] = {
    category.name: category
    for category in (
        Category("position", "semantic", ("spatial",)),
        Category("motion", "semantic", ("action_pose",)),
        Category("regional_color", "semantic", ("attribute",)),
        Category("whole_color", "low_level", ("image_property",)),
        Category("appearance", "semantic", ("object",)),
        Category("noise", "low_level", ("image_property",)),
        Category("texture", "low_level", ("image_property",)),
        Category("substitution", "semantic", ("object",)),
        Category("ocr", "ocr", ("text_symbol",)),
        Category("illumination", "low_level", ("image_property",)),
    )
}


def dimensions_of(category: str, change: str) -> tuple[Dimension, ...]:
    """What a difference of this category and change is about: a thing of another size is the same thing still."""
    return ("attribute",) if CHANGES[change].axis == "size" else CATEGORIES[category].dimensions
