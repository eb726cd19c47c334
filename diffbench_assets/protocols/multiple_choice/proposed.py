"""Model-made false statements of a cell: pairs to calls, replies to statements that passed the filters.

Belongs here: the walk from pairs to statements. Does not belong here: the request, reading replies and filters
(`protocols/multiple_choice/`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from diffbench_assets.lake import Lake
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.progress import Progress
from diffbench_assets.models.registry import EndpointModel
from diffbench_assets.protocols.multiple_choice.false_statements import ShownPair, propose, read_proposals
from diffbench_assets.protocols.multiple_choice.questions import PairClaims
from diffbench_assets.protocols.protocol import Suite


def proposed_statements(
    endpoint: EndpointModel,
    lake: Lake,
    suite: Suite,
    cell: str,
    claims: Sequence[PairClaims],
    journal: Journal,
    budget: Budget | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> tuple[dict[str, list[dict[str, Any]]], Counter[str]]:
    """Statements of every pair that differs (pair id → text, strategy, origin, flagged), and what the filters did.

    A pair whose reply failed or left nothing has no entry: its questions are programmatic. Raises Stopped.
    """
    truths = {pair.pair_id: [pair.claim.words()] for pair in claims if pair.claim}
    visible = {
        pair.pair_id: {part for c in pair.possible for part in (c.subject, c.before, c.after)} for pair in claims
    }
    category = {pair.pair_id: pair.category for pair in claims}

    def shown() -> Iterator[ShownPair]:
        for row in lake.iter_partition(suite.pairs, {"cell": cell}, ("pair_id", "image_before", "image_after")):
            if (pair_id := row["pair_id"]) in truths:
                before, after = row["image_before"]["bytes"], row["image_after"]["bytes"]
                yield ShownPair(pair_id, before, after, tuple(truths[pair_id]), category[pair_id])

    rows = propose(endpoint, shown(), journal, budget, on_progress)
    statements, counts = read_proposals(rows, truths, visible)
    found: dict[str, list[dict[str, Any]]] = {}
    for statement in statements:
        row = {name: getattr(statement, name) for name in ("text", "strategy", "origin", "flagged")}
        found.setdefault(statement.pair_id, []).append(row)
    return found, counts
