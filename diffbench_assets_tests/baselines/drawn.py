"""Small drawn pairs with a known claim, and multiple-choice calls about them.

Belongs here: pictures of a few shapes on a shaded ground, one change of each kind, and options from the claims' own
grammar. Does not belong here: expectations.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from diffbench_assets.pairs.grammar import Claim, excludes
from diffbench_assets.pairs.transforms import LOW_LEVEL, NoEffect
from diffbench_assets.pairs.transforms.profiles import PROFILES, possible_claims
from diffbench_assets.protocols.multiple_choice.prompt import LABELS, NO_DIFFERENCE, question_prompt
from diffbench_assets.seeds import rng

WIDTH, HEIGHT = 480, 360
COLORS = {"red": "#d43a38", "green": "#54a054", "blue": "#3e76c6", "yellow": "#f0c840", "purple": "#8254ac"}
SHAPES = ("square", "disc", "triangle", "bar")
PLACES = [f"{row} {column}" for row in ("top", "middle", "bottom") for column in ("left", "center", "right")]
WORDS = ("Tickets", "Coffee", "Garden", "Harbour", "Museum", "Library", "Bakery", "Station", "Market")


@dataclass(frozen=True)
class Shape:
    place: str
    kind: str
    color: str
    x: int
    y: int
    size: int = 30
    angle: int = 0
    text: str = ""
    shown: bool = True
    tone: float = 1.0

    @property
    def subject(self) -> str:
        where = "in the center" if self.place == "middle center" else f"at the {self.place}"
        return f"the {self.kind} {where}"


def picture(shapes: list[Shape], seed: int = 0) -> np.ndarray:
    """(height, width, 3): the shapes on a shaded, softly structured ground."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    dice = rng("ground", seed)
    light = 175 + 40 * x / WIDTH - 30 * y / HEIGHT + 5 * np.sin(x / 9) * np.cos(y / 7) + dice.normal(0, 1.5, x.shape)
    ground = np.stack([light, light * 0.97, light * 0.9], axis=2).clip(0, 255).astype(np.uint8)
    image = Image.fromarray(ground)
    for shape in shapes:
        if shape.shown:
            layer = _layer(shape)
            image.paste(layer, (shape.x - layer.width // 2, shape.y - layer.height // 2), layer)
    return np.asarray(image)


def _layer(shape: Shape) -> Image.Image:
    big = shape.size * 2
    layer = Image.new("RGBA", (4 * big, 4 * big))
    pen, middle = ImageDraw.Draw(layer), 2 * big
    red, green, blue = (int(c * min(shape.tone, 1) + 255 * max(0.0, shape.tone - 1)) for c in _rgb(shape.color))
    fill = (min(red, 255), min(green, 255), min(blue, 255), 255)
    if shape.text:
        pen.text((middle, middle), shape.text, fill, ImageFont.load_default(3 * big // 2), anchor="mm")
    elif shape.kind == "disc":
        pen.ellipse((middle - big, middle - big, middle + big, middle + big), fill)
    elif shape.kind == "square":
        pen.rectangle((middle - big, middle - big, middle + big, middle + big), fill)
    elif shape.kind == "triangle":
        pen.polygon([(middle - big, middle + big), (middle + big, middle + big), (middle - big, middle - big)], fill)
    else:
        pen.rectangle((middle - big, middle - big // 4, middle + big, middle + big // 4), fill)
        pen.ellipse((middle - big, middle - big // 2, middle, middle + big // 2), fill)
    return layer.rotate(-shape.angle).resize((layer.width // 2, layer.height // 2), Image.Resampling.BILINEAR)


def _rgb(color: str) -> tuple[int, int, int]:
    code = COLORS[color]
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def scene(seed: int) -> list[Shape]:
    """One shape in each of the nine areas."""
    dice = rng("scene", seed)
    shapes = []
    for index, place in enumerate(PLACES):
        column, row = index % 3, index // 3
        shapes.append(
            Shape(
                place,
                str(dice.choice(SHAPES)),
                str(dice.choice(list(COLORS))),
                int(WIDTH * (column + 0.5) / 3 + dice.integers(-10, 11)),
                int(HEIGHT * (row + 0.5) / 3 + dice.integers(-8, 9)),
                int(dice.integers(20, 28)),
            )
        )
    return shapes


Edit = tuple[Claim, Shape]
MOVES = {"moved_left": (-24, 0), "moved_right": (24, 0), "moved_up": (0, -18), "moved_down": (0, 18)}


def edits(category: str, shape: Shape) -> Iterator[Edit]:
    """What could be done to one shape in a category: a claim, and the shape as it is then."""
    if category == "position":
        for change, (dx, dy) in MOVES.items():
            yield Claim(shape.subject, change), replace(shape, x=shape.x + dx, y=shape.y + dy)
    elif category == "motion":
        if shape.kind in ("bar", "triangle"):
            yield Claim(shape.subject, "turned_clockwise"), replace(shape, angle=35)
            yield Claim(shape.subject, "turned_counterclockwise"), replace(shape, angle=-35)
    elif category == "regional_color":
        for color in COLORS:
            if color != shape.color:
                yield Claim(shape.subject, "recolored", shape.color, color), replace(shape, color=color)
        yield Claim(shape.subject, "lighter"), replace(shape, tone=1.2)
        yield Claim(shape.subject, "darker"), replace(shape, tone=0.7)
    elif category == "appearance":
        yield Claim(shape.subject, "disappeared"), replace(shape, shown=False)
    elif category == "substitution":
        yield Claim(shape.subject, "larger"), replace(shape, size=round(shape.size * 1.35))
        yield Claim(shape.subject, "smaller"), replace(shape, size=round(shape.size * 0.7))
    elif category == "ocr":
        word = WORDS[PLACES.index(shape.place)]
        lettered = replace(shape, kind="sign", text=word, size=16)
        for start in range(1, len(word) - 1):
            if word[start] != word[start + 1]:
                other = word[:start] + word[start + 1] + word[start] + word[start + 2 :]
                yield Claim(lettered.subject, "reads", word, other), replace(lettered, text=other)


def pairs(category: str, count: int) -> Iterator[tuple[bytes, bytes, Claim, list[Claim]]]:
    """`count` pairs as shown, half of them reversed: images A and B, the true claim, all that could have been true."""
    made = 0
    for seed in range(10 * count):
        dice = rng(category, seed)
        backward = bool(dice.integers(2))
        if category in LOW_LEVEL:
            row = LOW_LEVEL[category][int(dice.integers(len(LOW_LEVEL[category])))]
            image = picture(scene(seed), seed)
            try:
                done = row.apply(image, dice)
            except NoEffect:
                continue
            before, after = image if done.before is None else done.before, done.image
            truth, possible = Claim("the image", done.change), list(possible_claims(PROFILES["extended"], done.change))
        else:
            shapes = scene(seed)
            if category == "ocr":
                shapes = [replace(s, kind="sign", text=w, size=16) for s, w in zip(shapes, WORDS, strict=True)]
            offers = [(i, claim, shape) for i, old in enumerate(shapes) for claim, shape in edits(category, old)]
            index, truth, new = offers[int(dice.integers(len(offers)))]
            before = picture(shapes, seed)
            after = picture([*shapes[:index], new, *shapes[index + 1 :]], seed)
            claims = {claim for _, claim, _ in offers}
            possible = sorted(claims | {claim.reversed() for claim in claims})
        if backward:
            before, after, truth = after, before, truth.reversed()
        yield png(before), png(after), truth, possible
        made += 1
        if made == count:
            return


def questions(category: str, count: int) -> Iterator[tuple[tuple[str | bytes, ...], str]]:
    """Calls about drawn pairs, as models get them, each with its answer."""
    for number, (one, two, truth, possible) in enumerate(pairs(category, count)):
        dice = rng("question", category, number)
        false = [claim for claim in possible if excludes(truth, claim)]
        picked = [false[int(i)].words() for i in dice.permutation(len(false))[:2]]
        texts = [truth.words(), *picked, NO_DIFFERENCE]
        order = [int(i) for i in dice.permutation(4)]
        options = {label: texts[index] for label, index in zip(LABELS, order, strict=True)}
        yield (one, two, question_prompt(options)), LABELS[order.index(0)]


def png(image: np.ndarray) -> bytes:
    out = io.BytesIO()
    Image.fromarray(image).save(out, "PNG", compress_level=1)
    return out.getvalue()


def accuracy(
    answer: Callable[[tuple[str | bytes, ...]], str], asked: list[tuple[tuple[str | bytes, ...], str]]
) -> float:
    """Share of calls that are answered with their letter."""
    return sum(answer(parts) == letter for parts, letter in asked) / len(asked)
