"""What an option says, as far as pixels could bear it out.

Belongs here: words to a kind of change, places, colors and quoted values. The words may come from the project's own
grammar or from a model. Does not belong here: pixels, and deciding between options (`choose.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from diffbench_assets.baselines.pixel_diff.palette import NAMES

_RULES: Final[tuple[tuple[str, int, str], ...]] = (
    # axis, sign, words: the first rule that fits decides, so the narrower ones stand first.
    ("letters", +1, r"letters? further apart|wider letter|more letter.?spac"),
    ("letters", -1, r"letters? closer|tighter letter|less letter.?spac"),
    ("weight", +1, r"bolder|thicker strokes|heavier (?:text|font|strokes)"),
    ("weight", -1, r"lighter strokes|thinner (?:text|font|strokes)|less bold"),
    ("text_size", +1, r"(?:larger|bigger) (?:text|font)"),
    ("text_size", -1, r"smaller (?:text|font)"),
    ("lines", +1, r"taller lines|lines? (?:are |is )?further apart|larger line"),
    ("lines", -1, r"shorter lines|lines? (?:are |is )?closer|smaller line"),
    ("solidity", +1, r"more (?:solid|opaque)|less (?:see-through|transparent|faded)"),
    ("solidity", -1, r"more (?:see-through|transparent|faded)|less (?:solid|opaque)"),
    ("lightness", +1, r"gradient that is lighter"),
    ("lightness", -1, r"gradient that is darker"),
    ("size", +1, r"more (?:space inside|padding)"),
    ("size", -1, r"less (?:space inside|padding)"),
    ("border", +1, r"thicker border"),
    ("border", -1, r"thinner border"),
    ("corners", +1, r"rounder"),
    ("corners", -1, r"sharper corners|squarer"),
    ("light_x", -1, r"brighter (?:on|at|to|toward)\S* (?:its|the) left|lit from the left"),
    ("light_x", +1, r"brighter (?:on|at|to|toward)\S* (?:its|the) right|lit from the right"),
    ("light_y", -1, r"brighter (?:on|at|to|toward)\S* (?:its|the) top|lit from (?:the top|above)"),
    ("light_y", +1, r"brighter (?:on|at|to|toward)\S* (?:its|the) bottom|lit from (?:the bottom|below)"),
    ("grain", +1, r"grainier|noisier|more (?:grain|noise)|noise (?:was|has been|is) added"),
    ("grain", -1, r"less (?:grain|nois)|cleaner|denoised"),
    ("pattern", +1, r"(?:gained|added|more of) an? .*(?:pattern|weave)|\bwoven pattern (?:was|is) added"),
    ("pattern", -1, r"lost an? .*(?:pattern|weave)"),
    ("detail", -1, r"softer surface|smoother|smoothed|less texture"),
    ("detail", +1, r"crisper surface|rougher|more texture"),
    ("resolution", -1, r"lower resolution|blurr|pixelat|less sharp|coarser"),
    ("resolution", +1, r"higher resolution|sharper|crisper|finer"),
    ("tint", +1, r"\b(?:tint|cast|hue)\b|\b(?:warmer|cooler)\b|reddish|yellowish|greenish|bluish"),
    ("horizontal", -1, r"further (?:to the )?left|moved? (?:\w+ ){0,3}left|shifted (?:\w+ ){0,3}left"),
    ("horizontal", +1, r"further (?:to the )?right|moved? (?:\w+ ){0,3}right|shifted (?:\w+ ){0,3}right"),
    ("vertical", -1, r"higher up|further up|moved? (?:\w+ ){0,3}up|shifted (?:\w+ ){0,3}up"),
    ("vertical", +1, r"further down|lower down|moved? (?:\w+ ){0,3}down|shifted (?:\w+ ){0,3}down"),
    ("rotation", -1, r"counter-?\s?clockwise|anti-?\s?clockwise"),
    ("rotation", +1, r"clockwise"),
    ("presence", -1, r"removed|disappeared|missing|is gone|no longer|vanished"),
    ("presence", +1, r"(?:has been|was|is|were) added|appeared|now (?:present|visible)|\bnew\b"),
    ("lightness", +1, r"lighter"),
    ("lightness", -1, r"darker"),
    ("brightness", +1, r"brighter"),
    ("brightness", -1, r"dimmer|dimmed|less bright"),
    ("size", +1, r"larger|bigger|enlarged|grown"),
    ("size", -1, r"smaller|shrunk"),
)
_TABLE: Final = tuple((axis, sign, re.compile(words, re.IGNORECASE)) for axis, sign, words in _RULES)
_SAME: Final = re.compile(
    r"\b(?:(?:are|look|appear|seem|remain|is)(?: \w+)? (?:the same|identical)|no (?:visible )?(?:difference|change)"
    r"|nothing (?:differs|changed|is different))\b",
    re.IGNORECASE,
)
_INSTEAD: Final = re.compile(
    r"\b(?P<verb>reads|is|are|has|says|shows)\s+(?P<quote>[“\"])?(?P<after>[^“”\"]+?)[”\"]?\s+instead of\s+"
    r"[“\"]?(?P<before>[^”\"]+?)[”\"]?(?:\s+in image [AB])?[.,]?$",
    re.IGNORECASE,
)
_IN_IMAGE: Final = re.compile(r"^in image b,?\s*|[\s,]*\bin image b\b", re.IGNORECASE)
_QUOTED: Final = re.compile(r"“[^”]*”|\"[^\"]*\"")
_PLACE: Final = re.compile(
    r"\b(?:(?:at|in|on|near|toward) the|of the)?\s*"
    r"((?:(?:top|upper|bottom|lower|middle|center|centre|left|right)(?:[- ]|\b))+)",
    re.IGNORECASE,
)
_ROW: Final = {"top": 0, "upper": 0, "bottom": 2, "lower": 2}
_COLUMN: Final = {"left": 0, "right": 2}
_TINTS: Final = {
    "red": (2, -1, -1), "yellow": (1, 1, -2), "green": (-1, 2, -1), "cyan": (-2, 1, 1), "blu": (-1, -1, 2),
    "magenta": (1, -2, 1), "pink": (1, -2, 1), "purple": (1, -2, 1), "orange": (2, 0, -2), "warmer": (2, 0, -2),
    "cooler": (-2, 0, 2),
}  # fmt: skip
_COLOR: Final = re.compile(
    r"\b((?:very |pale |light |dark |sky )*(?:" + "|".join(sorted({name.split()[-1] for name in NAMES})) + r"|grey))\b",
    re.I,
)
_NUMBERS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


@dataclass(frozen=True, slots=True)
class Reading:
    """axis: what is said to differ, "" when no word tells. sign: +1 when image B is said to have more of it.

    same: says that nothing differs. place: (column, row) in thirds of the image, None where nothing is said. color: the
    subject's. before, after: values of "… instead of …", as words. tint: direction in RGB.
    """

    axis: str = ""
    sign: int = 0
    same: bool = False
    place: tuple[int | None, int | None] = (None, None)
    color: str = ""
    before: str = ""
    after: str = ""
    tint: tuple[float, float, float] = (0.0, 0.0, 0.0)


def read(option: str) -> Reading:
    """What the words of one option say."""
    if _SAME.search(option):
        return Reading(same=True)
    sentence = _IN_IMAGE.sub("", option.strip().rstrip("."))
    if found := _INSTEAD.search(sentence):
        subject, before, after = sentence[: found.start()], found["before"], found["after"]
        axis, sign = _valued(found["verb"].lower(), bool(found["quote"]), before, after)
        return Reading(axis, sign, place=place(subject), color=color(subject), before=before, after=after)
    bare = _QUOTED.sub(" ", sentence)
    for axis, sign, words in _TABLE:
        if said := words.search(bare):
            if axis == "tint":
                return Reading(axis, sign, tint=_tint(bare))
            rest = bare[: said.start()] + " " + bare[said.end() :]
            return Reading(axis, sign, place=place(rest), color=color(rest))
    return Reading(place=place(bare), color=color(bare))


def place(words: str) -> tuple[int | None, int | None]:
    """(column, row) of the place named last: 0 left or top, 1 middle, 2 right or bottom, None where nothing is said."""
    named = [found[1].lower().replace("-", " ").split() for found in _PLACE.finditer(_QUOTED.sub(" ", words))]
    if not named:
        return None, None
    row = next((_ROW[word] for word in named[-1] if word in _ROW), None)
    column = next((_COLUMN[word] for word in named[-1] if word in _COLUMN), None)
    middle = any(word in ("middle", "center", "centre") for word in named[-1])
    return (1 if column is None else column, 1 if row is None else row) if middle else (column, row)


def color(words: str) -> str:
    """The first color that is named, as `palette` knows it, or ""."""
    for found in _COLOR.finditer(_QUOTED.sub(" ", words)):
        name = " ".join(found[1].lower().replace("grey", "gray").split())
        return name if name in NAMES else name.split()[-1]
    return ""


def number(words: str) -> int | None:
    """The number that `words` start with, or None."""
    first = words.split()[0].lower() if words.split() else ""
    if first.isdecimal():
        return int(first)
    return _NUMBERS.index(first) if first in _NUMBERS else None


def _valued(verb: str, quoted: bool, before: str, after: str) -> tuple[str, int]:
    if verb in ("reads", "says") or quoted:
        return "text", 0
    if color(before) and color(after):
        return "hue", 0
    few, many = number(before), number(after)
    if few is not None and many is not None and few != many:
        return "presence", 1 if many > few else -1
    return "kind", 0


def _tint(words: str) -> tuple[float, float, float]:
    for word, direction in _TINTS.items():
        if re.search(rf"\b{word}", words, re.IGNORECASE):
            red, green, blue = (value / 2 for value in direction)
            return red, green, blue
    return 0.0, 0.0, 0.0
