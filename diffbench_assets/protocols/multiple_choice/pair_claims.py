"""What can be asked of stored pairs: the true claim of each, and all that could have been true of its image.

Belongs here: reading claims out of the lake, for every suite that asks multiple-choice questions. Does not belong here:
choosing false statements or finding out what is possible (the pair makers).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from diffbench_assets.lake import Lake
from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.css.possible import MADE_OR_SPARE, claims_of_pair
from diffbench_assets.pairs.grammar import Claim
from diffbench_assets.protocols.multiple_choice.questions import PairClaims
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.schemas import CANDIDATES

MOVES: Final = frozenset({"horizontal", "vertical", "lines", "padding", "spread"})
"""Axes of claims on which a change can show as a move of what the element holds."""
PAIR_COLUMNS: Final = ("pair_id", "page_id", "operator", "family", "record", "differences", "possible_claims")


def pair_claims(lake: Lake, suite: Suite, cells: Iterable[str]) -> dict[str, list[PairClaims]]:
    """The pairs of each cell in stored order, with their claims; a pair without a claim has nothing that differs.

    A pair whose row does not tell what else was possible was made of a page's candidates, and those tell.
    """
    rows = {cell: list(lake.iter_partition(suite.pairs, {"cell": cell}, PAIR_COLUMNS)) for cell in cells}
    untold = {row["page_id"] for of_cell in rows.values() for row in of_cell if row["possible_claims"] is None}
    offered = _offered(lake, suite, untold)
    return {cell: list(_claims(of_cell, offered)) for cell, of_cell in rows.items()}


def _offered(lake: Lake, suite: Suite, pages: set[str]) -> dict[str, list[dict[str, Any]]]:
    """Candidates of each page that were made, or could have been."""
    columns = ("page_id", "candidate_id", "operator", "tier", "selector", "element", "property", "before", "after",
               "direction", "record", "box_before", "box_after", "status")  # fmt: skip
    offered: dict[str, list[dict[str, Any]]] = {page: [] for page in pages}
    for candidate in lake.iter_rows(CANDIDATES.of(suite.pair_set.name), columns, pages) if pages else ():
        if candidate["status"] in MADE_OR_SPARE:
            offered[candidate["page_id"]].append(candidate)
    return offered


def _claims(rows: Iterable[Mapping[str, Any]], offered: Mapping[str, list[dict[str, Any]]]) -> Iterator[PairClaims]:
    for row in rows:
        truth = row["differences"][0]["claim"] if row["differences"] else None
        claim, possible = Claim(**truth) if truth else None, row["possible_claims"]
        if possible is not None:
            claims = tuple(Claim(**one) for one in possible)
        else:
            differs = bool(row["differences"])
            claims = claims_of_pair(row["pair_id"], row["record"] if differs else None, offered[row["page_id"]])
            # Without certain words for the truth a pair is not asked about.
            if differs and not claims:
                continue
            if claim and row["differences"][0]["shift"]:
                claims = tuple(one for one in claims if not _shows_as_move(claim, one))
        yield PairClaims(row["pair_id"], row["operator"] or NO_DIFF, row["family"] or NO_DIFF, claim, claims)


def _shows_as_move(truth: Claim, other: Claim) -> bool:
    """Whether `other` says of the same element what one rigid move may be taken for."""
    return other.subject == truth.subject and other.axis != truth.axis and other.axis in MOVES
