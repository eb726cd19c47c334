"""Places under the sky and under water.

Belongs here: one painting per place, with its zones. Does not belong here: things, rooms.
"""

from __future__ import annotations

import numpy as np

from diffbench_assets.pages.drawn_scenes.model import HEIGHT, WIDTH
from diffbench_assets.pages.drawn_scenes.palette import RGB, dark, light, mix
from diffbench_assets.pages.drawn_scenes.pen import Pen
from diffbench_assets.pages.drawn_scenes.places.base import Mood, Zone, place
from diffbench_assets.pages.drawn_scenes.shapes import Point, box, oval, smooth

# Points read best in rows.
# fmt: off

FLYING = ("kite", "hot_air_balloon", "airplane", "flock", "paper_plane", "balloons")
SKIES: dict[str, Mood] = {
    "noon": {"high": (112, 178, 232), "low": (214, 236, 246), "sun": (255, 236, 150), "cloud": (255, 255, 255)},
    "morning": {"high": (152, 196, 232), "low": (255, 232, 204), "sun": (255, 246, 206), "cloud": (255, 248, 240)},
    "evening": {"high": (122, 128, 190), "low": (254, 202, 164), "sun": (255, 214, 130), "cloud": (252, 226, 226)},
}


def _moods(**grounds: RGB) -> dict[str, Mood]:
    return {name: {**sky, **grounds} for name, sky in SKIES.items()}


def ridge(dice: np.random.Generator, level: float, swing: float, bumps: int, bottom: float) -> list[Point]:
    """The outline of rolling land from the left edge to the right, closed at `bottom`."""
    step = WIDTH / bumps
    crest = [(n * step, level + float(dice.uniform(-swing, swing))) for n in range(-1, bumps + 2)]
    return [*smooth(crest, closed=False, steps=10), (WIDTH + step, bottom), (-step, bottom)]


def sky(pen: Pen, mood: Mood, dice: np.random.Generator, horizon: float) -> None:
    """Air, sun and clouds down to the horizon."""
    pen.ramp(0, horizon, mood["high"], mood["low"])
    x, y = float(dice.uniform(90, WIDTH - 90)), float(dice.uniform(60, 120))
    for radius, alpha in ((92.0, 0.18), (70.0, 0.25)):
        pen.gloss(oval(x, y, radius), alpha, mood["sun"])
    pen.fill(oval(x, y, 46), mood["sun"], edge=False, shade=0)
    for _ in range(4):
        x, y = float(dice.uniform(-20, WIDTH)), float(dice.uniform(30, horizon * 0.66))
        wide = float(dice.uniform(50, 90))
        puffs = ((0, 0, 0.62), (-0.75, 0.16, 0.44), (0.7, 0.14, 0.48), (0.3, -0.22, 0.46), (-0.35, -0.14, 0.42))
        for dx, dy, radius in puffs:
            pen.fill(oval(x + dx * wide, y + dy * wide + 4, wide * radius, wide * radius * 0.66), mix(mood["cloud"],
                mood["high"], 0.22), edge=False, shade=0)
        for dx, dy, radius in puffs:
            pen.fill(oval(x + dx * wide, y + dy * wide - 2, wide * radius, wide * radius * 0.6), mood["cloud"],
                edge=False, shade=0)


def tufts(pen: Pen, dice: np.random.Generator, color: RGB, top: float, bottom: float, count: int) -> None:
    """Small blades of grass, larger toward the front."""
    for _ in range(count):
        x, y = float(dice.uniform(0, WIDTH)), float(dice.uniform(top, bottom))
        tall = 5 + 9 * (y - top) / (bottom - top)
        for lean in (-0.5, 0.0, 0.5):
            pen.fill([(x - 1.5, y), (x + 1.5, y), (x + lean * tall, y - tall)], color, edge=False, shade=0)


def specks(pen: Pen, dice: np.random.Generator, colors: tuple[RGB, ...], top: float, bottom: float, count: int) -> None:
    """Small spots scattered over the ground."""
    for n in range(count):
        x, y, radius = float(dice.uniform(0, WIDTH)), float(dice.uniform(top, bottom)), float(dice.uniform(1.4, 3.2))
        pen.fill(oval(x, y, radius * 1.3, radius), colors[n % len(colors)], edge=False, shade=0)


@place(
    zones=(
        Zone("sky", "air", (20, 16, 1004, 296), 3, 4, (*FLYING, "butterfly")),
        Zone("far", "ground", (20, 420, 1004, 490), 4, 5,
             ("fir_tree", "round_tree", "apple_tree", "house", "barn", "tower", "windmill", "tent", "well", "flag"),
                 0.72, 0.8),
        Zone("near", "ground", (20, 560, 1004, 752), 8, 11,
             ("girl", "boy", "clown", "dog", "cat", "rabbit", "duck", "snail", "ladybug", "flower", "mushroom",
                 "wooden_sign",
              "street_sign", "bicycle", "basket", "ball", "mailbox", "bench", "flower", "crate", "robot", "owl",
              "wooden_sign", "umbrella", "drum", "chalkboard", "poster", "train"), 0.82, 1.05),
    ),
    moods=_moods(ground=(142, 190, 92), hill=(112, 168, 104), path=(226, 200, 150)),
    nouns=("cloud", "sun", "hill", "path", "grass"),
)
def meadow(pen: Pen, mood: Mood, dice: np.random.Generator) -> None:
    """Hills, a winding path and a lawn."""
    sky(pen, mood, dice, 400)
    pen.fill(ridge(dice, 330, 34, 4, 520), mix(mood["hill"], mood["high"], 0.45), edge=False)
    pen.fill(ridge(dice, 368, 24, 5, 560), mix(mood["hill"], mood["low"], 0.15), edge=False)
    pen.fill(ridge(dice, 412, 12, 4, HEIGHT), mood["ground"], edge=False, shade=0.16)
    bend = float(dice.uniform(-120, 120))
    left = [(520 + bend, 420), (470 + bend, 500), (560, 590), (420, 680), (380, 790)]
    right = [(620, 790), (600, 680), (690, 590), (540 + bend, 500), (545 + bend, 420)]
    pen.fill([*smooth(left, closed=False), *smooth(right, closed=False)], mood["path"], edge=False, shade=0.05)
    tufts(pen, dice, dark(mood["ground"], 0.22), 440, HEIGHT, 110)
    specks(pen, dice, ((255, 255, 255), (255, 226, 120), (246, 170, 196)), 450, HEIGHT, 70)


@place(
    zones=(
        Zone("sky", "air", (20, 16, 1004, 270), 2, 3, (*FLYING,)),
        Zone("far", "ground", (20, 420, 1004, 490), 4, 5,
             ("fir_tree", "house", "barn", "tower", "street_lamp", "fir_tree", "flag", "train"), 0.72, 0.82),
        Zone("near", "ground", (20, 560, 1004, 752), 8, 11,
             ("snowman", "girl", "boy", "dog", "cat", "rabbit", "owl", "present", "mailbox", "bench", "wooden_sign",
                 "street_sign",
              "basket", "bucket", "robot", "crate", "chalkboard", "teddy_bear", "drum", "poster", "birthday_cake"),
                  0.82, 1.05),
    ),
    moods=_moods(ground=(238, 244, 252), hill=(206, 220, 240), path=(214, 226, 242)),
    nouns=("cloud", "sun", "hill", "snow", "pond"),
)
def winter(pen: Pen, mood: Mood, dice: np.random.Generator) -> None:
    """Snowy hills and a frozen pond."""
    sky(pen, mood, dice, 400)
    pen.fill(ridge(dice, 310, 50, 6, 520), mix(mood["hill"], mood["high"], 0.5), edge=False)
    pen.fill(ridge(dice, 372, 22, 5, 560), mood["hill"], edge=False)
    pen.fill(ridge(dice, 412, 12, 4, HEIGHT), mood["ground"], edge=False, shade=0.1)
    x = float(dice.uniform(250, 770))
    pen.fill(smooth([(x - 180, 640), (x - 60, 600), (x + 120, 606), (x + 190, 650), (x + 60, 690), (x - 110, 684)]),
        (190, 220, 238), edge=False, shade=0.08)
    specks(pen, dice, ((255, 255, 255), (214, 226, 244)), 430, HEIGHT, 130)
    specks(pen, dice, ((255, 255, 255),), 0, 420, 90)


@place(
    zones=(
        Zone("sky", "air", (20, 16, 1004, 210), 2, 3, FLYING),
        Zone("sea", "ground", (20, 316, 1004, 384), 2, 3, ("sailing_boat", "steamboat", "sailing_boat"), 0.8, 0.95),
        Zone("near", "ground", (20, 500, 1004, 752), 10, 13,
             ("umbrella", "sandcastle", "bucket", "ball", "starfish", "crab", "shell", "palm_tree", "girl", "boy",
                 "wooden_sign",
              "tent", "dog", "duck", "crate", "treasure_chest", "ice_cream", "basket", "chair", "lighthouse",
                  "street_sign",
              "pinwheel", "snail", "robot", "chalkboard", "watermelon"), 0.78, 1.02),
    ),
    moods=_moods(ground=(240, 214, 158), sea=(74, 152, 188)),
    nouns=("cloud", "sun", "sea", "wave", "sand"),
)
def beach(pen: Pen, mood: Mood, dice: np.random.Generator) -> None:
    """A sandy shore with the sea behind."""
    sky(pen, mood, dice, 260)
    pen.ramp(258, 460, light(mood["sea"], 0.3), mood["sea"])
    for row in range(9):
        y = 276 + row * 16
        for n in range(7):
            x, wide = float(dice.uniform(0, WIDTH)), 18 + row * 5
            pen.fill(smooth([(x - wide, y), (x, y - 3), (x + wide, y), (x, y + 1.5)]), light(mood["sea"],
                0.55 if n % 2 else 0.4), edge=False, shade=0)
    pen.fill(ridge(dice, 412, 8, 5, HEIGHT), (246, 250, 250), edge=False, shade=0)
    pen.fill(ridge(dice, 424, 8, 5, HEIGHT), dark(mood["ground"], 0.12), edge=False, shade=0)
    pen.fill(ridge(dice, 440, 8, 5, HEIGHT), mood["ground"], edge=False, shade=0.12)
    specks(pen, dice, (dark(mood["ground"], 0.2), light(mood["ground"], 0.5)), 450, HEIGHT, 190)


@place(
    zones=(
        Zone("sky", "air", (20, 12, 1004, 176), 1, 2, ("airplane", "flock", "hot_air_balloon", "kite")),
        Zone("walk", "ground", (20, 436, 1004, 470), 6, 7,
             ("shop", "street_lamp", "traffic_light", "mailbox", "bench", "flag", "fountain", "speed_limit_sign",
                 "street_sign",
              "shop", "poster", "boy", "girl"), 0.92, 1),
        Zone("road", "ground", (20, 566, 1004, 600), 3, 4, ("car", "bus", "truck", "car", "bicycle", "bus"), 0.9, 0.95),
        Zone("front", "ground", (20, 708, 1004, 752), 5, 7,
             ("dog", "cat", "clown", "crate", "basket", "umbrella", "balloons", "girl", "boy", "robot",
                 "chalkboard", "teddy_bear",
              "wooden_sign", "ball", "duck", "present"), 0.82, 0.86),
    ),
    moods=_moods(ground=(206, 198, 190), road=(112, 112, 122), wall=(196, 186, 198)),
    nouns=("cloud", "sun", "skyline", "road", "curb"),
)
def street(pen: Pen, mood: Mood, dice: np.random.Generator) -> None:
    """A road between two pavements, and roofs in the haze behind."""
    sky(pen, mood, dice, 410)
    for depth, (level, haze) in enumerate(((210, 0.55), (262, 0.3))):
        x = -30.0
        while x < WIDTH:
            wide, tall = float(dice.uniform(70, 130)), float(dice.uniform(-45, 45))
            color = mix(mood["wall"], mood["low"], haze)
            pen.fill(box(x, level + tall, x + wide, 420), dark(color, float(dice.uniform(0, 0.12))),
                edge=False, shade=0.06)
            for row in range(3):
                for column in range(int(wide // 26)):
                    pen.fill(box(x + 10 + column * 26, level + tall + 16 + row * 30, x + 22 + column * 26,
                        level + tall + 32 + row * 30),
                             mix(color, (255, 240, 190), 0.45 - 0.2 * depth), edge=False, shade=0)
            x += wide + float(dice.uniform(0, 14))
    pen.fill(box(-5, 405, WIDTH + 5, 500), mood["ground"], edge=False, shade=0.08)
    for n in range(14):
        pen.stroke([(n * 80 + 26, 406), (n * 84 - 20, 488)], 1.6, dark(mood["ground"], 0.16))
    pen.stroke([(0, 446), (WIDTH, 446)], 1.6, dark(mood["ground"], 0.16))
    pen.fill(box(-5, 488, WIDTH + 5, 502), dark(mood["ground"], 0.25), edge=False)
    pen.fill(box(-5, 500, WIDTH + 5, 646), mood["road"], edge=False, shade=0.08)
    for n in range(8):
        pen.fill(box(n * 140 + 20, 616, n * 140 + 96, 624), (244, 240, 226), edge=False, shade=0)
    pen.fill(box(-5, 640, WIDTH + 5, 652), light(mood["ground"], 0.2), edge=False)
    pen.fill(box(-5, 650, WIDTH + 5, HEIGHT + 5), mood["ground"], edge=False, shade=0.1)
    for n in range(12):
        pen.stroke([(n * 96 + 40, 652), (n * 108 - 40, HEIGHT)], 2, dark(mood["ground"], 0.14))
    pen.stroke([(0, 706), (WIDTH, 706)], 2, dark(mood["ground"], 0.14))


@place(
    zones=(
        Zone("water", "air", (20, 30, 1004, 490), 8, 10,
             ("fish", "fish", "octopus", "submarine", "fish", "key", "rocket", "umbrella", "fish", "bicycle",
                 "banner", "leaf"), 0.85, 1),
        Zone("floor", "ground", (20, 640, 1004, 752), 8, 10,
             ("crab", "starfish", "shell", "treasure_chest", "snail", "wooden_sign", "crate", "bottle", "bucket",
                 "robot", "jug", "vase",
              "clock", "toy_block", "street_sign", "chair", "teapot", "mug", "die", "book"), 0.85, 1),
    ),
    moods={
        "lagoon": {"high": (122, 206, 222), "low": (34, 112, 158), "ground": (232, 208, 158)},
        "deep": {"high": (86, 150, 206), "low": (28, 66, 126), "ground": (196, 186, 160)},
        "green": {"high": (150, 214, 196), "low": (32, 112, 122), "ground": (222, 206, 160)},
    },
    nouns=("seaweed", "coral", "bubble", "rock", "sand"),
)
def underwater(pen: Pen, mood: Mood, dice: np.random.Generator) -> None:
    """Rays of light, weed and corals over a sandy floor."""
    pen.ramp(0, 640, mood["high"], mood["low"])
    for _ in range(6):
        x, wide = float(dice.uniform(-50, WIDTH)), float(dice.uniform(30, 90))
        pen.gloss([(x, -5), (x + wide, -5), (x + wide * 2.2 + 120, 640), (x + 60, 640)], 0.1)
    pen.fill(ridge(dice, 560, 40, 5, HEIGHT), mix(mood["ground"], mood["low"], 0.62), edge=False)
    for _ in range(11):
        x, tall, lean = float(dice.uniform(0, WIDTH)), float(dice.uniform(70, 150)), float(dice.uniform(8, 20))
        color = mix((72, 148, 96), mood["low"], float(dice.uniform(0.2, 0.5)))
        side = [(x + lean * (1 if n % 2 else -1), 640 - tall * n / 5) for n in range(6)]
        pen.fill([*smooth([(px - 7 * (1 - n / 6), py) for n, (px, py) in enumerate(side)], closed=False),
                  *smooth([(px + 7 * (1 - n / 6), py) for n, (px, py) in enumerate(side)][::-1], closed=False)],
                      color, edge=False, shade=0)
    for _ in range(5):
        x, wide = float(dice.uniform(0, WIDTH)), float(dice.uniform(30, 60))
        pen.fill(smooth([(x - wide, 650), (x - wide * 0.7, 615), (x, 600), (x + wide * 0.8, 620), (x + wide, 650)]),
            mix((150, 130, 150), mood["low"], 0.4), edge=False)
    pen.fill(ridge(dice, 622, 12, 6, HEIGHT), mood["ground"], edge=False, shade=0.14)
    specks(pen, dice, (dark(mood["ground"], 0.2), light(mood["ground"], 0.5)), 640, HEIGHT, 150)
    for _ in range(24):
        x, y, radius = float(dice.uniform(0, WIDTH)), float(dice.uniform(20, 560)), float(dice.uniform(2, 7))
        pen.gloss(oval(x, y, radius), 0.35)
        pen.gloss(oval(x - radius * 0.3, y - radius * 0.3, radius * 0.35), 0.7)
