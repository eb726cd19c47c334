"""What a report is made from, and how to compute the result tables when only the raw ones are at hand.

Belongs here: what the bundles of all protocols share, that of open-ended ones (multiple choice: `choice_tables.py`),
and the one order of models and judges that all parts of a report share. Does not belong here: any statistic or wording.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import ClassVar

import pyarrow as pa

from diffbench_assets.statistics.agreement import judge_agreement
from diffbench_assets.statistics.answers import place_responses
from diffbench_assets.statistics.comparison import compare_models
from diffbench_assets.statistics.contrasts import ModelFacts, contrast_models, contrasts_of
from diffbench_assets.statistics.leaderboard import leaderboard
from diffbench_assets.statistics.magnitude import magnitude_correlations, operator_points
from diffbench_assets.statistics.metrics import metrics_table
from diffbench_assets.statistics.scores import Scores, score_verdicts
from diffbench_assets.statistics.stability import ranking_stability

BASELINE = "baseline"
"""Family of the embedded baselines; averages and rankings over models leave them out where there are others."""

EMBEDDED_JUDGE = "rules"


@dataclass(frozen=True, kw_only=True)
class SuiteTables:
    """Tables of a suite of any protocol: the first three as in schemas.py, the others as `statistics/` makes them."""

    ITEMS: ClassVar[str] = "pairs"
    """The table of what is asked; its suite is the report's."""

    pairs: pa.Table
    responses: pa.Table
    verdicts: pa.Table
    metrics: pa.Table
    leaderboard: pa.Table
    comparisons: pa.Table
    facts: Mapping[str, ModelFacts] = field(default_factory=dict)
    """What the registry says about a model, by model id; models may be missing."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Name → version of whatever made these numbers: package, browser, prompts, judges."""

    def require_one_suite(self) -> None:
        """Raise ValueError when a table has rows of another suite than what is asked; pairs may be another suite's."""
        suites = set(getattr(self, self.ITEMS)["suite"].unique().to_pylist())
        for name, table in self._tables():
            if "suite" in table.column_names and (found := set(table["suite"].unique().to_pylist()) - suites):
                raise ValueError(
                    f"{name}: rows of suite {', '.join(sorted(map(str, found)))}, but the {self.ITEMS} are of "
                    f"{', '.join(sorted(map(str, suites)))}; build one report per suite"
                )

    def _tables(self) -> Iterator[tuple[str, pa.Table]]:
        for item in fields(self):
            if item.name != "pairs" and isinstance(value := getattr(self, item.name), pa.Table):
                yield item.name, value


@dataclass(frozen=True, kw_only=True)
class ReportTables(SuiteTables):
    """Tables of one suite of open-ended questions."""

    contrasts: pa.Table
    agreement: pa.Table
    stability: pa.Table
    operator_points: pa.Table
    magnitude: pa.Table


def compute_tables(
    pairs: pa.Table,
    responses: pa.Table,
    verdicts: pa.Table,
    *,
    facts: Mapping[str, ModelFacts] | None = None,
    versions: Mapping[str, str] | None = None,
    replicates: int = 1000,
) -> ReportTables:
    """Every result table from the raw ones of one suite. Raises what `statistics/` raises on inconsistent tables."""
    facts = facts or {}
    answers = place_responses(pairs, responses)
    scores = score_verdicts(answers, verdicts)
    ranked = without_baselines(scores, facts)
    metrics = metrics_table(answers, scores, replicates=replicates)
    return ReportTables(
        pairs=pairs,
        responses=responses,
        verdicts=verdicts,
        metrics=metrics,
        leaderboard=leaderboard(metrics),
        comparisons=compare_models(scores, replicates=replicates),
        contrasts=contrast_models(scores, contrasts_of(facts), replicates=replicates),
        agreement=judge_agreement(scores, replicates=replicates),
        stability=ranking_stability(ranked),
        operator_points=operator_points(ranked),
        magnitude=magnitude_correlations(ranked, replicates=replicates),
        facts=facts,
        versions=versions or {},
    )


def without_baselines(scores: Scores, facts: Mapping[str, ModelFacts]) -> Scores:
    """Scores of the real models, or of all when every model is a baseline."""
    real = [model for model in scores.models if model not in facts or facts[model].family != BASELINE]
    return scores.of_models(real or scores.models)


def judges_in_order(judges: tuple[str, ...]) -> list[str]:
    """Judges by name, the embedded one last: where a model judged, its verdicts are what readers come for."""
    return sorted(judges, key=lambda judge: (judge == EMBEDDED_JUDGE, judge))
