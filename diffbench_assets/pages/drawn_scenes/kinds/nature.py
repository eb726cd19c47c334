"""Plants and other things that grow outdoors.

Belongs here: one drawing per kind. Does not belong here: animals, food.
"""

from __future__ import annotations

from math import cos, pi, sin

from diffbench_assets.pages.drawn_scenes.kinds.base import Counted, kind
from diffbench_assets.pages.drawn_scenes.model import Thing
from diffbench_assets.pages.drawn_scenes.palette import COLORS, RGB, dark, light
from diffbench_assets.pages.drawn_scenes.pen import Pen
from diffbench_assets.pages.drawn_scenes.shapes import band, box, oval, smooth, star, turned

# Points read best in rows.
# fmt: off

BARK: RGB = (122, 84, 58)
LEAF: RGB = (86, 150, 76)
LEAVES = ("green", "orange", "pink", "yellow")


def _trunk(pen: Pen, top: float, half: float = 0.05) -> None:
    pen.fill(smooth([(-half, top), (half, top), (half * 1.2, 0.3), (half * 2, 0.5), (-half * 2, 0.5),
        (-half * 1.2, 0.3)]), BARK)


@kind("fir tree", 0.7, 1, (150, 210), colors=("green", "blue"), part="foliage", group="tree")
def fir_tree(pen: Pen, thing: Thing) -> None:
    _trunk(pen, 0.2)
    for top, bottom, half in ((0.02, 0.4, 0.33), (-0.22, 0.16, 0.26), (-0.48, -0.08, 0.19)):
        skirt = [(-half + 2 * half * n / 6, bottom + (0.035 if n % 2 else 0)) for n in range(7)]
        pen.fill([(0, top), *reversed(skirt)])
        pen.gloss([(0, top), (-half * 0.15, bottom - 0.02), (-half * 0.75, bottom - 0.02)], 0.14)


@kind("round tree", 0.8, 1, (150, 220), colors=LEAVES, part="foliage", group="tree")
def round_tree(pen: Pen, thing: Thing) -> None:
    _trunk(pen, 0.0)
    pen.stroke([(0.02, 0.2), (0.14, 0.06)], 0.035, BARK)
    bumps = [(cos(n * pi / 5) * (0.36 + 0.03 * (n % 2)),
        -0.15 + sin(n * pi / 5) * (0.31 + 0.03 * (n % 2))) for n in range(10)]
    pen.fill(smooth(bumps))
    for x, y, r in ((-0.16, -0.27, 0.09), (0.08, -0.33, 0.07), (0.16, -0.12, 0.08), (-0.1, -0.04, 0.07)):
        pen.gloss(oval(x, y, r, r * 0.75), 0.2)


@kind("palm tree", 0.9, 1, (170, 230), colors=("green", "orange"), part="foliage", group="tree")
def palm_tree(pen: Pen, thing: Thing) -> None:
    curve = [(-0.1, 0.5), (-0.06, 0.2), (0.0, -0.05), (0.02, -0.22)]
    pen.fill(band(smooth(curve, closed=False), 0.075), (176, 132, 88))
    for n in range(6):
        pen.stroke([(-0.11 + n * 0.022, 0.38 - n * 0.11), (-0.03 + n * 0.018, 0.36 - n * 0.11)],
            0.014, dark((176, 132, 88), 0.3))
    for angle in (175, 215, 255, 290, 325, 8):
        reach = 0.4 if angle in (175, 8) else 0.34
        frond = smooth([(0, 0), (reach * 0.5, -0.1), (reach, -0.015), (reach * 0.5, 0.02)])
        if 90 < angle < 270:
            frond = [(x, -y) for x, y in frond]
        pen.fill([(x + 0.02, y - 0.22) for x, y in turned(frond, angle)])
    pen.fill(oval(-0.02, -0.18, 0.045), (120, 78, 48))
    pen.fill(oval(0.07, -0.17, 0.045), (132, 86, 52))


@kind("apple tree", 0.84, 1, (170, 230), colors=("red", "yellow"), part="fruit", counted=Counted("apples", 3, 8))
def apple_tree(pen: Pen, thing: Thing) -> None:
    _trunk(pen, 0.0, 0.06)
    bumps = [(cos(n * pi / 6) * (0.39 + 0.02 * (n % 2)),
        -0.15 + sin(n * pi / 6) * (0.33 - 0.02 * (n % 2))) for n in range(12)]
    pen.fill(smooth(bumps), LEAF)
    for x, y, r in ((-0.2, -0.3, 0.07), (0.18, -0.27, 0.06), (0.04, 0.08, 0.05)):
        pen.gloss(oval(x, y, r, r * 0.7), 0.16)
    places = ((-0.2, -0.16), (0.2, -0.14), (0.0, -0.32), (0.03, -0.04), (-0.14, 0.06), (0.17, 0.05), (-0.24, -0.02),
        (0.16, -0.3))
    for x, y in places[: thing.count]:
        pen.fill(oval(x, y, 0.056))
        pen.gloss(oval(x - 0.018, y - 0.02, 0.015), 0.7)


@kind("flower", 0.62, 1, (100, 140), colors=("red", "yellow", "pink", "purple", "white", "blue", "orange"),
    part="blossom",
      counted=Counted("petals", 5, 9))
def flower(pen: Pen, thing: Thing) -> None:
    pen.stroke(smooth([(0, -0.15), (0.02, 0.15), (0, 0.5)], closed=False), 0.04, dark(LEAF, 0.15))
    for side in (1, -1):
        pen.fill(smooth([(0, 0.36), (side * 0.12, 0.2), (side * 0.27, 0.16), (side * 0.18, 0.32)]), LEAF)
    for n in range(thing.count):
        petal = smooth([(0, -0.06), (0.075, -0.2), (0, -0.29), (-0.075, -0.2)])
        pen.fill([(x, y - 0.19) for x, y in turned(petal, n * 360 / thing.count)])
    heart = COLORS["yellow"] if thing.color not in ("yellow", "white", "orange") else (150, 92, 40)
    pen.fill(oval(0, -0.19, 0.085), heart)


@kind("cactus", 0.62, 1, (110, 160), colors=("red", "orange", "blue", "purple", "white"), part="pot",
    group="potted plant")
def cactus(pen: Pen, thing: Thing) -> None:
    for side, height in ((-1, -0.12), (1, -0.24)):
        arm = smooth([(0, 0.08 + height / 3), (side * 0.2, 0.06 + height / 3), (side * 0.22, height)], closed=False)
        pen.fill(band(arm, 0.11), LEAF)
        pen.fill(oval(side * 0.22, height, 0.055), LEAF, edge=False, shade=0)
    pen.fill(box(-0.12, -0.46, 0.12, 0.2, 0.11), LEAF)
    for x in (-0.05, 0.0, 0.05):
        for y in (-0.32, -0.18, -0.04):
            pen.stroke([(x, y), (x, y + 0.05)], 0.01, light(LEAF, 0.6))
    pen.fill(star(0.02, -0.45, 0.07, 0.035, 6), COLORS["pink"])
    _pot(pen)


@kind("fern", 1.1, 1, (110, 160), colors=("red", "orange", "blue", "purple", "white"), part="pot", group="potted plant")
def fern(pen: Pen, thing: Thing) -> None:
    for angle in (-70, -42, -16, 14, 40, 68):
        stem = smooth([(0, 0.18), (0.02, -0.1), (0.1, -0.36)], closed=False)
        leaf = turned(smooth([(0, 0.18), (-0.05, -0.1), (0.06, -0.46), (0.08, -0.1)]), angle * 0.9, 0, 0.18)
        pen.fill(leaf, light(LEAF, 0.1 if angle % 4 else 0))
        pen.stroke(turned(stem, angle * 0.9, 0, 0.18), 0.012, dark(LEAF, 0.3))
    _pot(pen)


@kind("tulip", 0.6, 1, (110, 160), colors=("red", "orange", "blue", "purple", "white"), part="pot",
    group="potted plant")
def tulip(pen: Pen, thing: Thing) -> None:
    pen.stroke([(0, 0.2), (0.01, -0.2)], 0.04, dark(LEAF, 0.1))
    for side in (1, -1):
        pen.fill(smooth([(0, 0.22), (side * 0.1, -0.02), (side * 0.25, -0.2), (side * 0.2, 0.06)]), LEAF)
    pen.fill([(-0.13, -0.42), (-0.06, -0.34), (0, -0.48), (0.06, -0.34), (0.13, -0.42),
        *oval(0, -0.26, 0.135, 0.14, 0, 180)],
             (238, 110, 130))
    _pot(pen)


def _pot(pen: Pen) -> None:
    pen.fill([(-0.2, 0.22), (0.2, 0.22), (0.15, 0.5), (-0.15, 0.5)])
    pen.fill(box(-0.23, 0.16, 0.23, 0.25, 0.02))
    pen.gloss([(-0.15, 0.27), (-0.09, 0.27), (-0.08, 0.48), (-0.11, 0.48)], 0.25)


@kind("mushroom", 0.9, 0.9, (80, 115), colors=("red", "brown", "orange", "purple"), part="cap",
    counted=Counted("spots", 3, 6))
def mushroom(pen: Pen, thing: Thing) -> None:
    pen.fill(smooth([(-0.1, 0), (0.1, 0), (0.13, 0.3), (0.1, 0.44), (-0.1, 0.44), (-0.13, 0.3)]), (244, 232, 208))
    pen.fill([*oval(0, 0.03, 0.42, 0.46, 180, 360), *oval(0, 0.03, 0.42, 0.09, 0, 180)])
    for x, y, r in ((0, -0.25, 0.075), (-0.22, -0.1, 0.065), (0.2, -0.12, 0.065), (-0.02, -0.02, 0.055),
        (0.32, 0.01, 0.045), (-0.33, 0.02, 0.04))[: thing.count]:
        pen.fill(oval(x, y, r, r * 0.85), (255, 248, 236))


@kind("leaf", 0.5, 1, (80, 120), colors=("green", "orange", "red", "yellow", "brown"), turnable=True)
def leaf(pen: Pen, thing: Thing) -> None:
    pen.stroke([(0, 0.3), (0.03, 0.48)], 0.035, pen.ink)
    pen.fill(smooth([(0, -0.48), (0.13, -0.28), (0.22, -0.02), (0.14, 0.24), (0, 0.36), (-0.14, 0.24),
        (-0.22, -0.02), (-0.13, -0.28)]))
    pen.stroke([(0, -0.42), (0, 0.34)], 0.018, pen.ink)
    for y in (-0.22, -0.06, 0.1):
        for side in (1, -1):
            pen.stroke([(0, y + 0.1), (side * 0.13, y)], 0.012, pen.ink)


@kind("seashell", 0.9, 0.9, (70, 100), colors=("pink", "orange", "white", "purple"), turnable=True)
def shell(pen: Pen, thing: Thing) -> None:
    rim = [(0.42 * cos(a * pi / 180), -0.02 - 0.4 * sin(a * pi / 180)) for a in range(-10, 191, 10)]
    pen.fill([*rim, (-0.1, 0.38), (0.1, 0.38)])
    for angle in range(10, 180, 23):
        pen.stroke([(0, 0.34), (0.37 * cos(angle * pi / 180), -0.02 - 0.35 * sin(angle * pi / 180))],
            0.018, dark(pen.main, 0.3))
    pen.fill(box(-0.15, 0.33, 0.15, 0.44, 0.04))


@kind("starfish", 0.95, 0.95, (80, 115), colors=("orange", "red", "pink", "purple", "yellow"))
def starfish(pen: Pen, thing: Thing) -> None:
    pen.fill(smooth(star(0, 0.02, 0.47, 0.2, 5), steps=6))
    for n in range(5):
        for reach in (0.1, 0.2, 0.29):
            angle = (-90 + n * 72) * pi / 180
            pen.dot(reach * cos(angle), 0.02 + reach * sin(angle), 0.024, light(pen.main, 0.5))
