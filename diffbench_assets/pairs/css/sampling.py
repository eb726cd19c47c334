"""Which pages a cell looks at, and which of its candidates become pairs.

Belongs here: seeded orders over pages and candidates. Every choice is a function of the seed and of stable ids, and a
cell's choices never depend on another cell's: that is what lets one cell be remade alone. Cells keep out of each
other's way all the same, since every page has an order of the cells that it serves. Does not belong here: making
candidates or pairs.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Any, Final

from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.css.operators import OPERATORS, split_cell
from diffbench_assets.pairs.css.operators.base import TIERS

PAGES_A_ROUND: Final = 9
"""Pages that an operator searches at a time for each pair wanted in a cell: its three tiers share them, and a third may
have no target. The first round is searched whole, since questions are about what else could be done to a page.
"""

_SERVED: Final = (*OPERATORS, NO_DIFF)


def draw_number(*parts: object) -> int:
    """A 64-bit number that depends on `parts` alone."""
    return int.from_bytes(hashlib.sha256("\n".join(map(str, parts)).encode()).digest()[:8], "big")


def preference(page_id: str, operator: str, seed: int) -> int:
    """How gladly a page serves an operator (or no_diff), 0 to 13: those that take their best first seldom meet."""
    own = draw_number(seed, "preference", page_id, operator)
    return sum(draw_number(seed, "preference", page_id, other) < own for other in _SERVED)


def turn(page_id: str, cell: str, seed: int) -> int:
    """The place of a cell in the page's own order of cells: one tier of every operator before the second of any."""
    if cell == NO_DIFF:
        return preference(page_id, NO_DIFF, seed)
    operator, tier = split_cell(cell)
    own = draw_number(seed, "tier", page_id, operator, tier)
    later = sum(draw_number(seed, "tier", page_id, operator, other) < own for other in TIERS)
    return later * len(_SERVED) + preference(page_id, operator, seed)


def page_order(page_ids: Iterable[str], cell: str, seed: int) -> list[str]:
    """Pages in the order in which a cell turns to them. The tiers of an operator share it, so as to share targets."""
    operator = NO_DIFF if cell == NO_DIFF else split_cell(cell)[0]
    return sorted(page_ids, key=lambda page: (preference(page, operator, seed), draw_number(seed, operator, page)))


def is_full(candidates: Iterable[Mapping[str, Any]], cell: str, n: int, seed: int) -> bool:
    """Whether pages whose turn it is, before they give another tier of the operator, have `n` pairs for the cell."""
    images = {
        (row["before_pixels"], row["after_pixels"])
        for row in candidates
        if row["status"] == "accepted" and turn(row["page_id"], cell, seed) < len(_SERVED)
    }
    return len(images) >= n


def draw_order(
    candidates: Sequence[Mapping[str, Any]],
    cell: str,
    domains: Mapping[str, str | None],
    seed: int,
    pairs_a_page: int = 1,
) -> list[Mapping[str, Any]]:
    """Accepted candidates of a cell in the order they become pairs, each page once.

    Pages come first that have the cell among the first `pairs_a_page` cells that they serve, then those that have it
    among the next, and so on: so a page is asked for more only when others have run out. Among equals domains take
    turns. Candidates with the images of an earlier one are left out.
    """
    accepted = [row for row in candidates if row["status"] == "accepted"]
    turns = {row["page_id"]: turn(row["page_id"], cell, seed) // pairs_a_page for row in accepted}
    seen: set[object] = set()
    given: Counter[str] = Counter()
    ranked = []
    for row in sorted(accepted, key=lambda row: (turns[row["page_id"]], draw_number(seed, cell, row["page_id"]))):
        page, images = row["page_id"], (row["before_pixels"], row["after_pixels"])
        if page in seen or images in seen:
            continue
        seen |= {page, images}
        domain = domains.get(page) or ""
        ranked.append((turns[page], given[domain], draw_number(seed, "domain", domain), row))
        given[domain] += 1
    return [row for *_, row in sorted(ranked, key=lambda one: one[:3])]


def shortage(made: int, wanted: int, searched: int) -> str:
    """What would help a cell that has `made` of `wanted` pairs after all its `searched` pages were looked at."""
    if made >= wanted:
        return "none"
    if not made:
        return f"none of {searched} pages gives such a pair: add pages of other kinds"
    return f"about {ceil((wanted - made) * searched / made)} pages more than these {searched} would probably do"
