"""The result tables of an open-ended suite under one judge, as the rows that its tables and figures show.

Belongs here: looking numbers up and putting them in order. Does not belong here: computing them, formatting them.
"""

from __future__ import annotations

from dataclasses import dataclass

from diffbench_assets.protocols.open_ended.report.plots import TIERS, OperatorPoint, StabilityPoint, Standing
from diffbench_assets.protocols.open_ended.results import OpenEndedTables
from diffbench_assets.protocols.open_ended.statistics.magnitude import ALL_MODELS
from diffbench_assets.report.plots import Estimate
from diffbench_assets.report.results import Row, SuiteResults


@dataclass(frozen=True)
class JudgeResults(SuiteResults):
    """Everything the tables of an open-ended suite say under one judge."""

    tables: OpenEndedTables

    def standings(self) -> list[Standing]:
        """Models that have both recall and a hallucination rate."""
        found = []
        for row in self.board:
            recall, rate = (self.estimate(row["model"], name) for name in ("recall", "hallucination_rate"))
            if recall and rate:
                found.append(Standing(row["model"], recall, rate, bool(row["on_front"])))
        return found

    def tier_curves(self) -> dict[str, dict[str, Estimate]]:
        """Model → tier → recall, for models with any."""
        curves = {
            model: {tier: e for tier in TIERS if (e := self.estimate(model, "recall", "tier", tier))}
            for model in self.models
        }
        return {model: curve for model, curve in curves.items() if curve}

    def operator_points(self, magnitude: str) -> list[OperatorPoint]:
        """Mean over the covered models, for each operator."""
        return [
            OperatorPoint(row["operator"], row["family"] or "unknown", row["mean_magnitude"], row["recall"])
            for row in self._rows(self.tables.operator_points)
            if row["magnitude"] == magnitude and row["model"] == ALL_MODELS
        ]

    def correlations(self, magnitude: str) -> list[Row]:
        """Over all models, per operator and per pair."""
        return [
            row
            for row in self._rows(self.tables.magnitude)
            if row["magnitude"] == magnitude and row["model"] == ALL_MODELS and row["value"] is not None
        ]

    def stability(self) -> list[StabilityPoint]:
        return [
            StabilityPoint(
                row["per_cell"],
                Estimate(row["tau"], row["ci_low"], row["ci_high"]),
                row["top1_kept"],
                row["ranking_kept"],
            )
            for row in self._rows(self.tables.stability)
            if row["tau"] is not None
        ]

    def contrasts(self) -> list[Row]:
        return [row for row in self._rows(self.tables.contrasts) if row["value"] is not None]
