"""What is behind the things: one painting per place, in the notation of the art library.

Belongs here: skies, lands, rooms. Does not belong here: things, zones and colors (`places.yaml`).

A painting draws on 1280 × 800 px, without edges. `url(#air)` is the gradient from `high` to `low` of its mood.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from diffbench_assets.pages.dice import Dice
from diffbench_assets.pages.scenes.places import Mood
from diffbench_assets.pages.scenes.tones import dark, light, mix

Painting = Callable[[Dice, Mood], list[str]]

WIDTH: Final = 1280
HEIGHT: Final = 800
AIR: Final = "url(#air)"


def ridge(dice: Dice, color: str, level: int, swing: int, bumps: int) -> str:
    """Rolling land from the left edge to the right, down to the bottom."""
    step = WIDTH // bumps
    crest = " ".join(f"{n * step},{level + dice.number(-swing, swing)}" for n in range(-1, bumps + 2))
    return f"blob {color} {crest} {WIDTH + 2 * step},{HEIGHT + 300} {-2 * step},{HEIGHT + 300}"


def sky(dice: Dice, mood: Mood, horizon: int) -> list[str]:
    """Air down to the horizon, with sun and clouds, or with moon and stars."""
    x, y = dice.number(110, WIDTH - 110), dice.number(70, 130)
    night = "dim" in mood
    shapes = [f"box {AIR} 0,0 {WIDTH},{horizon}"]
    if night:
        shapes += scatter(dice, "white@80", (0, WIDTH), (0, horizon - 60), 60, (1, 2))
    for radius, share in ((100, 14), (76, 22)):
        shapes.append(f"oval {mood['sun']}@{share} {x},{y} {radius}")
    shapes.append(f"oval {mood['sun']} {x},{y} 48")
    for _ in range(3 if night else 5):
        x, y, wide = dice.number(0, WIDTH), dice.number(30, horizon * 2 // 3), dice.number(50, 95)
        puffs = ((0, 0, 0.62), (-0.75, 0.16, 0.44), (0.7, 0.14, 0.48), (0.3, -0.22, 0.46), (-0.35, -0.14, 0.42))
        for color, drop in ((mix(mood["cloud"], mood["high"], 0.25), 5), (mood["cloud"], -2)):
            shapes += [
                f"oval {color} {x + dx * wide:.0f},{y + dy * wide + drop:.0f} {wide * r:.0f},{wide * r * 0.62:.0f}"
                for dx, dy, r in puffs
            ]
    return shapes


def scatter(
    dice: Dice, color: str, across: tuple[int, int], down: tuple[int, int], count: int, size: tuple[int, int]
) -> list[str]:
    """Small spots."""
    return [f"oval {color} {dice.number(*across)},{dice.number(*down)} {dice.number(*size)}" for _ in range(count)]


def tufts(dice: Dice, color: str, top: int, count: int) -> list[str]:
    """Small blades of grass, larger toward the front."""
    shapes = []
    for _ in range(count):
        x, y = dice.number(0, WIDTH), dice.number(top, HEIGHT)
        tall = 6 + 11 * (y - top) // (HEIGHT - top)
        shapes.append(f"poly {color} {x - 4},{y} {x - 5},{y - tall} {x},{y - 3} {x + 1},{y - tall} {x + 4},{y}")
    return shapes


def meadow(dice: Dice, mood: Mood) -> list[str]:
    """Hills, a winding path and a lawn."""
    bend = dice.number(-150, 150)
    return [
        *sky(dice, mood, 440),
        ridge(dice, mix(mood["hill"], mood["high"], 0.45), 350, 36, 4),
        ridge(dice, mix(mood["hill"], mood["low"], 0.15), 392, 26, 5),
        ridge(dice, mood["ground"], 434, 12, 4),
        f"blob {mood['path']} {650 + bend},446 {590 + bend},530 700,615 525,710 475,860 750,860 720,710 860,615 "
        f"{675 + bend},530 {682 + bend},446",
        *tufts(dice, dark(mood["ground"], 0.22), 462, 70),
        *scatter(dice, light(mood["ground"], 0.6), (0, WIDTH), (470, HEIGHT), 40, (1, 3)),
    ]


def winter(dice: Dice, mood: Mood) -> list[str]:
    """Snowy hills and a frozen pond."""
    x = dice.number(320, 960)
    pond = ((-220, 668), (-70, 626), (150, 632), (236, 678), (74, 720), (-136, 714))
    return [
        *sky(dice, mood, 440),
        ridge(dice, mix(mood["hill"], mood["high"], 0.5), 325, 50, 6),
        ridge(dice, mood["hill"], 392, 22, 5),
        ridge(dice, mood["ground"], 434, 12, 4),
        f"blob {mood['path']} " + " ".join(f"{x + dx},{y}" for dx, y in pond),
        *scatter(dice, mix(mood["ground"], mood["high"], 0.25), (0, WIDTH), (455, HEIGHT), 60, (1, 3)),
        *scatter(dice, "white@90", (0, WIDTH), (0, 440), 70, (1, 3)),
    ]


def beach(dice: Dice, mood: Mood) -> list[str]:
    """A sandy shore with the sea behind."""
    waves = [
        f"oval {light(mood['sea'], 0.4)} {dice.number(0, WIDTH)},{280 + 17 * row} {24 + row * 6},{2}"
        for row in range(9)
        for _ in range(6)
    ]
    return [
        *sky(dice, mood, 275),
        f"box {light(mood['sea'], 0.18)} 0,270 {WIDTH},330",
        f"box {mood['sea']} 0,318 {WIDTH},500",
        *waves,
        ridge(dice, light(mood["ground"], 0.8), 432, 8, 5),
        ridge(dice, dark(mood["ground"], 0.12), 444, 8, 5),
        ridge(dice, mood["ground"], 460, 8, 5),
        *scatter(dice, dark(mood["ground"], 0.2), (0, WIDTH), (480, HEIGHT), 60, (1, 3)),
        *scatter(dice, light(mood["ground"], 0.5), (0, WIDTH), (480, HEIGHT), 60, (1, 3)),
    ]


def street(dice: Dice, mood: Mood) -> list[str]:
    """A road between two pavements, and roofs in the haze behind."""
    shapes, ground, road = sky(dice, mood, 430), mood["ground"], mood["road"]
    lamp = "#ffe9a0" if "dim" in mood else light(mood["wall"], 0.4)
    for level, haze in ((219, 0.55), (273, 0.3)):
        x = -30
        while x < WIDTH:
            wide, top = dice.number(90, 160), level + dice.number(-46, 46)
            wall = dark(mix(mood["wall"], mood["low"], haze), dice.number(0, 12) / 100)
            shapes.append(f"box {wall} {x},{top} {x + wide},440")
            shapes += [
                f"box {mix(wall, lamp, 0.5)} {x + 12 + 32 * column},{top + 16 + 32 * row} {x + 26 + 32 * column},"
                f"{top + 34 + 32 * row}"
                for row in range(3)
                for column in range(wide // 32)
                if dice.chance(0.8)
            ]
            x += wide + dice.number(0, 16)
    shapes += [f"box {ground} 0,422 {WIDTH},510", f"box {dark(ground, 0.25)} 0,508 {WIDTH},522"]
    shapes += [f"line {dark(ground, 0.16)} 2 {n * 100 + 32},423 {n * 105 - 25},508" for n in range(14)]
    shapes += [f"box {road} 0,520 {WIDTH},672", f"box {light(ground, 0.2)} 0,668 {WIDTH},680"]
    shapes += [f"box {light(road, 0.75)} {n * 160 + 24},642 {n * 160 + 114},650" for n in range(8)]
    shapes += [f"box {ground} 0,678 {WIDTH},{HEIGHT}", f"line {dark(ground, 0.14)} 2 0,736 {WIDTH},736"]
    return shapes + [f"line {dark(ground, 0.14)} 2 {n * 120 + 50},680 {n * 135 - 50},{HEIGHT}" for n in range(12)]


def underwater(dice: Dice, mood: Mood) -> list[str]:
    """Rays of light, weed and corals over a sandy floor."""
    shapes, ground = [f"box {AIR} 0,0 {WIDTH},{HEIGHT}"], mood["ground"]
    for _ in range(6):
        x, wide = dice.number(-60, WIDTH), dice.number(40, 110)
        shapes.append(f"poly white@9 {x},-5 {x + wide},-5 {x + wide * 2 + 150},670 {x + 75},670")
    shapes.append(ridge(dice, mix(ground, mood["low"], 0.62), 584, 40, 5))
    for _ in range(12):
        x, tall, lean = dice.number(0, WIDTH), dice.number(80, 160), dice.number(10, 24)
        color = mix("#489460", mood["low"], dice.number(20, 50) / 100)
        stem = " ".join(f"{x + lean * (-1) ** n},{670 - tall * n // 5}" for n in range(6))
        shapes.append(f"curve {color} {dice.number(8, 14)} {stem}")
    for _ in range(5):
        x, wide = dice.number(0, WIDTH), dice.number(40, 80)
        shapes.append(f"arc {mix('#968296', mood['low'], 0.4)} {x},690 {wide},{wide * 3 // 4} 180,360")
    shapes.append(ridge(dice, ground, 650, 12, 6))
    shapes += scatter(dice, dark(ground, 0.2), (0, WIDTH), (672, HEIGHT), 55, (1, 3))
    return shapes + scatter(dice, "white@30", (0, WIDTH), (20, 590), 26, (2, 8))


def space(dice: Dice, mood: Mood) -> list[str]:
    """Stars and dust over a cratered ground."""
    shapes, ground = [f"box {AIR} 0,0 {WIDTH},{HEIGHT}"], mood["ground"]
    for _ in range(3):
        x, y = dice.number(0, WIDTH), dice.number(80, 500)
        shapes += [f"oval {light(mood['low'], 0.2)}@14 {x},{y} {r},{r // 2} {dice.number(-30, 30)}" for r in (300, 200)]
    shapes += scatter(dice, "white@85", (0, WIDTH), (0, 640), 130, (1, 2))
    shapes += [ridge(dice, mix(ground, mood["low"], 0.5), 600, 24, 5), ridge(dice, ground, 652, 10, 6)]
    for _ in range(9):
        x, y, r = dice.number(0, WIDTH), dice.number(690, 790), dice.number(16, 46)
        shapes += [
            f"oval {dark(ground, 0.22)} {x},{y} {r},{r // 3}",
            f"oval {light(ground, 0.15)} {x},{y + 3} {r},{r // 3}",
        ]
        shapes.append(f"oval {dark(ground, 0.12)} {x},{y + 2} {r - 4},{r // 3 - 2}")
    return shapes


def camp(dice: Dice, mood: Mood) -> list[str]:
    """A clearing among dark firs."""
    shapes, ground = sky(dice, mood, 460), mood["ground"]
    for level, share, step in ((400, 0.4, 58), (440, 0.15, 74)):
        color = mix(mood["hill"], mood["low"], share)
        for x in range(-20, WIDTH + 40, step):
            tall, wide = dice.number(90, 170), dice.number(28, 46)
            shapes.append(f"poly {color} {x - wide},{level + 30} {x},{level - tall} {x + wide},{level + 30}")
        shapes.append(f"box {color} 0,{level} {WIDTH},480")
    return [
        *shapes,
        ridge(dice, ground, 456, 8, 5),
        f"oval {mood['path']} {dice.number(480, 800)},700 430,70",
        *tufts(dice, dark(ground, 0.25), 480, 60),
        *scatter(dice, light(ground, 0.35), (0, WIDTH), (480, HEIGHT), 40, (1, 3)),
    ]


def farm(dice: Dice, mood: Mood) -> list[str]:
    """Striped fields and a fence."""
    shapes = [
        *sky(dice, mood, 430),
        ridge(dice, mix(mood["hill"], mood["high"], 0.4), 356, 30, 4),
        ridge(dice, mood["hill"], 412, 14, 5),
    ]
    shapes.append(f"box {mood['ground']} 0,520 {WIDTH},{HEIGHT}")
    shapes += [
        f"poly {dark(mood['ground'], 0.1)} {x},520 {x + 22},520 {2 * x - 600},{HEIGHT} {2 * x - 690},{HEIGHT}"
        for x in range(0, WIDTH, 62)
    ]
    shapes += [f"box {mood['path']} {x},512 {x + 10},560" for x in range(14, WIDTH, 64)]
    return shapes + [f"box {light(mood['path'], 0.15)} 0,{y} {WIDTH},{y + 8}" for y in (522, 542)]


def room(dice: Dice, mood: Mood) -> list[str]:
    """A papered wall over floorboards with a rug."""
    wall, floor, rug, printed = mood["wall"], mood["floor"], mood["rug"], mood["print"]
    paper = dice.pick("stripes", "flowers", "plain", "panels")
    shapes = [f"box {wall} 0,0 {WIDTH},540"]
    if paper == "stripes":
        shapes += [f"box {printed} {x},0 {x + 22},540" for x in range(0, WIDTH, 52)]
    elif paper == "flowers":
        shapes += [
            f"*4@{x},{y} oval {printed} {x + 6},{y} 5"
            for row, y in enumerate(range(20, 510, 64))
            for x in range(34 * (row % 2), WIDTH, 68)
        ]
    elif paper == "panels":
        shapes += [f"box {printed} {x},360 {x + 140},480 4" for x in range(20, WIDTH, 160)]
    shapes += [f"box {light(wall, 0.7)} 0,506 {WIDTH},534", f"box {floor} 0,532 {WIDTH},{HEIGHT}"]
    for row in range(7):
        y = 532 + 12 * row + 5 * row * row
        shapes.append(f"line {dark(floor, 0.28)} 2 0,{y} {WIDTH},{y}")
        shapes += [
            f"line {dark(floor, 0.28)} 2 {x},{y} {x},{y + 17 + 10 * row}" for x in range(row * 97 % 280, WIDTH, 280)
        ]
    x, y = dice.number(540, 740), 700
    if dice.chance(0.5):
        rings = ((400, rug), (356, light(rug, 0.45)), (320, rug), (184, light(rug, 0.25)))
        return shapes + [f"oval {color} {x},{y} {wide},{wide // 4}" for wide, color in rings]
    frames = ((420, rug), (384, light(rug, 0.45)), (350, rug))
    return shapes + [
        f"poly {color} {x - w},{y - w // 5} {x + w},{y - w // 5} {x + w + 50},{y + w // 5} {x - w - 50},{y + w // 5}"
        for w, color in frames
    ]


def desk(dice: Dice, mood: Mood) -> list[str]:
    """A table top seen from above, with a mat."""
    shapes, wood, mat = [], mood["wood"], mood["mat"]
    for top in range(0, HEIGHT, 134):
        tone = dark(wood, dice.number(0, 10) / 100)
        shapes.append(f"box {tone} 0,{top} {WIDTH},{top + 134}")
        for _ in range(8):
            x, y, long = dice.number(-100, WIDTH), top + dice.number(12, 122), dice.number(50, 160)
            shapes.append(f"curve {dark(tone, 0.12)} 2 {x},{y} {x + long},{y + dice.number(-5, 5)} {x + 2 * long},{y}")
        shapes.append(f"line {dark(wood, 0.35)} 3 0,{top} {WIDTH},{top}")
    x, y = dice.number(80, 240), dice.number(60, 140)
    shapes += [f"box #221820@25 {x + 6},{y + 9} {x + 906},{y + 559} 26", f"box {mat} {x},{y} {x + 900},{y + 550} 26"]
    shapes += [f"line {light(mat, 0.3)} 1 {x + n},{y + 14} {x + n},{y + 536}" for n in range(50, 900, 50)]
    return shapes + [f"line {light(mat, 0.3)} 1 {x + 14},{y + n} {x + 886},{y + n}" for n in range(50, 550, 50)]


def pantry(dice: Dice, mood: Mood) -> list[str]:
    """Three shelves on a tiled wall."""
    shapes, board = [f"box {mood['wall']} 0,0 {WIDTH},{HEIGHT}"], mood["board"]
    shapes += [
        f"box {light(mood['tile'], dice.number(0, 18) / 100)} {x + 2},{y + 2} {x + 92},{y + 62} 5"
        for row, y in enumerate(range(-10, HEIGHT, 66))
        for x in range(-47 * (row % 2), WIDTH, 95)
    ]
    for level in (254, 506, 758):
        for x in (110, WIDTH - 110):
            shapes.append(
                f"poly {dark(board, 0.35)} {x - 10},{level} {x + 10},{level} {x - 4},{level + 42} {x - 10},{level + 42}"
            )
        shapes.append(f"box #221820@18 0,{level + 16} {WIDTH},{level + 32}")
        shapes.append(f"box {light(board, 0.18)} 0,{level - 6} {WIDTH},{level + 4}")
        shapes.append(f"box {board} 0,{level + 3} {WIDTH},{level + 18}")
    return shapes


BACKDROPS: Final[Mapping[str, Painting]] = {
    painting.__name__: painting
    for painting in (beach, camp, desk, farm, meadow, pantry, room, space, street, underwater, winter)
}
"""The painting of every place."""
