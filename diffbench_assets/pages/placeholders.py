"""Neutral pictures in place of those that cannot be embedded.

Belongs here: how a missing picture looks and how large it is. Does not belong here: deciding that one is missing.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache
from typing import Final

# Muted pairs of mid lightness: both white and dark text stay readable on all of them.
_TINTS: Final = (
    ("#a8b3c4", "#8593a8"), ("#b4aca0", "#958b7c"), ("#a3b5a8", "#81968a"), ("#b3a7b8", "#93859b"),
    ("#a4b4b8", "#82969c"), ("#bcaaa4", "#9c8880"),
)  # fmt: skip
DEFAULT_SIZE: Final = (400, 300)
"""Width and height in CSS px of a picture about which nothing is known."""

_MAX_SIDE: Final = 4000
_SIZE_PATTERNS: Final = (
    re.compile(r"(?<!\d)(\d{2,4})[xX](\d{2,4})(?!\d)"),
    re.compile(r"/(\d{2,4})/(\d{2,4})(?:\.\w{3,4})?/?(?:[?#]|$)"),
)
_WIDTH = re.compile(r"[?&;](?:w|width)=(\d{2,4})(?!\d)")
_HEIGHT = re.compile(r"[?&;](?:h|height)=(\d{2,4})(?!\d)")
_ONE_SIDE = re.compile(r"(?:placeholder\.com|placehold\.co|placekitten\.com|picsum\.photos)/(\d{2,4})(?:[/?.]|$)")


def size_from_address(address: str) -> tuple[int, int] | None:
    """Width and height that an image address states, as placeholder and resizing services write them."""
    for pattern in _SIZE_PATTERNS:
        if match := pattern.search(address):
            return _bounded(int(match[1])), _bounded(int(match[2]))
    width, height = _WIDTH.search(address), _HEIGHT.search(address)
    if width and height:
        return _bounded(int(width[1])), _bounded(int(height[1]))
    if width:
        return _bounded(int(width[1])), _bounded(int(width[1]) * 3 // 4)
    if match := _ONE_SIDE.search(address):
        return _bounded(int(match[1])), _bounded(int(match[1]))
    return None


def _bounded(side: int) -> int:
    return max(1, min(side, _MAX_SIDE))


@lru_cache(maxsize=4096)
def placeholder(address: str, size: tuple[int, int] | None = None) -> str:
    """A `data:` SVG with a soft gradient whose tint follows from the address.

    `size` is the intrinsic width and height in CSS px; without one it fills whatever box it is painted in.
    """
    light, dark = _TINTS[hashlib.sha256(address.encode("utf-8", "replace")).digest()[0] % len(_TINTS)]
    box = f' width="{size[0]}" height="{size[1]}"' if size else ""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg"{box}><linearGradient id="g" x2="1" y2="1">'
        f'<stop stop-color="{light}"/><stop offset="1" stop-color="{dark}"/></linearGradient>'
        f'<rect width="100%" height="100%" fill="url(#g)"/></svg>'
    )
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
