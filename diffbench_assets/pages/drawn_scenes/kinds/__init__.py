"""Every kind of thing a scene can hold: `KINDS`, filled by one module per theme."""

from diffbench_assets.pages.drawn_scenes.kinds import (  # noqa: F401
    animals,
    food,
    home,
    labels,
    nature,
    people,
    town,
    toys,
    vehicles,
)
from diffbench_assets.pages.drawn_scenes.kinds.base import KINDS, Counted, Kind, Label

__all__ = ["KINDS", "Counted", "Kind", "Label"]
