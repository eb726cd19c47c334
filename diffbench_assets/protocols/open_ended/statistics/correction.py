"""Recall under judges whose errors are known, corrected for them.

Belongs here: which judges were measured, and the rows of the metrics table. Does not belong here: the correction itself
(`statistics/correction.py`), measuring a judge (its tests).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from diffbench_assets.statistics.correction import JudgeErrors, corrected

_TABLE: Final = Path(__file__).parent / "measured.yaml"
MEASURED: Final = {judge: JudgeErrors(**counts) for judge, counts in yaml.safe_load(_TABLE.read_text()).items()}
"""Errors by judge."""


def corrected_rows(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """A row `recall_corrected` for each overall recall under a measured judge."""
    for row in rows:
        errors = MEASURED.get(row["judge"])
        if errors is None or (row["metric"], row["slice"]) != ("recall", "overall") or row["value"] is None:
            continue
        if found := corrected(row["value"], row["ci_low"], row["ci_high"], errors):
            ends = {"value": found.value, "ci_low": found.low, "ci_high": found.high}
            yield row | {"metric": "recall_corrected"} | ends


def errors_in_words(judge: str) -> str:
    """What is known of a judge's errors, as a sentence; empty for one that was not measured."""
    if (errors := MEASURED.get(judge)) is None:
        return ""
    return (
        f"The judge {judge} accepts {100 * errors.sensitivity:.1f} % of right answers and turns down "
        f"{100 * errors.specificity:.1f} % of wrong ones (of {errors.right} and {errors.wrong} labelled answers). "
        "Recall corrected is the recall that this leaves to expect (Rogan–Gladen), with the uncertainty of both."
    )
