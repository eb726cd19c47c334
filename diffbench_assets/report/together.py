"""The page of several suites side by side.

Belongs here: one table a judge and score, with a column a suite and the differences beside it. Does not belong here:
any number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from diffbench_assets.report.files import write
from diffbench_assets.report.look import model_styles
from diffbench_assets.report.page import render_document
from diffbench_assets.report.results import Row

TEMPLATES = Path(__file__).parent / "templates" / "together"


def write_together(
    scores: Sequence[str], metrics: Mapping[str, pa.Table], differences: pa.Table, percent: bool, out: Path
) -> Path:
    """Write report.html into `out`, whole or not at all; the same tables give the same bytes.

    `metrics` are those of each suite, the first of which the others are held against in `differences`, rows of
    SIDE_BY_SIDE. `percent` says that scores are shares.
    """
    suites = list(metrics)
    found = {suite: _overall(table) for suite, table in metrics.items()}
    tables: list[dict[str, Any]] = [
        {"judge": judge, "score": score, "rows": rows}
        for score in scores
        for judge in sorted({judge for numbers in found.values() for judge, name, _ in numbers if name == score})
        if (rows := _rows(judge, score, found, differences.to_pylist()))
    ]
    styles = model_styles({row["model"] for table in tables for row in table["rows"]})
    context = {"suites": suites, "tables": tables, "styles": styles, "percent": percent}
    return write(out / "report.html", render_document(TEMPLATES, context))


def _overall(metrics: pa.Table) -> dict[tuple[str, str, str], Row]:
    """(judge, score, model) → its row over the whole suite."""
    rows = (row for row in metrics.to_pylist() if row["slice"] == "overall" and row["judge"] is not None)
    return {(row["judge"], row["metric"], row["model"]): row for row in rows}


def _rows(
    judge: str, score: str, found: Mapping[str, Mapping[tuple[str, str, str], Row]], differences: list[Row]
) -> list[dict[str, Any]]:
    """A row a model, the best in the first suite that has it first."""
    asked = {model for numbers in found.values() for of, name, model in numbers if (of, name) == (judge, score)}
    against = {
        (row["model"], row["suite_b"]): row
        for row in differences
        if (row["judge"], row["metric"]) == (judge, score) and row["n"]
    }
    rows = [
        {
            "model": model,
            "suites": [numbers.get((judge, score, model)) for numbers in found.values()],
            "differences": [against.get((model, suite)) for suite in list(found)[1:]],
        }
        for model in asked
    ]
    return sorted(rows, key=lambda row: (-next((n["value"] or 0 for n in row["suites"] if n), 0), row["model"]))
