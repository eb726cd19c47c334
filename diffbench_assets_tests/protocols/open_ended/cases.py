"""Building blocks of the open-ended tests: a difference, and the labelled case files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from diffbench_assets.models.prompting.thoughts import spoken

HERE = Path(__file__).parent


def difference(kind: str = "font_weight", **changes: Any) -> dict[str, Any]:
    base: dict[str, Any] = {
        "kind": kind,
        "target": {"tag": "h2", "role": "heading", "text": "Our services", "location": "top left"},
        "property": "font-weight",
        "before": "400",
        "after": "700",
        "direction": 1,
        "magnitude": 3.0,
        "magnitude_unit": "steps",
        "description": "The heading became heavier.",
        "box": {"x": 40.0, "y": 60.0, "width": 300.0, "height": 40.0},
    }
    return base | changes


def cases(name: str) -> list[dict[str, Any]]:
    """Cases with their answers as they are heard: without thoughts."""
    found = [json.loads(line) for line in (HERE / name).read_text().splitlines() if line.strip()]
    return [case | {"answer": spoken(case["answer"]).answer} if "answer" in case else case for case in found]
