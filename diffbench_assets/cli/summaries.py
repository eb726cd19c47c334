"""What came of asking and judging, in a line for each model.

Belongs here: counting rows of the lake, and wording the counts. Does not belong here: scores (`statistics/`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from diffbench_assets.lake import Lake
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.schemas import RESPONSES, Table

REASONS = 3
"""Of the reasons why there is no answer or verdict, the commonest that are named."""


@dataclass(frozen=True)
class Summary:
    """Rows of one model, how many of them are of use, and the line that says so."""

    rows: int
    useful: int
    line: str


def answered(lake: Lake, suite: Suite, model: str, cells: Iterable[str]) -> Summary:
    """What a model answered: outcomes, why calls failed, and what all its answers cost."""
    rows = _rows(lake, suite.table(RESPONSES), model, cells, ("outcome", "error", "cost_usd"))
    outcomes = Counter(row["outcome"] for row in rows)
    failed = Counter(row["error"] for row in rows if row["outcome"] == "error")
    priced = [row["cost_usd"] for row in rows if row["cost_usd"] is not None]
    said = ", ".join(f"{n:,} {outcome}" for outcome, n in outcomes.most_common()) or "nothing asked"
    cost = f", ${sum(priced):.2f}" if priced else ""
    return Summary(len(rows), len(rows) - outcomes["error"], f"{model:24} {said}{_reasons(failed)}{cost}")


def judged(lake: Lake, suite: Suite, judge: str, model: str, cells: Iterable[str]) -> Summary:
    """What a judge made of a model's answers, and why some have no verdict."""
    rows = _rows(lake, suite.table(suite.protocol.verdicts).within(judge), model, cells, ("unscored_reason",))
    unscored = Counter(row["unscored_reason"] for row in rows if row["unscored_reason"])
    scored = len(rows) - unscored.total()
    said = f"{scored:,} of {len(rows):,} answers judged{_reasons(unscored)}" if rows else "nothing to judge"
    return Summary(len(rows), scored, f"{model:24} {said}")


def _rows(
    lake: Lake, table: Table, model: str, cells: Iterable[str], columns: tuple[str, ...]
) -> list[Mapping[str, Any]]:
    places = [{"model": model, "cell": cell} for cell in cells]
    return [row for at in places if lake.exists(table, at) for row in lake.read(table, at, columns).to_pylist()]


def _reasons(found: Counter[str]) -> str:
    if not found:
        return ""
    named = [f"{n:,} × {str(reason)[:120]}" for reason, n in found.most_common(REASONS)]
    return f" ({'; '.join(named)}{'; …' if len(found) > REASONS else ''})"
