"""The notation of drawings: shapes separated by semicolons, each one SVG element.

Belongs here: reading the notation, the SVG of a drawing, the box that it fills. Does not belong here: the drawings
(`things/*.yaml`), what they are called (`kinds.py`).

A drawing has 100 units from end to end; (0, 0) is its middle, y points down. A shape is `[marks] verb color arguments`:

    oval C x,y r[,ry] [degrees]         box C left,top right,bottom [radius]     poly C x,y x,y …
    arc C x,y r[,ry] from,to            blob C x,y x,y … (soft outline through the points)   path C SVG path data
    line C width x,y x,y …              curve C width x,y x,y … (soft)           ring C width x,y r[,ry] [from,to]
    limb C width x,y x,y … (a curve with an edge)                                text C x,y

Colors are `m`, the main color of the thing (currentColor), `m+50` and `m-35`, that much lighter or darker, a name of
the palette, or three hex digits; `@40` after it is 40 % solid. Marks, in this order:

    ?0,2   only in these states, by their number            #3+ #2,4   only with that many parts
    *5@x,y five copies turned evenly about a point (*c: as many as parts)
    |      and its mirror image     -  without an edge     %  with the pattern of the thing
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Final

from diffbench_assets.pages.art.palette import COLORS

Point = tuple[float, float]
Bounds = tuple[float, float, float, float]
"""Left, top, right, bottom in units."""

EDGE: Final = 2.4
"""Units by which the edge of a limb is wider than the limb."""
CAPITALS: Final = 0.36
"""Half the height of capital letters, in ems."""

_SHAPE: Final = re.compile(
    r"(?:\?(?P<states>[\d,]+) )?(?:#(?P<counts>[\d,]+)(?P<up>\+?) )?(?:\*(?P<copies>\w+)@(?P<about>\S+) )?"
    r"(?P<marks>[|%-]*)(?P<verb>[a-z]+) (?P<color>\S+)(?: (?P<rest>.+))?"
)


@dataclass(frozen=True)
class Shape:
    """One shape of a drawing. `arguments` are those after the color; empty `states` and `counts` mean all."""

    verb: str
    color: str
    arguments: tuple[str, ...]
    marks: str
    states: frozenset[int]
    counts: frozenset[int]
    copies: str
    about: Point

    def shows(self, state: int, count: int) -> bool:
        """Whether the shape belongs to the drawing of this state and number of parts."""
        return (not self.states or state in self.states) and (not self.counts or count in self.counts)

    @property
    def tilted(self) -> bool:
        return self.verb == "oval" and len(self.arguments) > 2

    @property
    def points(self) -> list[Point]:
        return [_point(argument) for argument in self.arguments if "," in argument]


@lru_cache(maxsize=512)
def shapes(drawing: str) -> tuple[Shape, ...]:
    """The shapes of a drawing. Raises ValueError for what is not in the notation."""
    found = []
    for text in " ".join(drawing.split()).split("; "):
        match = _SHAPE.fullmatch(text)
        if match is None or match["verb"] not in _VERBS:
            raise ValueError(f"not a shape: {text!r}")
        counts = [int(count) for count in (match["counts"] or "").split(",") if count]
        found.append(
            Shape(
                match["verb"],
                match["color"],
                tuple((match["rest"] or "").split(" ")),
                match["marks"],
                frozenset(int(state) for state in (match["states"] or "").split(",") if state),
                frozenset(range(counts[0], 13) if match["up"] else counts),
                match["copies"] or "",
                _point(match["about"] or "0,0"),
            )
        )
    return tuple(found)


def svg(drawing: str, state: int = 0, count: int = 0, text: str = "", em: float = 10, pattern: str = "") -> str:
    """SVG elements of a drawing in one state, with so many parts, a text of `em` units and a pattern."""
    return "".join(
        element
        for shape in shapes(drawing)
        if shape.shows(state, count)
        for transform in _transforms(shape, count)
        for element in _elements(shape, transform, text, em, pattern)
    )


def bounds(drawing: str) -> Bounds:
    """A box around the drawing in all its states and numbers of parts, close to the smallest."""
    points = [point for shape in shapes(drawing) for point in _corners(shape)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def paint(color: str) -> tuple[str, str]:
    """CSS color and opacity of a color of the notation; opacity is empty for solid colors."""
    name, _, share = color.partition("@")
    opacity = f"{int(share) / 100:g}" if share else ""
    if name == "m":
        # A style of drawing may shade what has the main color.
        return "var(--main,currentColor)", opacity
    if name[0] == "m" and name[1:2] in ("+", "-"):
        toward = "#fff" if name[1] == "+" else "#22181e"
        return f"color-mix(in srgb,currentColor,{toward} {name[2:]}%)", opacity
    return COLORS.get(name, name), opacity


def soft(points: Sequence[Point], closed: bool) -> str:
    """SVG path data of a soft curve through points (Catmull-Rom as Béziers)."""
    data = [f"M{_xy(points[0])}"]
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in _spans(points, closed):
        handles = ((bx + (cx - ax) / 6, by + (cy - ay) / 6), (cx - (dx - bx) / 6, cy - (dy - by) / 6), (cx, cy))
        data.append("C" + " ".join(map(_xy, handles)))
    return "".join(data) + "Z" * closed


def _spans(points: Sequence[Point], closed: bool) -> Iterator[tuple[Point, Point, Point, Point]]:
    """The ends of every span of a soft curve, with the points before and after them."""
    count = len(points)

    def at(place: int) -> Point:
        return points[place % count] if closed else points[min(max(place, 0), count - 1)]

    for place in range(count if closed else count - 1):
        yield at(place - 1), at(place), at(place + 1), at(place + 2)


def _elements(shape: Shape, transform: str, text: str, em: float, pattern: str) -> Iterator[str]:
    color, opacity = paint(shape.color)
    turn = f' transform="{transform}"' if transform else ""
    if shape.verb == "text":
        if not text:
            return
        (x, y) = shape.points[0]
        yield (
            f'<text x="{x:g}" y="{y + CAPITALS * em:.4g}" font-size="{em:g}" fill="{color}" stroke="none">'
            f"{escape(text)}</text>"
        )
        return
    tag, geometry = _geometry(shape)
    if shape.verb in _STROKED:
        width = float(shape.arguments[0])
        if shape.verb == "limb":
            yield f'<{tag}{geometry}{turn} fill="none" stroke-width="{width + EDGE:g}"></{tag}>'
        see_through = f' stroke-opacity="{opacity or 1}"'
        yield f'<{tag}{geometry}{turn} fill="none" stroke="{color}" stroke-width="{width:g}"{see_through}></{tag}>'
        return
    see_through = f' fill-opacity="{opacity}"' if opacity else ""
    edge = ' stroke="none"' if "-" in shape.marks else ""
    yield f'<{tag}{geometry}{turn} fill="{color}"{see_through}{edge}></{tag}>'
    if pattern and "%" in shape.marks:
        yield f'<{tag}{geometry}{turn} fill="url(#{pattern})" stroke="none"></{tag}>'


def _transforms(shape: Shape, count: int) -> Iterator[str]:
    copies = count if shape.copies == "c" else int(shape.copies or 1)
    x, y = shape.about
    tilt = f" rotate({shape.arguments[2]} {shape.arguments[0].replace(',', ' ')})" if shape.tilted else ""
    for copy in range(copies):
        turn = f"rotate({360 * copy / copies:.4g} {x:g} {y:g})" if copy else ""
        for mirror in ("", " scale(-1 1)")[: 1 + ("|" in shape.marks)]:
            yield f"{turn}{mirror}{tilt}".strip()


def _geometry(shape: Shape) -> tuple[str, str]:
    """Tag and attributes of the element, colors aside."""
    arguments, verb = shape.arguments, shape.verb
    if verb == "path":
        return "path", f' d="{" ".join(arguments)}"'
    points = shape.points
    if verb == "box":
        (left, top), (right, bottom) = points
        round_ = f' rx="{arguments[2]}"' if len(arguments) > 2 else ""
        return "rect", f' x="{left:g}" y="{top:g}" width="{right - left:.4g}" height="{bottom - top:.4g}"{round_}'
    if verb == "poly":
        return "path", f' d="M{"L".join(map(_xy, points))}Z"'
    if verb == "line":
        return "path", f' d="M{"L".join(map(_xy, points))}"'
    if verb in ("blob", "curve", "limb"):
        return "path", f' d="{soft(points, closed=verb == "blob")}"'
    (x, y), (rx, ry), *rest = _oval(shape)
    if verb == "arc" or rest and verb == "ring":
        (start, end) = rest[0]
        return "path", f' d="M{_xy(_on(x, y, rx, ry, start))}{_sweep(x, y, rx, ry, start, end)}"'
    if rx == ry:
        return "circle", f' cx="{x:g}" cy="{y:g}" r="{rx:g}"'
    return "ellipse", f' cx="{x:g}" cy="{y:g}" rx="{rx:g}" ry="{ry:g}"'


def _oval(shape: Shape) -> list[Point]:
    """Middle, radii, and the angles of a part."""
    place = 1 if shape.verb == "ring" else 0
    middle, radii, *rest = shape.arguments[place:]
    rx, _, ry = radii.partition(",")
    part = [_point(angles) for angles in rest if "," in angles]
    return [_point(middle), (float(rx), float(ry or rx)), *part]


def _on(x: float, y: float, rx: float, ry: float, degrees: float) -> Point:
    return x + rx * math.cos(math.radians(degrees)), y + ry * math.sin(math.radians(degrees))


def _sweep(x: float, y: float, rx: float, ry: float, start: float, end: float) -> str:
    return f"A{rx:g} {ry:g} 0 {int(abs(end - start) > 180)} {int(end > start)} {_xy(_on(x, y, rx, ry, end))}"


def _corners(shape: Shape) -> Iterable[Point]:
    """Points of which the box holds the shape and its copies."""
    if shape.verb in ("oval", "ring", "arc"):
        (x, y), (rx, ry), *angles = _oval(shape)
        start, end = angles[0] if angles else (0.0, 360.0)
        points = [_on(x, y, rx, ry, start + (end - start) * step / 16) for step in range(17)]
        if shape.tilted:
            c, s = (abs(part(math.radians(float(shape.arguments[2])))) for part in (math.cos, math.sin))
            wide, high = rx * c + ry * s, rx * s + ry * c
            points = [(x - wide, y - high), (x + wide, y + high)]
    elif shape.verb == "path":
        points = _path_points(" ".join(shape.arguments))
    elif shape.verb in ("blob", "curve", "limb"):
        spans = list(_spans(shape.points, closed=shape.verb == "blob"))
        points = [*shape.points, *(_between(*span) for span in spans)]
    else:
        points = shape.points
    if shape.verb in _STROKED:
        half = float(shape.arguments[0]) / 2
        points = [(x + dx, y + dy) for x, y in points for dx in (-half, half) for dy in (-half, half)]
    if shape.copies:
        cx, cy = shape.about
        reach = max(math.hypot(x - cx, y - cy) for x, y in points)
        points = [(cx - reach, cy - reach), (cx + reach, cy + reach)]
    return [*points, *((-x, y) for x, y in points)] if "|" in shape.marks else points


def _between(*span: Point) -> Point:
    """The middle of a span of a soft curve, which is about where it is furthest from its ends."""
    x, y = ((9 * (b + c) - a - d) / 16 for a, b, c, d in zip(*span, strict=True))
    return x, y


def _path_points(data: str) -> list[Point]:
    """Points that a path runs through or bends toward."""
    found: list[Point] = []
    at = (0.0, 0.0)
    for command, numbers in re.findall(r"([A-Za-z])([^A-Za-z]*)", data):
        values = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        relative = at if command.islower() else (0.0, 0.0)
        if command in "Vv":
            points = [(at[0], relative[1] + values[0])]
        elif command == "A":
            # Arcs of the drawings are half ovals.
            ry, end = values[1], (values[5], values[6])
            rise = -ry if (end[0] > at[0]) == bool(values[4]) else ry
            points = [((at[0] + end[0]) / 2, at[1] + rise), end]
        else:
            points = [(relative[0] + x, relative[1] + y) for x, y in zip(values[::2], values[1::2], strict=True)]
        if points:
            found += points
            at = points[-1]
    return found


def _point(text: str) -> Point:
    x, _, y = text.partition(",")
    return float(x), float(y)


def _xy(point: Point) -> str:
    return f"{round(point[0], 1):g},{round(point[1], 1):g}"


_STROKED: Final = ("line", "curve", "ring", "limb")
_VERBS: Final = ("oval", "box", "poly", "arc", "blob", "path", "text", *_STROKED)
