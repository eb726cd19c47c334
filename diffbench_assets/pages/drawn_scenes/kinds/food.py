"""Food.

Belongs here: one drawing per kind. Does not belong here: dishes and pots (`home.py`).
"""

from __future__ import annotations

from diffbench_assets.pages.drawn_scenes.kinds.base import Counted, Label, kind
from diffbench_assets.pages.drawn_scenes.model import Thing
from diffbench_assets.pages.drawn_scenes.palette import COLORS, RGB, dark, light
from diffbench_assets.pages.drawn_scenes.pen import Pen
from diffbench_assets.pages.drawn_scenes.shapes import band, box, oval, smooth

# Points read best in rows.
# fmt: off

LEAF: RGB = (92, 150, 72)
STEM: RGB = (112, 76, 50)
FRUIT = ("red", "yellow", "green", "orange")


def _leaf(pen: Pen, x: float, y: float) -> None:
    pen.fill(smooth([(x, y), (x + 0.1, y - 0.09), (x + 0.23, y - 0.08), (x + 0.14, y + 0.02)]), LEAF)


@kind("apple", 0.9, 0.96, (75, 105), colors=FRUIT, group="fruit")
def apple(pen: Pen, thing: Thing) -> None:
    pen.fill(smooth([(0, -0.22), (0.22, -0.3), (0.43, -0.12), (0.38, 0.22), (0.16, 0.45), (0, 0.41), (-0.16, 0.45),
        (-0.38, 0.22), (-0.43, -0.12), (-0.22, -0.3)]))
    pen.stroke(smooth([(0, -0.2), (0.02, -0.34), (0.08, -0.45)], closed=False), 0.05, STEM)
    _leaf(pen, 0.04, -0.3)
    pen.gloss(oval(-0.23, -0.1, 0.07, 0.11), 0.45)


@kind("pear", 0.8, 1, (78, 105), colors=FRUIT, group="fruit")
def pear(pen: Pen, thing: Thing) -> None:
    pen.fill(smooth([(0, -0.34), (0.14, -0.28), (0.18, -0.06), (0.36, 0.18), (0.3, 0.4), (0.1, 0.48), (-0.1, 0.48),
        (-0.3, 0.4), (-0.36, 0.18), (-0.18, -0.06), (-0.14, -0.28)]))
    pen.stroke(smooth([(0, -0.32), (0.01, -0.4), (0.05, -0.48)], closed=False), 0.045, STEM)
    _leaf(pen, 0.03, -0.36)
    pen.gloss(oval(-0.17, 0.16, 0.06, 0.11), 0.4)


@kind("pepper", 0.84, 0.96, (78, 105), colors=FRUIT, also=("fruit",))
def pepper(pen: Pen, thing: Thing) -> None:
    pen.fill(smooth([(0, -0.22), (0.2, -0.3), (0.39, -0.14), (0.36, 0.16), (0.24, 0.42), (0.1, 0.38), (0, 0.45),
        (-0.1, 0.38), (-0.24, 0.42), (-0.36, 0.16), (-0.39, -0.14), (-0.2, -0.3)]))
    for x in (-0.12, 0.12):
        pen.stroke(smooth([(x * 0.7, -0.22), (x * 1.4, 0.0), (x, 0.36)], closed=False), 0.015, dark(pen.main, 0.3))
    pen.fill(smooth([(-0.12, -0.22), (0, -0.29), (0.12, -0.22), (0, -0.17)]), LEAF)
    pen.stroke([(0, -0.25), (0.05, -0.44)], 0.07, LEAF)
    pen.gloss(oval(-0.27, -0.06, 0.05, 0.12), 0.45)


@kind("lemon", 1, 0.8, (80, 105), colors=FRUIT, group="fruit")
def lemon(pen: Pen, thing: Thing) -> None:
    pen.fill(smooth([(-0.49, 0.02), (-0.36, -0.12), (-0.14, -0.3), (0.18, -0.29), (0.36, -0.1), (0.48, 0.0),
        (0.36, 0.14), (0.18, 0.33), (-0.16, 0.33), (-0.36, 0.16)]))
    for x, y in ((0.1, 0.1), (-0.05, 0.18), (0.2, -0.05), (0.0, -0.05), (-0.2, 0.12)):
        pen.dot(x, y, 0.014, dark(pen.main, 0.25))
    pen.gloss(oval(-0.15, -0.14, 0.12, 0.05), 0.5)


@kind("ice cream", 0.6, 1.16, (120, 150), colors=("pink", "brown", "white", "yellow", "green", "purple"),
      counted=Counted("scoops", 2, 4))
def ice_cream(pen: Pen, thing: Thing) -> None:
    places = ((-0.11, -0.02), (0.12, -0.02), (0.0, -0.22), (0.0, -0.41))
    for x, y in (places if thing.count > 2 else ((0.0, -0.02), (0.0, -0.22)))[: thing.count]:
        pen.fill(oval(x, y, 0.16, 0.15))
        pen.gloss(oval(x - 0.06, y - 0.06, 0.035), 0.5)
    pen.fill([(-0.24, 0.07), (0.24, 0.07), (0, 0.56)], (226, 172, 104))
    for shift in (-0.12, 0.0, 0.12):
        pen.stroke([(shift - 0.07, 0.09), (shift * 0.3 + 0.06, 0.36)], 0.012, (180, 124, 66))
        pen.stroke([(shift + 0.07, 0.09), (shift * 0.3 - 0.06, 0.36)], 0.012, (180, 124, 66))


@kind("cupcake", 0.8, 1, (90, 115), colors=("pink", "white", "yellow", "purple", "green", "brown"), part="icing",
      counted=Counted("cherries", 2, 4))
def cupcake(pen: Pen, thing: Thing) -> None:
    pen.fill([(-0.29, 0.08), (0.29, 0.08), (0.21, 0.48), (-0.21, 0.48)], (92, 150, 198))
    for x in (-0.18, -0.06, 0.06, 0.18):
        pen.stroke([(x * 1.1, 0.1), (x * 0.85, 0.46)], 0.016, (64, 112, 160))
    pen.fill(smooth([(-0.36, 0.08), (-0.3, -0.08), (0.3, -0.08), (0.36, 0.08)], steps=5))
    pen.fill(smooth([(-0.26, -0.06), (-0.2, -0.22), (0.2, -0.22), (0.26, -0.06)], steps=5))
    pen.fill(smooth([(-0.16, -0.2), (-0.02, -0.36), (0.02, -0.36), (0.16, -0.2)], steps=5))
    for x, y in ((0.0, -0.38), (-0.21, -0.1), (0.2, -0.1), (0.0, -0.06))[: thing.count]:
        pen.fill(oval(x, y, 0.065), COLORS["red"])
        pen.gloss(oval(x - 0.02, y - 0.02, 0.018), 0.7)


@kind("pizza", 1, 1, (120, 150), counted=Counted("round toppings", 3, 8))
def pizza(pen: Pen, thing: Thing) -> None:
    pen.fill(oval(0, 0, 0.48), (208, 148, 84))
    pen.fill(oval(0, 0, 0.4), (246, 204, 104))
    for x, y in ((0.16, 0.06), (-0.2, 0.1), (0.0, -0.22), (-0.02, 0.26), (0.25, -0.14), (-0.24, -0.12), (0.2, 0.26),
        (0.0, 0.02))[: thing.count]:
        pen.fill(oval(x, y, 0.075), COLORS["red"])
    for x, y in ((0.06, -0.1), (-0.11, -0.05), (0.1, 0.17), (-0.16, 0.24), (0.3, 0.04)):
        pen.fill(oval(x, y, 0.035, 0.018), LEAF, edge=False)


@kind("jar", 0.72, 1, (110, 140), colors=("red", "orange", "yellow", "green", "purple", "pink"), part="lid",
    also=("container", "vessel"),
      label=Label(("JAM", "TEA", "NUTS", "RICE", "SALT", "HONEY", "MINT", "OATS"), 0.54, 0.14))
def jar(pen: Pen, thing: Thing) -> None:
    pen.fill(smooth([(-0.28, -0.32), (0.28, -0.32), (0.33, -0.2), (0.33, 0.4), (0.26, 0.48), (-0.26, 0.48),
        (-0.33, 0.4), (-0.33, -0.2)], steps=3), (214, 230, 234))
    pen.fill(box(-0.29, -0.1, 0.29, 0.44, 0.06), (226, 186, 116), edge=False)
    pen.fill(box(-0.32, -0.48, 0.32, -0.3, 0.04))
    pen.fill(box(-0.29, 0.0, 0.29, 0.3, 0.02), (254, 250, 238))
    pen.text(thing.text, 0, 0.15, (80, 54, 50))
    pen.gloss(box(-0.27, -0.24, -0.2, -0.02, 0.02), 0.5)


@kind("loaf of bread", 1, 0.6, (120, 150), counted=Counted("cuts", 2, 5))
def loaf(pen: Pen, thing: Thing) -> None:
    crust: RGB = (206, 142, 78)
    pen.fill(smooth([(-0.47, 0.1), (-0.38, -0.16), (0, -0.26), (0.38, -0.16), (0.47, 0.1), (0.36, 0.26),
        (-0.36, 0.26)]), crust)
    for n in range(thing.count):
        x = (n - (thing.count - 1) / 2) * 0.17
        pen.fill(band([(x - 0.06, 0.06), (x + 0.05, -0.16)], 0.05), light(crust, 0.6), edge=False)


@kind("watermelon slice", 1, 0.56, (115, 145), also=("fruit",), counted=Counted("seeds", 3, 8))
def watermelon(pen: Pen, thing: Thing) -> None:
    pen.fill(oval(0, -0.2, 0.48, 0.48, 0, 180), (74, 142, 76))
    pen.fill(oval(0, -0.2, 0.42, 0.42, 0, 180), (232, 244, 214), edge=False)
    pen.fill(oval(0, -0.2, 0.385, 0.385, 0, 180), (232, 84, 88), edge=False)
    for x, y in ((0.0, -0.06), (-0.18, -0.1), (0.18, -0.1), (-0.1, 0.05), (0.1, 0.05), (-0.27, -0.06),
        (0.27, -0.06), (0.0, 0.11))[: thing.count]:
        pen.fill(oval(x, y, 0.022, 0.036), (56, 38, 40), edge=False)
