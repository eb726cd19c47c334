"""What a reviewer of multiple choice is shown: the questions of a suite in the order of the queue.

Belongs here: reading them from the lake, as the review page takes them. Does not belong here: decisions, HTTP, how
anything looks (`review/`), what the questions' build makes of decisions (`decisions.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from diffbench_assets.errors import UserError
from diffbench_assets.lake import Lake
from diffbench_assets.pairs.made import RECORD
from diffbench_assets.protocols.multiple_choice.tables import QUESTIONS
from diffbench_assets.review.decisions import option_sha256
from diffbench_assets.review.images import SIDES

_COLUMNS: Final = (
    "question_id", "cell", "pair_id", "category", "group", "order", "rotation", "options", "answer",
    "no_difference_label", "distractors", "suspected_truths", "truth_origin",
)  # fmt: skip


def questions_to_review(lake: Lake, suite: str) -> list[dict[str, Any]]:
    """The questions of `<suite>/questions` of rotation 0, in stored order but for those that need a person most.

    First come those with a false statement that may be true, then those whose truth models told.

    Raises UserError when there are none.
    """
    rows = [row for row in lake.iter_all(QUESTIONS.of(suite), _COLUMNS) if row["rotation"] == 0]
    if not rows:
        raise UserError(f"{lake.root} has no questions of {suite}: build them first, or name another lake or suite")
    return [_as_shown(row) for row in sorted(rows, key=_turn)]


def _turn(row: Mapping[str, Any]) -> int:
    return 0 if row["suspected_truths"] else 1 if row["truth_origin"] not in (None, RECORD) else 2


def _as_shown(question: Mapping[str, Any]) -> dict[str, Any]:
    """A question as plain JSON values for the page: `sides` are image A and B, options stand by their letter."""
    return {
        **{name: question[name] for name in ("question_id", "pair_id", "cell", "category", "group", "order")},
        "sides": SIDES[::-1] if question["order"] == "backward" else SIDES,
        "options": [_option(question, label, text) for label, text in sorted(question["options"].items())],
    }


def _option(question: Mapping[str, Any], label: str, text: str) -> dict[str, Any]:
    """`fixed`: nobody decides about it. Strategy is of false statements, origin of these and of a truth models told."""
    fixed = label == question["no_difference_label"]
    role = "true" if label == question["answer"] else "no_difference" if fixed else "false"
    made: Mapping[str, Any] = {}
    if role == "false":
        made = next((one for one in question["distractors"] or () if one["text"] == text), made)
    elif role == "true" and question["truth_origin"] != RECORD:
        made = {"origin": question["truth_origin"]}
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
