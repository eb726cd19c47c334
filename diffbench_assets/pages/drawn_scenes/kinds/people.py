"""People and things with faces.

Belongs here: one drawing per kind. Does not belong here: animals, plain toys.
"""

from __future__ import annotations

from diffbench_assets.pages.drawn_scenes.kinds.animals import INK, eyes, mouth
from diffbench_assets.pages.drawn_scenes.kinds.base import Counted, Label, kind
from diffbench_assets.pages.drawn_scenes.model import Thing
from diffbench_assets.pages.drawn_scenes.palette import COLORS, RGB, dark, light
from diffbench_assets.pages.drawn_scenes.pen import Pen
from diffbench_assets.pages.drawn_scenes.shapes import band, box, oval, smooth

# Points read best in rows.
# fmt: off

SKIN: RGB = (246, 206, 172)
TAN: RGB = (196, 140, 100)
MOOD = ("smiling", "frowning")
ARM = ("raising one arm", "keeping both arms down")
CLOTHES = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "white")


def _head(pen: Pen, y: float, radius: float, skin: RGB, smiling: bool, closed: bool = False) -> None:
    pen.fill(oval(0, y, radius, radius * 1.03), skin)
    eyes(pen, 0, y - radius * 0.02, radius * 0.13, closed, radius * 0.8)
    for side in (1, -1):
        pen.gloss(oval(side * radius * 0.58, y + radius * 0.32, radius * 0.2, radius * 0.14), 0.45, (240, 120, 120))
    mouth(pen, 0, y + radius * 0.45, radius * 0.36, smiling)


def _legs(pen: Pen, top: float, gap: float, color: RGB, width: float = 0.07) -> None:
    for side in (1, -1):
        pen.fill(box(side * gap - width / 2, top, side * gap + width / 2, 0.45), color)
        pen.fill(box(side * gap - width * 0.75 + side * 0.01, 0.44, side * gap + width * 0.75 + side * 0.015, 0.5,
            0.025), (74, 52, 48))


@kind("girl", 0.6, 1, (180, 220), colors=CLOTHES, colored="girl in the {color} dress", part="dress", states=MOOD,
      patterns=("", "dotted", "banded", "striped"))
def girl(pen: Pen, thing: Thing) -> None:
    hair: RGB = (128, 72, 40)
    for side in (1, -1):
        pen.fill(smooth([(side * 0.14, -0.3), (side * 0.25, -0.22), (side * 0.24, -0.02), (side * 0.16, -0.06)]), hair)
    pen.fill(oval(0, -0.31, 0.18, 0.175), hair)
    _legs(pen, 0.28, 0.065, SKIN, 0.06)
    for side in (1, -1):
        pen.fill(band([(side * 0.08, -0.08), (side * 0.2, 0.14)], 0.055), SKIN)
        pen.fill(oval(side * 0.205, 0.15, 0.035), SKIN)
    pen.body([(-0.08, -0.13), (0.08, -0.13), (0.21, 0.31), (-0.21, 0.31)])
    for side in (1, -1):
        pen.fill(smooth([(side * 0.06, -0.13), (side * 0.14, -0.09), (side * 0.15, 0.0), (side * 0.07, -0.03)]))
    _head(pen, -0.28, 0.145, SKIN, thing.state != MOOD[1])
    pen.fill([*oval(0, -0.3, 0.158, 0.15, 180, 360), (0.08, -0.35), (-0.06, -0.36)], hair)
    pen.fill([(-0.1, -0.44), (0, -0.4), (-0.1, -0.35)], COLORS["red"])
    pen.fill([(0.1, -0.44), (0, -0.4), (0.1, -0.35)], COLORS["red"])


@kind("boy", 0.72, 1, (180, 220), colors=CLOTHES, colored="boy in the {color} shirt", part="shirt", states=ARM,
      patterns=("", "banded"))
def boy(pen: Pen, thing: Thing) -> None:
    _legs(pen, 0.2, 0.07, (66, 92, 140), 0.11)
    pen.fill(band([(-0.1, -0.06), (-0.2, 0.15)], 0.06), TAN)
    raised = thing.state != ARM[1]
    elbow, hand = ((0.22, -0.06), (0.3, -0.3)) if raised else ((0.17, 0.06), (0.21, 0.17))
    pen.fill(band([(0.09, -0.06), elbow, hand], 0.06), TAN)
    pen.fill(oval(*hand, 0.042), TAN)
    pen.fill(oval(-0.205, 0.16, 0.038), TAN)
    pen.body(smooth([(-0.12, -0.12), (0.12, -0.12), (0.14, 0.24), (-0.14, 0.24)], steps=3))
    pen.fill(band([(-0.1, -0.08), (-0.16, 0.05)], 0.085))
    pen.fill(band([(0.1, -0.08), (0.18, -0.05) if raised else (0.15, 0.04)], 0.085))
    _head(pen, -0.29, 0.145, TAN, True)
    pen.fill(smooth([(-0.155, -0.28), (-0.15, -0.42), (0, -0.48), (0.15, -0.42), (0.155, -0.28), (0.1, -0.36),
        (-0.04, -0.37)]), (58, 40, 38))


@kind("clown", 0.7, 1, (180, 220), colors=("red", "orange", "green", "blue", "purple"),
    colored="clown in the {color} costume",
      part="costume", states=MOOD, patterns=("dotted", "striped"))
def clown(pen: Pen, thing: Thing) -> None:
    _legs(pen, 0.24, 0.09, pen.main, 0.13)
    for side in (1, -1):
        pen.fill(band([(side * 0.1, -0.05), (side * 0.27, 0.1)], 0.09))
        pen.fill(oval(side * 0.28, 0.11, 0.045), (255, 255, 255))
    pen.body(smooth([(-0.13, -0.1), (0.13, -0.1), (0.2, 0.14), (0.15, 0.33), (-0.15, 0.33), (-0.2, 0.14)]))
    for y in (0.02, 0.13, 0.24):
        pen.fill(oval(0, y, 0.032), COLORS["yellow"])
    for n in range(7):
        pen.fill(oval(-0.15 + n * 0.05, -0.11, 0.04), light(pen.main, 0.65))
    for side in (1, -1):
        pen.fill(smooth([(side * 0.1, -0.38), (side * 0.22, -0.38), (side * 0.24, -0.25), (side * 0.12, -0.2)]),
            COLORS["orange"])
    _head(pen, -0.27, 0.14, (252, 232, 214), thing.state != MOOD[1])
    pen.fill(oval(0, -0.255, 0.038), COLORS["red"])
    pen.fill([(-0.09, -0.39), (0.09, -0.39), (0.02, -0.5)], COLORS["blue"])


@kind("portrait", 0.8, 1, (120, 150), colors=("brown", "yellow", "blue", "green", "red"), part="frame",
      states=("smiling", "frowning", "sleeping with a smile"))
def portrait(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.39, -0.49, 0.39, 0.49, 0.03))
    pen.fill(box(-0.31, -0.41, 0.31, 0.41), (206, 222, 214))
    pen.fill([*oval(0, 0.42, 0.27, 0.24, 180, 360)], (92, 84, 130))
    pen.fill(smooth([(-0.2, 0.02), (-0.22, -0.2), (0, -0.34), (0.22, -0.2), (0.2, 0.02)]), (196, 190, 190))
    pen.fill(box(-0.05, 0.1, 0.05, 0.23, 0.03), SKIN)
    _head(pen, -0.05, 0.19, SKIN, thing.state != MOOD[1], thing.state == "sleeping with a smile")
    pen.fill([*oval(0, -0.12, 0.195, 0.16, 180, 360)], (208, 202, 202))


@kind("snowman", 0.76, 1, (150, 200), colors=("red", "green", "blue", "purple", "orange"), part="scarf", states=MOOD,
      counted=Counted("buttons", 2, 5))
def snowman(pen: Pen, thing: Thing) -> None:
    snow: RGB = (244, 248, 252)
    for side in (1, -1):
        pen.stroke([(side * 0.17, 0.02), (side * 0.36, -0.12)], 0.025, (110, 76, 52))
        pen.stroke([(side * 0.29, -0.06), (side * 0.37, -0.02)], 0.018, (110, 76, 52))
    pen.fill(oval(0, 0.24, 0.29, 0.26), snow)
    pen.fill(oval(0, -0.03, 0.2, 0.19), snow)
    _head(pen, -0.24, 0.14, snow, thing.state != MOOD[1])
    pen.fill([(0, -0.25), (0, -0.21), (0.13, -0.215)], COLORS["orange"])
    for y in [0.0 + n * 0.085 for n in range(thing.count)]:
        pen.dot(0, y + 0.04, 0.024, INK)
    pen.fill(smooth([(-0.16, -0.13), (0, -0.09), (0.16, -0.13), (0.16, -0.07), (0, -0.035), (-0.16, -0.07)]))
    pen.fill(box(-0.16, -0.08, -0.08, 0.1, 0.02))
    pen.fill(box(-0.17, -0.36, 0.17, -0.33, 0.01), (60, 54, 66))
    pen.fill(box(-0.1, -0.5, 0.1, -0.34, 0.01), (60, 54, 66))


@kind("robot", 0.84, 1, (140, 180), colors=("gray", "blue", "red", "green", "orange", "purple", "yellow"),
    also=("toy",), states=ARM,
      label=Label(("##", "@#", "#@"), 0.26, 0.15, "chest plate"))
def robot(pen: Pen, thing: Thing) -> None:
    steel: RGB = (168, 176, 186)
    for side in (1, -1):
        pen.fill(box(side * 0.11 - 0.06, 0.28, side * 0.11 + 0.06, 0.44), steel)
        pen.fill(box(side * 0.12 - 0.1, 0.42, side * 0.12 + 0.1, 0.5, 0.03), dark(steel, 0.3))
    left, right = ((-0.36, 0.18), (0.36, -0.3) if thing.state != ARM[1] else (0.36, 0.18))
    for side, hand in ((-1, left), (1, right)):
        pen.fill(band([(side * 0.22, -0.02), (side * 0.32, 0.02), hand], 0.07), steel)
        pen.fill(oval(*hand, 0.055), dark(steel, 0.3))
    pen.fill(box(-0.23, -0.1, 0.23, 0.3, 0.05))
    pen.fill(box(-0.16, 0.0, 0.16, 0.2, 0.02), (250, 250, 244))
    pen.text(thing.text, 0, 0.1, (44, 48, 60))
    pen.fill(box(-0.06, -0.16, 0.06, -0.08), steel)
    pen.stroke([(0, -0.38), (0, -0.45)], 0.02, dark(steel, 0.3))
    pen.fill(oval(0, -0.46, 0.035), COLORS["red"])
    pen.fill(box(-0.18, -0.39, 0.18, -0.13, 0.05))
    for side in (1, -1):
        pen.fill(oval(side * 0.085, -0.28, 0.055), (255, 255, 255), shade=0)
        pen.dot(side * 0.085, -0.28, 0.028, INK)
    pen.fill(box(-0.09, -0.2, 0.09, -0.165, 0.015), (64, 66, 80))
