"""The gallery's data for open-ended questions: an index of all pairs that filters work on, and their details in blocks.

Belongs here: from tables to JSON values. Does not belong here: what all galleries share (`report/gallery.py`), escaping
(`report/page.py`), showing (`templates/report.js`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from diffbench_assets.protocols.open_ended.prompt import question_prompt
from diffbench_assets.protocols.open_ended.results import judges_in_order
from diffbench_assets.report.gallery import BLOCK, RESPONSE_COLUMNS, answer, cut, difference, present
from diffbench_assets.report.images import GalleryImages
from diffbench_assets.report.look import ModelStyle
from diffbench_assets.statistics.answers import text
from diffbench_assets.statistics.scores import Scores

HEADINGS = {
    "heading": "Every pair",
    "unit": "pair",
    "filters": ("operator", "tier", "domain", "judge", "model", "verdict"),
    "placeholder": "in truth and answers",
    "images": "screenshots",
}
"""What the page calls the gallery, one item of it, its filters, the text search and the images."""

TIER_ORDER = ("easy", "medium", "hard")

VERDICT_COLUMNS = [
    "item_id", "model", "judge", "verdict", "matched", "hallucinations", "reasoning", "unscored_reason",
]  # fmt: skip

SHOWN = ("page_id", "domain", "style", "language", "family", "description", "inside_change", "clip_distance")

PAIR_COLUMNS = ["pair_id", "operator", "tier", "differences", *SHOWN]


def gallery_pairs(pairs: pa.Table) -> pa.Table:
    """PAIR_COLUMNS by operator, tier and id; pairs without a change last. The images are left where they are."""
    keys = zip(*(text(pairs[name]).to_pylist() for name in ("operator", "tier", "pair_id")), strict=True)
    rank = {tier: place for place, tier in enumerate(TIER_ORDER)}
    sortable = [(op is None, op or "", rank.get(tier or "", len(rank)), tier or "", pair) for op, tier, pair in keys]
    order = sorted(range(len(sortable)), key=sortable.__getitem__)
    return pairs.select(PAIR_COLUMNS).take(pa.array(order, pa.int64()))


def gallery_index(
    pairs: pa.Table, scores: Scores, styles: dict[str, ModelStyle], images: GalleryImages
) -> dict[str, Any]:
    """What the list and the filters need of every pair, in the order of `pairs`.

    `codes[judge]` has a string per pair with a character per model: c success, w no success, in capitals when the
    answer also makes a false claim; u answered but unscored or no completed answer.
    """
    place = {pair_id: i for i, pair_id in enumerate(scores.pairs["pair_id"].to_pylist())}
    at = np.array([place[pair_id] for pair_id in pairs["pair_id"].to_pylist()])
    codes = {}
    for judge in judges_in_order(scores.judges):
        j = scores.judges.index(judge)
        letters = np.where(scores.success[j], "c", "w")
        letters = np.where(scores.hallucinations[j] > 0, np.char.upper(letters), letters)
        letters = np.where(scores.scored[j], letters, "u")
        codes[judge] = ["".join(letters[:, i]) for i in at]
    return {
        "models": [{"id": model, "color": styles[model].number} for model in scores.models],
        "judges": list(codes),
        "block": BLOCK,
        "embedded": images.embedded is not None,
        "prompt": f"[image before]\n[image after]\n\n{question_prompt()}",
        "items": {
            "id": pairs["pair_id"].to_pylist(),
            "operator": pairs["operator"].to_pylist(),
            "tier": pairs["tier"].to_pylist(),
            "domain": pairs["domain"].to_pylist(),
            "description": pairs["description"].to_pylist(),
        },
        "codes": codes,
    }


def detail_blocks(
    pairs: pa.Table, responses: pa.Table, verdicts: pa.Table, images: GalleryImages
) -> Iterator[list[dict[str, Any]]]:
    """BLOCK pairs at a time, in the order of `pairs`: truth, images, and each model's answer with its verdicts."""
    judged = _verdicts_by_item(verdicts)
    given: dict[str, dict[str, dict[str, Any]]] = {}
    for row in responses.select(RESPONSE_COLUMNS).sort_by("model").to_pylist():
        shown = answer(row) | {"verdicts": judged.get((row["model"], row["item_id"]), {})}
        given.setdefault(row["pair_id"], {})[row["model"]] = shown
    for start in range(0, pairs.num_rows, BLOCK):
        block = []
        for row in pairs.slice(start, BLOCK).to_pylist():
            detail = {key: row[key] for key in SHOWN}
            detail["differences"] = [difference(item) for item in row["differences"] or ()]
            detail["shot"] = images.shots[row["pair_id"]].as_json()
            block.append(present(detail) | {"answers": given.get(row["pair_id"], {})})
        yield block


def _verdicts_by_item(verdicts: pa.Table) -> dict[tuple[str, str], dict[str, dict[str, Any]]]:
    """(model, item) → judge → verdict. Items whose response is gone are never asked for."""
    found: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for row in verdicts.select(VERDICT_COLUMNS).sort_by("judge").to_pylist():
        shown = {key: row[key] for key in ("verdict", "matched", "unscored_reason")}
        shown["hallucinations"] = row["hallucinations"] or None
        shown |= cut("reasoning", row["reasoning"])
        found.setdefault((row["model"], row["item_id"]), {})[row["judge"]] = present(shown)
    return found
