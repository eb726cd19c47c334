"""The named colors of drawn scenes.

Belongs here: names, their RGB values, which names may pass for one another, lighter and darker tones. Does not belong
here: which thing has which color.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

RGB = tuple[int, int, int]

COLORS: Final[Mapping[str, RGB]] = {
    "red": (212, 58, 56),
    "orange": (240, 138, 44),
    "yellow": (248, 208, 70),
    "green": (84, 158, 84),
    "blue": (62, 118, 198),
    "purple": (130, 84, 172),
    "pink": (242, 150, 182),
    "brown": (142, 94, 60),
    "gray": (142, 148, 156),
    "white": (247, 244, 236),
}
BRIGHT: Final = ("red", "orange", "yellow", "green", "blue", "purple", "pink")
NATURAL: Final = ("brown", "gray", "white", "orange")

_SIMILAR: Final = frozenset(
    frozenset(pair)
    for pair in (
        ("red", "orange"), ("red", "pink"), ("red", "brown"), ("orange", "yellow"), ("orange", "brown"),
        ("blue", "purple"), ("purple", "pink"), ("gray", "white"), ("yellow", "white"),
    )
)  # fmt: skip


def similar(one: str, other: str) -> bool:
    """Whether a person could give both colors one name: equal names, or neighbours such as red and orange."""
    return one == other or frozenset((one, other)) in _SIMILAR


def mix(color: RGB, other: RGB, share: float) -> RGB:
    """`share` of `other` in `color`, per channel, rounded."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(color, other, strict=True))
    return red, green, blue


def light(color: RGB, share: float) -> RGB:
    """Toward white."""
    return mix(color, (255, 255, 255), share)


def dark(color: RGB, share: float) -> RGB:
    """Toward a warm near-black."""
    return mix(color, (34, 24, 30), share)


def toned(name: str, tone: int) -> RGB:
    """A named color as it is (tone 0), clearly lighter (+1) or clearly darker (-1)."""
    color = COLORS[name]
    return light(color, 0.45) if tone > 0 else dark(color, 0.4) if tone < 0 else color
