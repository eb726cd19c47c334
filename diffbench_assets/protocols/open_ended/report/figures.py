"""Which figures an open-ended suite has under a judge, with their titles and what they say in words.

Belongs here: choosing rows for `plots.py`. Does not belong here: drawing, rendering, and where files go.
"""

from __future__ import annotations

from functools import partial

from diffbench_assets.protocols.open_ended.report import plots
from diffbench_assets.protocols.open_ended.report.results import JudgeResults
from diffbench_assets.report.figures import Drawing, RenderedFigure, render
from diffbench_assets.report.look import ModelStyle
from diffbench_assets.report.plots import Estimate, heatmap

MAGNITUDES = {
    "inside_change": "Share of the changed box's pixels that differ (mean over pairs)",
    "clip_distance": "CLIP distance of before and after (mean over pairs)",
}


def render_figures(results: JudgeResults, styles: dict[str, ModelStyle]) -> dict[str, RenderedFigure]:
    """Figures by name; one whose numbers do not exist is left out. The same results give the same bytes."""
    return render(_drawings(results, styles))


def _drawings(results: JudgeResults, styles: dict[str, ModelStyle]) -> dict[str, Drawing]:
    found: dict[str, Drawing] = {}
    under = f"judge {results.judge}"
    if standings := results.standings():
        found["sensitivity_restraint"] = (
            f"Sensitivity and restraint, {under}",
            "; ".join(
                f"{s.model}: recall {100 * s.recall.value:.1f} %, hallucination rate "
                f"{100 * s.hallucination_rate.value:.1f} %"
                for s in standings
            ),
            partial(plots.sensitivity_restraint, standings, styles),
        )
    if curves := results.tier_curves():
        found["tiers"] = (
            f"Recall by tier, {under}",
            "; ".join(f"{model}: {_tiers(curve)}" for model, curve in curves.items()),
            partial(plots.tier_curves, curves, styles, list(curves)),
        )
    for name, title in (("operator", "Recall by operator"), ("domain", "Recall by domain")):
        if grid := results.grid(name, "recall"):
            found[f"{name}s"] = (f"{title}, {under}", f"{title} and model.", partial(heatmap, grid))
    for name, xlabel in MAGNITUDES.items():
        if points := results.operator_points(name):
            found[name] = (
                f"Mean recall by operator against {xlabel[0].lower()}{xlabel[1:]}, {under}",
                "; ".join(f"{p.operator}: {p.magnitude:.3g}, recall {100 * p.recall:.1f} %" for p in points),
                partial(plots.magnitude, points, xlabel),
            )
    if steps := results.stability():
        found["stability"] = (
            f"Ranking stability, {under}",
            "; ".join(f"{p.per_cell} pairs a cell: tau {p.tau.value:.2f}" for p in steps),
            partial(plots.stability, steps),
        )
    return found


def _tiers(curve: dict[str, Estimate]) -> str:
    return ", ".join(f"{tier} {100 * estimate.value:.1f} %" for tier, estimate in curve.items())
