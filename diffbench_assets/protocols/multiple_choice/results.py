"""What a report of a multiple-choice suite is made from, and how to compute its result tables from the raw ones.

    compute_choice_tables(
        pairs, questions, responses, verdicts, *, facts=None, versions=None, blind=(), replicates=1000
    ) -> MultipleChoiceTables

Belongs here: the bundle of tables. Does not belong here: any statistic (`statistics/multiple_choice/`), any wording.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from diffbench_assets.protocols.multiple_choice.statistics.choices import place_choices
from diffbench_assets.protocols.multiple_choice.statistics.comparison import compare_choices
from diffbench_assets.protocols.multiple_choice.statistics.leaderboard import choice_leaderboard
from diffbench_assets.protocols.multiple_choice.statistics.metrics import choice_metrics
from diffbench_assets.report.tables import SuiteTables
from diffbench_assets.statistics.contrasts import ModelFacts


@dataclass(frozen=True, kw_only=True)
class MultipleChoiceTables(SuiteTables):
    """Tables of one multiple-choice suite; its pairs may belong to another suite and hold more than is asked about."""

    ITEMS: ClassVar[str] = "questions"

    questions: pa.Table
    blind: Sequence[Mapping[str, Any]] = ()
    """Rows of schemas.BLIND_CHECK; empty where no check was made."""


def compute_choice_tables(
    pairs: pa.Table,
    questions: pa.Table,
    responses: pa.Table,
    verdicts: pa.Table,
    *,
    facts: Mapping[str, ModelFacts] | None = None,
    versions: Mapping[str, str] | None = None,
    blind: Sequence[Mapping[str, Any]] = (),
    replicates: int = 1000,
) -> MultipleChoiceTables:
    """Every result table (metrics, leaderboard, comparisons) from the raw ones of one suite.

    Raises what `place_choices` raises on tables that contradict one another.
    """
    choices = place_choices(pairs, questions, responses, verdicts)
    metrics = choice_metrics(choices, replicates=replicates)
    return MultipleChoiceTables(
        pairs=pairs,
        questions=questions,
        responses=responses,
        verdicts=verdicts,
        metrics=metrics,
        leaderboard=choice_leaderboard(metrics),
        comparisons=compare_choices(choices, replicates=replicates),
        blind=blind,
        facts=facts or {},
        versions=versions or {},
    )
