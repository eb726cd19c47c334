"""The figures of a multiple-choice suite, drawn once for the page, the SVG file and the PDF file.

Belongs here: one function per figure, from plain rows to a matplotlib Figure. Does not belong here: choosing the rows
(`choice_figures.py`), writing files, the heat map (`plots.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from diffbench_assets.protocols.multiple_choice.report.results import ERRORS, Positions, group_name
from diffbench_assets.protocols.multiple_choice.statistics.choices import LETTERS
from diffbench_assets.report.look import FAINT, INK, MARKERS, MUTED, PALETTE, PAPER, ModelStyle
from diffbench_assets.report.plots import WIDTH, Estimate, reach, short
from diffbench_assets.report.wording import p_value

LABELLED_GAP = 0.25
"""Gaps between groups of at least this are written out (VDiff-Bench figure 4a)."""

OUTCOMES = {
    "accuracy": ("right", PALETTE[2]),
    "missed_change": ("no difference", PALETTE[0]),
    "competing_change": ("false statement", PALETTE[1]),
    "false_alarm": ("false alarm", PALETTE[3]),
    "invalid": ("invalid", PALETTE[7]),
    "unscored": ("unscored", FAINT),
}
"""Share of the answers → how the legend calls it, and its colour."""

_LABELLED_SHARE = 0.08


def accuracy(
    overall: Mapping[str, Estimate],
    low_level: Mapping[str, Estimate],
    references: Mapping[str, float],
    styles: Mapping[str, ModelStyle],
) -> Figure:
    """Accuracy of every model with its interval, that on low-level changes beside it, guessing as dashed lines."""
    figure, axes = _rows_of_models(list(overall))
    for y, (model, estimate) in enumerate(overall.items()):
        style = styles[model]
        if low := low_level.get(model):
            axes.plot([100 * low.value, 100 * estimate.value], [y, y], color=FAINT, lw=1, zorder=1)
            axes.plot(100 * low.value, y, "D", ms=5, mfc=PAPER, mec=style.color, mew=1.2, zorder=3)
        axes.errorbar(
            100 * estimate.value, y, xerr=reach(estimate), fmt=style.marker, ms=7, color=style.color, mec=PAPER,
            mew=0.8, elinewidth=1.1, zorder=4,
        )  # fmt: skip
    _guessing(axes, references)
    axes.plot([], [], "o", color=MUTED, ms=6, label="all questions, 95 % interval")
    if low_level:
        axes.plot([], [], "D", ms=5, mfc=PAPER, mec=MUTED, label="low-level changes")
    axes.set_xlabel("Accuracy, %")
    figure.legend(loc="outside upper left", ncols=2, labelcolor=INK, handletextpad=0.2)
    return figure


def groups(accuracies: Mapping[str, Mapping[str, Estimate]], references: Mapping[str, float]) -> Figure:
    """Accuracy of every model on each group of changes, joined by a line; wide gaps of two groups are written out."""
    figure, axes = _rows_of_models(list(accuracies))
    names = list(dict.fromkeys(name for groups in accuracies.values() for name in groups))
    for y, values in enumerate(accuracies.values()):
        ends = [100 * pick(e.value for e in values.values()) for pick in (min, max)]
        axes.plot(ends, [y, y], color=FAINT, lw=2.4, zorder=1, solid_capstyle="round")
        if len(names) == 2 and ends[1] - ends[0] >= 100 * LABELLED_GAP:
            axes.text(
                sum(ends) / 2, y - 0.14, f"{ends[1] - ends[0]:.1f}", ha="center", va="bottom", color=MUTED, fontsize=7.5
            )
    for k, name in enumerate(names):
        shown = [(y, values[name]) for y, values in enumerate(accuracies.values()) if name in values]
        axes.plot(
            [100 * e.value for _, e in shown], [y for y, _ in shown], MARKERS[k % len(MARKERS)],
            color=PALETTE[k % len(PALETTE)], mec=PAPER, mew=0.8, ms=7.5, label=short(group_name(name)), zorder=3,
        )  # fmt: skip
    _guessing(axes, references)
    axes.set_xlabel("Accuracy, %")
    figure.legend(loc="outside upper left", ncols=4, labelcolor=INK, handletextpad=0.2)
    return figure


def outcomes(shares: Mapping[str, Mapping[str, float]]) -> Figure:
    """How every model's answers divide into right, each error and unscored, as one bar of 100 %."""
    figure, axes = _rows_of_models(list(shares))
    start = dict.fromkeys(shares, 0.0)
    for name in ("accuracy", *ERRORS, "unscored"):
        label, color = OUTCOMES[name]
        if not any(values[name] > 1e-9 for values in shares.values()):
            continue
        widths = [100 * values[name] for values in shares.values()]
        axes.barh(range(len(shares)), widths, 0.72, list(start.values()), color=color, ec=PAPER, lw=0.8, label=label)
        for y, (model, width) in enumerate(zip(shares, widths, strict=True)):
            if width >= 100 * _LABELLED_SHARE and name != "unscored":
                middle = start[model] + width / 2
                axes.text(middle, y, f"{width:.0f}", ha="center", va="center", color=PAPER, fontsize=8, weight="bold")
            start[model] += width
    axes.set(xlabel="Share of the questions, %", xlim=(0, 100))
    axes.grid(False)
    figure.legend(loc="outside upper left", ncols=6, labelcolor=INK, columnspacing=1.2, handlelength=1.2)
    return figure


def positions(rows: Sequence[Positions], styles: Mapping[str, ModelStyle]) -> Figure:
    """Recall by the letter of the right answer, a panel a model, its accuracy as a line; p-value beside the name."""
    columns = min(4, len(rows))
    lines = math.ceil(len(rows) / columns)
    figure = Figure(figsize=(max(3.0, WIDTH * columns / 4), 0.35 + 1.6 * lines))
    panels = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for place, (panel, row) in enumerate(zip(panels, rows, strict=False)):
        style = styles[row.model]
        if row.accuracy:
            panel.axhline(100 * row.accuracy.value, color=MUTED, lw=0.8, ls=(0, (4, 3)), zorder=1)
        for x, estimate in enumerate(row.recall):
            if estimate:
                panel.errorbar(
                    x, 100 * estimate.value, yerr=reach(estimate), fmt=style.marker, ms=5.5, color=style.color,
                    mec=PAPER, mew=0.6, elinewidth=1.1, zorder=3,
                )  # fmt: skip
        shown = "too few for a test" if row.accuracy_p is None else f"p {_compared(p_value(row.accuracy_p))}"
        panel.set_title(f"{short(row.model, 24)}\n{shown}", color=INK)
        panel.set(xlim=(-0.5, 3.5), ylim=(-3, 103), xticks=range(4), yticks=(0, 50, 100))
        panel.set_xticklabels(LETTERS)
        panel.tick_params(labelbottom=place + columns >= len(rows))
    for panel in panels[len(rows) :]:
        panel.set_visible(False)
    panels[0].set_ylabel("Recall, %")
    return figure


def _compared(p: str) -> str:
    return p if p.startswith("<") else f"= {p}"


def _rows_of_models(models: Sequence[str]) -> tuple[Figure, Axes]:
    """Axes from 0 to 100 % with a row a model, the first at the top."""
    figure = Figure(figsize=(WIDTH, 1.15 + 0.29 * len(models)))
    axes = figure.subplots()
    axes.set_yticks(range(len(models)), [short(model, 28) for model in models])
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.set(xlim=(-2, 102), ylim=(len(models) - 0.4, -0.6))
    axes.grid(axis="y", visible=False)
    return figure, axes


def _guessing(axes: Axes, references: Mapping[str, float]) -> None:
    for value in references.values():
        axes.axvline(100 * value, color=MUTED, lw=0.9, ls=(0, (4, 3)), zorder=0)
