"""The report of a toy suite: one table of its own, and a gallery of items."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from diffbench_assets.protocols.raw import Raw
from diffbench_assets.report import build
from diffbench_assets.report.gallery import BLOCK, RESPONSE_COLUMNS, answer, difference, present
from diffbench_assets.report.images import GalleryImages, gallery_images
from diffbench_assets.report.leaderboard_text import Column, Layout, two_digits
from diffbench_assets.report.look import model_styles
from diffbench_assets.report.output import ReportFiles
from diffbench_assets.report.results import SuiteResults
from diffbench_assets.report.tables import SuiteTables

TEMPLATES = Path(__file__).parent / "templates"
LAYOUT = Layout(
    [Column("Closeness", "closeness", max, two_digits), Column("Reversible", "reversible", max, two_digits)],
    "Means over all items.",
    under_judge=True,
    headline="closeness",
    percent=False,
)


def write(raw: Raw, results: Mapping[str, pa.Table], out: Path) -> ReportFiles:
    tables = SuiteTables(
        pairs=raw.pairs,
        responses=raw.responses,
        verdicts=raw.verdicts,
        facts=raw.facts,
        versions=raw.versions,
        **results,
    )
    styles = model_styles(raw.responses["model"].unique().to_pylist())
    judges = sorted(raw.verdicts["judge"].unique().to_pylist())
    judged = [SuiteResults(tables, judge) for judge in judges]
    images = gallery_images(raw.pairs)
    contents = build.Contents(
        suite=raw.suite,
        templates=TEMPLATES,
        context={"items": raw.items.num_rows, "judged": judged},
        styles=styles,
        results=judged,
        layout=LAYOUT,
        figures={},
        owned_figures="none",
        gallery=_gallery(raw, list(styles), judges, images),
    )
    return build.write(contents, tables, out)


def _gallery(raw: Raw, models: list[str], judges: list[str], images: GalleryImages) -> build.Gallery:
    pairs = {row["pair_id"]: row for row in raw.pairs.to_pylist()}
    items = sorted(raw.items.to_pylist(), key=lambda row: row["item_id"])
    said = {(row["item_id"], row["model"]): row for row in raw.responses.select(RESPONSE_COLUMNS).to_pylist()}
    scored = {(row["item_id"], row["model"], row["judge"]): row["closeness"] for row in raw.verdicts.to_pylist()}

    def letter(item: str, model: str, judge: str) -> str:
        closeness = scored.get((item, model, judge))
        return "u" if closeness is None else "c" if closeness == 1 else "w"

    def detail(item: dict[str, Any]) -> dict[str, Any]:
        pair = pairs[item["pair_id"]]
        answers = {}
        for model in models:
            if given := said.get((item["item_id"], model)):
                by = {judge: scored.get((item["item_id"], model, judge)) for judge in judges}
                answers[model] = answer(given) | {"closeness": present(by)}
        return {
            "differences": [difference(one) for one in pair["differences"]],
            "shot": images.shots[item["pair_id"]].as_json(),
            "flipped": item["order"] == "backward",
            "answers": answers,
        }

    return build.Gallery(
        headings={
            "heading": "Every item",
            "unit": "item",
            "filters": ("order", "model", "verdict", "judge"),
            "placeholder": "in answers",
            "images": "images",
        },
        index={
            "models": [{"id": model, "color": model_styles(models)[model].number} for model in models],
            "judges": judges,
            "block": BLOCK,
            "embedded": images.embedded is not None,
            "items": {
                "id": [item["item_id"] for item in items],
                "order": [item["order"] for item in items],
                "description": [pairs[item["pair_id"]]["description"] for item in items],
            },
            "codes": {
                judge: ["".join(letter(item["item_id"], model, judge) for model in models) for item in items]
                for judge in judges
            },
        },
        blocks=([detail(item) for item in items[at : at + BLOCK]] for at in range(0, len(items), BLOCK)),
        pairs=raw.pairs,
        images=images,
    )
