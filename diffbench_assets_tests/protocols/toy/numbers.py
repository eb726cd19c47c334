"""Every number of a toy suite: closeness of single answers, and whether both orders say the same."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from diffbench_assets.protocols.asking import item_id
from diffbench_assets.protocols.raw import Raw
from diffbench_assets.schemas import METRICS
from diffbench_assets.statistics.answers import distinct, items_of, place_items
from diffbench_assets.statistics.board import Numbers, board_schema, rank
from diffbench_assets.statistics.graded import Graded, compare_graded, graded_rows, place_scores
from diffbench_assets.statistics.usage import usage_rows

SCORES = ("closeness", "reversible")


def scores(raw: Raw) -> list[Graded]:
    """Closeness of every item, and reversibility of every two items in both orders."""
    items, models = items_of(raw.items, raw.pairs), distinct(raw.responses["model"]).to_pylist()
    forward = items.filter(pc.equal(items["order"], "forward"))
    ids = [item_id(row["pair_id"], "toy", "both", row["repeat"]) for row in forward.to_pylist()]
    both = forward.set_column(forward.column_names.index("item_id"), "item_id", pa.array(ids))
    return [place_scores(of, raw.verdicts, models, name) for name, of in zip(SCORES, (items, both), strict=True)]


def results(raw: Raw) -> dict[str, pa.Table]:
    closeness, reversible = scores(raw)
    answers = place_items(items_of(raw.items, raw.pairs), raw.responses)
    rows = [
        *graded_rows(closeness, ("cell", "order"), replicates=200),
        *graded_rows(reversible, replicates=200),
        *usage_rows(answers),
    ]
    metrics = pa.Table.from_pylist(rows, METRICS.schema)
    found = Numbers(metrics)
    board = [found.entry(*entry, "closeness", SCORES, ()) for entry in found.entries("closeness")]
    rank(board, "closeness", "answers have no score")
    compared = compare_graded(closeness, replicates=200)
    return {
        "metrics": metrics,
        "leaderboard": pa.Table.from_pylist(board, board_schema(SCORES, ())),
        "comparisons": compared,
    }
