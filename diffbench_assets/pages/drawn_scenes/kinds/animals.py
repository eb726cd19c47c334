"""Animals.

Belongs here: one drawing per kind, and the eyes they share. Does not belong here: people, toys.
"""

from __future__ import annotations

from math import cos, pi, sin

from diffbench_assets.pages.drawn_scenes.kinds.base import Counted, kind
from diffbench_assets.pages.drawn_scenes.model import Thing
from diffbench_assets.pages.drawn_scenes.palette import RGB, dark, light
from diffbench_assets.pages.drawn_scenes.pen import Pen
from diffbench_assets.pages.drawn_scenes.shapes import band, box, mirror, moved, oval, smooth, turned

# Points read best in rows.
# fmt: off

INK: RGB = (44, 36, 42)
FUR = ("orange", "gray", "white", "brown")
AWAKE = ("awake with open eyes", "asleep with closed eyes")


def eyes(pen: Pen, x: float, y: float, radius: float, closed: bool, gap: float) -> None:
    """Two eyes around x, `gap` apart: discs with a glint, or lids."""
    for side in (-1, 1):
        center = x + side * gap / 2
        if closed:
            lid = oval(center, y - radius * 0.3, radius * 1.35, radius, 10, 170)
            pen.stroke(lid, radius * 0.6, INK)
        else:
            pen.dot(center, y, radius, INK)
            pen.dot(center - radius * 0.3, y - radius * 0.35, radius * 0.36, (255, 255, 255))


@kind("cat", 0.86, 1, (115, 150), colors=FUR, states=AWAKE, group="furry animal")
def cat(pen: Pen, thing: Thing) -> None:
    tail = smooth([(0.18, 0.4), (0.38, 0.36), (0.37, 0.1), (0.3, 0.02)], closed=False)
    pen.fill(band(tail, 0.085))
    pen.fill(smooth([(0, -0.1), (0.2, 0.05), (0.26, 0.36), (0.2, 0.48), (-0.2, 0.48), (-0.26, 0.36), (-0.2, 0.05)]))
    pen.fill(oval(0, 0.27, 0.12, 0.17), light(pen.main, 0.5), edge=False)
    for side in (1, -1):
        pen.fill(oval(side * 0.1, 0.45, 0.085, 0.05))
        ear = [(side * 0.27, -0.47), (side * 0.07, -0.36), (side * 0.27, -0.2)]
        pen.fill(ear)
        pen.fill([(side * 0.235, -0.41), (side * 0.13, -0.34), (side * 0.235, -0.25)], (240, 170, 172), edge=False)
    pen.fill(oval(0, -0.17, 0.29, 0.225))
    for x in (-0.07, 0.0, 0.07):
        pen.stroke([(x, -0.38), (x * 0.8, -0.31)], 0.03, dark(pen.main, 0.3))
    eyes(pen, 0, -0.19, 0.045, thing.state == AWAKE[1], 0.24)
    pen.fill([(-0.03, -0.115), (0.03, -0.115), (0, -0.08)], (226, 110, 124), shade=0)
    for side in (1, -1):
        pen.stroke(oval(side * 0.04, -0.08, 0.04, 0.035, 10, 170), 0.013, INK)
        for rise in (-0.02, 0.015):
            pen.stroke([(side * 0.12, -0.09 + rise), (side * 0.36, -0.11 + rise * 2.5)], 0.009, dark(pen.main, 0.5))


@kind("dog", 0.9, 1, (120, 155), colors=FUR, states=AWAKE, group="furry animal")
def dog(pen: Pen, thing: Thing) -> None:
    pen.fill(band(smooth([(0.2, 0.38), (0.36, 0.28), (0.42, 0.12)], closed=False), 0.07))
    pen.fill(smooth([(0, -0.1), (0.22, 0.08), (0.27, 0.4), (0.2, 0.48), (-0.2, 0.48), (-0.27, 0.4), (-0.22, 0.08)]))
    for side in (1, -1):
        pen.fill(box(side * 0.11 - 0.065, 0.12, side * 0.11 + 0.065, 0.49, 0.06))
    pen.fill(oval(0, -0.2, 0.26, 0.25))
    for side in (1, -1):
        pen.fill(smooth([(side * 0.17, -0.42), (side * 0.34, -0.34), (side * 0.38, -0.06), (side * 0.28, 0.02),
            (side * 0.21, -0.2)]), dark(pen.main, 0.35))
    pen.fill(oval(0, -0.09, 0.155, 0.115), light(pen.main, 0.55))
    eyes(pen, 0, -0.25, 0.043, thing.state == AWAKE[1], 0.21)
    pen.fill(oval(0, -0.145, 0.055, 0.038), INK, edge=False)
    pen.fill(oval(0, -0.02, 0.042, 0.055, 0, 180), (232, 112, 122))
    pen.stroke(oval(0, -0.1, 0.08, 0.08, 20, 160), 0.016, INK)
    pen.fill(box(-0.17, 0.035, 0.17, 0.085, 0.02), (206, 62, 60))
    pen.fill(oval(0, 0.1, 0.035), (246, 204, 82))


@kind("rabbit", 0.66, 1, (120, 155), colors=FUR, states=AWAKE, group="furry animal")
def rabbit(pen: Pen, thing: Thing) -> None:
    for side in (1, -1):
        ear = turned(oval(side * 0.1, -0.33, 0.07, 0.19), side * 10)
        pen.fill(ear)
        pen.fill(turned(oval(side * 0.1, -0.32, 0.035, 0.14), side * 10), (244, 178, 182), edge=False)
    pen.fill(smooth([(0, 0.0), (0.2, 0.1), (0.27, 0.36), (0.2, 0.48), (-0.2, 0.48), (-0.27, 0.36), (-0.2, 0.1)]))
    pen.fill(oval(0, 0.29, 0.13, 0.16), light(pen.main, 0.5), edge=False)
    for side in (1, -1):
        pen.fill(oval(side * 0.15, 0.45, 0.12, 0.05))
    pen.fill(oval(0, -0.05, 0.235, 0.2))
    eyes(pen, 0, -0.08, 0.04, thing.state == AWAKE[1], 0.21)
    pen.fill(oval(0, 0.0, 0.03, 0.022), (228, 116, 130), edge=False)
    pen.fill(box(-0.035, 0.045, 0.035, 0.1), (255, 255, 255), shade=0)
    pen.stroke([(0, 0.045), (0, 0.1)], 0.01, INK)


@kind("duck", 1, 0.9, (95, 130), colors=("yellow", "white", "brown", "gray"))
def duck(pen: Pen, thing: Thing) -> None:
    for x in (-0.02, 0.12):
        pen.stroke([(x, 0.28), (x, 0.41)], 0.035, (232, 132, 40))
        pen.stroke([(x - 0.07, 0.42), (x + 0.03, 0.42)], 0.04, (232, 132, 40))
    pen.fill(smooth([(-0.3, 0.05), (-0.1, -0.02), (0.2, -0.02), (0.46, -0.16), (0.42, 0.16), (0.2, 0.33),
        (-0.12, 0.33), (-0.3, 0.22)]))
    pen.fill(oval(-0.2, -0.19, 0.205, 0.2))
    pen.fill(smooth([(-0.37, -0.22), (-0.48, -0.13), (-0.46, -0.09), (-0.34, -0.1)]), (240, 142, 44))
    pen.dot(-0.25, -0.23, 0.036, INK)
    pen.dot(-0.262, -0.242, 0.012, (255, 255, 255))
    pen.fill(smooth([(-0.06, 0.08), (0.14, 0.05), (0.32, 0.02), (0.24, 0.2), (0.06, 0.24)]), dark(pen.main, 0.1))


@kind("fish", 1, 0.66, (95, 140), colors=("orange", "blue", "yellow", "red", "purple", "green", "pink"), turnable=True,
      patterns=("", "striped", "dotted"))
def fish(pen: Pen, thing: Thing) -> None:
    pen.fill(smooth([(0.22, 0.0), (0.46, -0.24), (0.4, 0.0), (0.46, 0.24)]), dark(pen.main, 0.12))
    pen.fill(smooth([(-0.1, -0.2), (0.06, -0.32), (0.2, -0.12)]), dark(pen.main, 0.12))
    pen.fill(smooth([(-0.02, 0.18), (0.1, 0.31), (0.14, 0.14)]), dark(pen.main, 0.12))
    pen.body(smooth([(-0.46, 0.0), (-0.3, -0.17), (-0.06, -0.23), (0.18, -0.12), (0.3, 0.0), (0.18, 0.12),
        (-0.06, 0.23), (-0.3, 0.17)]))
    pen.fill(oval(-0.29, -0.05, 0.062), (255, 255, 255), shade=0)
    pen.dot(-0.305, -0.045, 0.034, INK)
    pen.stroke(oval(-0.42, 0.05, 0.07, 0.05, 0, 100), 0.015, INK)
    pen.fill(smooth([(-0.1, 0.02), (0.05, -0.04), (0.07, 0.08), (-0.02, 0.1)]), dark(pen.main, 0.2))


@kind("butterfly", 1, 0.9, (80, 115), colors=("red", "orange", "yellow", "blue", "purple", "pink"), turnable=True,
      patterns=("", "dotted"))
def butterfly(pen: Pen, thing: Thing) -> None:
    upper = smooth([(0.03, -0.05), (0.18, -0.38), (0.42, -0.4), (0.44, -0.12), (0.22, 0.04)])
    lower = smooth([(0.03, 0.02), (0.26, 0.03), (0.36, 0.2), (0.24, 0.38), (0.08, 0.26)])
    for wing in (lower, mirror(lower), upper, mirror(upper)):
        pen.body(wing)
    for side in (1, -1):
        pen.fill(oval(side * 0.29, -0.24, 0.07), light(pen.main, 0.6))
        pen.fill(oval(side * 0.2, 0.2, 0.045), light(pen.main, 0.6))
        pen.stroke(smooth([(side * 0.01, -0.22), (side * 0.06, -0.34), (side * 0.13, -0.42)], closed=False), 0.016, INK)
    pen.fill(oval(0, 0.02, 0.042, 0.27), INK, edge=False)
    pen.fill(oval(0, -0.23, 0.05), INK, edge=False)


@kind("flock of birds", 1, 0.5, (170, 210), counted=Counted("birds", 3, 7))
def flock(pen: Pen, thing: Thing) -> None:
    places = ((0, -0.15), (-0.22, -0.04), (0.21, -0.06), (-0.38, 0.12), (0.38, 0.1), (0.0, 0.08), (0.19, 0.17))
    for n, (x, y) in enumerate(places[: thing.count]):
        wings = smooth([(-0.12, -0.07), (-0.06, -0.08), (0, 0.0), (0.06, -0.08), (0.12, -0.07)], closed=False)
        back = smooth([(0.12, -0.06), (0.06, -0.04), (0, 0.05), (-0.06, -0.04), (-0.12, -0.06)], closed=False)
        pen.fill(moved([*wings, *back], x, y), (70, 78, 102) if n % 2 else (58, 64, 88), edge=False)


@kind("crab", 1, 0.72, (85, 120), colors=("red", "orange", "purple", "blue"), states=("raising its claws",
    "lowering its claws"))
def crab(pen: Pen, thing: Thing) -> None:
    for side in (1, -1):
        for n in range(3):
            pen.stroke([(side * 0.2, 0.12), (side * (0.36 + n * 0.03), 0.12 + n * 0.07), (side * (0.34 - n * 0.02),
                0.3)], 0.035, dark(pen.main, 0.25))
        up = thing.state != "lowering its claws"
        hand = (side * 0.38, -0.24) if up else (side * 0.4, 0.16)
        pen.stroke([(side * 0.22, 0.02), (side * 0.36, -0.05), hand], 0.05, dark(pen.main, 0.1))
        claw = [*oval(0, 0, 0.105, 0.11, -60, 240), (0, -0.02)]
        pen.fill(moved(claw if up else [(x, -y) for x, y in claw], *hand))
        pen.stroke([(side * 0.07, -0.1), (side * 0.09, -0.2)], 0.025, pen.ink)
        pen.fill(oval(side * 0.09, -0.22, 0.055), (255, 255, 255), shade=0)
        pen.dot(side * 0.09, -0.215, 0.028, INK)
    pen.fill(oval(0, 0.07, 0.28, 0.2))
    pen.stroke(oval(0, 0.07, 0.1, 0.07, 20, 160), 0.018, INK)


@kind("ladybug", 0.86, 0.96, (85, 115), colors=("red", "yellow", "orange"), counted=Counted("spots", 3, 7),
    part="shell")
def ladybug(pen: Pen, thing: Thing) -> None:
    for side in (1, -1):
        for y in (-0.1, 0.1, 0.28):
            pen.stroke([(0, y), (side * 0.41, y + 0.03)], 0.03, INK)
        pen.stroke(smooth([(side * 0.05, -0.36), (side * 0.1, -0.44), (side * 0.17, -0.46)], closed=False), 0.02, INK)
    pen.fill(oval(0, -0.28, 0.17, 0.14), INK, edge=False)
    pen.fill(oval(0, 0.1, 0.33, 0.36))
    pen.stroke([(0, -0.25), (0, 0.45)], 0.02, INK)
    for x, y in ((-0.16, -0.06), (0.16, 0.24), (-0.15, 0.24), (0.16, -0.04), (-0.22, 0.1), (0.23, 0.1),
        (0.09, 0.38))[: thing.count]:
        pen.dot(x, y, 0.056, INK)
    pen.gloss(oval(-0.17, -0.12, 0.08, 0.05), 0.25)
    for side in (1, -1):
        pen.dot(side * 0.08, -0.31, 0.035, (255, 255, 255))


@kind("owl", 0.72, 0.95, (110, 145), colors=("brown", "gray", "blue", "purple"), states=AWAKE)
def owl(pen: Pen, thing: Thing) -> None:
    pen.fill([(-0.27, -0.46), (-0.1, -0.36), (0.1, -0.36), (0.27, -0.46), *smooth([(0.3, -0.1), (0.3, 0.2),
        (0.14, 0.42), (-0.14, 0.42), (-0.3, 0.2), (-0.3, -0.1)], closed=False)])
    pen.fill(oval(0, 0.2, 0.18, 0.2), light(pen.main, 0.5), edge=False)
    for row in range(3):
        for column in range(3 - row % 2):
            pen.stroke(oval(-0.1 + column * 0.1 + (row % 2) * 0.05, 0.1 + row * 0.09, 0.035, 0.03, 10, 170),
                0.014, dark(pen.main, 0.2))
    for side in (1, -1):
        pen.fill(smooth([(side * 0.29, -0.04), (side * 0.36, 0.16), (side * 0.25, 0.34), (side * 0.2, 0.1)]),
            dark(pen.main, 0.2))
        pen.stroke([(side * 0.08, 0.43), (side * 0.13, 0.43)], 0.05, (232, 150, 48))
        pen.fill(oval(side * 0.13, -0.18, 0.135), light(pen.main, 0.72))
    eyes(pen, 0, -0.17, 0.07, thing.state == AWAKE[1], 0.26)
    pen.fill([(-0.045, -0.1), (0.045, -0.1), (0, 0.0)], (238, 158, 52))


@kind("snail", 1, 0.72, (80, 110), colors=("pink", "orange", "blue", "purple", "yellow", "brown"), part="shell")
def snail(pen: Pen, thing: Thing) -> None:
    flesh: RGB = (222, 192, 140)
    pen.fill(smooth([(-0.42, 0.02), (-0.28, -0.06), (-0.18, 0.16), (0.3, 0.2), (0.48, 0.33), (-0.3, 0.33),
        (-0.42, 0.2)]), flesh)
    for x in (-0.42, -0.3):
        pen.stroke([(-0.36, 0.0), (x, -0.2)], 0.025, dark(flesh, 0.2))
        pen.dot(x, -0.22, 0.035, INK)
    pen.fill(oval(0.08, -0.03, 0.3, 0.29))
    spiral = [(0.08 + (0.24 - n * 0.0065) * cos(n * pi / 9),
        -0.03 + (0.23 - n * 0.0065) * sin(n * pi / 9)) for n in range(34)]
    pen.stroke(spiral, 0.03, pen.ink)
    pen.stroke(oval(-0.36, 0.1, 0.04, 0.04, 40, 170), 0.014, INK)


@kind("octopus", 0.96, 0.96, (130, 170), colors=("purple", "pink", "red", "orange", "blue"), states=("smiling",
    "frowning"))
def octopus(pen: Pen, thing: Thing) -> None:
    for n, x in enumerate((-0.36, -0.22, -0.07, 0.07, 0.22, 0.36)):
        bend = 0.07 if n % 2 else -0.07
        pen.fill(band(smooth([(x * 0.6, 0.0), (x, 0.2), (x + bend, 0.33), (x, 0.44)], closed=False), 0.095),
            dark(pen.main, 0.04 * (n % 2)))
    pen.fill(smooth([(0, -0.46), (0.27, -0.34), (0.32, -0.06), (0.2, 0.14), (-0.2, 0.14), (-0.32, -0.06),
        (-0.27, -0.34)]))
    for side in (1, -1):
        pen.fill(oval(side * 0.11, -0.16, 0.075, 0.09), (255, 255, 255), shade=0)
        pen.dot(side * 0.1, -0.14, 0.04, INK)
        pen.gloss(oval(side * 0.21, -0.02, 0.05, 0.03), 0.4, (255, 120, 140))
    mouth(pen, 0, 0.03, 0.09, thing.state != "frowning")
    pen.gloss(oval(-0.15, -0.33, 0.07, 0.04), 0.35)


def mouth(pen: Pen, x: float, y: float, width: float, smiling: bool) -> None:
    """A curved line: up at its ends for a smile, down for a frown."""
    line = oval(x, y - width * 0.35, width, width * 0.8, 15, 165) if smiling else oval(x, y + width * 0.6, width,
        width * 0.8, 195, 345)
    pen.stroke(line, width * 0.24, (130, 44, 50))
