"""What could have been said of a page: claims of its candidates, those that were made and those that could have been.

Belongs here: from rows of the candidates table to what is true of a pair and everything else that multiple choice may
ask about it. Does not belong here: words (`pairs/grammar.py`), what an operator says (its row), reading the lake.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

from diffbench_assets.browser.gate import Box
from diffbench_assets.pairs.css.operators import OPERATORS
from diffbench_assets.pairs.edits import related
from diffbench_assets.pairs.grammar import Claim
from diffbench_assets.pairs.naming import location, plain_noun, subject
from diffbench_assets.seeds import rng

MADE_OR_SPARE: Final = ("accepted", "spare")
"""Statuses of candidates that were made, or could have been."""

ENOUGH_CLAIMS: Final = 8


def subject_of(row: Mapping[str, Any]) -> str:
    """The noun phrase of a candidate's target."""
    tag, text = row["element"]["tag"], row["element"]["text"] or ""
    # A text that changes must not be quoted; that of an image is its alternative text, which nobody sees.
    hidden = OPERATORS[row["operator"]].rewrites or tag in ("img", "svg")
    thing = plain_noun(tag, row["element"]["role"] or "", text)
    return subject(thing, "" if hidden else text, location(box_of(row, "before")))


def claims_of(row: Mapping[str, Any]) -> tuple[Claim, ...]:
    """All that a candidate makes true of the image after: several for a move along both axes."""
    before, after = box_of(row, "before"), box_of(row, "after")
    moved = (after[0] - before[0], after[1] - before[1])
    said = OPERATORS[row["operator"]].says(row["before"], row["after"], row["direction"], moved)
    return tuple(Claim(subject_of(row), *words) for words in said)


def claim_of(row: Mapping[str, Any]) -> Claim | None:
    """The one claim that says it all; None when there are several, or the grammar has no words that are certain."""
    claims = claims_of(row)
    return claims[0] if len(claims) == 1 else None


def claims_of_pair(pair_id: str, record: str | None, candidates: list[dict[str, Any]]) -> tuple[Claim, ...]:
    """All that could be said of the image before of the pair with this record, from its page's candidates.

    `candidates` are those made or spare. Without a record nothing differs in the pair.
    """
    if record is None:
        return _as_if(pair_id, candidates)
    target = next((one for one in candidates if one["record"] == record), None)
    possible = possible_claims(target, candidates) if target else ()
    return _close(possible) if possible else ()


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
    return _claims_of_page([row for row in candidates if row in of_one or row["selector"] == target])


def possible_claims(candidate: Mapping[str, Any], accepted: Iterable[Mapping[str, Any]]) -> tuple[Claim, ...]:
    """The truth of `candidate`, then what the other `accepted` candidates of its page say, each with its reverse.

    Left out is what may hold, or mean nothing, when `candidate` is the only change: claims about elements around or
    inside its target, and about elements that are called like another one. Empty when the truth has no claim.
    """
    truth = claim_of(candidate)
    if truth is None:
        return ()
    others = [
        (row, claim)
        for row in accepted
        if row["page_id"] == candidate["page_id"] and row["status"] in MADE_OR_SPARE and not _entwined(candidate, row)
        if (claim := claim_of(row)) is not None
    ]
    called = defaultdict(set)
    for row, claim in [(candidate, truth), *others]:
        called[claim.subject].add(row["selector"])
    fair = [claim for _, claim in others if len(called[claim.subject]) == 1]
    ordered = [truth, *sorted(claim for claim in fair if claim != truth)]
    return tuple(dict.fromkeys(each for claim in ordered for each in (claim, claim.reversed())))


def _claims_of_page(accepted: Iterable[Mapping[str, Any]]) -> tuple[Claim, ...]:
    """What the accepted candidates of a page say, each with its reverse: all false when nothing was changed.

    Left out are claims about elements that are called like another one.
    """
    made = [(row["selector"], claim) for row in accepted if (claim := claim_of(row)) is not None]
    called = defaultdict(set)
    for selector, claim in made:
        called[claim.subject].add(selector)
    fair = sorted(claim for _, claim in made if len(called[claim.subject]) == 1)
    return tuple(dict.fromkeys(each for claim in fair for each in (claim, claim.reversed())))


def _entwined(candidate: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    """Whether one target is around or inside the other, or the same while its text is what changed."""
    one, other = candidate["selector"], row["selector"]
    if one == other:
        # A subject that quotes a text of the image before would call the target by it.
        return OPERATORS[candidate["operator"]].rewrites != OPERATORS[row["operator"]].rewrites
    return related(one, other) or _inside(candidate, row) or _inside(row, candidate)


def _inside(row: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    x, y, width, height = box_of(row, "before")
    left, top, wide, high = box_of(other, "before")
    return left <= x and top <= y and x + width <= left + wide and y + height <= top + high


def box_of(row: Mapping[str, Any], side: str) -> Box:
    """The target's box before or after."""
    struct = row[f"box_{side}"]
    return struct["x"], struct["y"], struct["width"], struct["height"]
