"""The open-ended protocol (DiffSpot): one question about each pair, answered freely and read by judges.

Belongs here: the protocol's row, and the walk from pairs to items and truths. Does not belong here: wording
(`prompt.py`), judging (`judges/`), numbers (`results.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from diffbench_assets.lake import Lake
from diffbench_assets.protocols.asking import Image, Item, Question, item_id
from diffbench_assets.protocols.judging import judges_in
from diffbench_assets.protocols.open_ended.baselines import BASELINES
from diffbench_assets.protocols.open_ended.prompt import question_prompt, question_sha256
from diffbench_assets.protocols.open_ended.verdict import Difference, only_difference
from diffbench_assets.protocols.protocol import Protocol, Suite
from diffbench_assets.protocols.raw import Raw

if TYPE_CHECKING:
    from diffbench_assets.report.output import ReportFiles
    from diffbench_assets.statistics.graded import Graded


class OpenEnded(Protocol):
    """Every pair is asked about once, in forward order, with the same question."""

    name = "open_ended"
    baselines = BASELINES
    judges = judges_in(f"{__package__}.judges")
    result_tables = (
        "metrics", "leaderboard", "comparisons", "contrasts", "agreement", "stability", "operator_points", "magnitude",
    )  # fmt: skip
    headline = "accuracy"
    board_columns = ("recall", "recall_corrected", "specificity", "coverage")
    views = Path(__file__).parent / "views.sql"

    def items(self, lake: Lake, suite: Suite, cell: str) -> list[Item]:
        question = Question((Image.BEFORE, Image.AFTER, question_prompt()))
        ids = lake.read(suite.pairs, {"cell": cell}, ["pair_id"])["pair_id"].to_pylist()
        return [Item(item_id(pair_id, self.name), pair_id, question) for pair_id in ids]

    def question_sha256(self) -> str:
        return question_sha256()

    def truth(self, lake: Lake, suite: Suite, cell: str) -> Mapping[str, Difference | None]:
        """The one true difference of each pair, or None."""
        pairs = lake.iter_partition(suite.pairs, {"cell": cell}, ("pair_id", "differences"))
        return {item_id(pair["pair_id"], self.name): only_difference(pair["differences"]) for pair in pairs}

    def results(self, raw: Raw) -> dict[str, pa.Table]:
        from diffbench_assets.protocols.open_ended.results import compute_tables

        tables = compute_tables(raw.pairs, raw.responses, raw.verdicts, facts=raw.facts)
        return {name: getattr(tables, name) for name in self.result_tables}

    def scores(self, raw: Raw) -> Sequence[Graded]:
        from diffbench_assets.protocols.open_ended.statistics.scores import score_verdicts
        from diffbench_assets.statistics.answers import place_responses
        from diffbench_assets.statistics.graded import of_successes
        from diffbench_assets.statistics.scores import HEADLINE

        found = score_verdicts(place_responses(raw.pairs, raw.responses), raw.verdicts)
        return [of_successes(found, metric) for metric in HEADLINE if len(found.members(metric))]

    def write_report(self, raw: Raw, results: Mapping[str, pa.Table], out: Path) -> ReportFiles:
        from diffbench_assets.protocols.open_ended.report.build import build_report
        from diffbench_assets.protocols.open_ended.results import OpenEndedTables

        known: dict[str, Any] = {name: getattr(raw, name) for name in ("pairs", "responses", "verdicts")}
        return build_report(OpenEndedTables(**known, **results, facts=raw.facts, versions=raw.versions), out)
