"""Multiple choice (VDiff-Bench): four statements about each pair, one of them true; the answer key decides.

Belongs here: the protocol's row, and the walk from questions to items and truths. Does not belong here: making
questions (`prepare.py`), wording (`prompt.py`), reading answers (`judges/`), numbers (`results.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from diffbench_assets.lake import Lake
from diffbench_assets.protocols.asking import Image, Item, Question
from diffbench_assets.protocols.judging import judges_in
from diffbench_assets.protocols.multiple_choice.baselines import BASELINES
from diffbench_assets.protocols.multiple_choice.prepare import BlindCheck, Questions
from diffbench_assets.protocols.multiple_choice.prompt import LABELS, question_prompt, question_sha256
from diffbench_assets.protocols.multiple_choice.review import questions_to_review
from diffbench_assets.protocols.multiple_choice.settings import ChoiceSettings
from diffbench_assets.protocols.multiple_choice.tables import QUESTIONS, VERDICTS
from diffbench_assets.protocols.protocol import Protocol, Suite
from diffbench_assets.protocols.raw import Raw
from diffbench_assets.schemas import REVIEWS, Table

if TYPE_CHECKING:
    from diffbench_assets.report.output import ReportFiles
    from diffbench_assets.statistics.graded import Graded


class MultipleChoice(Protocol):
    """Every question of the suite is asked, rotations included, with the images in the question's order."""

    name = "multiple_choice"
    asks = QUESTIONS
    prepares = (Questions(), BlindCheck())
    settings = ChoiceSettings
    baselines = BASELINES
    judges = judges_in(f"{__package__}.judges")
    verdicts = VERDICTS
    result_tables = ("metrics", "leaderboard", "comparisons")
    headline = "accuracy"
    board_columns = ("pair_macro", "missed_change", "competing_change", "invalid", "coverage")
    views = Path(__file__).parent / "views.sql"

    @property
    def tables(self) -> tuple[Table, ...]:
        return (*super().tables, REVIEWS)

    def items(self, lake: Lake, suite: Suite, cell: str) -> list[Item]:
        columns = ["question_id", "pair_id", "order", "options"]
        found = []
        for row in lake.read(suite.asked, {"cell": cell}, columns).to_pylist():
            text = question_prompt({label: row["options"][label] for label in LABELS})
            images = (Image.BEFORE, Image.AFTER) if row["order"] == "forward" else (Image.AFTER, Image.BEFORE)
            found.append(Item(row["question_id"], row["pair_id"], Question((*images, text))))
        return found

    def question_sha256(self) -> str:
        return question_sha256()

    def truth(self, lake: Lake, suite: Suite, cell: str) -> Mapping[str, dict[str, Any]]:
        """The question of each item, with its answer."""
        columns = ("question_id", "options", "answer", "no_difference_label")
        return {row["question_id"]: row for row in lake.iter_partition(suite.asked, {"cell": cell}, columns)}

    def results(self, raw: Raw) -> dict[str, pa.Table]:
        from diffbench_assets.protocols.multiple_choice.results import compute_choice_tables

        questions = raw.prepared["questions"]
        tables = compute_choice_tables(raw.pairs, questions, raw.responses, raw.verdicts, facts=raw.facts)
        return {name: getattr(tables, name) for name in self.result_tables}

    def scores(self, raw: Raw) -> Sequence[Graded]:
        from diffbench_assets.protocols.multiple_choice.statistics.choices import place_choices
        from diffbench_assets.statistics.graded import of_successes

        choices = place_choices(raw.pairs, raw.prepared["questions"], raw.responses, raw.verdicts)
        # The pages of these scores are pairs: what the intervals of questions are clustered by.
        return [of_successes(choices.scores(), "accuracy", pair_id="page_id")]

    def write_report(self, raw: Raw, results: Mapping[str, pa.Table], out: Path) -> ReportFiles:
        from diffbench_assets.protocols.multiple_choice.report.build import build_choice_report
        from diffbench_assets.protocols.multiple_choice.results import MultipleChoiceTables

        known: dict[str, Any] = {name: getattr(raw, name) for name in ("pairs", "responses", "verdicts")}
        blind = raw.prepared["blind_check"].to_pylist()
        asked = {"questions": raw.prepared["questions"], "blind": blind}
        tables = MultipleChoiceTables(**known, **asked, **results, facts=raw.facts, versions=raw.versions)
        return build_choice_report(tables, out)

    def to_review(self, lake: Lake, suite: Suite) -> list[dict[str, Any]]:
        return questions_to_review(lake, suite.name)
