"""Things that travel on land, on water and in the air.

Belongs here: one drawing per kind. Does not belong here: toys that only look like them.
"""

from __future__ import annotations

from diffbench_assets.pages.drawn_scenes.kinds.base import Counted, Label, kind
from diffbench_assets.pages.drawn_scenes.model import Thing
from diffbench_assets.pages.drawn_scenes.palette import BRIGHT, COLORS, RGB, dark, light
from diffbench_assets.pages.drawn_scenes.pen import Pen
from diffbench_assets.pages.drawn_scenes.shapes import band, box, oval, smooth

# Points read best in rows.
# fmt: off

GLASS: RGB = (186, 218, 236)
RUBBER: RGB = (52, 50, 58)
WOOD: RGB = (150, 104, 68)
NAMES = ("LUNA", "ROSE", "NORA", "IRIS", "HOPE", "MAIA", "STAR")


def _wheel(pen: Pen, x: float, y: float, radius: float) -> None:
    pen.fill(oval(x, y, radius), RUBBER)
    pen.fill(oval(x, y, radius * 0.5), (206, 208, 212))
    pen.dot(x, y, radius * 0.16, RUBBER)


def _plate(pen: Pen, x: float, y: float, text: str) -> None:
    pen.fill(box(x - 0.19, y - 0.065, x + 0.19, y + 0.065, 0.012), (252, 250, 240), shade=0.03)
    pen.text(text, x, y, (40, 44, 56))


PLATE = Label(("@@ ##", "## @@", "@ ###"), 0.365, 0.105, "number plate")


@kind("car", 1, 0.56, (190, 230), colors=(*BRIGHT, "white"), label=PLATE, group="road vehicle")
def car(pen: Pen, thing: Thing) -> None:
    pen.fill(smooth([(-0.33, -0.02), (-0.22, -0.24), (0.1, -0.26), (0.27, -0.02)], steps=5))
    pen.fill([(-0.25, -0.03), (-0.17, -0.19), (-0.04, -0.2), (-0.04, -0.03)], GLASS)
    pen.fill([(0.0, -0.03), (0.0, -0.2), (0.09, -0.2), (0.2, -0.03)], GLASS)
    pen.fill(smooth([(-0.48, 0.0), (-0.3, -0.05), (0.28, -0.05), (0.47, 0.02), (0.49, 0.15), (0.4, 0.19),
        (-0.42, 0.19), (-0.49, 0.12)]))
    pen.fill(oval(0.45, 0.05, 0.03, 0.04), COLORS["yellow"])
    pen.fill(box(-0.48, 0.03, -0.44, 0.09, 0.01), COLORS["red"])
    pen.gloss([(-0.38, -0.01), (0.3, -0.01), (0.36, 0.02), (-0.4, 0.02)], 0.3)
    for x in (-0.29, 0.28):
        _wheel(pen, x, 0.17, 0.105)
    _plate(pen, 0.0, 0.085, thing.text)


@kind("truck", 1, 0.6, (190, 240), colors=(*BRIGHT, "white"), label=PLATE, group="road vehicle")
def truck(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.48, -0.28, 0.17, 0.16, 0.02), light(pen.main, 0.25))
    pen.fill(box(-0.48, -0.2, 0.17, -0.13), pen.main, shade=0)
    pen.fill([(0.19, -0.16), (0.36, -0.16), (0.45, 0.0), (0.48, 0.03), (0.48, 0.17), (0.19, 0.17)])
    pen.fill([(0.24, -0.11), (0.34, -0.11), (0.41, 0.01), (0.24, 0.01)], GLASS)
    pen.fill(box(-0.48, 0.13, 0.48, 0.19), (84, 86, 96))
    for x in (-0.32, -0.08, 0.33):
        _wheel(pen, x, 0.18, 0.1)
    _plate(pen, -0.155, 0.0, thing.text)


@kind("bus", 1, 0.62, (200, 245), colors=(*BRIGHT, "white"), label=PLATE, group="road vehicle")
def bus(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.48, -0.29, 0.48, 0.2, 0.05))
    for x in (-0.42, -0.25, -0.08, 0.09):
        pen.fill(box(x, -0.22, x + 0.13, -0.06, 0.02), GLASS)
    pen.fill(box(0.27, -0.22, 0.44, 0.17, 0.02), GLASS)
    pen.stroke([(0.355, -0.21), (0.355, 0.16)], 0.014, dark(pen.main, 0.4))
    for x in (-0.3, 0.2):
        _wheel(pen, x, 0.19, 0.1)
    _plate(pen, -0.06, 0.05, thing.text)


@kind("bicycle", 1, 0.66, (130, 165), colors=("red", "orange", "green", "blue", "purple", "pink"), part="frame",
    also=("road vehicle",))
def bicycle(pen: Pen, thing: Thing) -> None:
    for x in (-0.29, 0.29):
        ring = oval(x, 0.12, 0.18)
        for n in range(0, 44, 4):
            pen.stroke([(x, 0.12), ring[n]], 0.007, (150, 152, 160))
        pen.stroke(ring, 0.035, RUBBER)
    frame = [(-0.29, 0.12), (-0.12, -0.14), (0.2, -0.14), (0.02, 0.12), (-0.29, 0.12)]
    pen.stroke(frame, 0.036, pen.main)
    pen.stroke([(-0.15, -0.22), (0.02, 0.12)], 0.036, pen.main)
    pen.stroke([(0.17, -0.26), (0.29, 0.12)], 0.036, pen.main)
    pen.stroke([(0.17, -0.26), (0.27, -0.28)], 0.032, RUBBER)
    pen.fill(oval(-0.16, -0.23, 0.09, 0.03), RUBBER)
    pen.fill(oval(0.02, 0.12, 0.045), (180, 182, 188))


@kind("sailing boat", 0.92, 1, (150, 200), colors=(*BRIGHT, "white"), part="sail", group="boat",
      label=Label(NAMES, 0.56, 0.12, "hull"), patterns=("", "banded", "striped"))
def sailing_boat(pen: Pen, thing: Thing) -> None:
    pen.stroke([(0, 0.3), (0, -0.46)], 0.03, WOOD)
    pen.body([(0.03, -0.43), (0.37, 0.18), (0.03, 0.2)])
    pen.fill([(-0.03, -0.34), (-0.03, 0.2), (-0.29, 0.18)], light(pen.main, 0.55))
    pen.fill([(0, -0.49), (0.13, -0.46), (0, -0.42)], COLORS["red"])
    _hull(pen, thing.text)


@kind("steamboat", 0.92, 1, (150, 200), colors=(*BRIGHT, "white"), part="funnel", group="boat",
      label=Label(NAMES, 0.56, 0.12, "hull"))
def steamboat(pen: Pen, thing: Thing) -> None:
    for x, y, r in ((0.2, -0.42, 0.075), (0.1, -0.36, 0.06)):
        pen.fill(oval(x, y, r), (226, 228, 232))
    pen.fill(box(-0.02, -0.32, 0.15, 0.0))
    pen.fill(box(-0.02, -0.25, 0.15, -0.18), light(pen.main, 0.6), shade=0)
    pen.fill(box(-0.25, -0.02, 0.27, 0.24, 0.02), (246, 240, 226))
    for x in (-0.15, 0.01, 0.17):
        pen.fill(oval(x, 0.1, 0.05), GLASS)
    _hull(pen, thing.text)


def _hull(pen: Pen, name: str) -> None:
    pen.fill(smooth([(-0.42, 0.24), (0.42, 0.24), (0.33, 0.43), (0.24, 0.48), (-0.24, 0.48), (-0.33, 0.43)],
        steps=3), WOOD)
    pen.text(name, 0, 0.355, (255, 246, 224))


@kind("airplane", 1, 0.56, (130, 180), colors=(*BRIGHT, "white"), turnable=True)
def airplane(pen: Pen, thing: Thing) -> None:
    pen.fill([(0.3, -0.05), (0.46, -0.25), (0.48, -0.25), (0.42, 0.0)], dark(pen.main, 0.15))
    pen.fill(smooth([(-0.48, 0.04), (-0.36, -0.09), (0.0, -0.13), (0.44, -0.06), (0.46, 0.0), (0.1, 0.1),
        (-0.36, 0.12)]))
    pen.fill(smooth([(-0.4, -0.01), (-0.32, -0.08), (-0.25, -0.07), (-0.27, 0.0)]), GLASS)
    for x in (-0.16, -0.06, 0.04, 0.14):
        pen.fill(oval(x, -0.03, 0.026), GLASS)
    pen.fill([(-0.08, 0.05), (0.12, 0.04), (0.3, 0.26), (0.2, 0.26)], light(pen.main, 0.35))


@kind("hot-air balloon", 0.72, 1, (140, 190), colors=BRIGHT, patterns=("striped", "banded", "dotted"))
def hot_air_balloon(pen: Pen, thing: Thing) -> None:
    for x in (-0.09, 0.09):
        pen.stroke([(x * 1.8, 0.1), (x, 0.33)], 0.012, WOOD)
    pen.body(smooth([(0, -0.49), (0.25, -0.42), (0.35, -0.17), (0.24, 0.06), (0.1, 0.18), (-0.1, 0.18),
        (-0.24, 0.06), (-0.35, -0.17), (-0.25, -0.42)]))
    pen.gloss(oval(-0.16, -0.3, 0.06, 0.1), 0.35)
    pen.fill(box(-0.11, 0.32, 0.11, 0.48, 0.03), WOOD)
    for y in (0.37, 0.43):
        pen.stroke([(-0.1, y), (0.1, y)], 0.012, dark(WOOD, 0.35))


@kind("rocket", 0.6, 1, (120, 165), colors=BRIGHT, part="trim", turnable=True, also=("toy",))
def rocket(pen: Pen, thing: Thing) -> None:
    pen.fill(smooth([(-0.09, 0.3), (0.09, 0.3), (0.05, 0.4), (0, 0.49), (-0.05, 0.4)]), COLORS["orange"])
    for side in (1, -1):
        pen.fill([(side * 0.13, 0.02), (side * 0.28, 0.22), (side * 0.27, 0.36), (side * 0.12, 0.26)])
    pen.fill(smooth([(0, -0.48), (0.13, -0.26), (0.16, 0.0), (0.1, 0.31), (-0.1, 0.31), (-0.16, 0.0),
        (-0.13, -0.26)]), (240, 240, 240))
    pen.fill(smooth([(0, -0.49), (0.09, -0.34), (0.11, -0.26), (-0.11, -0.26), (-0.09, -0.34)], steps=4))
    pen.fill(oval(0, -0.08, 0.085), dark(pen.main, 0.2))
    pen.fill(oval(0, -0.08, 0.058), GLASS)


@kind("submarine", 1, 0.84, (170, 220), colors=BRIGHT, also=("boat",), counted=Counted("portholes", 2, 5),
      label=Label(("##", "@#", "#@"), 0.27, 0.125, "tower"))
def submarine(pen: Pen, thing: Thing) -> None:
    pen.stroke([(0.06, -0.25), (0.06, -0.4), (0.15, -0.4)], 0.035, dark(pen.main, 0.4))
    pen.fill(box(-0.16, -0.31, 0.16, 0.02, 0.03), dark(pen.main, 0.12))
    for y in (-0.08, 0.22):
        pen.fill(oval(0.47, 0.07 + (y - 0.07) * 0.7, 0.03, 0.1), (196, 170, 90))
    pen.fill(smooth([(-0.47, 0.07), (-0.34, -0.1), (0.0, -0.15), (0.34, -0.06), (0.46, 0.07), (0.34, 0.2),
        (0.0, 0.3), (-0.34, 0.25)]))
    for n in range(thing.count):
        x = -0.3 + n * 0.145
        pen.fill(oval(x, 0.07, 0.062), (206, 180, 100))
        pen.fill(oval(x, 0.07, 0.042), GLASS)
    pen.text(thing.text, 0, -0.215, (255, 252, 240) if sum(pen.main) < 400 else (50, 36, 50))


@kind("train", 1.1, 0.6, (190, 225), colors=BRIGHT, part="engine", also=("toy", "road vehicle"), label=Label(("##",
    "###", "@#"), 0.25, 0.12, "tender"))
def train(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.53, -0.1, -0.16, 0.17, 0.02), light(pen.main, 0.3))
    pen.fill(box(-0.48, -0.05, -0.21, 0.12, 0.01), (250, 246, 232))
    pen.text(thing.text, -0.345, 0.035, (44, 44, 56))
    pen.fill(box(-0.17, 0.1, -0.08, 0.13), RUBBER)
    pen.fill(box(0.38, -0.25, 0.45, -0.02), RUBBER)
    pen.fill(box(0.36, -0.29, 0.47, -0.24, 0.01), RUBBER)
    pen.fill(box(0.1, -0.08, 0.5, 0.17, 0.06))
    pen.fill(box(-0.1, -0.26, 0.17, 0.17, 0.01))
    pen.fill(box(-0.14, -0.3, 0.21, -0.24, 0.02), dark(pen.main, 0.3))
    pen.fill(box(-0.05, -0.19, 0.12, -0.04, 0.01), GLASS)
    pen.fill(band([(-0.5, 0.17), (0.53, 0.17)], 0.04), RUBBER)
    for x in (-0.44, -0.26, 0.0, 0.22, 0.42):
        _wheel(pen, x, 0.2, 0.085)
