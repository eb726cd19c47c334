"""Which pages a cell looks at, and which of its candidates become pairs.

Belongs here: seeded orders over pages and candidates. Every choice is a function of the seed and of stable ids, and a
cell's choices never depend on another cell's: that is what lets one cell be remade alone. Does not belong here: making
candidates or pairs.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from diffbench_assets.web.operators import NO_DIFF, OPERATORS, split_cell
from diffbench_assets.web.operators.base import TIERS

SEARCH_FACTOR: Final = 9
"""Pages an operator searches for each pair wanted in a cell: three tiers share them, and a third may have no target."""


def draw_number(*parts: object) -> int:
    """A 64-bit number that depends on `parts` alone."""
    return int.from_bytes(hashlib.sha256("\n".join(map(str, parts)).encode()).digest()[:8], "big")


def preference(page_id: str, operator: str, seed: int) -> int:
    """How gladly a page serves an operator, 0 (first choice) to 12: operators that take their best pages seldom meet."""
    own = draw_number(seed, "preference", page_id, operator)
    return sum(draw_number(seed, "preference", page_id, other) < own for other in OPERATORS)


def tier_of(page_id: str, operator: str, seed: int) -> str:
    """The one tier of `operator` that a page may give a pair to, so that a page has one pair an operator at most."""
    return TIERS[draw_number(seed, "tier", page_id, operator) % len(TIERS)]


def pages_to_search(page_ids: Iterable[str], cell: str, n: int, seed: int, factor: int = SEARCH_FACTOR) -> list[str]:
    """The pages to look for candidates of `cell` on, best first: at most `factor` for each of the `n` pairs wanted.

    The three tiers of an operator search the same pages, so that a page's tiers can share their target.
    """
    if cell == NO_DIFF:
        return sorted(page_ids, key=lambda page: draw_number(seed, NO_DIFF, page))[: 2 * n]
    operator, _ = split_cell(cell)
    order = sorted(page_ids, key=lambda page: (preference(page, operator, seed), draw_number(seed, operator, page)))
    return order[: factor * n]


def draw_order(
    candidates: Sequence[Mapping[str, Any]], domains: Mapping[str, str | None], seed: int
) -> list[Mapping[str, Any]]:
    """Accepted candidates of one cell in the order they become pairs.

    Only pages whose tier this is count, each once; domains take turns; within a domain the pages that prefer the
    operator come first. Candidates with the images of an earlier one are left out.
    """
    by_domain: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    seen: set[tuple[str, str]] = set()
    pages: set[str] = set()

    def rank(row: Mapping[str, Any]) -> tuple[int, int]:
        page, operator = row["page_id"], row["operator"]
        return preference(page, operator, seed), draw_number(seed, operator, page)

    for row in sorted(candidates, key=rank):
        images = (row["before_sha256"], row["after_sha256"])
        own_tier = tier_of(row["page_id"], row["operator"], seed) == row["tier"]
        if row["status"] == "accepted" and own_tier and row["page_id"] not in pages and images not in seen:
            seen.add(images)
            pages.add(row["page_id"])
            by_domain[domains.get(row["page_id"]) or ""].append(row)
    turns = sorted(by_domain, key=lambda domain: draw_number(seed, "domain", domain, len(by_domain)))
    order: list[Mapping[str, Any]] = []
    for turn in range(max((len(rows) for rows in by_domain.values()), default=0)):
        order.extend(by_domain[domain][turn] for domain in turns if turn < len(by_domain[domain]))
    return order
