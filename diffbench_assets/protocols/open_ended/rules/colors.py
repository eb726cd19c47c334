"""How light or dark a colour is, from its name or its CSS value.

Belongs here: lightness (CIE L*, 0 black to 100 white) and hue (degrees) of colour words and CSS colours.
Does not belong here: what a colour claim means for a verdict.
"""

from __future__ import annotations

import colorsys
import re
from functools import lru_cache
from typing import Final, NamedTuple

from diffbench_assets.pairs.color_words import PAINTS


class Tone(NamedTuple):
    """Lightness 0…100; hue in degrees, None for a grey."""

    lightness: float
    hue: float | None


_NAMED: Final = """
ivory=fffff0 cream=fff5d7 beige=f5e8d0 silver=c0c0c0 gray=828282 grey=828282 slate=64748b charcoal=434343 red=ef4444
crimson=dc143c maroon=800000 burgundy=800020 rose=f43f5e pink=ff9ec0 magenta=e040d8 fuchsia=e040e0 coral=ff7f50
salmon=fa8072 orange=fb923c amber=f5ae0b gold=ffc800 yellow=f7e11b brown=8b4513 tan=d2b48c lime=84cc16 green=2ca84c
emerald=10b981 olive=808000 mint=a7f3d0 teal=0f988c turquoise=36c9ba cyan=22c7e0 aqua=30d5e8 sky=38bdf8 blue=3b82f6
navy=000088 indigo=4f46e5 violet=8b5cf6 purple=9333ea lavender=dcd0ff lilac=c8a2d8
"""
"""What the names stand for here, beside those of `color_words`: CSS colors or Tailwind's middle shades."""
_SHIFTS: Final = """
very=0 near=0 almost=0 off=-4 light=22 lighter=24 pale=28 paler=28 soft=12 softer=14 faint=25 pastel=25 bright=6
brighter=10 faded=20 washed=20 medium=0 mid=0 strong=-6 stronger=-8 rich=-6 vivid=0 muted=0 dark=-22 darker=-24 deep=-20
deeper=-22
"""
_SHIFT: Final = {word: float(shift) for word, shift in (entry.split("=") for entry in _SHIFTS.split())}
_VALUE: Final = re.compile(
    r"#([0-9a-f]{6}|[0-9a-f]{3})\b|rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})", re.IGNORECASE
)


def css_tones(value: str) -> list[Tone]:
    """Every colour of a CSS value such as `rgb(…)`, `#…`, `linear-gradient(…)`, in order."""
    return [tone for _, _, tone in named_tones(value.lower())]


def hues_clash(claimed: Tone, actual: Tone) -> bool:
    """True when both are colourful and no viewer would give one the other's name (over 75 degrees apart)."""
    if claimed.hue is None or actual.hue is None:
        return False
    apart = abs(claimed.hue - actual.hue) % 360
    return min(apart, 360 - apart) > 75


def _tone(match: re.Match[str]) -> Tone:
    digits = match[1] if match[1] is None or len(match[1]) == 6 else "".join(digit * 2 for digit in match[1])
    bytes_ = [*bytes.fromhex(digits)] if digits else [min(255, int(match[channel])) for channel in (2, 3, 4)]
    red, green, blue = (channel / 255 for channel in bytes_)
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    lightness = 116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    return Tone(lightness, hue * 360 if saturation > 0.12 and value > 0.12 else None)


_HEX: Final = {name: f"#{value}" for name, value in (entry.split("=") for entry in _NAMED.split())}
NAMES: Final = {name: _tone(match) for name, css in (PAINTS | _HEX).items() if (match := _VALUE.match(css))}
_NAME = "|".join(sorted(NAMES, key=len, reverse=True))
_PHRASE: Final = re.compile(
    rf"(?<![\w-])((?:(?:{'|'.join(sorted(_SHIFT, key=len, reverse=True))})[ ,-]+){{0,3}})(?:\w+ish[ -])?({_NAME})(?:ish"
    rf"|s)?(?:[ -]({_NAME}))?(?!\w)"
)


@lru_cache(maxsize=4096)
def named_tones(text: str) -> tuple[tuple[int, int, Tone], ...]:
    """(start, end, tone) of each colour in lower-case `text`: words such as "pale blue", hex and rgb() values."""
    found = [(match.start(), match.end(), _tone(match)) for match in _VALUE.finditer(text)]
    for match in _PHRASE.finditer(text):
        modifiers, first, second = match.groups()
        base = NAMES[second or first]
        lightness = base.lightness if not second else (NAMES[first].lightness + base.lightness) / 2
        words = re.findall(r"\w+", modifiers)
        shift = sum(_SHIFT[word] for word in words) * (1.4 if "very" in words else 1.0)
        found.append((match.start(), match.end(), Tone(max(0.0, min(100.0, lightness + shift)), base.hue)))
    return tuple(sorted(found))
