"""Pictures as inline SVG: simple scenes of geometric shapes in the theme's hues.

Belongs here: the table of scenes and the SVG element around one. Does not belong here: the gradient tile behind it
(templates) or icons.
"""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from diffbench_assets.pages.dice import Dice
from . import figures, objects, places

Scene = Callable[[Dice, str, str], str]

SCENES: dict[str, Scene] = {
    "bag": objects.bag,
    "books": objects.books,
    "bottle": objects.bottle,
    "bowl": objects.bowl,
    "cake": objects.cake,
    "chair": objects.chair,
    "city": places.city,
    "clinic": places.clinic,
    "columns": figures.columns,
    "hills": places.hills,
    "house": places.house,
    "island": places.island,
    "lamp": objects.lamp,
    "mug": objects.mug,
    "orbit": figures.orbit,
    "plate": objects.plate,
    "portrait": figures.portrait,
    "screen": objects.screen,
    "stage": places.stage,
    "waves": figures.waves,
}


def picture(dice: Dice, scene: str, hue: str, other: str) -> Markup:
    """A scene that fills its positioned parent; KeyError for a scene that is not drawn here."""
    return Markup(
        '<svg class="absolute inset-0 h-full w-full" viewBox="0 0 400 300" preserveAspectRatio="xMidYMid slice" '
        f'aria-hidden="true">{SCENES[scene](dice, hue, other)}</svg>'
    )
