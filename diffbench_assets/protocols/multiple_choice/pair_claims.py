"""What can be asked of stored pairs: what is true of each, and all that could have been true of its image.

Belongs here: reading claims out of the lake, for every suite that asks multiple-choice questions. Does not belong here:
choosing false statements or finding out what is possible (the pair makers).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from diffbench_assets.lake import Lake
from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.css.possible import MADE_OR_SPARE, claims_of_pair
from diffbench_assets.pairs.grammar import Claim
from diffbench_assets.pairs.made import RECORD
from diffbench_assets.protocols.multiple_choice.questions import PairClaims
from diffbench_assets.protocols.multiple_choice.statement import read
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.schemas import CANDIDATES

MOVES: Final = frozenset({"horizontal", "vertical", "lines", "padding", "spread"})
"""Axes of claims on which a change can show as a move of what the element holds."""
PAIR_COLUMNS: Final = ("pair_id", "page_id", "operator", "family", "record", "differences", "possible_claims")


def pair_claims(lake: Lake, suite: Suite, cells: Iterable[str]) -> dict[str, list[PairClaims]]:
    """The pairs of each cell in stored order, one entry for each difference to report; one for a pair without any.

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
        pair_id, told, page = row["pair_id"], row["possible_claims"], offered.get(row["page_id"], [])
        known = None if told is None else tuple(Claim(**one) for one in told)
        of_pair = partial(PairClaims, pair_id, row["operator"] or NO_DIFF, row["family"] or NO_DIFF)
        true = [Claim(**each["claim"]) if each["claim"] else None for each in row["differences"]]
        if not true:
            yield of_pair(None, claims_of_pair(pair_id, None, page) if known is None else known)
        if row["differences"] and not any(true):
            yield from _told(of_pair, row["differences"])
        claims = [claim for claim in true if claim]
        # Without certain words for all that differs, nothing that is said of the pair is certainly false.
        if len(claims) < len(true):
            continue
        asked = [number for number, each in enumerate(row["differences"]) if each["role"] == "report"]
        for place, number in enumerate(asked):
            difference, beside = row["differences"][number], (*claims[:number], *claims[number + 1 :])
            possible = claims_of_pair(pair_id, difference["record"], page) if known is None else known
            if difference["shift"]:
                possible = tuple(one for one in possible if not _shows_as_move(claims[number], one))
            if possible:
                yield of_pair(claims[number], possible, beside, place, len(asked))


def _shows_as_move(truth: Claim, other: Claim) -> bool:
    """Whether `other` says of the same element what one rigid move may be taken for."""
    return other.subject == truth.subject and other.axis != truth.axis and other.axis in MOVES


def _told(of_pair: Callable[..., PairClaims], differences: Sequence[Mapping[str, Any]]) -> Iterator[PairClaims]:
    """What can be asked about differences that models told, in their words."""
    readable = [each for each in differences if each["origin"] != RECORD and read(each["description"])]
    asked = [each for each in readable if each["role"] == "report"]
    for place, each in enumerate(asked):
        told = (each["description"], *(other["description"] for other in readable if other is not each))
        yield of_pair(None, (), (), place, len(asked), told, each["origin"])
