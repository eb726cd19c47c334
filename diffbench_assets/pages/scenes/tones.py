"""Tones of a color given as `#rrggbb`."""

from __future__ import annotations


def mix(color: str, other: str, share: float) -> str:
    """`share` of `other` in `color`."""
    pairs = ((int(color[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)


def light(color: str, share: float) -> str:
    """Toward white."""
    return mix(color, "#ffffff", share)


def dark(color: str, share: float) -> str:
    """Toward a warm near-black."""
    return mix(color, "#22181e", share)
