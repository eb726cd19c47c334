"""Things whose point is the text on them.

Belongs here: one drawing per kind, with its words. Does not belong here: how a text may change.
"""

from __future__ import annotations

from diffbench_assets.pages.drawn_scenes.kinds.base import Label, kind
from diffbench_assets.pages.drawn_scenes.model import Thing
from diffbench_assets.pages.drawn_scenes.palette import BRIGHT, COLORS, RGB, dark, light
from diffbench_assets.pages.drawn_scenes.pen import Pen
from diffbench_assets.pages.drawn_scenes.shapes import box, oval, smooth, star

# Points read best in rows.
# fmt: off

WOOD: RGB = (178, 128, 82)
PAPER: RGB = (254, 250, 240)
TEXT: RGB = (62, 46, 50)

ROADS = ("LAKE ROAD", "OAK LANE", "HILL ST 24", "PARK ST 7", "MILL ROAD", "ELM ST 31")
ADVICE = ("KEEP LEFT", "NO DOGS", "POND 200 M", "HIKE 3 KM", "WET PAINT", "TRAIL 48", "PICNIC", "CAMP 12")
TITLES = ("THE MOON", "SEA TALES", "BIRDS", "GARDEN", "STARS", "DRAGONS", "MAGIC", "THE FOX")
SHOWS = ("CIRCUS", "FAIR 24", "CONCERT", "PUPPETS", "MAY 18", "PARADE", "DANCE")
NOTES = ("CALL ANNA", "BUY MILK", "GYM 7:30", "ROOM 42", "TRAIN 926", "LUNCH 12")
GOODS = ("PEARS", "LEMONS", "HONEY", "TEA 500", "NAILS", "CORKS", "SALT 25")


@kind("wooden sign", 1, 1, (155, 185), label=Label(ADVICE, 0.86, 0.135))
def wooden_sign(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.06, -0.1, 0.06, 0.49), dark(WOOD, 0.2))
    pen.fill(box(-0.49, -0.44, 0.49, -0.04, 0.03), WOOD)
    for y in (-0.36, -0.12):
        pen.stroke(smooth([(-0.45, y), (-0.1, y + 0.015), (0.45, y - 0.005)], closed=False), 0.01, dark(WOOD, 0.25))
    pen.text(thing.text, 0, -0.24, (255, 248, 228))


@kind("street sign", 1.2, 1, (120, 150), colors=("blue", "green", "red", "purple"), label=Label(ROADS, 1.06, 0.155))
def street_sign(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.04, -0.44, 0.04, 0.49), (132, 138, 146))
    pen.fill(box(-0.59, -0.4, 0.59, -0.1, 0.04))
    pen.text(thing.text, 0, -0.25, (255, 255, 255))


@kind("speed limit sign", 0.6, 1, (150, 190), label=Label(("30", "45", "60", "25", "70", "90"), 0.32, 0.2))
def speed_limit_sign(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.03, 0.0, 0.03, 0.49), (140, 146, 154))
    pen.fill(oval(0, -0.2, 0.285), COLORS["red"])
    pen.fill(oval(0, -0.2, 0.215), PAPER)
    pen.text(thing.text, 0, -0.2, (40, 40, 48))


@kind("poster", 0.8, 1, (150, 180), colors=BRIGHT, label=Label(SHOWS, 0.66, 0.125))
def poster(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.39, -0.49, 0.39, 0.49))
    pen.fill(box(-0.35, -0.45, 0.35, -0.22), PAPER, edge=False, shade=0.03)
    pen.text(thing.text, 0, -0.335, TEXT)
    pen.fill(star(0, 0.12, 0.27, 0.14, 9), light(pen.main, 0.5))
    pen.fill(oval(0, 0.12, 0.11), light(pen.main, 0.8))


@kind("calendar", 0.86, 0.9, (110, 140), colors=BRIGHT, label=Label(("MAY 14", "JUN 28", "OCT 5", "NOV 23",
    "APR 17", "DEC 9"), 0.72, 0.165))
def calendar(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.42, -0.42, 0.42, 0.44, 0.03), PAPER)
    pen.fill(box(-0.42, -0.42, 0.42, -0.2, 0.03))
    for x in (-0.22, 0.22):
        pen.fill(box(x - 0.03, -0.45, x + 0.03, -0.3, 0.02), (120, 124, 132))
    pen.text(thing.text, 0, -0.02, TEXT)
    for row in range(2):
        for column in range(6):
            pen.fill(box(-0.33 + column * 0.115, 0.16 + row * 0.12, -0.25 + column * 0.115, 0.24 + row * 0.12),
                light(pen.main, 0.6), edge=False, shade=0)


@kind("book", 0.78, 1, (150, 180), colors=(*BRIGHT, "brown"), label=Label(TITLES, 0.585, 0.105, "cover", serif=True))
def book(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.34, -0.45, 0.38, 0.49, 0.02), PAPER)
    pen.fill(box(-0.38, -0.48, 0.33, 0.46, 0.02))
    pen.fill(box(-0.38, -0.48, -0.3, 0.46, 0.02), dark(pen.main, 0.25))
    pen.fill(box(-0.29, -0.36, 0.32, -0.12, 0.01), PAPER, shade=0.03)
    pen.text(thing.text, 0.015, -0.24, TEXT)
    pen.fill(star(0.015, 0.17, 0.15, 0.07, 5), light(pen.main, 0.6))


@kind("ticket", 1, 0.5, (140, 175), colors=("yellow", "pink", "green", "orange", "blue"), label=Label(("ADMIT 7",
    "SEAT 48", "ROW C 12", "GATE 36", "ZOO 2041"), 0.72, 0.14))
def ticket(pen: Pen, thing: Thing) -> None:
    pen.fill([(-0.49, -0.24), (0.49, -0.24), *[(0.49 - 0.05 * cos_sin, y) for cos_sin, y in ((0, -0.08), (1, -0.04),
        (1, 0.04), (0, 0.08))],
              (0.49, 0.24), (-0.49, 0.24), *[(-0.49 + 0.05 * n, y) for n, y in ((0, 0.08), (1, 0.04), (1, -0.04),
                  (0, -0.08))]])
    pen.fill(box(-0.4, -0.17, 0.4, 0.17), light(pen.main, 0.55), shade=0.02)
    pen.text(thing.text, 0, 0, TEXT)


@kind("price tag", 1, 0.6, (95, 120), colors=("yellow", "white", "pink", "orange", "green"), label=Label(("2.50",
    "3.75", "1.20", "4.95", "6.40"), 0.62, 0.24))
def price_tag(pen: Pen, thing: Thing) -> None:
    pen.fill([(-0.49, 0.0), (-0.3, -0.28), (0.48, -0.28), (0.48, 0.28), (-0.3, 0.28)])
    pen.fill(oval(-0.33, 0, 0.045), (96, 84, 84))
    pen.text(thing.text, 0.11, 0, TEXT)


@kind("notebook", 0.84, 1, (155, 185), colors=BRIGHT, part="cover", label=Label(NOTES, 0.62, 0.105))
def notebook(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.41, -0.48, 0.41, 0.48, 0.04))
    pen.fill(box(-0.32, -0.42, 0.36, 0.42, 0.01), PAPER, shade=0.02)
    for n in range(7):
        pen.stroke([(-0.29, -0.3 + n * 0.105), (0.33, -0.3 + n * 0.105)], 0.006, (176, 196, 220))
        pen.fill(oval(-0.39, -0.36 + n * 0.12, 0.045, 0.02), (150, 154, 162))
    pen.text(thing.text, 0.02, -0.2, (50, 66, 130))


@kind("envelope", 1, 0.7, (130, 165), colors=("white", "yellow", "pink", "blue", "brown"), label=Label(("ANNA 14",
    "LEO 27", "MR FOX", "NO 563", "TO NINA"), 0.52, 0.115))
def envelope(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.48, -0.33, 0.48, 0.33, 0.01))
    pen.fill([(-0.48, -0.33), (0.48, -0.33), (0, -0.02)], light(pen.main, 0.2))
    pen.fill(oval(0, -0.04, 0.06), COLORS["red"])
    pen.fill(box(-0.29, 0.07, 0.29, 0.28, 0.01), PAPER, edge=False, shade=0)
    pen.text(thing.text, 0, 0.175, TEXT)


@kind("crate", 1, 0.76, (125, 160), also=("container",), label=Label(GOODS, 0.72, 0.16))
def crate(pen: Pen, thing: Thing) -> None:
    for y in (-0.36, -0.12, 0.12):
        pen.fill(box(-0.48, y, 0.48, y + 0.23, 0.01), WOOD)
    for x in (-0.48, 0.4):
        pen.fill(box(x, -0.37, x + 0.08, 0.37), dark(WOOD, 0.12))
    pen.fill(box(-0.38, -0.12, 0.38, 0.12), light(WOOD, 0.55))
    pen.text(thing.text, 0, 0, TEXT)


@kind("chalkboard", 1.2, 0.9, (140, 175), colors=("brown", "red", "blue", "yellow"), part="frame",
      label=Label(("SOUP 4.50", "7 X 8 = 56", "HELLO", "9 + 6 = 15", "FRESH TEA", "WELCOME"), 0.96, 0.165))
def chalkboard(pen: Pen, thing: Thing) -> None:
    pen.fill(box(-0.59, -0.44, 0.59, 0.4, 0.02))
    pen.fill(box(-0.53, -0.38, 0.53, 0.34), (58, 84, 76), shade=0.06)
    pen.text(thing.text, 0, -0.06, (244, 244, 236))
    pen.stroke(smooth([(-0.35, 0.18), (0, 0.21), (0.35, 0.18)], closed=False), 0.015, (206, 216, 208))
    pen.fill(box(-0.3, 0.4, 0.3, 0.44), light(pen.main, 0.2))


@kind("banner", 1.4, 0.5, (130, 160), colors=BRIGHT, label=Label(("WELCOME", "HAPPY DAY", "SPRING", "RACE 2024",
    "FINISH", "HURRAY"), 1.1, 0.18))
def banner(pen: Pen, thing: Thing) -> None:
    for side in (1, -1):
        pen.fill([(side * 0.5, -0.12), (side * 0.69, -0.12), (side * 0.62, 0.06), (side * 0.69, 0.24),
            (side * 0.5, 0.24)], dark(pen.main, 0.25))
    pen.fill(box(-0.59, -0.2, 0.59, 0.17, 0.01))
    pen.text(thing.text, 0, -0.015, (255, 252, 240) if thing.color not in ("yellow",) else (90, 54, 40))
