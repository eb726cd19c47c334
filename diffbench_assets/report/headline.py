"""What a report says first: who leads, by how much, and how the models stand under each judge.

Belongs here: choosing the numbers and putting them into a sentence. Does not belong here: computing them, markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from diffbench_assets.report.leaderboard_text import Layout
from diffbench_assets.report.plots import Estimate
from diffbench_assets.report.results import SuiteResults
from diffbench_assets.report.wording import decimal, decimal_span, p_value, percent, points, span

CLEAR = 0.05
"""p below which a difference is called one, after Holm's correction."""


@dataclass(frozen=True)
class Standing:
    """One model's headline score under every judge, as text; None where it is not defined."""

    model: str
    scores: tuple[tuple[str, str] | None, ...]


def sentence(result: SuiteResults, layout: Layout) -> str:
    """The result under one judge in a sentence; empty where no model has a score."""
    scored = [(m, e) for m in result.models if (e := result.estimate(m, layout.headline))]
    if not scored:
        return ""
    (first, best), *others = scored
    under = f" under judge {result.judge}" if layout.under_judge else ""
    value, reach = _shown(best, layout)
    said = f"{first} has {'the best ' if others else 'an '}{layout.headline.replace('_', ' ')}{under}: {value}{reach}"
    if not others:
        return f"{said}."
    second = others[0][0]
    for row in result.comparisons(layout.headline):
        if {row["model_a"], row["model_b"]} == {first, second} and row["difference"] is not None:
            ahead = f"{points(row['difference'])} points" if layout.percent else decimal(row["difference"])
            p = p_value(row["p_holm"])
            how = "above" if row["p_holm"] is not None and row["p_holm"] < CLEAR else "but not clearly above"
            return f"{said}, {ahead.lstrip('+')} {how} {second} (p {p if p.startswith('<') else f'= {p}'})."
    return f"{said}; {second} follows."


def standings(results: Sequence[SuiteResults], layout: Layout) -> list[Standing]:
    """Every model under every judge, in the order of the first judge's leaderboard."""
    models = dict.fromkeys(model for result in results for model in result.models)
    found = {model: [result.estimate(model, layout.headline) for result in results] for model in models}
    return [Standing(m, tuple(_shown(e, layout) if e else None for e in row)) for m, row in found.items()]


def _shown(estimate: Estimate, layout: Layout) -> tuple[str, str]:
    value, low, high = estimate
    if layout.percent:
        return f"{percent(value)} %", f" ({span(low, high)})" if low is not None else ""
    return decimal(value), f" ({decimal_span(low, high)})" if low is not None else ""
