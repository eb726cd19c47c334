"""One row per model and judge: the table a reader looks at first, and who stands on the sensitivity-restraint front.

Belongs here: choosing and ranking overall numbers of a metrics table. Does not belong here: computing them.
"""

from __future__ import annotations

import pyarrow as pa

from diffbench_assets.protocols.open_ended.statistics.pareto import accurate_and_restrained, pareto_front

_INTERVALS = ("accuracy", "recall", "specificity", "hallucination_rate")
_TIERS = ("easy", "medium", "hard")
_PLAIN = ("hallucinations_per_answer", "coverage")
_USAGE = ("input_tokens_total", "output_tokens_total", "output_tokens_mean", "cost_usd_total", "latency_s_p50")

LEADERBOARD = pa.schema(
    [("suite", pa.string()), ("judge", pa.string()), ("rank", pa.int64()), ("model", pa.string())]
    + [(name + end, pa.float64()) for name in _INTERVALS for end in ("", "_low", "_high")]
    + [(f"recall_{tier}", pa.float64()) for tier in _TIERS]
    + [(name, pa.float64()) for name in _PLAIN + _USAGE]
    + [("n", pa.int64()), ("n_unscored", pa.int64()), ("on_front", pa.bool_())]
    + [("accurate_and_restrained", pa.bool_()), ("note", pa.string())]
)
"""`note` says why a row has no rank; `on_front` and `accurate_and_restrained` are null where a score is."""


def leaderboard(metrics: pa.Table) -> pa.Table:
    """Overall numbers of every model, best accuracy first within each suite and judge.

    Equal accuracies share a rank. A model whose accuracy is null stands last, without rank, with a note.
    """
    cells = {
        (row["suite"], row["judge"], row["model"], row["metric"], row["slice"], row["slice_value"]): row
        for row in metrics.to_pylist()
        if row["slice"] in ("overall", "tier")
    }
    entries = sorted({key[:3] for key in cells if key[1] is not None})
    rows = [_entry(cells, *entry) for entry in entries]
    boards: dict[tuple[str, str], list[dict]] = {}
    for row in rows:
        boards.setdefault((row["suite"], row["judge"]), []).append(row)
    for board in boards.values():
        _rank(board)
        _mark_front(board)
    return pa.Table.from_pylist([row for board in boards.values() for row in board], schema=LEADERBOARD)


def _entry(cells: dict[tuple, dict], suite: str, judge: str, model: str) -> dict:
    def cell(metric: str, judge: str | None = judge, where: tuple[str, str] = ("overall", "all")) -> dict:
        return cells.get((suite, judge, model, metric, *where), {})

    row: dict = {"suite": suite, "judge": judge, "model": model}
    for name in _INTERVALS:
        found = cell(name)
        row |= {name: found.get("value"), f"{name}_low": found.get("ci_low"), f"{name}_high": found.get("ci_high")}
    row |= {f"recall_{tier}": cell("recall", where=("tier", tier)).get("value") for tier in _TIERS}
    row |= {name: cell(name).get("value") for name in _PLAIN}
    row |= {name: cell(name, judge=None).get("value") for name in _USAGE}
    return row | {name: cell("accuracy")[name] for name in ("n", "n_unscored")}


def _rank(board: list[dict]) -> None:
    board.sort(key=lambda row: (row["accuracy"] is None, -(row["accuracy"] or 0), row["model"]))
    accuracies = [row["accuracy"] for row in board if row["accuracy"] is not None]
    for row in board:
        if row["accuracy"] is None:
            row["note"] = f"no score: {row['n_unscored']} of {row['n']} pairs have no verdict"
        else:
            row["rank"] = 1 + sum(accuracy > row["accuracy"] for accuracy in accuracies)


def _mark_front(board: list[dict]) -> None:
    placed = [row for row in board if row["recall"] is not None and row["hallucination_rate"] is not None]
    front = pareto_front([row["recall"] for row in placed], [row["hallucination_rate"] for row in placed])
    for row, on_front in zip(placed, front, strict=True):
        row["on_front"] = bool(on_front)
        row["accurate_and_restrained"] = accurate_and_restrained(row["recall"], row["hallucination_rate"])
