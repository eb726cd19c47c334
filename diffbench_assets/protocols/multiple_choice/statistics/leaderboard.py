"""One row per model: the table a reader of a multiple-choice suite looks at first.

    choice_leaderboard(metrics) -> pa.Table
    references(metrics) -> dict[str, Row]

Belongs here: choosing and ranking overall numbers of a metrics table. Does not belong here: computing them.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from diffbench_assets.protocols.multiple_choice.statistics.choices import JUDGE
from diffbench_assets.statistics.scores import NO_DIFF

GROUP_ORDER = ("semantic", "low_level", "ocr")
RANDOM, INFORMED = 1 / 4, 1 / 3
"""Right guesses over four options, and over the three that say something differs (VDiff-Bench table 3)."""

_INTERVALS = ("accuracy", "pair_macro")
_PLAIN = (
    "missed_change", "competing_change", "false_alarm", "invalid", "no_difference_rate", "specificity",
    "circular_accuracy", "consistency", "letter_bias_p", "accuracy_bias_p", "coverage",
)  # fmt: skip
_USAGE = ("input_tokens_total", "output_tokens_total", "output_tokens_mean", "cost_usd_total", "latency_s_p50")

Row = dict[str, Any]


def choice_leaderboard(metrics: pa.Table) -> pa.Table:
    """Overall numbers of every model, best accuracy first; equal accuracies share a rank.

    Columns: suite, judge, rank, model; accuracy and pair_macro with _low and _high; accuracy_<group> for each group of
    the suite (semantic, low_level, ocr, or the operator families); the errors, no_difference_rate, specificity,
    circular_accuracy, consistency, the p-values of position bias (null where the suite has none), coverage, usage; n,
    n_unscored, note. A model without accuracy stands last, without rank, with a note.
    """
    rows = [row for row in metrics.to_pylist() if row["slice"] in ("overall", "group")]
    cells = {(row["judge"], row["model"], row["metric"], row["slice_value"]): row for row in rows}
    names = groups(metrics)
    board = [
        _entry(cells, row["suite"], row["model"], names)
        for row in rows
        if (row["judge"], row["metric"], row["slice"]) == (JUDGE, "accuracy", "overall")
    ]
    _rank(board)
    return pa.Table.from_pylist(board, schema=_schema(names))


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


def _schema(names: list[str]) -> pa.Schema:
    return pa.schema(
        [("suite", pa.string()), ("judge", pa.string()), ("rank", pa.int64()), ("model", pa.string())]
        + [(name + end, pa.float64()) for name in _INTERVALS for end in ("", "_low", "_high")]
        + [(f"accuracy_{name}", pa.float64()) for name in names]
        + [(name, pa.float64()) for name in _PLAIN + _USAGE]
        + [("n", pa.int64()), ("n_unscored", pa.int64()), ("note", pa.string())]
    )


def _entry(cells: dict[tuple, Row], suite: str, model: str, names: list[str]) -> Row:
    def cell(metric: str, value: str = "all", judge: str | None = JUDGE) -> Row:
        return cells.get((judge, model, metric, value), {})

    row: Row = {"suite": suite, "judge": JUDGE, "model": model}
    for name in _INTERVALS:
        found = cell(name)
        row |= {name: found.get("value"), f"{name}_low": found.get("ci_low"), f"{name}_high": found.get("ci_high")}
    row |= {f"accuracy_{name}": cell("accuracy", name).get("value") for name in names}
    row |= {name: cell(name).get("value") for name in _PLAIN}
    row |= {name: cell(name, judge=None).get("value") for name in _USAGE}
    return row | {name: cell("accuracy")[name] for name in ("n", "n_unscored")}


def _rank(board: list[Row]) -> None:
    board.sort(key=lambda row: (row["accuracy"] is None, -(row["accuracy"] or 0), row["model"]))
    accuracies = [row["accuracy"] for row in board if row["accuracy"] is not None]
    for row in board:
        if row["accuracy"] is None:
            row["note"] = f"no score: {row['n_unscored']} of {row['n']} questions are unscored"
        else:
            row["rank"] = 1 + sum(accuracy > row["accuracy"] for accuracy in accuracies)
