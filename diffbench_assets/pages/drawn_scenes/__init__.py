"""Drawn scenes and pairs of them with one semantic difference, true by construction.

A scene is data (`model.py`), composed from a seed (`compose.py`) out of places and kinds of things, and drawn with
Pillow (`draw.py`). An edit changes one field of one thing (`edits.py`).
"""

from diffbench_assets.pages.drawn_scenes.compose import make_scene
from diffbench_assets.pages.drawn_scenes.draw import draw
from diffbench_assets.pages.drawn_scenes.edits import Edit, apply, possible_edits, undo
from diffbench_assets.pages.drawn_scenes.model import Scene
from diffbench_assets.pages.drawn_scenes.pairs import CATEGORIES, NoEdit, ScenePair, replay, semantic_pair

__all__ = [
    "CATEGORIES", "Edit", "NoEdit", "Scene", "ScenePair", "apply", "draw", "make_scene", "possible_edits", "replay",
    "semantic_pair", "undo",
]  # fmt: skip
