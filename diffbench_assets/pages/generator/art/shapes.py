"""SVG primitives, coloured by Tailwind classes. Nothing else belongs here."""

from __future__ import annotations


def circle(x: float, y: float, radius: float, classes: str) -> str:
    """A circle around (x, y)."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" class="{classes}"/>'


def rect(x: float, y: float, width: float, height: float, classes: str, corner: float = 0) -> str:
    """A rectangle, with rounded corners where `corner` is above 0."""
    rounding = f' rx="{corner:g}"' if corner else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{rounding} class="{classes}"/>'


def path(data: str, classes: str) -> str:
    """A path."""
    return f'<path d="{data}" class="{classes}"/>'
