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

from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.css.operators import OPERATORS, split_cell
from diffbench_assets.pairs.css.operators.base import TIERS

SEARCH_FACTOR: Final = 9
"""Pages an operator searches for each pair wanted in a cell: three tiers share them, and a third may have no target."""


def draw_number(*parts: object) -> int:
    """A 64-bit number that depends on `parts` alone."""
    return int.from_bytes(hashlib.sha256("\n".join(map(str, parts)).encode()).digest()[:8], "big")


def preference(page_id: str, operator: str, seed: int) -> int:
    """How gladly a page serves an operator, 0 to 12: operators that take their best pages first seldom meet."""
    own = draw_number(seed, "preference", page_id, operator)
    return sum(draw_number(seed, "preference", page_id, other) < own for other in OPERATORS)


def page_order(page_ids: Iterable[str], operator: str, seed: int) -> list[str]:
    """Pages in the order in which `operator` turns to them. Its tiers share it, so that they can share targets."""
    return sorted(page_ids, key=lambda page: (preference(page, operator, seed), draw_number(seed, operator, page)))


def own_tiers(order: Sequence[str]) -> dict[str, str]:
    """The one tier that each page of an operator's `order` may give a pair to: the tiers take turns.

    So a page has one pair an operator at most, whatever happens to the other tiers, and small pools serve all three.
    """
    return {page: TIERS[place % len(TIERS)] for place, page in enumerate(order)}


def pages_to_search(page_ids: Iterable[str], cell: str, n: int, seed: int, factor: int = SEARCH_FACTOR) -> list[str]:
    """The pages to look for candidates of `cell` on, best first: at most `factor` for each of the `n` pairs wanted."""
    if cell == NO_DIFF:
        return sorted(page_ids, key=lambda page: draw_number(seed, NO_DIFF, page))[: 2 * n]
    return page_order(page_ids, split_cell(cell)[0], seed)[: factor * n]


def draw_order(
    candidates: Sequence[Mapping[str, Any]], order: Sequence[str], domains: Mapping[str, str | None], seed: int
) -> list[Mapping[str, Any]]:
    """Accepted candidates of one cell in the order they become pairs.

    `order` is the operator's page order. Only pages whose own tier this is count, each once; domains take turns; within
    a domain the pages that prefer the operator come first. Candidates with the images of an earlier one are left out.
    """
    by_domain: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    seen: set[tuple[str, str]] = set()
    pages: set[str] = set()
    places = {page: place for place, page in enumerate(order)}
    tiers = own_tiers(order)
    usable = [row for row in candidates if row["status"] == "accepted" and tiers.get(row["page_id"]) == row["tier"]]
    for row in sorted(usable, key=lambda row: places[row["page_id"]]):
        images = (row["before_pixels"], row["after_pixels"])
        if row["page_id"] not in pages and images not in seen:
            seen.add(images)
            pages.add(row["page_id"])
            by_domain[domains.get(row["page_id"]) or ""].append(row)
    turns = sorted(by_domain, key=lambda domain: draw_number(seed, "domain", domain))
    most = max((len(rows) for rows in by_domain.values()), default=0)
    return [by_domain[domain][turn] for turn in range(most) for domain in turns if turn < len(by_domain[domain])]
