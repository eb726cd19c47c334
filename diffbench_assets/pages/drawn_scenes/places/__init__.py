"""Every place a scene can show: `PLACES`, filled by the modules beside this one."""

from diffbench_assets.pages.drawn_scenes.places import indoors, outdoors  # noqa: F401
from diffbench_assets.pages.drawn_scenes.places.base import PLACES, STANDING, Place, Zone

__all__ = ["PLACES", "STANDING", "Place", "Zone"]
