"""Every number of an open-ended suite: its result tables, from the raw ones.

Belongs here: the bundle of tables, which numbers there are, and the one order of judges. Does not belong here: any
statistic (`statistics/`), any wording (`report/`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

from diffbench_assets.protocols.open_ended.statistics.leaderboard import leaderboard
from diffbench_assets.protocols.open_ended.statistics.magnitude import magnitude_correlations, operator_points
from diffbench_assets.protocols.open_ended.statistics.metrics import metrics_table
from diffbench_assets.protocols.open_ended.statistics.scores import score_verdicts
from diffbench_assets.protocols.open_ended.statistics.stability import ranking_stability
from diffbench_assets.report.tables import BASELINE, SuiteTables
from diffbench_assets.statistics.agreement import judge_agreement
from diffbench_assets.statistics.answers import place_responses
from diffbench_assets.statistics.comparison import compare_models
from diffbench_assets.statistics.contrasts import ModelFacts, contrast_models, contrasts_of
from diffbench_assets.statistics.scores import Scores

EMBEDDED_JUDGE = "rules"


@dataclass(frozen=True, kw_only=True)
class OpenEndedTables(SuiteTables):
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
) -> OpenEndedTables:
    """Every result table from the raw ones of one suite. Raises what `statistics/` raises on inconsistent tables."""
    facts = facts or {}
    answers = place_responses(pairs, responses)
    scores = score_verdicts(answers, verdicts)
    ranked = without_baselines(scores, facts)
    metrics = metrics_table(answers, scores, replicates=replicates)
    return OpenEndedTables(
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
