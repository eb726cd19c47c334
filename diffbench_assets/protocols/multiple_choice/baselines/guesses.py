"""Baselines that guess (VDiff-Bench, table 3): what a score is worth without looking or reading.

Belongs here: letters drawn by chance, or always the same statement. The question's own bytes decide, so that asking
twice gives the same.
"""

from __future__ import annotations

from diffbench_assets.baselines.parts import Parts, draw
from diffbench_assets.protocols.multiple_choice.baselines.options import no_difference, options
from diffbench_assets.protocols.multiple_choice.prompt import LABELS


def always_no_diff(parts: Parts) -> str:
    """The letter of the fixed statement that nothing differs. Raises ValueError when the question lacks it."""
    label = no_difference(options(parts))
    if label is None:
        raise ValueError("no option of the question is the fixed statement that nothing differs")
    return label


def random_choice(parts: Parts) -> str:
    """Any letter: right one time in four."""
    return draw(list(options(parts)), "random_choice", parts)


def informed_guess(parts: Parts) -> str:
    """Any letter but that of the fixed statement: right one time in three where something always differs."""
    blank = no_difference(options(parts))
    return draw([label for label in LABELS if label != blank], "informed_guess", parts)
