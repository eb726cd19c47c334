"""What reviewers decided about statements, as questions need it.

A decision holds for the text that the reviewer saw, in the order of images of the question seen, in every question of
the pair. A statement that anyone discarded stays out. Otherwise a rewrite wins over an acceptance, and the latest
rewrite over the others.

Belongs here: looking decisions up. Does not belong here: the review page, drawing another statement.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from diffbench_assets.review.decisions import option_sha256

ACCEPTED: Final = "accepted"
REWRITTEN: Final = "rewritten"
DISCARDED: Final = "discarded"


class Standing(NamedTuple):
    """A statement's text after review, and accepted, rewritten, discarded, or None when nobody reviewed it."""

    text: str
    decision: str | None


class Decisions:
    """Decisions of `reviews` (rows of `schemas.REVIEWS`) on questions that `asked` maps to their pair and order.

    Reviews of other questions are left alone: they may belong to another cell. Raises ValueError for a decision that is
    none, and for a rewritten text that is not one line.
    """

    def __init__(self, reviews: Iterable[Mapping[str, Any]], asked: Mapping[str, tuple[str, str]]) -> None:
        self._made: dict[tuple[str, str, str], list[Mapping[str, Any]]] = defaultdict(list)
        for review in reviews:
            if review["question_id"] in asked:
                _check(review)
                self._made[*asked[review["question_id"]], review["option_sha256"]].append(review)
        self._pairs = {pair_id for pair_id, _, _ in self._made}

    def concern(self, pair_id: str) -> bool:
        """Whether anything was decided about the pair."""
        return pair_id in self._pairs

    def standing(self, pair_id: str, order: str, text: str) -> Standing:
        """How `text` stands; a rewritten text is looked up in turn, for it may have been reviewed too."""
        decision, seen = None, set[str]()
        while text not in seen and (made := self._made.get((pair_id, order, option_sha256(text)))):
            seen.add(text)
            if any(review["decision"] == "discard" for review in made):
                return Standing(text, DISCARDED)
            rewrites = [review for review in made if review["decision"] == "rewrite"]
            if rewrites:
                latest = max(rewrites, key=lambda review: (review["reviewed_at"], review["reviewer"]))
                text = latest["rewritten"].strip()
                decision = REWRITTEN
            else:
                decision = decision or ACCEPTED
        return Standing(text, decision)


def _check(review: Mapping[str, Any]) -> None:
    where = f"review of question {review['question_id']} by {review['reviewer']}"
    if review["decision"] not in ("accept", "rewrite", "discard"):
        raise ValueError(f"{where}: decision {review['decision']!r} is none of accept, rewrite, discard")
    if review["decision"] == "rewrite" and len((review["rewritten"] or "").strip().splitlines()) != 1:
        raise ValueError(f"{where}: the rewritten text must be one line, not {review['rewritten']!r}")
