"""A small made-up suite with real tiny screenshots: what the report's tests are written against.

Belongs here: tables of the real schemas. Does not belong here: expectations.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import pyarrow as pa
from PIL import Image, ImageDraw

from diffbench_assets.protocols.open_ended.results import OpenEndedTables, compute_tables
from diffbench_assets.schemas import PAIRS, RESPONSES, VERDICTS

OPERATORS = {
    "font_weight": "typography", "font_size": "typography", "letter_spacing": "typography", "line_height": "typography",
    "text": "typography", "color": "color", "opacity": "color", "gradient": "color", "position": "layout",
    "spacing": "layout", "justify": "layout", "border": "shape", "rounded": "shape",
}  # fmt: skip
TIERS = ("easy", "medium", "hard")
DOMAINS = ("e-commerce", "news_media", "healthcare", "travel")
WIDTH, HEIGHT = 320, 200
BOX = {"x": 190.5, "y": 120.0, "width": 70.0, "height": 24.0}


@dataclass(frozen=True)
class Fact:
    family: str | None = None
    access: str | None = None
    total_params_b: float | None = None
    active_params_b: float | None = None
    reasoning: bool | None = None


@cache
def screenshot(look: int, changed: bool) -> bytes:
    """A little page; `changed` recolours its button."""
    random = Random(look)
    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, WIDTH, 28), fill=tuple(random.randrange(40, 200) for _ in range(3)))
    for line in range(5):
        draw.rectangle((16, 48 + 14 * line, 16 + random.randrange(60, 150), 54 + 14 * line), fill="#c8ccd2")
    draw.rectangle((191, 48, 300, 108), fill="#e6eaf0")
    draw.rounded_rectangle((191, 120, 260, 143), 6, fill="#0a6b4f" if changed else "#0b5fd0")
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def pair(pair_id: str, cell: str, look: int = 0, **columns: object) -> dict[str, Any]:
    """One row of pairs; operator, family and tier follow from the cell."""
    operator, _, tier = cell.partition(".")
    has_diff = bool(tier)
    difference = {
        "kind": operator,
        "target": {"tag": "button", "role": "button", "text": "Start free trial", "location": "middle right"},
        "property": "background-color",
        "before": "rgb(11, 95, 208)",
        "after": "rgb(10, 107, 79)",
        "direction": 1,
        "magnitude": 3.0,
        "magnitude_unit": "steps",
        "box": BOX,
    }
    return {
        "pair_id": pair_id,
        "suite": "webdiff",
        "cell": cell,
        "page_id": f"page-{pair_id}",
        "image_before": {"bytes": screenshot(look, False), "path": f"{pair_id}-before.png"},
        "image_after": {"bytes": screenshot(look, has_diff), "path": f"{pair_id}-after.png"},
        "differences": [difference] if has_diff else [],
        "description": f"The button changed ({cell})." if has_diff else "Nothing changed.",
        "domain": DOMAINS[look % len(DOMAINS)],
        "style": "modern",
        "language": "en",
        "operator": operator if has_diff else None,
        "family": OPERATORS[operator] if has_diff else None,
        "tier": tier if has_diff else "no_diff",
        "inside_change": Random(pair_id).random() if has_diff else 0.0,
        "clip_distance": Random(pair_id).random() / 20 if has_diff else 0.0,
    } | columns


def response(pair_id: str, model: str, text: str | None, **columns: object) -> dict[str, Any]:
    return {
        "item_id": f"item-{pair_id}",
        "pair_id": pair_id,
        "model": model,
        "outcome": "completed",
        "text": text,
        "input_tokens": 2100,
        "output_tokens": 40,
        "cost_usd": 0.001,
        "latency_s": 2.5,
    } | columns


def verdict(pair_id: str, model: str, said: str | None, judge: str = "rules", **columns: object) -> dict[str, Any]:
    row: dict[str, Any] = {
        "item_id": f"item-{pair_id}",
        "pair_id": pair_id,
        "model": model,
        "judge": judge,
        "verdict": said,
    }
    return row | {"hallucinations": []} | columns


RIGHT = "The picture shows a page with a button.\nThe button on the right is now green instead of blue."
QUOTE = "is now green instead of blue"


def rows(
    models: Sequence[str],
    judges: Sequence[str] = ("rules",),
    per_cell: int = 1,
    no_diff: int = 6,
    operators: Sequence[str] = tuple(OPERATORS),
    looks: int = 8,
) -> tuple[list[dict], list[dict], list[dict]]:
    """(pairs, responses, verdicts): later models are better, harder tiers are missed more often, one answer in eighty
    is cut short and a few verdicts are lost."""
    cells = [f"{operator}.{tier}" for operator in operators for tier in TIERS for _ in range(per_cell)]
    pairs = [pair(f"{i:04d}", cell, i % looks) for i, cell in enumerate(cells + ["no_diff"] * no_diff)]
    responses, verdicts = [], []
    for m, model in enumerate(models):
        for row in pairs:
            random = Random(f"{model} {row['pair_id']}")
            hard = TIERS.index(row["tier"]) if row["operator"] else 0
            right = random.random() < (m + 2) / (len(models) + 2) - 0.18 * hard + (0 if row["operator"] else 0.35)
            cut = random.random() < 0.012
            text = RIGHT if right == bool(row["operator"]) else "I see no difference between the two screenshots."
            responses.append(response(row["pair_id"], model, text, outcome="truncated" if cut else "completed"))
            for judge in judges:
                seen = right ^ (random.random() < 0.04)
                if cut or random.random() < 0.004:
                    verdicts.append(verdict(row["pair_id"], model, None, judge, unscored_reason="no complete answer"))
                    continue
                claims = ["the logo moved to the left"] if not seen and random.random() < 0.9 else []
                said = ("correct" if seen else "wrong") if row["operator"] else None
                quote = QUOTE if said == "correct" else None
                verdicts.append(
                    verdict(row["pair_id"], model, said, judge, matched=quote, hallucinations=claims,
                            reasoning="The colour of the button is named with its direction." if quote else None)
                )  # fmt: skip
    return pairs, responses, verdicts


def report_tables(pairs: list[dict], responses: list[dict], verdicts: list[dict], **options: Any) -> OpenEndedTables:
    """Tables of these rows with every result table computed; few replicates, for speed."""
    tables = (
        pa.Table.from_pylist(pairs, schema=PAIRS.schema),
        pa.Table.from_pylist(responses, schema=RESPONSES.schema),
        pa.Table.from_pylist(verdicts, schema=VERDICTS.schema),
    )
    return compute_tables(*tables, **({"replicates": 50} | options))
