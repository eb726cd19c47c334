"""The colors of drawings that have a name.

Belongs here: names and their values. Does not belong here: which thing has which color.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PALETTES: Final[Mapping[str, Mapping[str, str]]] = {
    "clear": {
        "red": "#dc2f2f", "orange": "#f27a1a", "yellow": "#f5c928", "green": "#3f9c4b", "blue": "#3170d6",
        "purple": "#8a3fc0", "pink": "#f07db4", "brown": "#7d4c26", "gray": "#8b8d92", "white": "#fdfdfd",
    },
    "deep": {
        "red": "#c62828", "orange": "#ef6c00", "yellow": "#e8c01c", "green": "#2e7d45", "blue": "#2a56b0",
        "purple": "#6d2fa0", "pink": "#e8649c", "brown": "#6b4020", "gray": "#76797f", "white": "#fbfbfb",
    },
    "soft": {
        "red": "#e04a44", "orange": "#f59342", "yellow": "#f7dc6f", "green": "#6dbb6d", "blue": "#5a93e6",
        "purple": "#9d5bd2", "pink": "#f79ac0", "brown": "#84522c", "gray": "#a0a3a8", "white": "#ffffff",
    },
}  # fmt: skip
"""Values of the names; in every palette anybody would call them so."""
COLORS: Final = PALETTES["clear"]
BRIGHT: Final = ("red", "orange", "yellow", "green", "blue", "purple", "pink")
