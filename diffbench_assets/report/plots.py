"""What the figures of all protocols share: estimates with their reach, and the heat map.

Belongs here: from plain rows to a matplotlib Figure. Does not belong here: figures of one protocol, choosing the rows,
writing files, the page's own markup (`inline_svg.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from diffbench_assets.report.look import (
    HEAT_LIGHT,
    HEAT_TURN,
    INK,
    PAPER,
    heat_step,
)

WIDTH = 6.6
"""Inches: a text column of the page, two columns of a paper."""


class Estimate(NamedTuple):
    """A share with its 95 % interval; the ends are None where there is none."""

    value: float
    low: float | None
    high: float | None


class Grid(NamedTuple):
    """A share for every model (columns) in every slice (rows); None where it is not defined."""

    rows: Sequence[str]
    columns: Sequence[str]
    estimates: Sequence[Sequence[Estimate | None]]

    @property
    def values(self) -> list[list[float | None]]:
        return [[estimate.value if estimate else None for estimate in row] for row in self.estimates]


def heatmap(grid: Grid) -> Figure:
    """Shares in percent, one cell per row and model."""
    rows, columns = [short(name, 28) for name in grid.rows], [short(name, 28) for name in grid.columns]
    slanted = 0.06 * max(map(len, columns))
    beside = 0.3 + 0.075 * max(map(len, rows)) + slanted
    figure = Figure(figsize=(beside + 0.5 * len(columns), 0.3 + slanted + 0.24 * len(rows)))
    axes = figure.subplots()
    colors = LinearSegmentedColormap.from_list("recall", HEAT_LIGHT)
    shown = [[math.nan if value is None else value for value in row] for row in grid.values]
    axes.pcolormesh(shown, cmap=colors, vmin=0, vmax=1, edgecolors=PAPER, linewidth=1.5)
    for r, row in enumerate(grid.values):
        for c, value in enumerate(row):
            text = "–" if value is None else f"{100 * value:.0f}"
            ink = PAPER if value is not None and heat_step(value) >= HEAT_TURN else INK
            axes.text(c + 0.5, r + 0.5, text, ha="center", va="center", color=ink, fontsize=7.5)
    axes.set_yticks([r + 0.5 for r in range(len(rows))], rows)
    axes.set_xticks([c + 0.5 for c in range(len(columns))], columns)
    axes.tick_params(axis="x", labelrotation=40, top=True, bottom=False, labeltop=True, labelbottom=False, length=0)
    axes.tick_params(axis="y", length=0)
    for label in axes.get_xticklabels():
        label.set(ha="left", rotation_mode="anchor")
    axes.invert_yaxis()
    axes.grid(False)
    for side in axes.spines.values():
        side.set_visible(False)
    return figure


def reach(estimate: Estimate) -> tuple[list[float], list[float]]:
    """Distances to both ends in percent, as errorbar takes them."""
    value, low, high = estimate
    low, high = value if low is None else low, value if high is None else high
    return [100 * max(0.0, value - low)], [100 * max(0.0, high - value)]


def short(name: str, width: int = 32) -> str:
    """`name` for a figure: no control characters, which SVG cannot hold, and not longer than its place."""
    name = "".join(character if character.isprintable() else "\ufffd" for character in name)
    return name if len(name) <= width else name[: width - 1] + "…"
