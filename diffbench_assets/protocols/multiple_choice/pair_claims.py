"""What can be asked of stored pairs: the true claim of each, and all that could have been true of its image.

Belongs here: reading claims out of the lake, for every suite that asks multiple-choice questions. Does not belong here:
choosing false statements (`protocols/multiple_choice/`) or finding out what is possible (the pair makers).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from diffbench_assets.lake import Lake
from diffbench_assets.pairs.css.claims import MADE_OR_SPARE, claims_of_page, possible_claims
from diffbench_assets.pairs.css.operators import NO_DIFF, OPERATORS
from diffbench_assets.pairs.grammar import Claim
from diffbench_assets.pairs.lowlevel.categories import CATEGORIES
from diffbench_assets.protocols.multiple_choice.questions import PairClaims
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.schemas import CANDIDATES
from diffbench_assets.seeds import rng

PAIR_COLUMNS: Final = ("pair_id", "page_id", "cell", "operator", "record", "differences")
ENOUGH_CLAIMS: Final = 8


def pair_claims(lake: Lake, suite: Suite, cells: Iterable[str]) -> dict[str, list[PairClaims]]:
    """The pairs of each cell in stored order, with their claims; a pair without a claim has nothing that differs."""
    rows = {cell: list(lake.iter_partition(suite.pairs, {"cell": cell}, PAIR_COLUMNS)) for cell in cells}
    if suite.owns_pairs:
        return {cell: list(_of_records(cell, of_cell)) for cell, of_cell in rows.items()}
    offered = _offered(lake, suite, {row["page_id"] for of_cell in rows.values() for row in of_cell})
    return {cell: list(_of_mutations(of_cell, offered)) for cell, of_cell in rows.items()}


def _of_records(cell: str, rows: Iterable[Mapping[str, Any]]) -> Iterator[PairClaims]:
    group = CATEGORIES[cell].group if cell in CATEGORIES else NO_DIFF
    for row in rows:
        record = json.loads(row["record"])
        truth = record["claim"]
        yield PairClaims(
            row["pair_id"],
            cell,
            group,
            Claim(**truth) if truth else None,
            tuple(Claim(**claim) for claim in record["possible"]),
        )


def _offered(lake: Lake, suite: Suite, pages: set[str]) -> dict[str, list[dict[str, Any]]]:
    """Candidates of each page that were made, or could have been."""
    columns = ("page_id", "candidate_id", "operator", "tier", "selector", "element", "property", "before", "after",
               "direction", "record", "box_before", "box_after", "status")  # fmt: skip
    offered: dict[str, list[dict[str, Any]]] = {page: [] for page in pages}
    for candidate in lake.iter_rows(CANDIDATES.of(suite.pairs_of), columns, pages):
        if candidate["status"] in MADE_OR_SPARE:
            offered[candidate["page_id"]].append(candidate)
    return offered


def _of_mutations(
    rows: Iterable[Mapping[str, Any]], offered: Mapping[str, list[dict[str, Any]]]
) -> Iterator[PairClaims]:
    for row in rows:
        candidates = offered[row["page_id"]]
        if row["record"] is None:
            yield PairClaims(row["pair_id"], NO_DIFF, NO_DIFF, None, _as_if(row["pair_id"], candidates))
            continue
        target = next((one for one in candidates if one["record"] == row["record"]), None)
        possible = possible_claims(target, candidates) if target else ()
        # None is possible when the grammar has no certain words for the truth: such a pair is not asked about.
        if possible:
            operator = row["operator"]
            yield PairClaims(row["pair_id"], operator, OPERATORS[operator].family, possible[0], _close(possible))


def _close(possible: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Claims of the truth's kind, and what else could be said of the elements that these are about; all when few.

    Questions hardly ever draw from the rest, and every claim costs time.
    """
    subjects = {claim.subject for claim in possible if claim.axis == possible[0].axis}
    close = tuple(claim for claim in possible if claim.subject in subjects)
    return close if len(subjects) > 1 and len(close) >= ENOUGH_CLAIMS else possible


def _as_if(pair_id: str, candidates: list[dict[str, Any]]) -> tuple[Claim, ...]:
    """Claims about an unchanged page, as a pair that does differ has them: every operator is as likely as the others.

    With all candidates of the page, operators that apply often would tell that nothing differs.
    """
    operators = sorted({row["operator"] for row in candidates})
    if not operators:
        return ()
    dice = rng("as if", pair_id)
    of_one = [row for row in candidates if row["operator"] == operators[dice.integers(len(operators))]]
    target = of_one[dice.integers(len(of_one))]["selector"]
    return claims_of_page([row for row in candidates if row in of_one or row["selector"] == target])
