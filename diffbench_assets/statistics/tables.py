"""How result tables are put together: described columns, and null for what is not defined.

Belongs here: the few helpers that every table of this package shares. Does not belong here: any statistic.
"""

from __future__ import annotations

import math

import pyarrow as pa


def described(*columns: tuple[str, pa.DataType, str]) -> pa.Schema:
    """A schema whose fields carry a sentence each, in the way of `schemas.py`."""
    return pa.schema([pa.field(name, kind, metadata={"description": sentence}) for name, kind, sentence in columns])


def number(value: float) -> float | None:
    """`value` for a table: a Python float, or None for NaN."""
    return None if math.isnan(value) else float(value)


def interval(value: float, low: float, high: float) -> dict[str, float | None]:
    """The columns value, ci_low, ci_high; where the value is not defined its interval is not either."""
    if math.isnan(value):
        return {"value": None, "ci_low": None, "ci_high": None}
    return {"value": float(value), "ci_low": number(low), "ci_high": number(high)}
