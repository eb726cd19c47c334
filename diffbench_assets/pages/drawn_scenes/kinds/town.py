"""Buildings and what stands outdoors beside them.

Belongs here: one drawing per kind. Does not belong here: vehicles, plain signs (`labels.py`).
"""

from __future__ import annotations

from diffbench_assets.pages.drawn_scenes.kinds.base import Counted, Label, kind
from diffbench_assets.pages.drawn_scenes.model import Thing
from diffbench_assets.pages.drawn_scenes.palette import BRIGHT, COLORS, RGB, dark, light
from diffbench_assets.pages.drawn_scenes.pen import Pen
from diffbench_assets.pages.drawn_scenes.shapes import box, oval, smooth, turned

# Points read best in rows.
# fmt: off

GLASS: RGB = (176, 212, 232)
IRON: RGB = (74, 78, 90)
WOOD: RGB = (146, 102, 68)
CREAM: RGB = (250, 240, 218)


@kind("house", 0.9, 1, (200, 250), colors=("red", "blue", "green", "brown", "orange", "purple"), part="roof",
      counted=Counted("windows", 2, 6), group="building")
def house(pen: Pen, thing: Thing) -> None:
    pen.fill(box(0.18, -0.42, 0.28, -0.16), (170, 96, 80))
    pen.fill(box(-0.36, -0.16, 0.36, 0.49), CREAM)
    pen.fill([(-0.45, -0.14), (-0.24, -0.46), (0.24, -0.46), (0.45, -0.14)])
    for row, y in enumerate((-0.4, -0.32, -0.24)):
        half = 0.27 + row * 0.055
        pen.stroke([(-half, y + 0.03), (half, y + 0.03)], 0.012, dark(pen.main, 0.3))
    places = ((-0.2, 0.27), (0.2, 0.27), (0, 0.0), (-0.2, 0.0), (0.2, 0.0), (0.0, -0.3))
    for x, y in places[: thing.count or 4]:
        if y < -0.1:
            pen.fill(oval(x, y, 0.075), CREAM)
            pen.fill(oval(x, y, 0.052), GLASS)
        else:
            pen.fill(box(x - 0.085, y - 0.085, x + 0.085, y + 0.085), (255, 255, 255))
            pen.fill(box(x - 0.065, y - 0.065, x + 0.065, y + 0.065), GLASS)
            pen.stroke([(x, y - 0.06), (x, y + 0.06)], 0.014, (255, 255, 255))
    pen.fill(box(-0.075, 0.22, 0.075, 0.49, 0.02), WOOD)
    pen.dot(0.04, 0.37, 0.016, COLORS["yellow"])


@kind("barn", 0.9, 1, (200, 250), colors=("red", "blue", "green", "brown", "orange", "purple"), part="roof",
    group="building")
def barn(pen: Pen, thing: Thing) -> None:
    pen.fill([(-0.36, -0.12), (0, -0.4), (0.36, -0.12), (0.36, 0.49), (-0.36, 0.49)], (206, 130, 96))
    for x in (-0.24, -0.12, 0.0, 0.12, 0.24):
        pen.stroke([(x, -0.2), (x, 0.47)], 0.008, (168, 98, 70))
    pen.fill([(-0.45, -0.1), (-0.3, -0.34), (0, -0.5), (0.3, -0.34), (0.45, -0.1), (0.37, -0.1), (0.25, -0.28),
        (0, -0.4), (-0.25, -0.28), (-0.37, -0.1)])
    pen.fill(box(-0.2, 0.08, 0.2, 0.49), CREAM)
    for one, other in (((-0.2, 0.08), (0.2, 0.49)), ((0.2, 0.08), (-0.2, 0.49))):
        pen.stroke([one, other], 0.03, WOOD)
    pen.fill(box(-0.09, -0.18, 0.09, -0.02), GLASS)


@kind("tower", 0.6, 1, (210, 260), colors=("red", "blue", "green", "purple", "orange"), part="roof", group="building",
      counted=Counted("windows", 2, 4))
def tower(pen: Pen, thing: Thing) -> None:
    stone: RGB = (196, 190, 182)
    pen.fill(box(-0.2, -0.2, 0.2, 0.49), stone)
    for row, y in enumerate((-0.1, 0.0, 0.1, 0.2, 0.3, 0.4)):
        for x in (-0.15 + 0.06 * (row % 2), 0.03 + 0.06 * (row % 2)):
            pen.stroke([(x, y), (x + 0.07, y)], 0.012, dark(stone, 0.2))
    pen.fill(box(-0.25, -0.22, 0.25, -0.14, 0.01), dark(stone, 0.1))
    pen.fill([(-0.28, -0.2), (0, -0.48), (0.28, -0.2)])
    for y in (-0.06, 0.08, 0.22, 0.36)[: thing.count or 3]:
        pen.fill([*oval(0, y, 0.05, 0.05, 180, 360), (0.05, y + 0.06), (-0.05, y + 0.06)], (84, 88, 116))


@kind("lighthouse", 0.46, 1, (220, 270), colors=("red", "blue", "green", "orange"), part="striping",
    also=("building",), states=("lit", "dark"))
def lighthouse(pen: Pen, thing: Thing) -> None:
    edge = ((-0.2, 0.49), (-0.13, -0.2))

    def half(y: float) -> float:
        (x0, y0), (x1, y1) = edge
        return -(x0 + (x1 - x0) * (y0 - y) / (y0 - y1))

    for n in range(5):
        top, bottom = -0.2 + n * 0.138, -0.2 + (n + 1) * 0.138
        pen.fill([(-half(top), top), (half(top), top), (half(bottom), bottom), (-half(bottom), bottom)],
            pen.main if n % 2 == 0 else (250, 248, 240), shade=0.06)
    lit = thing.state != "dark"
    if lit:
        pen.glow(0, -0.29, 0.42, (255, 236, 150), 0.85)
    pen.fill(box(-0.09, -0.37, 0.09, -0.2), (255, 232, 110) if lit else (70, 74, 92))
    for x in (-0.03, 0.03):
        pen.stroke([(x, -0.37), (x, -0.2)], 0.012, IRON)
    pen.fill(box(-0.17, -0.22, 0.17, -0.185), IRON)
    pen.fill([(-0.13, -0.36), (0, -0.49), (0.13, -0.36)])
    pen.fill([*oval(0, 0.37, 0.055, 0.06, 180, 360), (0.055, 0.49), (-0.055, 0.49)], WOOD)


@kind("windmill", 0.8, 1, (200, 250), colors=("red", "blue", "green", "brown", "purple"), part="cap",
    also=("building",),
      states=("holding its sails upright like a plus sign", "holding its sails slanted like a cross"))
def windmill(pen: Pen, thing: Thing) -> None:
    pen.fill([(-0.13, -0.16), (0.13, -0.16), (0.22, 0.49), (-0.22, 0.49)], CREAM)
    pen.fill(box(-0.06, 0.3, 0.06, 0.49, 0.02), WOOD)
    pen.fill(oval(0, 0.1, 0.05), GLASS)
    pen.fill([*oval(0, -0.15, 0.16, 0.15, 180, 360)])
    start = 45 if "slanted" in thing.state else 0
    for n in range(4):
        blade = [(0.01, -0.06), (0.09, -0.06), (0.09, -0.34), (0.01, -0.34)]
        pen.fill([(x, y - 0.14) for x, y in turned(blade, start + n * 90)], (244, 236, 220))
        pen.stroke([(x, y - 0.14) for x, y in turned([(0, 0), (0, -0.35)], start + n * 90)], 0.022, WOOD)
    pen.fill(oval(0, -0.14, 0.035), IRON)


@kind("tent", 1, 0.76, (150, 195), colors=BRIGHT, states=("open", "closed"), patterns=("", "striped"))
def tent(pen: Pen, thing: Thing) -> None:
    pen.stroke([(0, -0.37), (0, -0.28)], 0.03, WOOD)
    pen.body([(0, -0.33), (0.47, 0.36), (-0.47, 0.36)])
    if thing.state != "closed":
        pen.fill([(0, -0.14), (0.2, 0.36), (-0.2, 0.36)], (70, 54, 66))
        for side in (1, -1):
            pen.fill([(0, -0.14), (side * 0.2, 0.36), (side * 0.29, 0.36), (side * 0.11, 0.0)], light(pen.main, 0.35))
    else:
        pen.stroke([(0, -0.2), (0, 0.34)], 0.022, pen.ink)


@kind("mailbox", 0.66, 1, (120, 155), colors=BRIGHT, states=("open", "closed"))
def mailbox(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.05, 0.05, 0.05, 0.49), WOOD)
    pen.fill([*oval(0, -0.17, 0.27, 0.24, 180, 360), (0.27, 0.1), (-0.27, 0.1)])
    face = [*oval(0, -0.15, 0.18, 0.17, 180, 360), (0.18, 0.05), (-0.18, 0.05)]
    if thing.state == "open":
        pen.fill(face, (58, 46, 54))
        pen.fill(box(-0.11, -0.16, 0.11, 0.02), (255, 255, 250))
        pen.stroke([(-0.1, -0.15), (0, -0.06), (0.1, -0.15)], 0.014, (150, 150, 160))
        pen.fill(box(-0.18, 0.05, 0.18, 0.22, 0.03), light(pen.main, 0.2))
    else:
        pen.fill(face, light(pen.main, 0.2))
        pen.fill(box(-0.03, -0.08, 0.03, -0.01, 0.02), COLORS["yellow"])


@kind("bench", 1, 0.62, (140, 180), colors=("brown", "red", "green", "blue", "white"))
def bench(pen: Pen, thing: Thing) -> None:
    for x in (-0.38, 0.34):
        pen.fill(box(x, -0.28, x + 0.045, 0.3), IRON)
    for y in (-0.28, -0.17, -0.06):
        pen.fill(box(-0.48, y, 0.48, y + 0.08, 0.015))
    pen.fill(box(-0.49, 0.05, 0.49, 0.13, 0.02))


@kind("street lamp", 0.3, 1, (210, 250), states=("on", "off"), colors=("gray", "green", "blue", "brown"), part="post")
def street_lamp(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.025, -0.26, 0.025, 0.46), dark(pen.main, 0.25))
    pen.fill(box(-0.08, 0.42, 0.08, 0.49, 0.02), dark(pen.main, 0.3))
    if thing.state != "off":
        pen.glow(0, -0.35, 0.28, (255, 232, 140), 0.9)
    pen.fill([(-0.07, -0.27), (0.07, -0.27), (0.11, -0.42), (-0.11, -0.42)],
        (255, 236, 128) if thing.state != "off" else (92, 100, 118))
    pen.fill([(-0.13, -0.41), (0, -0.49), (0.13, -0.41)], dark(pen.main, 0.25))


@kind("traffic light", 0.3, 1, (190, 230), states=("showing red", "showing yellow", "showing green"))
def traffic_light(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.03, 0.0, 0.03, 0.49), (110, 114, 124))
    pen.fill(box(-0.12, -0.48, 0.12, 0.06, 0.05), (58, 60, 72))
    for name, y in (("red", -0.37), ("yellow", -0.21), ("green", -0.05)):
        lit = thing.state.endswith(name)
        if lit:
            pen.glow(0, y, 0.19, COLORS[name], 0.7)
        pen.fill(oval(0, y, 0.068), light(COLORS[name], 0.15) if lit else (34, 36, 44))


@kind("flag", 0.7, 1, (150, 200), colors=BRIGHT, states=("at the top of its pole", "at the middle of its pole"),
      patterns=("", "striped", "banded", "dotted"))
def flag(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.3, -0.46, -0.255, 0.49), (206, 204, 204))
    pen.fill(oval(-0.278, -0.465, 0.035), COLORS["yellow"])
    top = -0.12 if "middle" in thing.state else -0.43
    pen.body([(-0.255, top), *smooth([(-0.1, top + 0.03), (0.1, top - 0.02), (0.32, top + 0.02)], closed=False),
              *smooth([(0.32, top + 0.29), (0.1, top + 0.26), (-0.1, top + 0.31), (-0.255, top + 0.28)], closed=False)])


@kind("well", 0.9, 1, (150, 190), colors=("red", "blue", "brown", "green", "purple"), part="roof",
    states=("showing its bucket at the top", "showing its bucket at the bottom"))
def well(pen: Pen, thing: Thing) -> None:
    stone: RGB = (182, 178, 174)
    for x in (-0.27, 0.27):
        pen.fill(box(x - 0.03, -0.24, x + 0.03, 0.2), WOOD)
    pen.fill(box(-0.32, -0.14, 0.32, -0.09, 0.02), dark(WOOD, 0.2))
    drop = -0.04 if "top" in thing.state else 0.13
    pen.stroke([(0, -0.1), (0, drop + 0.02)], 0.02, (226, 210, 170))
    pen.fill([(-0.08, drop), (0.08, drop), (0.06, drop + 0.13), (-0.06, drop + 0.13)], COLORS["yellow"])
    pen.fill([(-0.44, -0.2), (0, -0.48), (0.44, -0.2)])
    pen.fill(box(-0.36, 0.2, 0.36, 0.48, 0.04), stone)
    for row, y in enumerate((0.29, 0.38)):
        for x in range(4):
            pen.stroke([(-0.28 + x * 0.17 + row * 0.05, y), (-0.2 + x * 0.17 + row * 0.05, y)],
                0.014, dark(stone, 0.25))


@kind("sandcastle", 1, 0.9, (140, 180), counted=Counted("flags", 2, 4))
def sandcastle(pen: Pen, thing: Thing) -> None:
    sand: RGB = (230, 192, 124)
    towers = ((-0.3, -0.12), (0.3, -0.12), (0.0, -0.22), (0.47, 0.1))[:3]
    for x, top in towers:
        notches = [(x - 0.11, top + 0.05), (x - 0.11, top), (x - 0.05, top), (x - 0.05, top + 0.04),
            (x + 0.05, top + 0.04), (x + 0.05, top), (x + 0.11, top), (x + 0.11, 0.44), (x - 0.11, 0.44)]
        pen.fill(notches, sand)
    pen.fill(box(-0.44, 0.16, 0.44, 0.44, 0.02), light(sand, 0.12))
    pen.fill([*oval(0, 0.32, 0.08, 0.1, 180, 360), (0.08, 0.44), (-0.08, 0.44)], dark(sand, 0.45))
    for x, y in ((-0.3, -0.12), (0.3, -0.12), (0.0, -0.22), (0.38, 0.16))[: thing.count]:
        pen.stroke([(x, y + 0.05), (x, y - 0.2)], 0.016, WOOD)
        pen.fill([(x, y - 0.2), (x + 0.13, y - 0.15), (x, y - 0.09)], COLORS["red"])


BOARDWORDS = ("BAKERY", "FLOWERS", "TOYS", "BOOKS", "CAFE", "HATS", "FRUIT", "MUSIC", "SHOES", "BIKES", "PAINT", "FISH")


@kind("shop", 1, 0.96, (220, 260), colors=BRIGHT, part="awning", also=("building",), states=("open", "closed"),
      label=Label(BOARDWORDS, 0.76, 0.13, "sign"), patterns=("striped",))
def shop(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.46, -0.46, 0.46, 0.47, 0.01), (228, 206, 182))
    pen.fill(box(-0.42, -0.43, 0.42, -0.23, 0.02), (252, 246, 230))
    pen.text(thing.text, 0, -0.33, (70, 50, 56))
    pen.fill(box(-0.4, -0.1, 0.06, 0.34), GLASS)
    pen.stroke([(-0.17, -0.1), (-0.17, 0.34)], 0.02, (255, 255, 255))
    for x, color in ((-0.31, "pink"), (-0.06, "orange")):
        pen.fill([*oval(x, 0.34, 0.08, 0.13, 180, 360)], COLORS[color])
    if thing.state != "closed":
        pen.fill(box(0.13, 0.0, 0.4, 0.47), (88, 62, 58))
        pen.fill([(0.13, 0.0), (0.19, 0.04), (0.19, 0.45), (0.13, 0.47)], WOOD)
    else:
        pen.fill(box(0.13, 0.0, 0.4, 0.47), WOOD)
        pen.fill(box(0.18, 0.05, 0.35, 0.23), GLASS)
        pen.dot(0.36, 0.3, 0.02, COLORS["yellow"])
    awning = [(-0.45, -0.21), (0.45, -0.21), (0.49, -0.03), (-0.49, -0.03)]
    pen.body(awning)
    for n in range(7):
        pen.fill(oval(-0.42 + n * 0.14, -0.03, 0.07, 0.05, 0, 180), light(pen.main, 0.45) if n % 2 else pen.main)


@kind("fountain", 1, 0.9, (150, 190), colors=("blue", "green", "purple", "gray", "pink"), part="basin",
    states=("running", "dry"))
def fountain(pen: Pen, thing: Thing) -> None:
    water: RGB = (150, 206, 236)
    pen.fill(box(-0.06, -0.12, 0.06, 0.26, 0.02), light(pen.main, 0.25))
    pen.fill([*oval(0, -0.12, 0.24, 0.12, 0, 180)], light(pen.main, 0.15))
    if thing.state != "dry":
        for side in (1, -1):
            for reach in (0.16, 0.32):
                pen.stroke(smooth([(0, -0.14), (side * reach * 0.5, -0.42), (side * reach, -0.2),
                    (side * reach * 1.12, 0.16)], closed=False), 0.03, water)
    pen.fill(oval(0, 0.2, 0.47, 0.1), water if thing.state != "dry" else dark(pen.main, 0.3))
    pen.fill([*oval(0, 0.2, 0.48, 0.22, 0, 180), *oval(0, 0.2, 0.48, 0.1, 180, 0)])


@kind("umbrella", 1, 0.96, (140, 190), colors=BRIGHT, states=("open", "folded"), patterns=("striped", "dotted", ""))
def umbrella(pen: Pen, thing: Thing) -> None:
    pen.stroke([(0, -0.4), (0, 0.47)], 0.035, WOOD)
    if thing.state != "folded":
        scallops = [(0.47 - 0.94 * n / 6, -0.02 + (0.04 if n % 2 else 0)) for n in range(7)]
        pen.body([*oval(0, -0.02, 0.47, 0.42, 180, 360), *smooth(scallops, closed=False, steps=4)])
        for x in (-0.2, 0.2):
            pen.stroke(smooth([(0, -0.44), (x * 0.8, -0.28), (x, 0.0)], closed=False), 0.01, pen.ink)
    else:
        pen.body(smooth([(0, -0.45), (0.075, -0.1), (0.05, 0.2), (0, 0.26), (-0.05, 0.2), (-0.075, -0.1)]))
    pen.dot(0, -0.45, 0.022, WOOD)
