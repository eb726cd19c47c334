"""The visibility floor: candidates that change less, nobody can be asked to see.

Belongs here: the numbers (`floor.yaml`) and what falls below them. Does not belong here: measuring pixels.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from diffbench_assets.browser.visibility import Floor, Seen

FLOOR: Final = Floor(**yaml.safe_load((Path(__file__).parent / "floor.yaml").read_text()))


def below(seen: Seen) -> bool:
    """Whether too few pixels differ visibly."""
    return seen.pixels < FLOOR.pixels


def below_floor(row: Mapping[str, Any]) -> bool:
    """The same of a row of the candidates table."""
    return (row["visible_px"] or 0) < FLOOR.pixels
