"""What the page of a multiple-choice suite says before the gallery: the values its templates show.

Belongs here: choosing and counting. Does not belong here: statistics, markup, and how numbers read (`wording.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup

from diffbench_assets.protocols.multiple_choice.report.results import ChoiceResults, Positions
from diffbench_assets.protocols.multiple_choice.statistics.choices import Choices
from diffbench_assets.protocols.multiple_choice.statistics.comparison import COMPARED
from diffbench_assets.report.figures import RenderedFigure
from diffbench_assets.report.groups import Group, facts_line
from diffbench_assets.report.inline_svg import inline_svg
from diffbench_assets.report.leaderboard_text import Layout
from diffbench_assets.report.plots import Grid
from diffbench_assets.report.results import Row
from diffbench_assets.statistics.scores import NO_DIFF


@dataclass(frozen=True)
class ChoiceSection:
    """The scores of all models."""

    layout: Layout
    groups: list[Group]
    facts: dict[str, str]
    figures: dict[str, Markup]
    titles: dict[str, str]
    stems: dict[str, str]
    """Names of the figures' files, without their ends."""
    categories: Grid | None
    silent: Grid | None
    """How often "no difference" is chosen, by category; only where something differs."""
    sizes: dict[str, int]
    positions: list[Positions]
    comparisons: dict[str, list[Row]]


def summary(results: ChoiceResults, choices: Choices) -> dict[str, Any]:
    """Sizes of the suite and what it lacks."""
    asked = choices.asked
    silent = int((choices.answer == choices.no_difference)[asked].sum())
    categories = choices.questions["category"].take(asked).unique()
    return {
        "questions": len(asked),
        "rotated": len(choices.answer) - len(asked),
        "pairs": len(np.unique(choices.pair[asked])),
        "silent": silent,
        "categories": len(categories) - bool(silent),
        "stale": choices.stale,
        "blind": [dict(row) for row in results.tables.blind],
        "focus": results.focus(),
    }


def choice_section(results: ChoiceResults, figures: Mapping[str, RenderedFigure]) -> ChoiceSection:
    """`figures` are those of `render_choice_figures`."""
    return ChoiceSection(
        layout=results.layout(),
        groups=results.board_groups(),
        facts={model: facts_line(results.tables.facts.get(model)) for model in results.models},
        figures={
            name: inline_svg(figure.svg, f"choice-{name}", figure.title, figure.description)
            for name, figure in figures.items()
        },
        titles={name: figure.title for name, figure in figures.items()},
        stems={name: name for name in figures},
        categories=results.grid("category", "accuracy"),
        silent=_changed(results.grid("category", "no_difference_rate")),
        sizes=results.slice_sizes("category", "accuracy"),
        positions=results.positions(),
        comparisons={metric: results.comparisons(metric) for metric in COMPARED},
    )


def _changed(grid: Grid | None) -> Grid | None:
    if grid is None:
        return None
    kept = [(name, found) for name, found in zip(grid.rows, grid.estimates, strict=True) if name != NO_DIFF]
    return Grid([name for name, _ in kept], grid.columns, [found for _, found in kept]) if kept else None
