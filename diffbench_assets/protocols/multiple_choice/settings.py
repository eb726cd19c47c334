"""Settings of the multiple-choice suites: how many pairs and questions, from which images, with which options."""

from __future__ import annotations

from pydantic import BaseModel, Field

from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.protocols.multiple_choice.categories import PAPER_QUESTIONS, pair_counts
from diffbench_assets.protocols.multiple_choice.questions import no_difference_count
from diffbench_assets.protocols.protocol import Suite


class ChoiceSettings(BaseModel):
    """What multiple-choice questions are built from.

    `n`: pairs a category of lowlevel_mcq, each asked about once; `paper_counts` takes VDiff-Bench's own numbers
    instead (1,756 questions over 1,543 pairs). `sources`: where its pairs come from: scenes (drawn here), pages (of the
    pool), and images: files, folders or Parquet files named in `images`. `strength` scales the pixel transforms.
    `edit_with` names an entry of models.yaml with an images/edits endpoint that edits photographs, `propose_with` a
    vision model that proposes moves and false statements; without them everything is programmatic.
    `no_difference_share`: share of questions whose right answer is that nothing differs. `circular`: each question is
    asked in all four rotations of its options.
    """

    seed: int = Field(0, json_schema_extra={"variable": "DIFFBENCH_SEED"})
    n: int = Field(20, json_schema_extra={"variable": "DIFFBENCH_CHOICE_N"})
    paper_counts: bool = False
    sources: list[str] = ["scenes", "pages"]
    images: list[str] = []
    strength: float = 1.0
    edit_with: str = ""
    propose_with: str = ""
    false_statements_by: str = ""
    no_difference_share: float = 0.0
    circular: bool = False

    def pairs_wanted(self, cell: str) -> int:
        """Pairs of a cell of lowlevel_mcq."""
        if cell == NO_DIFF:
            return self._no_difference(self._questions_in_all())
        return pair_counts(PAPER_QUESTIONS)[cell] if self.paper_counts else self.n

    def questions_wanted(self, suite: Suite, cell: str, pairs: int, pairs_with_difference: int) -> int:
        """Questions of a cell that has `pairs` pairs; the suite has `pairs_with_difference` in its other cells."""
        if cell == NO_DIFF:
            total = self._questions_in_all() if suite.owns_pairs else pairs_with_difference
            return min(pairs, self._no_difference(total))
        return self._questions(cell) if suite.owns_pairs and self.paper_counts else pairs

    def _questions(self, cell: str) -> int:
        return PAPER_QUESTIONS[cell] if self.paper_counts else self.n

    def _questions_in_all(self) -> int:
        return sum(self._questions(name) for name in PAPER_QUESTIONS)

    def _no_difference(self, questions: int) -> int:
        return no_difference_count(questions, self.no_difference_share)
