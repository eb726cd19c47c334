"""How light or dark a colour is, from its name or its CSS value.

Belongs here: lightness (CIE L*, 0 black to 100 white) and hue (degrees) of colour words and CSS colours.
Does not belong here: what a colour claim means for a verdict. Lightness of the names follows the CSS
named colours and Tailwind's 500 shades, to the nearest five.
"""

from __future__ import annotations

import colorsys
import re
from typing import NamedTuple


class Tone(NamedTuple):
    """Lightness 0…100; hue in degrees, None for a grey."""

    lightness: float
    hue: float | None


NAMES: dict[str, Tone] = {
    "white": Tone(100, None),
    "ivory": Tone(98, None),
    "cream": Tone(96, 50),
    "beige": Tone(92, 50),
    "silver": Tone(78, None),
    "gray": Tone(54, None),
    "grey": Tone(54, None),
    "slate": Tone(45, 215),
    "charcoal": Tone(28, None),
    "black": Tone(0, None),
    "red": Tone(54, 0),
    "crimson": Tone(45, 350),
    "maroon": Tone(26, 0),
    "burgundy": Tone(25, 345),
    "rose": Tone(56, 350),
    "pink": Tone(75, 335),
    "magenta": Tone(58, 310),
    "fuchsia": Tone(60, 300),
    "coral": Tone(68, 15),
    "salmon": Tone(70, 10),
    "orange": Tone(70, 30),
    "amber": Tone(75, 40),
    "gold": Tone(80, 48),
    "yellow": Tone(90, 55),
    "brown": Tone(38, 25),
    "tan": Tone(72, 35),
    "lime": Tone(78, 85),
    "green": Tone(58, 130),
    "emerald": Tone(62, 155),
    "olive": Tone(50, 70),
    "mint": Tone(88, 150),
    "teal": Tone(58, 175),
    "turquoise": Tone(75, 175),
    "cyan": Tone(72, 187),
    "aqua": Tone(80, 185),
    "sky": Tone(68, 200),
    "blue": Tone(54, 217),
    "navy": Tone(15, 235),
    "indigo": Tone(45, 240),
    "violet": Tone(50, 258),
    "purple": Tone(48, 270),
    "lavender": Tone(85, 265),
    "lilac": Tone(75, 280),
}

_SHIFT = {
    "very": 0.0,
    "near": 0.0,
    "almost": 0.0,
    "off": -4.0,
    "light": 22.0,
    "lighter": 24.0,
    "pale": 28.0,
    "paler": 28.0,
    "soft": 12.0,
    "softer": 14.0,
    "faint": 25.0,
    "pastel": 25.0,
    "bright": 6.0,
    "brighter": 10.0,
    "faded": 20.0,
    "washed": 20.0,
    "medium": 0.0,
    "mid": 0.0,
    "strong": -6.0,
    "stronger": -8.0,
    "rich": -6.0,
    "vivid": 0.0,
    "muted": 0.0,
    "dark": -22.0,
    "darker": -24.0,
    "deep": -20.0,
    "deeper": -22.0,
}
_NAME = "|".join(sorted(NAMES, key=len, reverse=True))
_MODIFIER = "|".join(sorted(_SHIFT, key=len, reverse=True))
_PHRASE = re.compile(
    rf"(?<![\w-])((?:(?:{_MODIFIER})[ ,-]+){{0,3}})(?:\w+ish[ -])?({_NAME})(?:ish"
    rf"|s)?(?:[ -]({_NAME}))?(?!\w)"
)
_HEX = re.compile(r"#([0-9a-f]{6}|[0-9a-f]{3})\b", re.IGNORECASE)
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})", re.IGNORECASE)


def named_tones(text: str) -> list[tuple[int, int, Tone]]:
    """(start, end, tone) of each colour in lower-case `text`: words such as "pale blue", hex and rgb() values."""
    found: list[tuple[int, int, Tone]] = []
    for match in _PHRASE.finditer(text):
        modifiers, first, second = match.groups()
        base = NAMES[second or first]
        lightness = base.lightness if not second else (NAMES[first].lightness + base.lightness) / 2
        words = re.findall(r"\w+", modifiers)
        scale = 1.4 if "very" in words else 1.0
        shift = sum(_SHIFT[word] for word in words) * scale
        found.append((match.start(), match.end(), Tone(max(0.0, min(100.0, lightness + shift)), base.hue)))
    found += [(m.start(), m.end(), _tone(*_channels(m.group(1)))) for m in _HEX.finditer(text)]
    found += [(m.start(), m.end(), _tone(*(min(255, int(v)) for v in m.groups()))) for m in _RGB.finditer(text)]
    return sorted(found)


def css_tones(value: str) -> list[Tone]:
    """Every colour of a CSS value such as `rgb(…)`, `#…`, `linear-gradient(…)`, in order."""
    return [tone for _, _, tone in named_tones(value.lower())]


def hues_clash(claimed: Tone, actual: Tone) -> bool:
    """True when both are colourful and no viewer would give one the other's name (over 75 degrees apart)."""
    if claimed.hue is None or actual.hue is None:
        return False
    apart = abs(claimed.hue - actual.hue) % 360
    return min(apart, 360 - apart) > 75


def _channels(digits: str) -> tuple[int, int, int]:
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def _tone(red: int, green: int, blue: int) -> Tone:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red / 255, green / 255, blue / 255)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    lightness = 116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance
    hue, saturation, value = colorsys.rgb_to_hsv(red / 255, green / 255, blue / 255)
    return Tone(lightness, hue * 360 if saturation > 0.12 and value > 0.12 else None)
