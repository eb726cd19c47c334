"""What the page says before the gallery: the values its templates show.

Belongs here: choosing and counting. Does not belong here: statistics, markup, and how numbers read (`wording.py`).
"""

from __future__ import annotations

from typing import Any

import pyarrow.compute as pc

from diffbench_assets.report.tables import SuiteTables
from diffbench_assets.statistics.answers import OUTCOMES
from diffbench_assets.statistics.usage import MISSING

USAGE = (
    "input_tokens_total", "output_tokens_total", "output_tokens_mean", "cost_usd_total", "cost_usd_mean",
    "latency_s_p50", "latency_s_p95",
)  # fmt: skip


def usage_rows(tables: SuiteTables) -> list[dict[str, Any]]:
    """One row a model: how its answers ended, and what they took."""
    unjudged = tables.metrics.filter(pc.is_null(tables.metrics["judge"])).to_pylist()
    found: dict[str, dict[str, Any]] = {}
    for row in unjudged:
        entry = found.setdefault(row["model"], {"model": row["model"], "n": row["n"], "outcomes": {}})
        if row["metric"] == "outcome":
            entry["outcomes"][row["slice_value"]] = int(row["value"] or 0)
        elif row["metric"] in USAGE:
            entry[row["metric"]] = row["value"]
    return list(found.values())


OUTCOME_NAMES = (*OUTCOMES, MISSING)
