"""What a reviewer is shown: the questions of a suite in the order of the queue, and the images of a pair.

Belongs here: reading both from the lake. Does not belong here: decisions, HTTP, how anything looks.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from diffbench_assets.errors import UserError
from diffbench_assets.lake import Lake
from diffbench_assets.protocols.multiple_choice.decisions import option_sha256

SIDES: Final = ("before", "after")
PAIRS_IN_MEMORY: Final = 24

_COLUMNS: Final = (
    "question_id", "cell", "pair_id", "category", "group", "order", "rotation", "options", "answer",
    "no_difference_label", "distractors", "suspected_truths",
)  # fmt: skip


def questions_to_review(lake: Lake, suite: str) -> list[dict[str, Any]]:
    """Rows of `<suite>/questions` of rotation 0: those with a suspected truth first, else in stored order.

    Raises UserError when there are none.
    """
    rows = [row for row in lake.iter_all(f"{suite}/questions", _COLUMNS) if row["rotation"] == 0]
    if not rows:
        raise UserError(f"{lake.root} has no questions of {suite}: build them first, or name another lake or suite")
    return sorted(rows, key=lambda row: not row["suspected_truths"])


def as_shown(question: Mapping[str, Any]) -> dict[str, Any]:
    """A question as plain JSON values for the page: `sides` are image A and B, options stand by their letter."""
    return {
        **{name: question[name] for name in ("question_id", "pair_id", "cell", "category", "group", "order")},
        "sides": SIDES[::-1] if question["order"] == "backward" else SIDES,
        "options": [_option(question, label, text) for label, text in sorted(question["options"].items())],
    }


def _option(question: Mapping[str, Any], label: str, text: str) -> dict[str, Any]:
    """`fixed`: nobody decides about it. Strategy and origin are of false statements only."""
    fixed = label == question["no_difference_label"]
    role = "true" if label == question["answer"] else "no_difference" if fixed else "false"
    made: Mapping[str, Any] = {}
    if role == "false":
        made = next((one for one in question["distractors"] or () if one["text"] == text), made)
    return {
        "label": label,
        "text": text,
        "sha256": option_sha256(text),
        "role": role,
        "fixed": fixed,
        "strategy": made.get("strategy"),
        "origin": made.get("origin"),
        "suspected": text in (question["suspected_truths"] or ()),
    }


class PairImages:
    """PNG bytes of pairs, read from the lake as they are looked at; the latest few stay in memory."""

    def __init__(self, lake: Lake, asset: str) -> None:
        self._lake = lake
        self._asset = asset
        self._pair = lru_cache(PAIRS_IN_MEMORY)(self._read)
        self._reading = threading.Lock()

    def png(self, pair_id: str, side: str) -> bytes | None:
        """The image of `side`, one of SIDES; None when there is no such pair."""
        with self._reading:  # Both sides are asked for at once; the second request finds the pair in memory.
            pair = self._pair(pair_id)
        return pair[side] if pair else None

    def _read(self, pair_id: str) -> dict[str, bytes] | None:
        columns = [f"image_{side}" for side in SIDES]
        for row in self._lake.iter_rows(self._asset, columns, {pair_id}, key="pair_id"):
            return {side: row[f"image_{side}"]["bytes"] for side in SIDES}
        return None
