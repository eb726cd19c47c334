"""Scenes: pages of one drawing, full of things that can be named, moved, turned, recolored and replaced.

Belongs here: what is where, and the page that shows it. Does not belong here: the drawings of things (`pages/art`),
what may change about them (`pairs/page_edits`).
"""

from diffbench_assets.pages.scenes.page import ScenePage, scene_page
from diffbench_assets.pages.scenes.places import PLACES

__all__ = ["PLACES", "ScenePage", "scene_page"]
