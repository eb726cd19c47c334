"""Tables of a made-up benchmark for tests and benchmarks: real schemas, invented models and judges."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from diffbench_assets.schemas import PAIRS, RESPONSES, VERDICTS
from diffbench_assets.statistics.answers import PAIR_COLUMNS

OPERATORS = {
    "font_weight": "typography",
    "font_size": "typography",
    "letter_spacing": "typography",
    "line_height": "typography",
    "text": "typography",
    "color": "color",
    "opacity": "color",
    "gradient": "color",
    "position": "layout",
    "spacing": "layout",
    "justify": "layout",
    "border": "shape",
    "rounded": "shape",
}
TIERS = ("easy", "medium", "hard")
PAIR_SCHEMA = pa.schema([PAIRS.schema.field(name) for name in PAIR_COLUMNS])


def pair(pair_id: str, cell: str, page_id: str | None = None, **columns: object) -> dict[str, object]:
    """One row of pairs; operator, family and tier follow from the cell."""
    operator, _, tier = cell.partition(".")
    difference = {"kind": operator, "target": {"tag": "p", "role": columns.pop("role", "button")}}
    has_diff = bool(tier)
    return {
        "pair_id": pair_id,
        "suite": "webdiff",
        "cell": cell,
        "page_id": page_id or f"page-{pair_id}",
        "operator": operator if has_diff else None,
        "family": OPERATORS[operator] if has_diff else None,
        "tier": tier if has_diff else "no_diff",
        "domain": "finance",
        "style": "modern",
        "language": "en",
        "differences": [difference] if has_diff else [],
        "inside_change": 0.5 if has_diff else 0.0,
    } | columns


def response(pair_id: str, model: str, outcome: str = "completed", **columns: object) -> dict[str, object]:
    return {"item_id": f"item-{pair_id}", "pair_id": pair_id, "model": model, "outcome": outcome} | columns


def verdict(pair_id: str, model: str, said: str | None, judge: str = "rules", **columns: object) -> dict[str, object]:
    row = {"item_id": f"item-{pair_id}", "pair_id": pair_id, "model": model, "judge": judge, "verdict": said}
    return row | {"hallucinations": []} | columns


def tables(pairs: list[dict], responses: list[dict], verdicts: list[dict]) -> tuple[pa.Table, pa.Table, pa.Table]:
    return (
        pa.Table.from_pylist(pairs, schema=PAIR_SCHEMA),
        pa.Table.from_pylist(responses, schema=RESPONSES.schema),
        pa.Table.from_pylist(verdicts, schema=VERDICTS.schema),
    )


def benchmark(
    models: int, judges: int, per_cell: int, no_diff: int, pages: int, seed: int = 0
) -> tuple[pa.Table, pa.Table, pa.Table]:
    """(pairs, responses, verdicts) with models of different skill, pages of different difficulty, judges that mostly
    agree, two in a hundred answers cut short and one in two hundred judge replies lost."""
    random = np.random.default_rng(seed)
    cells = [f"{operator}.{tier}" for operator in OPERATORS for tier in TIERS for _ in range(per_cell)]
    cells += ["no_diff"] * no_diff
    page = random.integers(pages, size=len(cells))
    domain, style, language = (random.integers(kinds, size=pages) for kinds in (15, 4, 8))
    roles = random.integers(20, size=len(cells))
    rows = [
        pair(
            f"{i:05d}",
            cell,
            f"page-{page[i]:05d}",
            domain=f"domain-{domain[page[i]]}",
            style=f"style-{style[page[i]]}",
            language=f"language-{language[page[i]]}",
            role=f"role-{roles[i]}",
            inside_change=float(random.random()),
            clip_distance=float(random.exponential(0.02)),
        )
        for i, cell in enumerate(cells)
    ]
    n = len(cells)
    has_diff = np.array([cell != "no_diff" for cell in cells])
    ease = random.normal(size=pages)[page] + np.array(
        [-0.5 * TIERS.index(c.partition(".")[2] or "easy") for c in cells]
    )
    skill = np.linspace(-2, 0.5, models)[:, None]
    right = random.random((models, n)) < 1 / (1 + np.exp(-(skill + ease)))
    right[:, ~has_diff] = random.random((models, int((~has_diff).sum()))) < 0.9
    outcome = np.where(random.random((models, n)) < 0.02, "truncated", "completed")

    names = np.array([f"model-{m:02d}" for m in range(models)])
    ids = np.array([row["pair_id"] for row in rows])
    model, which = np.repeat(names, n), np.tile(np.arange(n), models)
    items = [f"item-{ids[i]}" for i in which]
    answers = {
        "item_id": items,
        "pair_id": ids[which],
        "model": model,
        "outcome": outcome.ravel(),
        "input_tokens": random.integers(2000, 2100, size=models * n),
        "output_tokens": random.integers(20, 2000, size=models * n),
        "cost_usd": random.random(models * n) / 100,
        "latency_s": random.exponential(5, size=models * n),
    }
    parts = []
    for judge in range(judges):
        seen = right ^ (random.random((models, n)) < 0.03)
        lost = (outcome != "completed") | (random.random((models, n)) < 0.005)
        missing = lost.ravel()
        says = ["correct" if hit else "wrong" for hit in seen.ravel()]
        claims = np.where(has_diff[which], random.random(models * n) < 0.1, ~seen.ravel()) & ~missing
        parts.append(
            {
                "item_id": items,
                "pair_id": ids[which],
                "model": model,
                "judge": [f"judge-{judge}"] * (models * n),
                "verdict": pa.array(says, mask=missing | ~has_diff[which]),
                "hallucinations": [["a claim"] if claim else [] for claim in claims],
                "unscored_reason": pa.array(["no reply"] * (models * n), mask=~missing),
            }
        )
    return (
        pa.Table.from_pylist(rows, schema=PAIR_SCHEMA),
        _table(answers, RESPONSES.schema),
        pa.concat_tables([_table(part, VERDICTS.schema) for part in parts]),
    )


def _table(columns: dict, schema: pa.Schema) -> pa.Table:
    rows = len(columns["item_id"])
    arrays = [
        pa.array(columns[field.name], field.type) if field.name in columns else pa.nulls(rows, field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(arrays, schema=schema)
