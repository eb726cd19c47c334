"""Questions of a cell: one true statement, two false ones, and the fixed one that nothing differs (VDiff-Bench §3.4).

A question's false statements depend on its pair and number alone. Letters, image orders and wordings are balanced over
the cell, by the number of questions. So a review changes the questions of the pair that it is about, and no others.

Belongs here: which questions a cell has, and their rows. Does not belong here: which claims go together
(`triples.py`), what the false statements of a pair are (`false_sets.py`), prompts, answers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice, takewhile
from typing import Any, Final, NamedTuple

from diffbench_assets.pairs.grammar import PHRASINGS
from diffbench_assets.protocols.multiple_choice.decisions import ACCEPTED, DISCARDED, REWRITTEN, Decisions, Standing
from diffbench_assets.protocols.multiple_choice.false_sets import (
    BACKWARD,
    FORWARD,
    FalseSets,
    PairClaims,
    Statement,
    claim_json,
)
from diffbench_assets.protocols.multiple_choice.positions import balanced, letter_pairs
from diffbench_assets.protocols.multiple_choice.prompt import LABELS, NO_DIFFERENCE
from diffbench_assets.protocols.multiple_choice.triples import NotEnoughClaims
from diffbench_assets.seeds import digest, rng

AS_WRITTEN: Final = (FORWARD, 0)
"""Order and wording in which a model is told the truth when it writes false statements: theirs are alike."""


@dataclass(frozen=True)
class Built:
    """Rows of `schemas.QUESTIONS`, and how many pairs or questions were lost, by reason.

    Reasons: not_enough_claims (pairs that no question can be made from), review (questions that reviews left without
    statements, each replaced by another pair's while there are any), missing (questions short of those asked for).
    """

    rows: list[dict[str, Any]]
    dropped: Counter[str]


class _Draft(NamedTuple):
    """A question's pair, its number among the pair's questions, and its false statements before any review."""

    source: FalseSets
    number: int
    false: tuple[Statement, ...]


class _Place(NamedTuple):
    """What a question takes over from the balance of its cell."""

    answer: str
    no_difference: str
    order: str
    phrasing: int


class _Question(NamedTuple):
    """A question as it will be asked: statements with their texts after review. No truth where nothing differs."""

    draft: _Draft
    place: _Place
    truth: Standing | None
    false: tuple[Standing, ...]

    def standings(self) -> list[Standing]:
        return [*([self.truth] if self.truth else []), *self.false]

    def differ(self) -> bool:
        """Whether the four options read differently; a rewrite may have made two the same."""
        return len({NO_DIFFERENCE.casefold(), *(text.casefold() for text, _ in self.standings())}) == len(LABELS)

    def review(self) -> str | None:
        """rewritten when a reviewer's words are shown; accepted when every false statement was."""
        if any(decision == REWRITTEN for _, decision in self.standings()):
            return REWRITTEN
        return ACCEPTED if all(standing.decision == ACCEPTED for standing in self.false) else None


def question_id(suite: str, pair_id: str, number: int, order: str, rotation: int = 0) -> str:
    """Stable id of a pair's question; the other order of the images is another question."""
    return digest("question", suite, pair_id, number, order, rotation)[:32]


def build_questions(
    suite: str,
    cell: str,
    pairs: Sequence[PairClaims],
    n: int,
    seed: int,
    *,
    circular: bool = False,
    false_statements: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
    reviews: Iterable[Mapping[str, Any]] | None = None,
) -> Built:
    """`n` questions of one cell: one of each pair in stored order, then of what else differs in each pair, and then
    more of each with other false statements.

    `circular` adds, after each question, its three copies with rotated options. `false_statements` maps pair ids to a
    model's statements (text, strategy, origin, flagged), which stand in for programmatic ones; such questions are asked
    as written: in forward order, in the first wording. `reviews` are rows of `schemas.REVIEWS`.

    Raises ValueError for pairs given twice, for a cell in which some pairs differ and others do not, and for statements
    or reviews that cannot be used.
    """
    _check(cell, pairs, n)
    written = false_statements or {}
    in_turn = sorted(pairs, key=lambda pair: pair.place)
    sources = [FalseSets(pair, written.get(pair.pair_id)) for pair in in_turn]
    used: dict[str, set[frozenset[Statement]]] = defaultdict(set)
    dropped: Counter[str] = Counter()

    line = _line_up(suite, seed, sources, used, dropped)
    drafts = list(islice(line, n))
    rounds = drafts[-1].number // drafts[-1].source.pair.truths + 2 if drafts else 0
    numbers = range(rounds * max((pair.truths for pair in pairs), default=1))
    decisions = Decisions(
        reviews or (),
        {
            question_id(suite, pair.pair_id, number, order): (pair.pair_id, order)
            for pair in (pairs if reviews else ())
            for number in numbers
            for order in (FORWARD, BACKWARD)
        },
    )
    spares = takewhile(lambda draft: draft.number in numbers, line)

    rows = []
    for draft, place in zip(drafts, _places(drafts, suite, cell, seed), strict=True):
        question = _settled(suite, seed, draft, place, used, decisions)
        while question is None:
            dropped["review"] += 1
            if (spare := next(spares, None)) is None:
                dropped["missing"] += 1
                break
            question = _settled(suite, seed, spare, place, used, decisions)
        if question:
            rows += [_row(suite, cell, seed, question, rotation) for rotation in range(len(LABELS) if circular else 1)]
    dropped["missing"] += n - len(drafts)
    return Built(rows, +dropped)


def _check(cell: str, pairs: Sequence[PairClaims], n: int) -> None:
    if n < 0:
        raise ValueError(f"cell {cell}: {n} questions were asked for")
    given = Counter((pair.pair_id, pair.place) for pair in pairs)
    if twice := [pair_id for (pair_id, _), times in given.items() if times > 1]:
        raise ValueError(f"cell {cell}: pair {twice[0]} is given twice")
    if len({pair.truth is None for pair in pairs}) > 1:
        raise ValueError(f"cell {cell}: keep pairs without a difference in a cell of their own, to balance letters")


def _line_up(
    suite: str, seed: int, sources: list[FalseSets], used: dict[str, set[frozenset[Statement]]], dropped: Counter[str]
) -> Iterator[_Draft]:
    """First questions about all that differs, then second ones, and so on, until there is no unused set."""
    for turn in count():
        further = []
        for source in sources:
            pair_id, number = source.pair.pair_id, turn * source.pair.truths + source.pair.place
            try:
                false = next(_unused(suite, seed, source, number, used[pair_id]), None)
            except NotEnoughClaims:
                dropped["not_enough_claims"] += 1
                continue
            if false is not None:
                used[pair_id].add(frozenset(false))
                further.append(source)
                yield _Draft(source, number, false)
        if not further:
            return
        sources = further


def _unused(
    suite: str, seed: int, source: FalseSets, number: int, used: set[frozenset[Statement]]
) -> Iterator[tuple[Statement, ...]]:
    draws = source.draws("false", seed, suite, source.pair.pair_id, number)
    return (false for false in draws if frozenset(false) not in used)


def _places(drafts: Sequence[_Draft], *seed: object) -> Iterator[_Place]:
    n = len(drafts)
    if n and drafts[0].source.pair.truth is None:
        letters = [(label, label) for label in balanced(LABELS, n, "letters", *seed)]
    else:
        letters = letter_pairs(n, *seed)
    free = [draft for draft in drafts if not draft.source.forward_only]
    phrasings = balanced(range(len(PHRASINGS)), len(free), "phrasings", *seed)
    turns = iter(zip(_orders(free, *seed), phrasings, strict=True))
    for draft, (answer, no_difference) in zip(drafts, letters, strict=True):
        yield _Place(answer, no_difference, *(AS_WRITTEN if draft.source.forward_only else next(turns)))


def _orders(drafts: Sequence[_Draft], *seed: object) -> list[str]:
    """An order for each draft: half of each, and half of each within every kind of change.

    Otherwise one direction of a change would be true more often than the other by chance, and a reader could learn it.
    """
    mixed = rng("orders", *seed).permutation(len(drafts))
    changes = [draft.source.pair.claim.change if draft.source.pair.claim else "" for draft in drafts]
    alike = sorted(mixed.tolist(), key=lambda i: changes[i])
    first = int(rng("first order", *seed).integers(2))
    orders = [""] * len(drafts)
    for turn, i in enumerate(alike):
        orders[i] = (FORWARD, BACKWARD)[(turn + first) % 2]
    return orders


def _settled(
    suite: str,
    seed: int,
    draft: _Draft,
    place: _Place,
    used: dict[str, set[frozenset[Statement]]],
    decisions: Decisions,
) -> _Question | None:
    """The question after review, with other false statements where one was discarded; None when it cannot be asked."""
    pair = draft.source.pair
    if draft.source.forward_only:
        place = _Place(place.answer, place.no_difference, *AS_WRITTEN)
    truth = pair.truth

    def standing(statement: Statement) -> Standing:
        return decisions.standing(pair.pair_id, place.order, statement.words(place.order, place.phrasing))

    def discarded(wordings: Iterable[tuple[str, str]]) -> bool:
        return any(decisions.standing(pair.pair_id, *wording).decision == DISCARDED for wording in wordings)

    if discarded(truth.wordings() if truth else [(order, NO_DIFFERENCE) for order in (FORWARD, BACKWARD)]):
        return None
    for false in chain([draft.false], _unused(suite, seed, draft.source, draft.number, used[pair.pair_id])):
        if any(discarded(statement.wordings()) for statement in false):
            continue
        question = _Question(
            draft._replace(false=false),
            place,
            None if truth is None else standing(truth),
            tuple(standing(statement) for statement in false),
        )
        if question.differ():
            used[pair.pair_id].add(frozenset(false))
            return question
    return None


def _row(suite: str, cell: str, seed: int, question: _Question, rotation: int) -> dict[str, Any]:
    (source, number, statements), place = question.draft, question.place
    pair = source.pair

    def letter(label: str) -> str:
        return LABELS[(LABELS.index(label) + rotation) % len(LABELS)]

    def identity(rotation: int) -> str:
        return question_id(suite, pair.pair_id, number, place.order, rotation)

    free = [label for label in LABELS if label not in (place.answer, place.no_difference)]
    mixed = rng("letters", seed, suite, pair.pair_id, number).permutation(len(free))
    labels = [letter(free[i]) for i in mixed]
    false = sorted(zip(labels, statements, [standing.text for standing in question.false], strict=True))
    options = {letter(place.no_difference): NO_DIFFERENCE} | {label: text for label, _, text in false}
    if question.truth:
        options[letter(place.answer)] = question.truth.text
    return {
        "question_id": identity(rotation),
        "suite": suite,
        "cell": cell,
        "pair_id": pair.pair_id,
        "category": pair.category,
        "group": pair.group,
        "order": place.order,
        "rotation": rotation,
        "origin_id": identity(0),
        "options": dict(sorted(options.items())),
        "answer": letter(place.answer),
        "no_difference_label": letter(place.no_difference),
        "truth": claim_json(pair.truth.claim_in(place.order)) if pair.truth else None,
        "truth_origin": pair.origin if pair.truth else None,
        "false_origin": " + ".join(sorted({statement.origin for statement in statements})),
        "distractors": [
            {
                "text": text,
                "strategy": statement.strategy,
                "origin": statement.origin,
                "claim": claim_json(statement.claim_in(place.order)),
            }
            for _, statement, text in false
        ],
        "suspected_truths": [text for _, statement, text in false if statement.flagged],
        "review": question.review(),
    }
