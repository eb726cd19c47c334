"""The false statements that a pair offers, and the sets of them that its questions may show.

Programmatic statements are claims, worded by the grammar for either order of the images. A model's statements are
texts about the pair's forward order, so that they fit only forward questions.

Belongs here: one pair's statements and its sets in their seeded order. Does not belong here: the sets' weights
(`triples.py`), letters, reviews.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from diffbench_assets.pairs.grammar import PHRASINGS, Claim, excludes
from diffbench_assets.pairs.made import RECORD
from diffbench_assets.protocols.multiple_choice.triples import NotEnoughClaims, Triples, strategy
from diffbench_assets.seeds import rng

PROGRAMMATIC: Final = "programmatic"
FORWARD: Final = "forward"
BACKWARD: Final = "backward"


@dataclass(frozen=True)
class PairClaims:
    """What a question may say of one pair, in forward order. `claim` is None when both images are the same.

    `possible` is every claim that could have been made true of the image in this category, each with its reverse.
    A pair in which several things differ has an entry for each of its `truths`, this being the one of `place`;
    `beside` is what else is true of it.
    """

    pair_id: str
    category: str
    group: str
    claim: Claim | None
    possible: tuple[Claim, ...]
    beside: tuple[Claim, ...] = ()
    place: int = 0
    truths: int = 1
    told: tuple[str, ...] = ()
    """Instead of claims: all true statements in the words of models, what is asked about first."""
    origin: str = RECORD
    """Who tells the truth: the pair's record, or models."""

    @property
    def truth(self) -> Statement | None:
        """The true statement; None when nothing differs."""
        if self.told:
            return Statement(None, self.told[0], "", self.origin)
        return stated(self.claim) if self.claim else None

    @property
    def true(self) -> tuple[Statement, ...]:
        """All that is true of the pair, what is asked about first."""
        if self.told:
            return tuple(Statement(None, text, "", self.origin) for text in self.told)
        return tuple(stated(claim) for claim in ((self.claim,) if self.claim else ()) + self.beside)


@dataclass(frozen=True)
class Statement:
    """One statement of a pair: a claim in forward order, or a model's `text`. `flagged`: it may be true."""

    claim: Claim | None
    text: str
    strategy: str
    origin: str = PROGRAMMATIC
    flagged: bool = False

    def claim_in(self, order: str) -> Claim | None:
        """The claim as it reads when the images are shown in `order`."""
        return self.claim.reversed() if self.claim and order == BACKWARD else self.claim

    def words(self, order: str, phrasing: int) -> str:
        """The statement as it reads in `order`. A model's text has one wording and is for forward order alone."""
        claim = self.claim_in(order)
        return claim.words(phrasing) if claim else self.text

    def wordings(self) -> Iterator[tuple[str, str]]:
        """Every (order, text) in which a question may show the statement."""
        if self.claim is None:
            yield FORWARD, self.text
        else:
            for order in (FORWARD, BACKWARD):
                for phrasing in range(len(PHRASINGS)):
                    yield order, self.words(order, phrasing)


def stated(claim: Claim, kind: str = "") -> Statement:
    """The statement of a claim; `kind` is the strategy of a false one."""
    return Statement(claim, "", kind)


def claim_json(claim: Claim | None) -> str | None:
    """A claim as the tables hold it."""
    return None if claim is None else json.dumps(claim.as_dict(), ensure_ascii=False, sort_keys=True)


class FalseSets:
    """The sets of false statements of one pair: two beside a truth, three where nothing differs.

    Each is false of everything that differs in the pair.

    `written` are a model's statements (text, strategy, origin, flagged), used in place of claims. Raises ValueError for
    one that is not a single line.
    """

    def __init__(self, pair: PairClaims, written: Sequence[Mapping[str, Any]] | None) -> None:
        self.pair = pair
        self.forward_only = written is not None or bool(pair.told)
        if not self.forward_only:
            fair = [claim for claim in pair.possible if all(excludes(truth, claim) for truth in pair.beside)]
            self._triples = Triples([*fair, *([pair.claim] if pair.claim else [])])
        else:
            self._written = _written(pair, written or ())

    def draws(self, *seed: object) -> Iterator[tuple[Statement, ...]]:
        """All sets, each once, in seeded order; sets with fewer flagged statements first.

        Raises NotEnoughClaims when there is none.
        """
        if self.forward_only:
            yield from self._written_sets(*seed)
            return
        for claims in self._triples.draws(self.pair.claim, *seed):
            yield tuple(stated(claim, strategy(self.pair.claim, claim)) for claim in claims)

    def _written_sets(self, *seed: object) -> Iterator[tuple[Statement, ...]]:
        size = 2 if self.pair.truth else 3
        sets = list(combinations(self._written, size))
        if not sets:
            raise NotEnoughClaims(f"pair {self.pair.pair_id}: {len(self._written)} statements, {size} are needed")
        shuffled = [sets[i] for i in rng(*seed).permutation(len(sets))]
        yield from sorted(shuffled, key=lambda chosen: sum(statement.flagged for statement in chosen))


def _written(pair: PairClaims, rows: Sequence[Mapping[str, Any]]) -> list[Statement]:
    """A model's statements as objects, without those that say the truth or one another again word for word."""
    truths = [wording for statement in pair.true for wording in statement.wordings()]
    said = {text.casefold() for order, text in truths if order == FORWARD}
    statements: dict[str, Statement] = {}
    for row in rows:
        text = row["text"].strip()
        if len(text.splitlines()) != 1:
            raise ValueError(f"pair {pair.pair_id}: a false statement must be one line of text, not {row['text']!r}")
        if text.casefold() not in said:
            statement = Statement(None, text, row["strategy"], row["origin"], bool(row["flagged"]))
            statements.setdefault(text.casefold(), statement)
    return list(statements.values())
