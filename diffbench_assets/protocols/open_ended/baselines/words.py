"""Sentences for measured changes.

Belongs here: wording, in the format the question asks for. Every number and colour was measured; the kind of
element is unknown and is not guessed at. Does not belong here: measuring.
"""

from __future__ import annotations

from diffbench_assets.baselines.pixel_diff.measure import Change
from diffbench_assets.baselines.pixel_diff.palette import color_name, hex_code
from diffbench_assets.baselines.pixel_diff.regions import Region


def sentence(region: Region, change: Change, shape: tuple[int, ...]) -> str:
    """One line for a region of an image of `shape` (height, width, …)."""
    place = f"At the {area(region, shape)} (x {region.x0} to {region.x1}, y {region.y0} to {region.y1} px), "
    return place + _TELL[change.kind](change) + "."


def size_sentence(before: tuple[int, ...], after: tuple[int, ...]) -> str:
    """The line for two images of unequal size."""
    return f"The screenshot's size changed from {before[1]} × {before[0]} to {after[1]} × {after[0]} px."


def area(region: Region, shape: tuple[int, ...]) -> str:
    """The name of the one of nine areas of the image that holds the region's centre."""
    row = ("top", "middle", "bottom")[min(2, 3 * (region.y0 + region.y1) // (2 * shape[0]))]
    column = ("left", "center", "right")[min(2, 3 * (region.x0 + region.x1) // (2 * shape[1]))]
    return "center" if (row, column) == ("middle", "center") else f"{row} {column}"


def _moved(change: Change) -> str:
    across = f"{abs(change.dx)} px to the {'right' if change.dx > 0 else 'left'}" if change.dx else ""
    down = f"{abs(change.dy)} px {'down' if change.dy > 0 else 'up'}" if change.dy else ""
    return "the content moved " + " and ".join(filter(None, (across, down)))


def _corners(change: Change) -> str:
    return "the corners are " + ("more rounded" if change.sign > 0 else "less rounded, closer to square")


def _frame(change: Change) -> str:
    return "the border line along the edge is " + ("thicker" if change.sign > 0 else "thinner")


def _recolored(change: Change) -> str:
    surface = "the shades of the surface" if change.smooth else "the color"
    old, new = (f"{color_name(color)} ({hex_code(color)})" for color in (change.old, change.new))
    if abs(change.step) < 0.5:
        return f"{surface} changed from {old} to {new}"
    way = "darker" if change.step < 0 else "lighter"
    codes = f"from {hex_code(change.old)} to {hex_code(change.new)}"
    return f"{surface} became {way} by {abs(change.step):.1f} lightness points, {codes}{_named(change)}"


def _named(change: Change) -> str:
    old, new = color_name(change.old), color_name(change.new)
    return f" ({old})" if old == new else f" ({old} before, {new} after)"


def _faded(change: Change) -> str:
    return "everything is " + ("more opaque, with higher contrast" if change.sign > 0 else "faded, with lower contrast")


def _scaled(change: Change) -> str:
    return f"the text or mark is {'larger' if change.sign > 0 else 'smaller'}, by {abs(change.ratio - 1):.0%}"


def _spread(change: Change) -> str:
    spacing, length = ("wider", "longer") if change.sign > 0 else ("tighter", "shorter")
    return f"the spacing between the letters is {spacing}, and the line is {abs(change.ratio - 1):.0%} {length}"


def _leading(change: Change) -> str:
    return f"the lines are {'further apart' if change.sign > 0 else 'closer together'}, by {abs(change.ratio - 1):.0%}"


def _stroke(change: Change) -> str:
    return f"the strokes are {'thicker' if change.sign > 0 else 'thinner'}, by {abs(change.ratio - 1):.0%}"


def _redrawn(change: Change) -> str:
    if abs(change.step) < 0.5:
        return "the content looks different"
    way = "darker" if change.step < 0 else "lighter"
    return f"the content looks different, on average {way} by {abs(change.step):.1f} lightness points"


_TELL = {
    "moved": _moved,
    "corners": _corners,
    "frame": _frame,
    "recolored": _recolored,
    "faded": _faded,
    "scaled": _scaled,
    "spread": _spread,
    "leading": _leading,
    "stroke": _stroke,
    "redrawn": _redrawn,
}
