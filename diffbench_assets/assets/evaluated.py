"""What every asset on cell × model has in common.

Belongs here: declaring such an asset, partitions by model, and what the UI says of rows about answers. Does not belong
here: any one asset.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dagster import AssetsDefinition

from diffbench_assets import partitions
from diffbench_assets.assets.ranged import Make, Wanted, place_of, ranged, when_data_changes
from diffbench_assets.models.run import failed, raise_if_unanswered
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.schemas import RESPONSES, Table

PREVIEW_ANSWERS = 3

Row = dict[str, Any]


def evaluated(
    suite: Suite, table: Table, *, key: Sequence[str], wanted: Wanted, deps: Iterable[Any]
) -> Callable[[Make], AssetsDefinition]:
    """Turns a generator into the asset that keeps `table` for every cell and model; only changes ask for it."""
    return ranged(
        table,
        partitions.evaluations_of(suite),
        group=suite.name,
        key=[suite.name, *key],
        wanted=wanted,
        deps=deps,
        automation=when_data_changes(),
    )


def place(key: str) -> dict[str, str]:
    """The folders of a partition, model first."""
    return place_of(RESPONSES, key)


def by_model(keys: Iterable[str]) -> dict[str, list[str]]:
    """Partitions by their model."""
    found: dict[str, list[str]] = {}
    for key in keys:
        found.setdefault(place(key)["model"], []).append(key)
    return found


def complete(rows: Iterable[Mapping[str, Any]]) -> bool:
    """Whether no call failed: the next run asks failed ones again, and only those."""
    return all(row["outcome"] != "error" for row in rows)


class Failures:
    """What went wrong with the calls of one step to one model or judge."""

    def __init__(self, name: str, warn: Callable[[str], None]) -> None:
        self._name, self._warn = name, warn
        self._errors: Counter[str | None] = Counter()

    def count(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self._errors.update(row["error"] if row["outcome"] == "error" else None for row in rows)

    def tell(self) -> None:
        """Warns when calls failed. Raises Stopped when all did."""
        raise_if_unanswered(self._name, self._errors)
        if len(self._errors) > 1:
            self._warn(f"{self._name}: {failed(self._errors)}; the next run asks them again")


def about_answers(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Counts, cost and a look at the first answers."""
    preview = "\n\n".join(
        f"**{row['pair_id']}**\n\n```text\n{_plain(row['text'])}\n```" for row in rows[:PREVIEW_ANSWERS]
    )
    return {
        "outcomes": Counter(row["outcome"] for row in rows),
        "cost_usd": float(sum(row["cost_usd"] or 0.0 for row in rows)),
        "answers": preview or "none",
    }


def _plain(text: str | None) -> str:
    # Answers are hostile: inside a code block, nothing but the block's own fence means anything.
    return (text or "(none)")[:600].replace("```", "'''")
