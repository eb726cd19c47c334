"""What the page says before the gallery: the values its templates show.

Belongs here: choosing and counting. Does not belong here: statistics, markup, and how numbers read (`wording.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from markupsafe import Markup

from diffbench_assets.report.figures import MAGNITUDES, RenderedFigure
from diffbench_assets.report.groups import Group, facts_line, grouped
from diffbench_assets.report.inline_svg import inline_svg
from diffbench_assets.report.plots import Grid
from diffbench_assets.report.results import JudgeResults, Row
from diffbench_assets.report.tables import ReportTables, SuiteTables
from diffbench_assets.statistics.agreement import POOLED
from diffbench_assets.statistics.answers import OUTCOMES, numbers
from diffbench_assets.statistics.scores import HEADLINE, MAX_UNSCORED_SHARE, NO_DIFF, Scores
from diffbench_assets.statistics.usage import MISSING

USAGE = (
    "input_tokens_total", "output_tokens_total", "output_tokens_mean", "cost_usd_total", "cost_usd_mean",
    "latency_s_p50", "latency_s_p95",
)  # fmt: skip
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
    tiers: dict[str, dict[str, Row | None]]
    figures: dict[str, Markup]
    titles: dict[str, str]
    operators: Grid | None
    domains: Grid | None
    sizes: dict[str, dict[str, int]]
    correlations: dict[str, list[Row]]
    comparisons: dict[str, list[Row]]
    contrasts: list[Row]
    stability_models: int


def summary(tables: ReportTables, scores: Scores) -> dict[str, Any]:
    """Sizes of the suite and what it lacks."""
    pairs = tables.pairs
    no_diff = pc.sum(pc.equal(pairs["cell"], NO_DIFF)).as_py() or 0
    return {
        "suite": scores.suite,
        "pairs": pairs.num_rows,
        "has_diff": pairs.num_rows - no_diff,
        "no_diff": no_diff,
        "pages": len(pc.unique(pairs["page_id"])),
        "operators": len(pc.unique(pairs["operator"].drop_null())),
        "models": list(scores.models),
        "responses": tables.responses.num_rows,
        "stale": scores.stale,
        "versions": dict(sorted(tables.versions.items())),
        "unscored_limit": MAX_UNSCORED_SHARE,
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
        tiers={
            model: {tier: results.metric(model, "recall", "tier", tier) for tier in ("easy", "medium", "hard")}
            for model in results.models
        },
        figures={
            name: inline_svg(figure.svg, f"{key}-{name}", figure.title, figure.description)
            for name, figure in figures.items()
        },
        titles={name: figure.title for name, figure in figures.items()},
        operators=results.grid("operator"),
        domains=results.grid("domain"),
        sizes={name: results.slice_sizes(name) for name in ("operator", "domain")},
        correlations={name: results.correlations(name) for name in MAGNITUDES},
        comparisons={metric: results.comparisons(metric) for metric in HEADLINE},
        contrasts=results.contrasts(),
        stability_models=max(ranked, default=0),
    )


def agreement_rows(tables: ReportTables) -> list[dict[str, Any]]:
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


def usage_rows(tables: SuiteTables) -> list[dict[str, Any]]:
    """One row a model: how its answers ended, and what they took."""
    unjudged = tables.metrics.filter(pc.is_null(tables.metrics["judge"])).to_pylist()
    found: dict[str, dict[str, Any]] = {}
    for row in unjudged:
        entry = found.setdefault(row["model"], {"model": row["model"], "n": row["n"], "outcomes": {}})
        if row["metric"] == "outcome":
            entry["outcomes"][row["slice_value"]] = int(row["value"] or 0)
        elif row["metric"] in USAGE:
            entry[row["metric"]] = row["value"]
    return list(found.values())


OUTCOME_NAMES = (*OUTCOMES, MISSING)


def _known(pairs: pa.Table, magnitude: str) -> bool:
    has_diff = pairs.filter(pc.not_equal(pairs["cell"], NO_DIFF))
    return bool(has_diff.num_rows) and not all(map(lambda v: v != v, numbers(has_diff[magnitude])))
