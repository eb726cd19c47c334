"""Names beside points, kept apart from one another.

Belongs here: a greedy choice among a few places around each point. Does not belong here: the points themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.transforms import Bbox

from diffbench_assets.report.look import INK, MUTED

_PLACES = tuple(
    (dx, dy, ha, va)
    for reach in (1.0, 2.1, 3.4)
    for dx, dy, ha, va in (
        (5 * reach, 5 * reach, "left", "bottom"),
        (5 * reach, -5 * reach, "left", "top"),
        (-5 * reach, 5 * reach, "right", "bottom"),
        (-5 * reach, -5 * reach, "right", "top"),
        (7 * reach, 0, "left", "center"),
        (-7 * reach, 0, "right", "center"),
        (0, 7 * reach, "center", "bottom"),
        (0, -7 * reach, "center", "top"),
    )
)
_FAR = 8
"""Places from this index on get a line back to their point."""

_ALIGNED = {"left": 0.0, "bottom": 0.0, "center": 0.5, "right": 1.0, "top": 1.0}
_DOT = 5.0


def place_labels(axes: Axes, points: Sequence[tuple[float, float, str]]) -> None:
    """Write the name of each (x, y, name) beside its point, where it covers no other point or name if there is room."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    canvas = FigureCanvasAgg(figure)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # laid out now; names must not move the axes under the points again
    renderer = canvas.get_renderer()
    spots = axes.transData.transform([(x, y) for x, y, _ in points])
    taken = [Bbox([spot - _DOT, spot + _DOT]) for spot in spots]
    taken += [text.get_window_extent(renderer) for text in axes.texts]
    inside = axes.get_window_extent(renderer)
    pixels = figure.dpi / 72
    for k, (x, y, name) in enumerate(points):
        others = taken[:k] + taken[k + 1 :]
        label = axes.annotate(name, (x, y), (0, 0), textcoords="offset points", color=INK, fontsize=8, zorder=5)
        extent = label.get_window_extent(renderer)
        label.remove()
        costs = []
        for place, (dx, dy, ha, va) in enumerate(_PLACES):
            box = extent.translated(
                pixels * dx - _ALIGNED[ha] * extent.width, pixels * dy - _ALIGNED[va] * extent.height
            )
            outside = not (inside.x0 <= box.x0 and box.x1 <= inside.x1 and inside.y0 <= box.y0 and box.y1 <= inside.y1)
            costs.append((sum(_overlap(box, other) for other in others) + 1e4 * outside, place, box))
        _, place, box = min(costs, key=lambda cost: cost[:2])
        dx, dy, ha, va = _PLACES[place]
        axes.annotate(
            name, (x, y), (dx, dy), textcoords="offset points", ha=ha, va=va, color=INK, fontsize=8, zorder=5,
            arrowprops={"arrowstyle": "-", "color": MUTED, "lw": 0.6, "shrinkB": 4} if place >= _FAR else None,
        )  # fmt: skip
        taken.append(box)


def _overlap(a: Bbox, b: Bbox) -> float:
    shared = Bbox.intersection(a, b)
    return 0.0 if shared is None else shared.width * shared.height
