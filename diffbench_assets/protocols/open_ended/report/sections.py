"""What the page of an open-ended suite says before the gallery: the values its templates show.

Belongs here: choosing and counting. Does not belong here: statistics, markup, and how numbers read (`wording.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from markupsafe import Markup

from diffbench_assets.protocols.open_ended.report.figures import MAGNITUDES
from diffbench_assets.protocols.open_ended.report.results import JudgeResults
from diffbench_assets.protocols.open_ended.results import OpenEndedTables
from diffbench_assets.protocols.open_ended.statistics.correction import errors_in_words
from diffbench_assets.report.figures import RenderedFigure
from diffbench_assets.report.groups import Group, facts_line, grouped
from diffbench_assets.report.inline_svg import inline_svg
from diffbench_assets.report.plots import Grid
from diffbench_assets.report.results import Row
from diffbench_assets.statistics.agreement import POOLED
from diffbench_assets.statistics.answers import numbers
from diffbench_assets.statistics.scores import HEADLINE, NO_DIFF, Scores

CLASSES = {
    "has_diff": ("agreement_correct", "agreement_wrong"),
    "no_diff": ("agreement_clean", "agreement_hallucinated"),
    "all": ("agreement_success", "agreement_failure"),
}


@dataclass(frozen=True)
class JudgeSection:
    """The scores under one judge."""

    judge: str
    key: str
    """Part of ids and file names."""
    groups: list[Group]
    facts: dict[str, str]
    errors: str
    """What is known of the judge's errors."""
    tiers: dict[str, dict[str, Row | None]]
    figures: dict[str, Markup]
    titles: dict[str, str]
    stems: dict[str, str]
    """Names of the figures' files, without their ends."""
    operators: Grid | None
    domains: Grid | None
    sizes: dict[str, dict[str, int]]
    correlations: dict[str, list[Row]]
    comparisons: dict[str, list[Row]]
    contrasts: list[Row]
    stability_models: int


def summary(tables: OpenEndedTables, scores: Scores) -> dict[str, Any]:
    """Sizes of the suite and what it lacks."""
    pairs = tables.pairs
    no_diff = pc.sum(pc.equal(pairs["cell"], NO_DIFF)).as_py() or 0
    return {
        "pairs": pairs.num_rows,
        "has_diff": pairs.num_rows - no_diff,
        "no_diff": no_diff,
        "pages": len(pc.unique(pairs["page_id"])),
        "operators": len(pc.unique(pairs["operator"].drop_null())),
        "responses": tables.responses.num_rows,
        "stale": scores.stale,
        "no_magnitude": [name for name in MAGNITUDES if not _known(pairs, name)],
    }


def judge_section(results: JudgeResults, key: str, figures: Mapping[str, RenderedFigure]) -> JudgeSection:
    """`key` names the judge in ids; `figures` are those of `render_figures`."""
    tables = results.tables
    ranked = tables.stability.filter(pc.equal(tables.stability["judge"], results.judge))["models"].to_pylist()
    return JudgeSection(
        judge=results.judge,
        key=key,
        groups=grouped(results.board, tables.facts),
        facts={model: facts_line(tables.facts.get(model)) for model in results.models},
        errors=errors_in_words(results.judge),
        tiers={
            model: {tier: results.metric(model, "recall", "tier", tier) for tier in ("easy", "medium", "hard")}
            for model in results.models
        },
        figures={
            name: inline_svg(figure.svg, f"{key}-{name}", figure.title, figure.description)
            for name, figure in figures.items()
        },
        titles={name: figure.title for name, figure in figures.items()},
        stems={name: f"{name}-{key}" for name in figures},
        operators=results.grid("operator", "recall"),
        domains=results.grid("domain", "recall"),
        sizes={name: results.slice_sizes(name, "recall") for name in ("operator", "domain")},
        correlations={name: results.correlations(name) for name in MAGNITUDES},
        comparisons={metric: results.comparisons(metric) for metric in HEADLINE},
        contrasts=results.contrasts(),
        stability_models=max(ranked, default=0),
    )


def agreement_rows(tables: OpenEndedTables) -> list[dict[str, Any]]:
    """One row for every two judges and task, over all models' answers together: kappa, both classes, tau."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for row in tables.agreement.to_pylist():
        if row["model"] == POOLED:
            entry = found.setdefault((row["judge_a"], row["judge_b"], row["task"]), {})
            entry[row["measure"]] = row
    return [
        {"judge_a": a, "judge_b": b, "task": task, **measures, "classes": [measures.get(c) for c in CLASSES[task]]}
        for (a, b, task), measures in found.items()
    ]


def _known(pairs: pa.Table, magnitude: str) -> bool:
    has_diff = pairs.filter(pc.not_equal(pairs["cell"], NO_DIFF))
    return bool(has_diff.num_rows) and not all(map(lambda v: v != v, numbers(has_diff[magnitude])))
