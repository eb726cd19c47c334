"""Toys and presents.

Belongs here: one drawing per kind. Does not belong here: real vehicles and animals.
"""

from __future__ import annotations

from math import cos, sin

from diffbench_assets.pages.drawn_scenes.kinds.animals import AWAKE, eyes, mouth
from diffbench_assets.pages.drawn_scenes.kinds.base import Counted, Label, kind
from diffbench_assets.pages.drawn_scenes.model import Thing
from diffbench_assets.pages.drawn_scenes.palette import BRIGHT, COLORS, RGB, dark, light
from diffbench_assets.pages.drawn_scenes.pen import Pen
from diffbench_assets.pages.drawn_scenes.shapes import band, box, moved, oval, smooth, star, turned

# Points read best in rows.
# fmt: off

WOOD: RGB = (196, 150, 98)


@kind("ball", 0.96, 0.96, (80, 110), colors=(*BRIGHT, "white"), group="toy", patterns=("", "striped", "dotted",
    "banded"))
def ball(pen: Pen, thing: Thing) -> None:
    pen.body(oval(0, 0, 0.47))
    pen.gloss(oval(-0.17, -0.2, 0.12, 0.08), 0.5)


@kind("drum", 0.96, 0.9, (90, 120), colors=(*BRIGHT, "white"), group="toy")
def drum(pen: Pen, thing: Thing) -> None:
    pen.fill([(-0.44, -0.2), (0.44, -0.2), (0.44, 0.26), *oval(0, 0.26, 0.44, 0.16, 0, 180), (-0.44, 0.26)])
    zigzag = [(-0.42 + n * 0.12, -0.1 if n % 2 else 0.3 + 0.06 * (1 - abs(n - 3.5) / 3.5)) for n in range(8)]
    pen.stroke(zigzag, 0.022, COLORS["yellow"])
    pen.fill(oval(0, -0.2, 0.45, 0.17), (252, 246, 232))
    for x0, x1 in ((-0.2, 0.2), (0.36, -0.02)):
        pen.stroke([(x0, -0.41), (x1, -0.22)], 0.032, WOOD)
        pen.dot(x1, -0.22, 0.04, dark(WOOD, 0.2))


@kind("spinning top", 0.9, 0.96, (85, 115), colors=(*BRIGHT, "white"), group="toy")
def spinning_top(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.035, -0.46, 0.035, -0.2, 0.02), WOOD)
    pen.fill(smooth([(-0.42, -0.08), (-0.2, -0.26), (0.2, -0.26), (0.42, -0.08), (0.2, 0.2), (0.03, 0.45),
        (-0.03, 0.45), (-0.2, 0.2)]))
    pen.fill(smooth([(-0.41, -0.06), (0, 0.04), (0.41, -0.06), (0.33, 0.06), (0, 0.15), (-0.33, 0.06)]), pen.trim)
    pen.gloss(oval(-0.2, -0.15, 0.09, 0.035), 0.45)


@kind("teddy bear", 0.8, 1, (120, 160), colors=("brown", "orange", "pink", "gray", "white", "blue"), also=("toy",),
    states=("smiling", "frowning"))
def teddy_bear(pen: Pen, thing: Thing) -> None:
    for side in (1, -1):
        pen.fill(oval(side * 0.17, -0.38, 0.1))
        pen.fill(oval(side * 0.17, -0.38, 0.055), light(pen.main, 0.45), edge=False)
        pen.fill(turned(oval(side * 0.29, 0.1, 0.08, 0.15), -side * 30, side * 0.29, 0.1))
        pen.fill(oval(side * 0.2, 0.38, 0.13, 0.11))
        pen.fill(oval(side * 0.21, 0.4, 0.07, 0.06), light(pen.main, 0.45), edge=False)
    pen.fill(oval(0, 0.19, 0.25, 0.26))
    pen.fill(oval(0, 0.21, 0.15, 0.16), light(pen.main, 0.45), edge=False)
    pen.fill(oval(0, -0.2, 0.25, 0.22))
    pen.fill(oval(0, -0.12, 0.12, 0.09), light(pen.main, 0.5), edge=False)
    eyes(pen, 0, -0.23, 0.032, False, 0.2)
    pen.fill(oval(0, -0.165, 0.035, 0.025), (56, 40, 40), edge=False)
    mouth(pen, 0, -0.1, 0.055, thing.state != "frowning")
    for side in (1, -1):
        pen.fill([(0, 0.02), (side * 0.11, -0.04), (side * 0.11, 0.08)],
            COLORS["red"] if thing.color not in ("pink", "orange") else COLORS["blue"])


@kind("kite", 0.72, 1, (120, 165), colors=BRIGHT, also=("toy",), turnable=True)
def kite(pen: Pen, thing: Thing) -> None:
    tail = smooth([(0, 0.2), (0.09, 0.29), (-0.06, 0.38), (0.03, 0.47)], closed=False)
    pen.stroke(tail, 0.016, (120, 100, 90))
    for x, y in ((0.06, 0.28), (-0.03, 0.38)):
        pen.fill([(x - 0.055, y - 0.025), (x + 0.055, y + 0.025), (x + 0.055, y - 0.025), (x - 0.055, y + 0.025)],
            light(pen.main, 0.35))
    pen.fill([(0, -0.48), (0.31, -0.16), (0, 0.22), (-0.31, -0.16)])
    pen.fill([(0, -0.48), (0.31, -0.16), (0, -0.16)], light(pen.main, 0.4))
    pen.fill([(0, 0.22), (-0.31, -0.16), (0, -0.16)], light(pen.main, 0.4))
    pen.stroke([(0, -0.48), (0, 0.22)], 0.014, pen.ink)
    pen.stroke([(-0.31, -0.16), (0.31, -0.16)], 0.014, pen.ink)


@kind("bunch of balloons", 0.82, 1, (150, 195), colors=BRIGHT, counted=Counted("balloons", 2, 6))
def balloons(pen: Pen, thing: Thing) -> None:
    places = ((-0.02, -0.34), (-0.24, -0.24), (0.23, -0.25), (-0.12, -0.07), (0.13, -0.08), (-0.29, 0.03))
    for x, y in places[: thing.count]:
        pen.stroke([(x, y + 0.1), (0, 0.48)], 0.01, (130, 122, 122))
    for n, (x, y) in enumerate(places[: thing.count]):
        color = light(pen.main, 0.25) if n % 2 else pen.main
        pen.fill([(x, y + 0.1), (x + 0.03, y + 0.16), (x - 0.03, y + 0.16)], color)
        pen.fill(oval(x, y, 0.115, 0.135), color)
        pen.gloss(oval(x - 0.045, y - 0.055, 0.025, 0.038), 0.6)


@kind("die", 0.92, 0.92, (80, 105), colors=("white", "red", "blue", "green", "yellow", "purple"), also=("toy",),
    counted=Counted("dots", 2, 6))
def die(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.45, -0.45, 0.45, 0.45, 0.1))
    step = 0.25
    faces = {
        2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)), 4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
        5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)), 6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    }
    ink = (40, 40, 52) if thing.color in ("white", "yellow") else (255, 252, 244)
    for x, y in faces[thing.count]:
        pen.dot(x * step, y * step, 0.085, ink)


@kind("toy block", 0.92, 0.92, (80, 105), colors=BRIGHT, also=("toy",), label=Label(("@#", "#@", "##", "@@"),
    0.64, 0.33))
def toy_block(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.45, -0.45, 0.45, 0.45, 0.05))
    pen.fill(box(-0.34, -0.34, 0.34, 0.34, 0.03), (252, 244, 226))
    pen.text(thing.text, 0, 0, dark(pen.main, 0.4))


@kind("paper plane", 1, 0.5, (100, 140), colors=("white", "yellow", "pink", "blue", "green"), also=("toy",),
    turnable=True)
def paper_plane(pen: Pen, thing: Thing) -> None:
    pen.fill([(-0.48, -0.02), (0.46, -0.22), (0.1, 0.02)], light(pen.main, 0.15))
    pen.fill([(-0.48, -0.02), (0.1, 0.02), (0.16, 0.22)], dark(pen.main, 0.18))
    pen.fill([(-0.48, -0.02), (0.46, -0.22), (0.3, 0.12)], light(pen.main, 0.05))


@kind("present", 0.92, 1.04, (95, 130), colors=BRIGHT, also=("container",), states=("open", "closed"), patterns=("",
    "dotted", "striped"))
def present(pen: Pen, thing: Thing) -> None:
    ribbon = COLORS["yellow"] if thing.color not in ("yellow", "orange", "white") else COLORS["purple"]
    closed = thing.state != "open"
    if not closed:
        pen.fill(box(-0.36, -0.12, 0.36, 0.1), (70, 52, 62))
        pen.fill(star(0.02, -0.1, 0.17, 0.08, 5), COLORS["white"])
    pen.body(box(-0.38, -0.04, 0.38, 0.47, 0.01))
    pen.fill(box(-0.07, -0.04, 0.07, 0.47), ribbon)
    lid = [box(-0.43, -0.2, 0.43, -0.02, 0.02), box(-0.07, -0.2, 0.07, -0.02)]
    bow = [smooth([(0, -0.2), (side * 0.2, -0.42), (side * 0.28, -0.24)]) for side in (1, -1)]
    if not closed:
        lid = [moved(turned(part, 24, 0, -0.1), 0.06, -0.2) for part in lid]
        bow = []
    pen.fill(lid[0], light(pen.main, 0.15))
    pen.fill(lid[1], ribbon)
    for part in bow:
        pen.fill(part, ribbon)


@kind("pinwheel", 0.76, 1, (110, 150), colors=BRIGHT, also=("toy",), counted=Counted("blades", 4, 8))
def pinwheel(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.022, -0.15, 0.022, 0.49), WOOD)
    for n in range(thing.count):
        wide = 2.2 / thing.count
        blade = [(0, 0), (0.33 * sin(-wide), -0.33 * cos(-wide)), (0.1, -0.33)]
        pen.fill([(x, y - 0.14) for x, y in turned(blade, n * 360 / thing.count)],
            light(pen.main, 0.45) if n % 2 else pen.main)
    pen.fill(oval(0, -0.14, 0.045), COLORS["yellow"])


@kind("bucket", 0.9, 0.96, (90, 125), colors=BRIGHT, patterns=("", "banded", "dotted"), group="container",
    also=("vessel",))
def bucket(pen: Pen, thing: Thing) -> None:
    pen.stroke(oval(0, -0.12, 0.37, 0.33, 185, 355), 0.03, (150, 152, 160))
    pen.body([(-0.42, -0.12), (0.42, -0.12), (0.3, 0.46), (-0.3, 0.46)])
    pen.fill(oval(0, -0.12, 0.42, 0.1), dark(pen.main, 0.35))


@kind("basket", 0.9, 0.96, (90, 125), colors=BRIGHT, group="container")
def basket(pen: Pen, thing: Thing) -> None:
    pen.stroke(oval(0, -0.06, 0.33, 0.38, 180, 360), 0.05, dark(pen.main, 0.25))
    pen.fill([(-0.44, -0.08), (0.44, -0.08), (0.34, 0.46), (-0.34, 0.46)])
    for y in (0.05, 0.18, 0.31):
        for n in range(6):
            pen.stroke([(-0.33 + n * 0.13, y), (-0.27 + n * 0.13, y + 0.03 * (-1) ** n)], 0.03, dark(pen.main, 0.28))
    pen.fill(box(-0.46, -0.13, 0.46, -0.03, 0.04), light(pen.main, 0.12))


@kind("rattle", 0.5, 1, (85, 115), colors=BRIGHT, also=("toy",), turnable=True)
def rattle(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.045, -0.1, 0.045, 0.42, 0.04), WOOD)
    pen.fill(oval(0, 0.4, 0.075, 0.055), dark(pen.main, 0.1))
    pen.fill(oval(0, -0.24, 0.235))
    pen.fill(band([(-0.225, -0.24), (0.225, -0.24)], 0.1), pen.trim)


@kind("puppet", 0.6, 1, (140, 170), colors=BRIGHT, colored="puppet in the {color} robe", part="robe", also=("toy",),
    states=AWAKE, patterns=("", "dotted"))
def puppet(pen: Pen, thing: Thing) -> None:
    pen.body(smooth([(0, -0.12), (0.14, 0.0), (0.27, 0.46), (-0.27, 0.46), (-0.14, 0.0)], steps=5))
    for side in (1, -1):
        pen.fill(smooth([(side * 0.08, -0.03), (side * 0.26, 0.04), (side * 0.28, 0.12), (side * 0.12, 0.12)]),
            light(pen.main, 0.2))
    pen.fill(oval(0, -0.22, 0.19, 0.19), (240, 200, 160))
    eyes(pen, 0, -0.23, 0.032, thing.state == AWAKE[1], 0.16)
    mouth(pen, 0, -0.13, 0.055, True)
    pen.fill([(-0.17, -0.32), (-0.17, -0.48), (-0.08, -0.39), (0, -0.49), (0.08, -0.39), (0.17, -0.48),
        (0.17, -0.32)], COLORS["yellow"])
