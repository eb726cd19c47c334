"""The page over all reports of a lake.

Belongs here: finding the reports in their folder and listing them. Does not belong here: any report.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from diffbench_assets.report.files import write
from diffbench_assets.report.page import render_document

TEMPLATES = Path(__file__).parent / "templates" / "overview"
LINES = "summary.json"
"""Beside a report: the sentences that say its result."""


@dataclass(frozen=True)
class Entry:
    """A report: the name of its folder, and what it says first."""

    name: str
    lines: list[str]


def write_overview(folder: Path) -> Path:
    """Write index.html into the folder of all reports; the same reports give the same bytes."""
    found = [
        Entry(page.parent.name, json.loads(said.read_text()) if (said := page.with_name(LINES)).exists() else [])
        for page in sorted(folder.glob("*/report.html"))
    ]
    return write(folder / "index.html", render_document(TEMPLATES, {"reports": found}))
