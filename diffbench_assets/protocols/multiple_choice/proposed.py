"""Model-made false statements of a cell: pairs to calls, replies to statements that passed the filters.

Belongs here: the walk from pairs to statements. Does not belong here: the request, reading replies and filters
(`protocols/multiple_choice/`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from diffbench_assets.protocols.multiple_choice.false_sets import FORWARD
from diffbench_assets.protocols.multiple_choice.false_statements import ShownPair, propose, read_proposals
from diffbench_assets.protocols.multiple_choice.questions import PairClaims
from diffbench_assets.protocols.protocol import Bench


def proposed_statements(
    bench: Bench, cell: str, claims: Sequence[PairClaims], models: Sequence[str]
) -> tuple[dict[str, list[dict[str, Any]]], Counter[str]]:
    """Statements of every pair that differs (pair id → text, strategy, origin, flagged), and what the filters did.

    Each of `models` is asked about every pair, and what they wrote is filtered together. A pair whose replies failed or
    left nothing has no entry: its questions are programmatic. Raises Stopped.
    """
    differing = [pair for pair in claims if pair.truth]
    truths = {pair.pair_id: [true.words(FORWARD, 0) for true in pair.true] for pair in differing if not pair.place}
    visible: dict[str, set[str]] = {pair.pair_id: set() for pair in differing}
    for pair in differing:
        visible[pair.pair_id].update(part for c in pair.possible for part in (c.subject, c.before, c.after))
    category = {pair.pair_id: pair.category for pair in differing}

    def shown() -> Iterator[ShownPair]:
        columns = ("pair_id", "image_before", "image_after")
        for row in bench.lake.iter_partition(bench.suite.pairs, {"cell": cell}, columns):
            if (pair_id := row["pair_id"]) in truths:
                before, after = row["image_before"]["bytes"], row["image_after"]["bytes"]
                yield ShownPair(pair_id, before, after, tuple(truths[pair_id]), category[pair_id])

    rows = []
    for name in models:
        with bench.journal(f"false-statements-{name}") as journal:
            rows += propose(bench.endpoint(name), shown(), journal, bench.budget)
    statements, counts = read_proposals(rows, truths, visible)
    found: dict[str, list[dict[str, Any]]] = {}
    for statement in statements:
        row = {name: getattr(statement, name) for name in ("text", "strategy", "origin", "flagged")}
        found.setdefault(statement.pair_id, []).append(row)
    return found, counts
