"""Models of a leaderboard grouped by what the registry says about them.

Belongs here: which group a model stands in and how its facts read. Does not belong here: the facts, the ranks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diffbench_assets.report.results import Row
from diffbench_assets.report.tables import BASELINE
from diffbench_assets.report.wording import ACCESS, parameters
from diffbench_assets.statistics.contrasts import ModelFacts

BASELINES, OTHERS = "Baselines", "Other models"
_ORDER = (*ACCESS.values(), OTHERS, BASELINES)


@dataclass(frozen=True)
class Group:
    """Rows that stand together; without a name when the facts tell no groups apart."""

    name: str
    rows: list[Row]


def grouped(board: Sequence[Row], facts: Mapping[str, ModelFacts]) -> list[Group]:
    """`board` by access, baselines last, each group in the board's order."""
    groups: dict[str, list[Row]] = {}
    for row in board:
        groups.setdefault(_group(facts.get(row["model"])), []).append(row)
    if set(groups) <= {OTHERS}:
        return [Group("", rows) for rows in groups.values()]
    return [Group(name, groups[name]) for name in _ORDER if name in groups]


def facts_line(fact: ModelFacts | None) -> str:
    """What is known of a model beside its access, such as "Qwen3-VL · 8B · reasoning"."""
    if fact is None or fact.family == BASELINE:
        return ""
    size = parameters(fact.total_params_b) if fact.total_params_b else ""
    active = getattr(fact, "active_params_b", None)
    if size and active and active != fact.total_params_b:
        size += f" ({parameters(active)} active)"
    reasoning = {True: "reasoning", False: "no reasoning"}.get(fact.reasoning) if fact.reasoning is not None else ""
    return " · ".join(part for part in (fact.family, size, reasoning) if part)


def _group(fact: ModelFacts | None) -> str:
    if fact is None:
        return OTHERS
    return BASELINES if fact.family == BASELINE else ACCESS.get(fact.access or "", OTHERS)
