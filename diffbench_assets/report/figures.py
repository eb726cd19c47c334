"""Which figures an open-ended suite has under a judge, with their titles; the SVG and PDF bytes of any figure.

Belongs here: choosing rows for `plots.py` and rendering. Does not belong here: drawing, and where files go.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import matplotlib as mpl
from matplotlib.figure import Figure

from diffbench_assets.report import plots
from diffbench_assets.report.look import ModelStyle, settings
from diffbench_assets.report.plots import Estimate
from diffbench_assets.report.results import JudgeResults

MAGNITUDES = {
    "inside_change": "Share of the changed box's pixels that differ (mean over pairs)",
    "clip_distance": "CLIP distance of before and after (mean over pairs)",
}


Drawing = tuple[str, str, Callable[[], Figure]]
"""Title, description in words, and what draws it."""


@dataclass(frozen=True)
class RenderedFigure:
    """One figure: what it is called, what it shows, and its two files."""

    name: str
    title: str
    description: str
    svg: bytes
    pdf: bytes


def render_figures(results: JudgeResults, styles: dict[str, ModelStyle]) -> dict[str, RenderedFigure]:
    """Figures by name; one whose numbers do not exist is left out. The same results give the same bytes."""
    return render(_drawings(results, styles))


def render(drawings: Mapping[str, Drawing]) -> dict[str, RenderedFigure]:
    """Name → (title, description, drawing) as files."""
    with mpl.rc_context(settings()):
        return {
            name: RenderedFigure(name, title, description, *_files(draw()))
            for name, (title, description, draw) in drawings.items()
        }


def _files(figure: Figure) -> tuple[bytes, bytes]:
    svg, pdf = io.BytesIO(), io.BytesIO()
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # one layout for both files
    figure.savefig(svg, format="svg", metadata={"Date": None})
    figure.savefig(pdf, format="pdf", metadata={"CreationDate": None})
    return svg.getvalue(), pdf.getvalue()


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
        if grid := results.grid(name):
            found[f"{name}s"] = (f"{title}, {under}", f"{title} and model.", partial(plots.heatmap, grid))
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
