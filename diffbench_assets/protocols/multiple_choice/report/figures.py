"""Which figures a multiple-choice suite has, with their titles and what they say in words.

Belongs here: choosing rows for `choice_plots.py`. Does not belong here: drawing, rendering, and where files go.
"""

from __future__ import annotations

from functools import partial

from diffbench_assets.protocols.multiple_choice.report import plots as choice_plots
from diffbench_assets.protocols.multiple_choice.report.results import ChoiceResults, group_name
from diffbench_assets.protocols.multiple_choice.statistics.leaderboard import INFORMED
from diffbench_assets.report import plots
from diffbench_assets.report.figures import Drawing, RenderedFigure, render
from diffbench_assets.report.look import ModelStyle
from diffbench_assets.report.plots import Estimate
from diffbench_assets.report.wording import percent

FIGURE_NAMES = ("accuracy", "categories", "groups", "outcomes", "positions")


def render_choice_figures(results: ChoiceResults, styles: dict[str, ModelStyle]) -> dict[str, RenderedFigure]:
    """Figures by name, of FIGURE_NAMES; one whose numbers do not exist is left out. Same results, same bytes."""
    return render(_drawings(results, styles))


def _drawings(results: ChoiceResults, styles: dict[str, ModelStyle]) -> dict[str, Drawing]:
    found: dict[str, Drawing] = {}
    guessing = {row["model"]: row["accuracy"] for row in results.references}
    scored = [model for model in results.models if results.estimate(model, "accuracy")]
    overall = {model: e for model in scored if (e := results.estimate(model, "accuracy"))}
    low = {model: e for model in scored if (e := results.estimate(model, "accuracy", "group", "low_level"))}
    if overall:
        found["accuracy"] = (
            "Accuracy",
            "; ".join(f"{model}: {_words(e, low.get(model))}" for model, e in overall.items()),
            partial(choice_plots.accuracy, overall, low, guessing, styles),
        )
    if grid := results.grid("category", "accuracy"):
        found["categories"] = ("Accuracy by category", "Accuracy by category and model.", partial(plots.heatmap, grid))
    if accuracies := results.group_accuracies():
        changed = {"Informed guess": INFORMED}
        found["groups"] = (
            "Accuracy by group of changes",
            "; ".join(
                f"{model}: " + ", ".join(f"{group_name(name)} {percent(e.value)} %" for name, e in groups.items())
                for model, groups in accuracies.items()
            ),
            partial(choice_plots.groups, accuracies, changed),
        )
    if shares := results.outcomes():
        found["outcomes"] = (
            f"How answers divide, {'low-level changes' if results.focus() else 'all questions'}",
            "; ".join(
                f"{model}: "
                + ", ".join(f"{choice_plots.OUTCOMES[name][0]} {percent(share)} %" for name, share in values.items())
                for model, values in shares.items()
            ),
            partial(choice_plots.outcomes, shares),
        )
    if rows := [row for row in results.positions() if any(row.recall)]:
        found["positions"] = (
            "Recall by the position of the right answer",
            "; ".join(
                f"{row.model}: " + ", ".join(percent(e.value) if e else "none" for e in row.recall) for row in rows
            ),
            partial(choice_plots.positions, rows, styles),
        )
    return found


def _words(overall: Estimate, low: Estimate | None) -> str:
    return f"{percent(overall.value)} %" + (f", low-level {percent(low.value)} %" if low else "")
