"""Places inside a house.

Belongs here: one painting per place, with its zones. Does not belong here: things, the outdoors.
"""

from __future__ import annotations

import numpy as np

from diffbench_assets.pages.drawn_scenes.model import HEIGHT, WIDTH
from diffbench_assets.pages.drawn_scenes.palette import RGB, dark, light
from diffbench_assets.pages.drawn_scenes.pen import Pen
from diffbench_assets.pages.drawn_scenes.places.base import Mood, Zone, place
from diffbench_assets.pages.drawn_scenes.shapes import box, oval, smooth

# Points read best in rows.
# fmt: off

SHELVES = (268, 500, 726)
_SHELVED = (
    "jar", "mug", "vase", "jug", "bottle", "teapot", "apple", "pear", "pepper", "lemon", "cupcake",
    "loaf", "watermelon", "ice_cream", "candle", "cactus", "fern", "tulip", "crate", "basket", "bucket",
        "price_tag", "clock",
    "pizza", "book", "toy_block", "robot", "teddy_bear", "price_tag", "jar", "notebook", "calendar", "owl",
        "table_lamp",
)


@place(
    zones=(
        Zone("wall", "wall", (20, 20, 1004, 330), 5, 6,
             ("clock", "portrait", "poster", "calendar", "light_switch", "window", "banner", "chalkboard", "window",
                 "portrait", "butterfly"), 0.92, 0.92),
        Zone("foot", "ground", (20, 528, 1004, 540), 3, 4,
             ("door", "chair", "table_lamp", "fern", "cactus", "tulip", "chair", "fern"), 0.78, 0.8),
        Zone("floor", "ground", (20, 610, 1004, 752), 8, 10,
             ("teddy_bear", "ball", "drum", "spinning_top", "die", "toy_block", "robot", "present", "cat", "dog",
                 "rabbit", "train",
              "pinwheel", "puppet", "bucket", "basket", "girl", "boy", "clown", "birthday_cake", "book", "crate",
                  "mug", "owl",
              "treasure_chest"), 0.8, 1),
    ),
    moods={
        "mint": {"wall": (206, 228, 214), "print": (182, 212, 196), "floor": (196, 148, 100), "rug": (214, 128, 118)},
        "rose": {"wall": (244, 220, 214), "print": (232, 196, 194), "floor": (176, 132, 96), "rug": (126, 158, 178)},
        "cream": {"wall": (248, 236, 204), "print": (236, 216, 172), "floor": (170, 120, 84), "rug": (122, 150, 120)},
        "sky": {"wall": (204, 222, 240), "print": (178, 202, 228), "floor": (204, 164, 118), "rug": (226, 176, 104)},
    },
    nouns=("wall", "floor", "rug", "skirting board", "bunting"),
)
def room(pen: Pen, mood: Mood, dice: np.random.Generator) -> None:
    """A papered wall over floorboards with a round rug."""
    pen.ramp(0, 520, light(mood["wall"], 0.12), mood["wall"])
    if dice.integers(2):
        for n in range(26):
            pen.fill(box(n * 42, 0, n * 42 + 18, 520), mood["print"], edge=False, shade=0)
    else:
        for row in range(10):
            for column in range(19):
                x, y = column * 56.0 + 28 * (row % 2), row * 52.0 + 20
                for dx, dy in ((-5, 0), (5, 0), (0, -5), (0, 5)):
                    pen.fill(oval(x + dx, y + dy, 4.2), mood["print"], edge=False, shade=0)
    pen.fill(box(-5, 486, WIDTH + 5, 512), light(mood["wall"], 0.75), edge=False)
    pen.ramp(510, HEIGHT, dark(mood["floor"], 0.08), light(mood["floor"], 0.1))
    for row in range(7):
        y = 510 + 12 * row + 4.4 * row * row
        pen.stroke([(0, y), (WIDTH, y)], 1.6, dark(mood["floor"], 0.28))
        for n in range(5):
            x = (n * 230 + row * 97) % 1100
            pen.stroke([(x, y), (x + (x - 512) * 0.02, y + 12 + 8.8 * row + 4)], 1.6, dark(mood["floor"], 0.28))
    x = float(dice.uniform(430, 590))
    for wide, color in ((330, mood["rug"]), (292, light(mood["rug"], 0.45)), (262, mood["rug"]),
        (150, light(mood["rug"], 0.25))):
        pen.fill(oval(x, 668, wide, wide * 0.25), color, edge=False, shade=0)


@place(
    zones=(
        Zone("top", "flat", (20, 20, 1004, 748), 18, 24,
             ("book", "notebook", "envelope", "ticket", "price_tag", "calendar", "pencil", "key", "scissors",
                 "leaf", "die",
              "paper_plane", "rattle", "toy_block", "pizza", "spoon", "clock", "poster", "ladybug", "butterfly",
                  "book", "pencil",
              "ticket", "shell", "starfish", "kite", "present", "cushion", "fish", "rocket", "portrait", "apple",
                  "leaf"), 1.12, 1.12),
    ),
    moods={
        "oak": {"wood": (206, 158, 104), "mat": (150, 176, 164)},
        "walnut": {"wood": (150, 104, 74), "mat": (206, 186, 150)},
        "painted": {"wood": (168, 192, 200), "mat": (236, 222, 198)},
    },
    nouns=("table", "mat", "wood"),
)
def desk(pen: Pen, mood: Mood, dice: np.random.Generator) -> None:
    """A table top seen from above, with a mat."""
    for n in range(6):
        top = n * 128
        tone = dark(mood["wood"], float(dice.uniform(0, 0.1)))
        pen.fill(box(-5, top, WIDTH + 5, top + 130), tone, edge=False, shade=0.04)
        for _ in range(9):
            x, y = float(dice.uniform(-100, WIDTH)), top + float(dice.uniform(12, 118))
            long = float(dice.uniform(80, 260))
            pen.stroke(smooth([(x, y), (x + long / 2, y + float(dice.uniform(-5, 5))), (x + long, y)],
                closed=False), 1.5, dark(tone, 0.13))
        pen.stroke([(0, top), (WIDTH, top)], 2.4, dark(mood["wood"], 0.35))
    x, y = float(dice.uniform(60, 160)), float(dice.uniform(60, 130))
    mat = box(x, y, x + 760, y + 520, 26)
    pen.gloss([(px + 6, py + 9) for px, py in mat], 0.25, (40, 30, 40))
    pen.fill(mat, mood["mat"], edge=False, shade=0.05)
    for n in range(1, 19):
        pen.stroke([(x + n * 40, y + 14), (x + n * 40, y + 506)], 1, light(mood["mat"], 0.3))
    for n in range(1, 13):
        pen.stroke([(x + 14, y + n * 40), (x + 746, y + n * 40)], 1, light(mood["mat"], 0.3))


@place(
    zones=(
        Zone("first shelf", "shelf", (36, SHELVES[0], 988, SHELVES[0]), 6, 7, _SHELVED),
        Zone("second shelf", "shelf", (36, SHELVES[1], 988, SHELVES[1]), 6, 7, _SHELVED),
        Zone("third shelf", "shelf", (36, SHELVES[2], 988, SHELVES[2]), 6, 7, _SHELVED),
    ),
    moods={
        "blue": {"wall": (196, 216, 226), "tile": (216, 232, 238), "board": (172, 122, 82)},
        "sand": {"wall": (236, 218, 188), "tile": (246, 234, 212), "board": (142, 98, 70)},
        "sage": {"wall": (198, 212, 188), "tile": (216, 226, 204), "board": (196, 150, 104)},
    },
    nouns=("shelf", "tile", "bracket", "wall"),
)
def pantry(pen: Pen, mood: Mood, dice: np.random.Generator) -> None:
    """Three shelves on a tiled wall."""
    pen.ramp(0, HEIGHT, light(mood["wall"], 0.1), mood["wall"])
    for row in range(14):
        for column in range(15):
            x, y = column * 76 - 38 * (row % 2), row * 58 - 10
            tone: RGB = light(mood["tile"], float(dice.uniform(0, 0.25)))
            pen.fill(box(x + 2, y + 2, x + 73, y + 55, 5), tone, edge=False, shade=0)
    for level in SHELVES:
        for x in (90, WIDTH - 90):
            pen.fill([(x - 9, level), (x + 9, level), (x + 9, level + 26), (x - 3, level + 44),
                (x - 9, level + 44)], dark(mood["board"], 0.35), edge=False)
        pen.gloss(box(0, level + 16, WIDTH, level + 34), 0.18, (40, 30, 50))
        pen.fill(box(-5, level - 8, WIDTH + 5, level + 3), light(mood["board"], 0.18), edge=False)
        pen.fill(box(-5, level + 2, WIDTH + 5, level + 18), mood["board"], edge=False)
