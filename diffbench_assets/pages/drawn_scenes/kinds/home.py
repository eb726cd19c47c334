"""Household things.

Belongs here: one drawing per kind. Does not belong here: food, toys, things that only bear text (`labels.py`).
"""

from __future__ import annotations

from math import cos, pi, sin

from diffbench_assets.pages.drawn_scenes.kinds.base import Counted, Label, kind
from diffbench_assets.pages.drawn_scenes.model import Thing
from diffbench_assets.pages.drawn_scenes.palette import BRIGHT, COLORS, RGB, dark, light
from diffbench_assets.pages.drawn_scenes.pen import Pen
from diffbench_assets.pages.drawn_scenes.shapes import box, oval, smooth

# Points read best in rows.
# fmt: off

WOOD: RGB = (158, 110, 72)
STEEL: RGB = (176, 182, 190)
HOURS = tuple(f"showing {hour} o’clock" for hour in range(1, 13))
ON_OFF = ("on", "off")
OPEN_CLOSED = ("open", "closed")


@kind("clock", 0.96, 0.96, (110, 140), colors=(*BRIGHT, "brown"), part="rim", states=HOURS)
def clock(pen: Pen, thing: Thing) -> None:
    pen.fill(oval(0, 0, 0.47))
    pen.fill(oval(0, 0, 0.385), (253, 249, 238))
    for hour in range(12):
        x, y = sin(hour * pi / 6), -cos(hour * pi / 6)
        inner = 0.29 if hour % 3 == 0 else 0.32
        pen.stroke([(x * inner, y * inner), (x * 0.355, y * 0.355)], 0.026 if hour % 3 == 0 else 0.016, (60, 54, 60))
    angle = HOURS.index(thing.state) + 1 if thing.state in HOURS else 12
    pen.stroke([(0, 0), (0.2 * sin(angle * pi / 6), -0.2 * cos(angle * pi / 6))], 0.05, (48, 42, 50))
    pen.stroke([(0, 0), (0, -0.31)], 0.03, (48, 42, 50))
    pen.dot(0, 0, 0.04, COLORS["red"])


@kind("table lamp", 0.72, 1, (130, 165), colors=BRIGHT, part="shade", states=ON_OFF, patterns=("", "dotted", "striped"))
def table_lamp(pen: Pen, thing: Thing) -> None:
    on = thing.state != "off"
    pen.fill(box(-0.03, -0.05, 0.03, 0.4), WOOD)
    pen.fill(smooth([(-0.2, 0.47), (-0.12, 0.39), (0.12, 0.39), (0.2, 0.47)], steps=3), WOOD)
    if on:
        pen.glow(0, -0.02, 0.5, (255, 234, 150), 0.9)
        pen.fill(oval(0, 0.0, 0.11, 0.09), (255, 246, 190))
    pen.body([(-0.17, -0.46), (0.17, -0.46), (0.34, 0.0), (-0.34, 0.0)])
    if on:
        pen.gloss([(-0.15, -0.42), (0.15, -0.42), (0.31, -0.02), (-0.31, -0.02)], 0.4, (255, 246, 190))
    else:
        pen.gloss([(-0.17, -0.46), (0.17, -0.46), (0.34, 0.0), (-0.34, 0.0)], 0.16, (30, 20, 40))


@kind("door", 0.62, 1, (260, 300), colors=("brown", "red", "green", "blue", "white", "orange"), states=OPEN_CLOSED)
def door(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.29, -0.49, 0.29, 0.49), light(WOOD, 0.45))
    if thing.state == "open":
        pen.fill(box(-0.235, -0.44, 0.235, 0.49), (72, 62, 80))
        pen.fill([(-0.235, 0.49), (0.235, 0.49), (0.1, 0.36), (-0.1, 0.36)], (112, 98, 110), edge=False)
        pen.fill([(-0.235, -0.44), (-0.07, -0.36), (-0.07, 0.42), (-0.235, 0.49)])
        pen.dot(-0.1, 0.05, 0.02, COLORS["yellow"])
    else:
        pen.fill(box(-0.235, -0.44, 0.235, 0.49))
        for top, bottom in ((-0.37, -0.06), (0.04, 0.4)):
            for x in (-0.17, 0.03):
                pen.fill(box(x, top, x + 0.14, bottom), dark(pen.main, 0.1))
        pen.fill(oval(0.19, 0.03, 0.028), COLORS["yellow"])


@kind("window", 0.86, 1, (170, 210), colors=("white", "brown", "blue", "green", "red"), part="frame",
    states=OPEN_CLOSED)
def window(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.33, -0.45, 0.33, 0.43))
    pen.fill(box(-0.28, -0.4, 0.28, 0.38), (166, 214, 240), shade=0.2)
    pen.fill(smooth([(-0.28, 0.38), (-0.2, 0.2), (-0.02, 0.14), (0.14, 0.24), (0.28, 0.2), (0.28, 0.38)], steps=4),
        (134, 186, 112), edge=False)
    pen.fill(oval(0.12, -0.24, 0.07), (255, 238, 160), edge=False)
    if thing.state == "open":
        for side in (1, -1):
            pen.fill([(side * 0.28, -0.4), (side * 0.42, -0.47), (side * 0.42, 0.44), (side * 0.28, 0.38)])
            pen.fill([(side * 0.3, -0.35), (side * 0.4, -0.4), (side * 0.4, 0.37), (side * 0.3, 0.33)], (206, 232, 244))
    else:
        pen.fill(box(-0.03, -0.4, 0.03, 0.38))
        pen.fill(box(-0.28, -0.04, 0.28, 0.01))
        for x in (-0.2, 0.1):
            pen.gloss([(x, -0.12), (x + 0.05, -0.12), (x - 0.02, -0.32), (x - 0.07, -0.32)], 0.5)
    pen.fill(box(-0.38, 0.42, 0.38, 0.49, 0.01))


@kind("light switch", 0.7, 1, (80, 100), colors=("white", "yellow", "blue", "pink", "gray"), states=("up", "down"))
def light_switch(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.33, -0.48, 0.33, 0.48, 0.06))
    pen.fill(box(-0.15, -0.28, 0.15, 0.28, 0.03), dark(pen.main, 0.25))
    up = thing.state != "down"
    top, bottom = (-0.24, 0.03) if up else (-0.03, 0.24)
    pen.fill(box(-0.11, top, 0.11, bottom, 0.03), light(pen.main, 0.5))
    for y in (-0.39, 0.39):
        pen.dot(0, y, 0.035, dark(pen.main, 0.4))


@kind("candle", 0.5, 1, (100, 135), colors=(*BRIGHT, "white"), states=("burning", "unlit"), patterns=("", "banded"))
def candle(pen: Pen, thing: Thing) -> None:
    pen.fill(oval(0, 0.4, 0.24, 0.08), (206, 178, 108))
    pen.body(box(-0.11, -0.14, 0.11, 0.4, 0.03))
    pen.stroke([(0, -0.14), (0, -0.22)], 0.022, (60, 50, 50))
    if thing.state != "unlit":
        pen.glow(0, -0.3, 0.42, (255, 220, 130), 0.8)
        pen.fill(smooth([(0, -0.48), (0.075, -0.3), (0.0, -0.2), (-0.075, -0.3)]), COLORS["orange"])
        pen.fill(smooth([(0, -0.37), (0.035, -0.28), (0.0, -0.22), (-0.035, -0.28)]), (255, 240, 150), edge=False)


@kind("vase", 0.66, 1, (110, 145), colors=(*BRIGHT, "white"), patterns=("", "banded", "dotted", "striped"),
    group="vessel", also=("container",))
def vase(pen: Pen, thing: Thing) -> None:
    pen.body(smooth([(-0.16, -0.46), (0.16, -0.46), (0.11, -0.28), (0.28, 0.04), (0.2, 0.4), (0.12, 0.48),
        (-0.12, 0.48), (-0.2, 0.4), (-0.28, 0.04), (-0.11, -0.28)]))
    pen.gloss(smooth([(-0.19, 0.02), (-0.14, -0.12), (-0.12, 0.1), (-0.16, 0.2)]), 0.4)


@kind("jug", 0.8, 1, (110, 140), colors=(*BRIGHT, "white"), patterns=("", "banded", "dotted"), group="vessel",
    also=("container",))
def jug(pen: Pen, thing: Thing) -> None:
    pen.stroke(smooth([(0.2, -0.2), (0.37, -0.18), (0.36, 0.12), (0.22, 0.22)], closed=False),
        0.06, dark(pen.main, 0.15))
    pen.body(smooth([(-0.26, -0.47), (-0.1, -0.4), (0.16, -0.44), (0.19, -0.2), (0.27, 0.1), (0.2, 0.44), (0, 0.47),
        (-0.2, 0.44), (-0.27, 0.1), (-0.17, -0.2)]))
    pen.gloss(smooth([(-0.18, 0.06), (-0.13, -0.08), (-0.11, 0.14), (-0.15, 0.24)]), 0.4)


@kind("bottle", 0.42, 1, (120, 150), colors=(*BRIGHT, "white"), group="vessel", also=("container",))
def bottle(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.065, -0.49, 0.065, -0.38, 0.02), WOOD)
    pen.fill(smooth([(-0.06, -0.4), (0.06, -0.4), (0.065, -0.2), (0.18, -0.02), (0.18, 0.42), (0.13, 0.48),
        (-0.13, 0.48), (-0.18, 0.42), (-0.18, -0.02), (-0.065, -0.2)], steps=4))
    pen.fill(box(-0.175, 0.1, 0.175, 0.33), pen.trim)
    pen.gloss(box(-0.13, -0.0, -0.08, 0.42, 0.02), 0.35)


@kind("teapot", 1, 0.8, (105, 140), colors=(*BRIGHT, "white"), patterns=("", "dotted", "banded"), also=("container",
    "vessel"))
def teapot(pen: Pen, thing: Thing) -> None:
    pen.stroke(oval(0.3, 0.06, 0.15, 0.17, -100, 100), 0.06, dark(pen.main, 0.15))
    pen.fill(smooth([(-0.2, 0.2), (-0.36, 0.08), (-0.47, -0.18), (-0.38, -0.17), (-0.3, -0.02), (-0.18, 0.0)]))
    pen.body(oval(0, 0.1, 0.31, 0.27))
    pen.fill([*oval(0, -0.12, 0.18, 0.11, 180, 360)], light(pen.main, 0.2))
    pen.fill(oval(0, -0.27, 0.05), dark(pen.main, 0.1))
    pen.fill(box(-0.17, 0.34, 0.17, 0.39, 0.02), dark(pen.main, 0.15))
    pen.gloss(oval(-0.13, 0.0, 0.06, 0.08), 0.4)


@kind("mug", 1, 0.9, (95, 125), colors=BRIGHT, also=("container", "vessel"), label=Label(("TEA", "MOM", "DAD",
    "JOY", "YES", "MAX", "#@", "##"), 0.62, 0.21))
def mug(pen: Pen, thing: Thing) -> None:
    pen.stroke(oval(0.28, 0.02, 0.16, 0.17, -90, 90), 0.075, dark(pen.main, 0.12))
    pen.fill(box(-0.42, -0.36, 0.3, 0.42, 0.07))
    pen.fill(oval(-0.06, -0.34, 0.36, 0.08), dark(pen.main, 0.4))
    pen.text(thing.text, -0.06, 0.08, (255, 252, 240) if thing.color not in ("yellow", "pink") else (70, 44, 50))


@kind("key", 0.5, 1, (90, 120), colors=("yellow", "gray", "red", "blue", "green"), turnable=True)
def key(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.045, -0.12, 0.045, 0.47, 0.02))
    for y in (0.24, 0.36):
        pen.fill(box(0.03, y, 0.18, y + 0.07))
    pen.fill(oval(0, -0.27, 0.21))
    pen.fill(oval(0, -0.27, 0.095), dark(pen.main, 0.5))


@kind("pencil", 0.2, 1, (140, 180), colors=BRIGHT, turnable=True)
def pencil(pen: Pen, thing: Thing) -> None:
    pen.fill([(-0.07, -0.3), (0.07, -0.3), (0, -0.49)], (240, 208, 160))
    pen.fill([(-0.024, -0.425), (0.024, -0.425), (0, -0.49)], (52, 46, 52), shade=0)
    pen.fill(box(-0.07, -0.3, 0.07, 0.36))
    pen.gloss(box(-0.035, -0.29, -0.005, 0.35), 0.35)
    pen.fill(box(-0.07, 0.34, 0.07, 0.4), STEEL)
    pen.fill(box(-0.07, 0.4, 0.07, 0.48, 0.03), (240, 150, 160))


@kind("spoon", 0.34, 1, (130, 165), colors=("gray", "yellow", "brown", "red", "blue"), turnable=True)
def spoon(pen: Pen, thing: Thing) -> None:
    pen.fill(smooth([(-0.03, -0.1), (0.03, -0.1), (0.05, 0.44), (0, 0.49), (-0.05, 0.44)], steps=4))
    pen.fill(oval(0, -0.28, 0.145, 0.2))
    pen.fill(oval(0, -0.28, 0.095, 0.145), dark(pen.main, 0.12), edge=False)
    pen.gloss(oval(-0.03, -0.33, 0.03, 0.06), 0.5)


@kind("pair of scissors", 0.7, 1, (120, 150), colors=BRIGHT, part="grip", states=OPEN_CLOSED)
def scissors(pen: Pen, thing: Thing) -> None:
    spread = 0.2 if thing.state == "open" else 0.035
    for side in (1, -1):
        pen.fill([(0, 0.08), (side * spread - 0.04, -0.46), (side * spread + 0.03, -0.42), (0.05 * side, 0.05)], STEEL)
    for side in (1, -1):
        x = side * (0.2 if thing.state == "open" else 0.13)
        pen.stroke([(0, 0.05), (x * 0.8, 0.24)], 0.06, dark(pen.main, 0.15))
        pen.stroke(oval(x, 0.34, 0.11, 0.12), 0.06, pen.main)
    pen.dot(0, 0.05, 0.035, (92, 96, 106))


@kind("treasure chest", 1, 0.94, (130, 165), colors=("brown", "red", "blue", "green", "purple"),
    also=("container",), states=OPEN_CLOSED)
def treasure_chest(pen: Pen, thing: Thing) -> None:
    gold: RGB = (240, 196, 72)
    if thing.state == "open":
        pen.fill([(-0.42, -0.02), (-0.38, -0.44), (0.38, -0.44), (0.42, -0.02)], dark(pen.main, 0.35))
        pen.fill(smooth([(-0.38, 0.04), (-0.2, -0.12), (0.02, -0.17), (0.24, -0.1), (0.38, 0.04)], steps=5), gold)
        for x, y in ((-0.2, -0.03), (0.0, -0.08), (0.18, -0.02)):
            pen.fill(oval(x, y, 0.06), light(gold, 0.3))
    else:
        pen.fill([*oval(0, 0.02, 0.44, 0.32, 180, 360)])
        for x in (-0.3, 0.3):
            pen.fill(box(x - 0.04, -0.2, x + 0.04, 0.02), gold)
    pen.fill(box(-0.44, 0.02, 0.44, 0.44, 0.03))
    for x in (-0.3, 0.3):
        pen.fill(box(x - 0.04, 0.02, x + 0.04, 0.44), gold)
    pen.fill(box(-0.09, -0.02, 0.09, 0.16, 0.03), gold)
    pen.dot(0, 0.06, 0.03, (60, 44, 40))


@kind("chair", 0.66, 1, (150, 190), colors=(*BRIGHT, "brown", "white"))
def chair(pen: Pen, thing: Thing) -> None:
    for x in (-0.24, 0.19):
        pen.fill(box(x, -0.47, x + 0.055, 0.48))
    for y in (-0.42, -0.26):
        pen.fill(box(-0.24, y, 0.24, y + 0.1, 0.01))
    pen.fill([(-0.28, 0.0), (0.28, 0.0), (0.31, 0.12), (-0.31, 0.12)], light(pen.main, 0.25))
    for x in (-0.3, 0.24):
        pen.fill(box(x, 0.11, x + 0.06, 0.49))


@kind("cushion", 1, 0.8, (100, 135), colors=(*BRIGHT, "gray"), patterns=("", "striped", "dotted", "banded"))
def cushion(pen: Pen, thing: Thing) -> None:
    pen.body(smooth([(-0.46, -0.36), (0, -0.3), (0.46, -0.36), (0.4, 0), (0.46, 0.36), (0, 0.3), (-0.46, 0.36),
        (-0.4, 0)]))
    pen.dot(0, 0, 0.03, pen.ink)


@kind("birthday cake", 1, 0.96, (135, 170), colors=("pink", "yellow", "white", "orange", "purple", "green"),
    part="icing",
      counted=Counted("candles", 2, 6))
def birthday_cake(pen: Pen, thing: Thing) -> None:
    sponge: RGB = (214, 158, 98)
    for n in range(thing.count):
        x = (n - (thing.count - 1) / 2) * 0.125
        pen.fill(box(x - 0.025, -0.34, x + 0.025, -0.06), COLORS["blue"] if n % 2 else COLORS["red"])
        pen.fill(smooth([(x, -0.46), (x + 0.035, -0.38), (x, -0.34), (x - 0.035, -0.38)]), COLORS["orange"])
    pen.fill(box(-0.48, 0.38, 0.48, 0.45, 0.03), (236, 238, 242))
    pen.fill(box(-0.4, -0.06, 0.4, 0.39, 0.03), sponge)
    pen.fill(box(-0.4, 0.16, 0.4, 0.22), light(pen.main, 0.2), shade=0)
    drips = [(0.41 - 0.82 * n / 10, 0.08 if n % 2 else 0.0) for n in range(11)]
    pen.fill([(-0.42, -0.1), (0.42, -0.1), *smooth(drips, closed=False, steps=5)])
