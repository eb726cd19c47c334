"""Outlines as lists of points.

Belongs here: pure geometry, in whatever unit the caller draws with, y downwards. Does not belong here: color, pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin

Point = tuple[float, float]
Points = Sequence[Point]


def oval(x: float, y: float, rx: float, ry: float | None = None, start: float = 0, end: float = 360) -> list[Point]:
    """An ellipse around (x, y), or the part from `start` to `end` degrees, clockwise from the right."""
    ry = rx if ry is None else ry
    steps = 44
    angles = [(start + (end - start) * step / steps) * pi / 180 for step in range(steps + 1)]
    return [(x + rx * cos(angle), y + ry * sin(angle)) for angle in angles]


def box(left: float, top: float, right: float, bottom: float, radius: float = 0) -> list[Point]:
    """A rectangle, with rounded corners when `radius` is given."""
    if not radius:
        return [(left, top), (right, top), (right, bottom), (left, bottom)]
    corners = (
        (right - radius, top + radius, -90), (right - radius, bottom - radius, 0),
        (left + radius, bottom - radius, 90), (left + radius, top + radius, 180),
    )  # fmt: skip
    turns = [angle * pi / 180 for angle in range(0, 91, 15)]
    return [
        (x + radius * cos(start * pi / 180 + turn), y + radius * sin(start * pi / 180 + turn))
        for x, y, start in corners
        for turn in turns
    ]


def star(x: float, y: float, outer: float, inner: float, tips: int, start: float = -90) -> list[Point]:
    """A star with `tips` tips, the first at `start` degrees."""
    return [
        (x + (inner if step % 2 else outer) * cos(start * pi / 180 + step * pi / tips),
         y + (inner if step % 2 else outer) * sin(start * pi / 180 + step * pi / tips))
        for step in range(2 * tips)
    ]  # fmt: skip


def smooth(points: Points, closed: bool = True, steps: int = 7) -> list[Point]:
    """A soft curve through all points (Catmull-Rom)."""
    count = len(points)
    spans = count if closed else count - 1

    def at(place: int) -> Point:
        return points[place % count] if closed else points[min(max(place, 0), count - 1)]

    curve = []
    for span in range(spans):
        before, start, end, after = at(span - 1), at(span), at(span + 1), at(span + 2)
        for step in range(steps):
            t = step / steps
            weights = (
                0.5 * (-t + 2 * t * t - t**3), 0.5 * (2 - 5 * t * t + 3 * t**3),
                0.5 * (t + 4 * t * t - 3 * t**3), 0.5 * (-t * t + t**3),
            )  # fmt: skip
            corners = (before, start, end, after)
            curve.append(
                (sum(w * p[0] for w, p in zip(weights, corners, strict=True)),
                 sum(w * p[1] for w, p in zip(weights, corners, strict=True)))
            )  # fmt: skip
    return curve if closed else [*curve, points[-1]]


def band(points: Points, width: float) -> list[Point]:
    """The outline of a line of constant width along the points."""
    left, right = [], []
    for place, (x, y) in enumerate(points):
        ahead, behind = points[min(place + 1, len(points) - 1)], points[max(place - 1, 0)]
        dx, dy = ahead[0] - behind[0], ahead[1] - behind[1]
        length = hypot(dx, dy) or 1
        nx, ny = -dy / length * width / 2, dx / length * width / 2
        left.append((x + nx, y + ny))
        right.append((x - nx, y - ny))
    return left + right[::-1]


def mirror(points: Points) -> list[Point]:
    """The points with left and right exchanged."""
    return [(-x, y) for x, y in points]


def turned(points: Points, degrees: float, x: float = 0, y: float = 0) -> list[Point]:
    """The points turned clockwise around (x, y)."""
    c, s = cos(degrees * pi / 180), sin(degrees * pi / 180)
    return [(x + (px - x) * c - (py - y) * s, y + (px - x) * s + (py - y) * c) for px, py in points]


def moved(points: Points, dx: float, dy: float) -> list[Point]:
    """The points shifted."""
    return [(x + dx, y + dy) for x, y in points]
