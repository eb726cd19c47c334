"""Settings of multiple choice: how many questions, with which options."""

from __future__ import annotations

from pydantic import BaseModel

from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.counts import PAPER_QUESTIONS, no_difference_count
from diffbench_assets.pairs.pair_set import setting
from diffbench_assets.protocols.protocol import Suite


class ChoiceSettings(BaseModel):
    """What multiple-choice questions are built with."""

    seed: int = setting(0, "Seed of every random choice.", variable="DIFFBENCH_SEED")
    paper_counts: bool = setting(False, "As many as VDiff-Bench has: 1,756 questions over 1,543 pairs.")
    no_difference_share: float = setting(0.0, "Share of questions where nothing differs.", ge=0, le=0.9)
    circular: bool = setting(False, "Ask all four rotations of the options.")
    false_statements_by: list[str] = setting(
        [], "Vision model that writes false statements; VDiff-Bench has them written by two."
    )

    def questions_wanted(self, suite: Suite, cell: str, pairs: int, pairs_with_difference: int) -> int:
        """Questions of a cell that has `pairs` pairs; there are `pairs_with_difference` in the other cells.

        Pairs that are made for the suite have as many without a difference as are asked about.
        """
        if cell == NO_DIFF and not suite.owns_pairs:
            return min(pairs, no_difference_count(pairs_with_difference, self.no_difference_share))
        return PAPER_QUESTIONS.get(cell, pairs) if self.paper_counts else pairs
