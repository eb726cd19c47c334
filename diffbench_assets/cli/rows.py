"""Rows for other programs: CSV and JSON.

Belongs here: the formats. Does not belong here: which rows.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer


class Format(StrEnum):
    """How rows are printed."""

    table = "table"
    csv = "csv"
    json = "json"


FormatOption = Annotated[Format, typer.Option("--format", help="How rows are printed.")]


def print_rows(rows: Sequence[Mapping[str, Any]], how: Format) -> None:
    """`rows` on standard output, alone: columns of all rows in the order of their first appearance."""
    if how is Format.json:
        json.dump(rows, sys.stdout, indent=1, ensure_ascii=False, default=str)
        print()
    else:
        written = csv.DictWriter(sys.stdout, list(dict.fromkeys(name for row in rows for name in row)))
        written.writeheader()
        written.writerows(rows)
