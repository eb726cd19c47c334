"""One row per model: the table a reader of a multiple-choice suite looks at first.

    choice_leaderboard(metrics) -> pa.Table
    references(metrics) -> dict[str, Row]

Belongs here: choosing and ranking overall numbers of a metrics table. Does not belong here: computing them.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from diffbench_assets.protocols.multiple_choice.statistics.choices import JUDGE
from diffbench_assets.statistics.board import Numbers, Row, board_schema, rank
from diffbench_assets.statistics.scores import NO_DIFF

GROUP_ORDER = ("semantic", "low_level", "ocr")
RANDOM, INFORMED = 1 / 4, 1 / 3
"""Right guesses over four options, and over the three that say something differs (VDiff-Bench table 3)."""

_INTERVALS = ("accuracy", "pair_macro")
_PLAIN = (
    "missed_change", "competing_change", "false_alarm", "invalid", "no_difference_rate", "specificity",
    "circular_accuracy", "consistency", "letter_bias_p", "accuracy_bias_p", "coverage",
)  # fmt: skip


def choice_leaderboard(metrics: pa.Table) -> pa.Table:
    """Overall numbers of every model, best accuracy first; equal accuracies share a rank.

    Columns: suite, judge, rank, model; accuracy and pair_macro with _low and _high; accuracy_<group> for each group of
    the suite (semantic, low_level, ocr, or the operator families); the errors, no_difference_rate, specificity,
    circular_accuracy, consistency, the p-values of position bias (null where the suite has none), coverage, usage; n,
    n_unscored, note. A model without accuracy stands last, without rank, with a note.
    """
    numbers, names = Numbers(metrics), groups(metrics)
    board = [_entry(numbers, suite, model, names) for suite, _, model in numbers.entries("accuracy")]
    rank(board, "accuracy", "questions are unscored")
    return pa.Table.from_pylist(board, schema=board_schema(_INTERVALS, (*map("accuracy_{}".format, names), *_PLAIN)))


def _entry(numbers: Numbers, suite: str, model: str, names: list[str]) -> Row:
    row = numbers.entry(suite, JUDGE, model, "accuracy", _INTERVALS, _PLAIN)
    found = {name: numbers.number(suite, JUDGE, model, "accuracy", ("group", name)) for name in names}
    return row | {f"accuracy_{name}": number.get("value") for name, number in found.items()}


def groups(metrics: pa.Table) -> list[str]:
    """Groups of questions on which something differs, those of VDiff-Bench first."""
    found = set(metrics.filter(pc.equal(metrics["slice"], "group"))["slice_value"].to_pylist()) - {NO_DIFF}
    return sorted(found, key=lambda name: (GROUP_ORDER.index(name) if name in GROUP_ORDER else 9, name))


def references(metrics: pa.Table) -> dict[str, Row]:
    """What guessing scores on this suite, as rows of the leaderboard.

    Random guess: one of four. Informed guess: one of the three statements that something differs, never right where
    nothing does.
    """
    sizes = {row["metric"]: row["n"] for row in metrics.to_pylist() if row["slice"] == "overall"}
    if not sizes:
        return {}
    silent = sizes.get("specificity", 0) / sizes["accuracy"]
    guesses = {"Random guess": (RANDOM, RANDOM, RANDOM), "Informed guess": (INFORMED, INFORMED * (1 - silent), 0.0)}
    return {
        name: {f"accuracy_{group}": changed for group in groups(metrics)}
        | {"model": name, "accuracy": overall, "specificity": same if silent else None}
        for name, (changed, overall, same) in guesses.items()
    }
