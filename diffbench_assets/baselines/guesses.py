"""Baselines that guess (VDiff-Bench, table 3): what a score is worth without looking or reading.

Belongs here: letters drawn by chance. The question's own bytes decide, so that asking twice gives the same.
"""

from __future__ import annotations

from diffbench_assets.baselines import parts as call
from diffbench_assets.baselines.parts import Parts
from diffbench_assets.protocols.multiple_choice.prompt import LABELS


def random_choice(parts: Parts) -> str:
    """Any letter: right one time in four."""
    return call.draw(list(call.options(parts)), "random_choice", parts)


def informed_guess(parts: Parts) -> str:
    """Any letter but that of the fixed statement: right one time in three where something always differs."""
    blank = call.no_difference(call.options(parts))
    return call.draw([label for label in LABELS if label != blank], "informed_guess", parts)
