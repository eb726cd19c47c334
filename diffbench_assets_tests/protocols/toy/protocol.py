"""How much changed: a number from 0 to 100, asked of every pair in both orders, as often as the suite says."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from diffbench_assets import schemas
from diffbench_assets.baselines.parts import Parts, images
from diffbench_assets.baselines.pixel_diff.images import differing, pixels
from diffbench_assets.lake import Lake
from diffbench_assets.protocols.asking import Image, Item, Question, Row, item_id
from diffbench_assets.protocols.judging import Subject, in_both_orders, judges_in
from diffbench_assets.protocols.protocol import Protocol, Suite
from diffbench_assets.protocols.raw import Raw
from diffbench_assets.report.output import ReportFiles
from diffbench_assets.statistics.graded import Graded
from diffbench_assets_tests.protocols.toy import numbers, report

HOW_MUCH = "How many hundredths of the pixels differ between these two images? Answer with one number."
VERDICTS = schemas.VERDICTS.adding(
    ("closeness", pa.float64(), "1 for the true number, less the farther the answer is from it."),
    ("reversible", pa.float64(), "1 when a model says the same in both orders, else 0."),
)


def compare(parts: Parts) -> str:
    """The number of hundredths that do differ, rounded."""
    before, after = images(parts)
    return f"About {round(100 * float(differing(pixels(before), pixels(after)).mean()))}."


def number(text: str) -> float | None:
    """The first number of an answer; None where it has none."""
    found = re.search(r"\d+(\.\d+)?", text)
    return float(found[0]) if found else None


@dataclass(frozen=True)
class Toy(Protocol):
    """`told`: what is said in the system's role; `repeats`: how often each question is put."""

    name = "toy"
    baselines = {"toy_compare": compare, "toy_zero": lambda parts: "0"}
    judges = judges_in(f"{__package__}.judges")
    verdicts = VERDICTS
    result_tables = ("metrics", "leaderboard", "comparisons")
    headline = "closeness"
    board_columns = ("reversible",)
    percent = False
    views = Path(__file__).parent / "views.sql"

    told: str | None = None
    repeats: int = 2

    def items(self, lake: Lake, suite: Suite, cell: str) -> list[Item]:
        shown = {"forward": (Image.BEFORE, Image.AFTER), "backward": (Image.AFTER, Image.BEFORE)}
        return [
            Item(
                item_id(row["pair_id"], self.name, order, repeat),
                row["pair_id"],
                Question((*shown[order], HOW_MUCH), self.told, {"temperature": 0.5}),
                repeat,
            )
            for row in lake.iter_partition(suite.pairs, {"cell": cell}, ("pair_id",))
            for order in shown
            for repeat in range(self.repeats)
        ]

    def question_sha256(self) -> str:
        return hashlib.sha256(f"{self.told}\n{HOW_MUCH}".encode()).hexdigest()

    def subjects(self, responses: Iterable[Row]) -> Iterator[Subject]:
        """Each answer, and those to the same images in both orders."""
        answers = list(responses)
        yield from super().subjects(answers)
        yield from in_both_orders(answers)

    def truth(self, lake: Lake, suite: Suite, cell: str) -> Mapping[str, Any]:
        columns = ("pair_id", "differences")
        return {
            item_id(row["pair_id"], self.name, order, repeat): 3.0 if row["differences"] else 0.0
            for row in lake.iter_partition(suite.pairs, {"cell": cell}, columns)
            for order in ("forward", "backward", "both")
            for repeat in range(self.repeats)
        }

    def results(self, raw: Raw) -> dict[str, pa.Table]:
        return numbers.results(raw)

    def scores(self, raw: Raw) -> Sequence[Graded]:
        return numbers.scores(raw)

    def write_report(self, raw: Raw, results: Mapping[str, pa.Table], out: Path) -> ReportFiles:
        return report.write(raw, results, out)
