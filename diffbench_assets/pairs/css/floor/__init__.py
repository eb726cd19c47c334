"""The visibility floor: candidates that change less, nobody can be asked to see.

Belongs here: the numbers (`floor.yaml`) and what falls below them. Does not belong here: measuring pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml


@dataclass(frozen=True)
class Floor:
    """The least of a change that is asked about: `pixels` that differ by `delta_e` (CIEDE2000) or more."""

    delta_e: float
    pixels: int


FLOOR: Final = Floor(**yaml.safe_load((Path(__file__).parent / "floor.yaml").read_text()))


def below_floor(visible_px: int) -> bool:
    """Whether too few pixels differ visibly."""
    return visible_px < FLOOR.pixels
