"""The figures of an open-ended suite under one judge, drawn once for the page, the SVG file and the PDF file.

Belongs here: one function per figure, from plain rows to a matplotlib Figure. Does not belong here: choosing the rows
(`figures.py`), writing files, the heat map (`report/plots.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from diffbench_assets.protocols.open_ended.statistics.pareto import MAX_HALLUCINATION_RATE, MIN_RECALL
from diffbench_assets.report.labels import place_labels
from diffbench_assets.report.look import FAINT, INK, MARKERS, MUTED, PALETTE, PAPER, REGION, ModelStyle
from diffbench_assets.report.plots import WIDTH, Estimate, reach, short

TIERS = ("easy", "medium", "hard")


class Standing(NamedTuple):
    """Where a model stands between finding changes and inventing them."""

    model: str
    recall: Estimate
    hallucination_rate: Estimate
    on_front: bool


class OperatorPoint(NamedTuple):
    operator: str
    family: str
    magnitude: float
    recall: float


class StabilityPoint(NamedTuple):
    per_cell: int
    tau: Estimate
    top1_kept: float
    ranking_kept: float


def sensitivity_restraint(standings: Sequence[Standing], styles: Mapping[str, ModelStyle]) -> Figure:
    """Recall against hallucination rate, the front between them, and the region that DiffSpot §3.2 asks for."""
    figure = Figure(figsize=(WIDTH, 4.2))
    axes = figure.subplots()
    ends = [s.hallucination_rate.high or s.hallucination_rate.value for s in standings]
    top = min(105.0, max(12.0, 100 * max(ends) * 1.12))
    axes.set(xlim=(-2, 102), ylim=(-0.035 * top, top), xlabel="Recall on pairs with a change, %")
    axes.set_ylabel("Hallucination rate on pairs without, %")
    corner = (100 * MIN_RECALL, -0.035 * top)
    axes.add_patch(
        Rectangle(corner, 102 - corner[0], 100 * MAX_HALLUCINATION_RATE - corner[1], color=REGION, lw=0, zorder=0)
    )
    axes.text(101, 100 * MAX_HALLUCINATION_RATE, "accurate and restrained", ha="right", va="bottom", color=MUTED)
    front = sorted((s.recall.value, s.hallucination_rate.value) for s in standings if s.on_front)
    if len(front) > 1:
        axes.plot([100 * x for x, _ in front], [100 * y for _, y in front], color=MUTED, lw=1, ls=(0, (4, 3)), zorder=1)
    dots = []
    for standing in standings:
        style = styles[standing.model]
        x, y = 100 * standing.recall.value, 100 * standing.hallucination_rate.value
        axes.errorbar(
            x, y, xerr=reach(standing.recall), yerr=reach(standing.hallucination_rate),
            fmt=style.marker, ms=7, color=style.color, mec=PAPER, mew=0.8, elinewidth=0.9, ecolor=style.color,
        )  # fmt: skip
        dots.append((x, y, short(standing.model)))
    place_labels(axes, dots)
    return figure


def tier_curves(
    curves: Mapping[str, Mapping[str, Estimate]], styles: Mapping[str, ModelStyle], order: Sequence[str]
) -> Figure:
    """Recall from easy to hard, one panel a model with its interval, the others behind it in grey."""
    columns = min(4, len(order))
    rows = math.ceil(len(order) / columns)
    figure = Figure(figsize=(max(3.0, WIDTH * columns / 4), 0.35 + 1.5 * rows))
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for panel, model in zip(panels, order, strict=False):
        for other in order:
            if other != model:
                _curve(panel, curves[other], color=FAINT, lw=0.8, zorder=1)
        style = styles[model]
        shown = _curve(panel, curves[model], color=style.color, marker=style.marker, ms=5, zorder=3)
        panel.errorbar(
            [x for x, _ in shown], [100 * e.value for _, e in shown],
            yerr=[[r[k][0] for _, e in shown for r in [reach(e)]] for k in (0, 1)],
            fmt="none", ecolor=style.color, elinewidth=1, zorder=2,
        )  # fmt: skip
        panel.set_title(short(model, 24), color=INK)
        panel.set(xlim=(-0.3, 2.3), ylim=(-3, 103), xticks=range(3), yticks=(0, 50, 100))
        panel.set_xticklabels(TIERS)
    for place, panel in enumerate(panels):
        panel.set_visible(place < len(order))
        panel.tick_params(labelbottom=place + columns >= len(order))
    panels[0].set_ylabel("Recall, %")
    return figure


def _curve(axes: Axes, curve: Mapping[str, Estimate], **look: Any) -> list[tuple[int, Estimate]]:
    shown = [(x, curve[tier]) for x, tier in enumerate(TIERS) if tier in curve]
    axes.plot([x for x, _ in shown], [100 * e.value for _, e in shown], **look)
    return shown


def magnitude(points: Sequence[OperatorPoint], xlabel: str) -> Figure:
    """Mean recall of each operator against how much its changes alter the picture, coloured by family."""
    figure = Figure(figsize=(WIDTH, 3.7))
    axes = figure.subplots()
    for k, family in enumerate(sorted({point.family for point in points})):
        inside = [point for point in points if point.family == family]
        axes.scatter(
            [p.magnitude for p in inside], [100 * p.recall for p in inside],
            c=PALETTE[k % len(PALETTE)], marker=MARKERS[k % len(MARKERS)], s=42, lw=0.8, ec=PAPER, label=short(family),
        )  # fmt: skip
    axes.margins(x=0.12, y=0.15)
    axes.set(xlabel=xlabel, ylabel="Recall, %")
    figure.legend(loc="outside upper left", ncols=4, handletextpad=0.2, columnspacing=1.2, labelcolor=INK)
    place_labels(axes, [(p.magnitude, 100 * p.recall, short(p.operator)) for p in points])
    return figure


def stability(points: Sequence[StabilityPoint]) -> Figure:
    """How well fewer pairs a cell reproduce the full ranking."""
    figure = Figure(figsize=(WIDTH, 3.2))
    axes = figure.subplots()
    x = [point.per_cell for point in points]
    lows = [point.tau.low if point.tau.low is not None else math.nan for point in points]
    highs = [point.tau.high if point.tau.high is not None else math.nan for point in points]
    axes.fill_between(x, lows, highs, color=PALETTE[0], alpha=0.15, lw=0)
    axes.plot(x, [point.tau.value for point in points], "o-", color=PALETTE[0], ms=5, label="Kendall τ (band: 95 %)")
    axes.plot(x, [point.top1_kept for point in points], "s--", color=PALETTE[1], ms=4.5, label="same best model")
    axes.plot(x, [point.ranking_kept for point in points], "D:", color=PALETTE[2], ms=4.5, label="exact ranking")
    bottom = min(0.0, *(low for low in lows if not math.isnan(low))) if any(map(math.isfinite, lows)) else 0.0
    axes.set(xlabel="Pairs drawn from each cell", ylim=(bottom - 0.05, 1.05), xticks=x)
    axes.set_ylabel("τ, or share of subsamples")
    figure.legend(loc="outside upper left", ncols=3, labelcolor=INK)
    return figure
