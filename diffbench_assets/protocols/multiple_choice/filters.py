"""Which of the false statements that a model wrote can stand in a question (VDiff-Bench §3.3 and appendix A.4).

Belongs here: one rule per fault, applied in a fixed order, with a count of each. Does not belong here: reading
sentences (`statement.py`) or asking for them (`false_statements.py`). A rule that is unsure drops the statement: a
question needs two false ones, and one that is true, or that gives the truth away, spoils it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from rapidfuzz.distance import OSA

from diffbench_assets.pairs.grammar import WHOLE_IMAGE
from diffbench_assets.protocols.multiple_choice.statement import COMMON, QUOTED, Statement, clean, plain, read, words_of

MOST_CHARACTERS: Final = 240
MOST_LOOK_ALIKES: Final = 2
MOST_OF_TRUE_OBJECT: Final = 2
"""A thing that truly changed is in one or two of a pair's false statements (VDiff-Bench A.4)."""

NEAR_QUOTE: Final = 2
"""Edits by which a quoted text may depart from a known one: a false reading of a word that is there."""

_MARKUP: Final = re.compile(r"[<>`*_#{}\[\]|\\]|https?:|&#?\w+;|\A\s*(?:[A-D]|\d+)[.):]|\A\s*[-•]")
_HIDDEN: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_JOINERS: Final = "\u200c\u200d"
"""Part of the spelling of words in Persian or Hindi, which a page may show."""

_NO_DIFFERENCE: Final = re.compile(
    r"\b(?:no|without|nor|not|never|nothing|neither|cannot|unchanged|unaltered|identical|same|still|remains?|stays?|"
    r"both images)\b|n[’']t\b"
)
_LEAK: Final = re.compile(
    r"\bwhere\b.*\b(?:was|were|used to|had|stood|sat|lay)\b|\b(?:formerly|previously|used to|originally|earlier)\b|"
    r"\bthe (?:former|previous|original|old)\b|\bhad been\b|\bafter (?:the|it)\b|\bin (?:the )?place of\b|"
    r"\b(?:spot|place|space|gap|area)\b.*\b(?:vacated|freed|emptied|occupied)\b|\b(?:spot|place|space|gap) left by\b"
)
_CHANGED: Final = (
    r"\b(?:removed|missing|vanished|deleted|added|new|inserted|moved|shifted|changed|altered|replaced|recolored|"
    r"enlarged|shrunken|rotated|edited)\b"
)
_SENTENCES: Final = re.compile(r"[.!?;:]\s|[!?;]$|\bimage [ab]\b")


@dataclass(frozen=True)
class Known:
    """What a pair's statements are held against: its truths, read, and every word known to fit its images."""

    truths: tuple[Statement, ...]
    forms: frozenset[int | None]
    words: frozenset[str]
    most_words: int

    @classmethod
    def of(cls, truths: Sequence[str], visible: Collection[str]) -> Known:
        """Raises ValueError when a truth cannot be read as a statement."""
        statements = [read(text) for text in truths]
        for text, statement in zip(truths, statements, strict=True):
            if statement is None:
                raise ValueError(f"the true statement {text!r} has no subject or no verb")
        found = tuple(statement for statement in statements if statement)
        if not found:
            raise ValueError("a pair without a true statement has no false statements")
        words = words_of([*truths, *visible]) | COMMON
        return cls(found, frozenset(s.form for s in found), words, 2 * max(len(t.split()) for t in truths) + 4)


@dataclass(frozen=True)
class Kept:
    """A statement that passed. `flagged`: it may be true, since the model saw something of the kind."""

    text: str
    strategy: str
    flagged: bool


@dataclass(frozen=True)
class Filtered:
    """What became of one pair's statements; `dropped` holds each other text with the name of its rule."""

    kept: tuple[Kept, ...] = ()
    dropped: tuple[tuple[str, str], ...] = field(default=())


Rule = Callable[[str, Known], bool]


def _has_markup(text: str, known: Known) -> bool:
    hidden = any(unicodedata.category(letter) in _HIDDEN and letter not in _JOINERS for letter in text)
    return hidden or bool(_MARKUP.search(QUOTED.sub(" ", text)))


def _is_not_english(text: str, known: Known) -> bool:
    letters = filter(str.isalpha, QUOTED.sub(" ", text))
    return any("LATIN" not in unicodedata.name(letter, "") for letter in letters)


def _is_of_another_form(text: str, known: Known) -> bool:
    statement = read(text)
    if statement is None or statement.form not in known.forms or _SENTENCES.search(statement.plain):
        return True
    return statement.form is not None and not text.lstrip("“\"‘'")[:1].isupper()


_TEXT_RULES: Final[tuple[tuple[str, Rule], ...]] = (
    ("empty", lambda text, known: not text.strip()),
    ("several_lines", lambda text, known: len(text.strip().splitlines()) > 1),
    ("markup", _has_markup),
    ("too_long", lambda text, known: len(text) > MOST_CHARACTERS or len(text.split()) > known.most_words),
    ("not_english", _is_not_english),
    ("no_difference", lambda text, known: bool(_NO_DIFFERENCE.search(plain(text)))),
    ("other_form", _is_of_another_form),
)


def _restates(statement: Statement, known: Known) -> bool:
    return any(statement.says(truth) for truth in known.truths)


def _leaks(statement: Statement, known: Known) -> bool:
    """The truth shows through: a former place or state, or a thing called by what happened to it."""
    if _LEAK.search(statement.plain):
        return True
    for truth in known.truths:
        happened = truth.value - truth.subject
        if truth.subject <= statement.subject and happened and happened <= statement.subject:
            return True
        called = re.search(rf"{_CHANGED}(?: \S+){{1,4}}", statement.plain)
        if called and words_of([called[0]]) & (truth.subject - COMMON):
            return True
    return False


def _invents(statement: Statement, known: Known) -> bool:
    """A thing, or a quoted text, that the pair is not known to show."""
    quotes = {word for word in known.words if word.startswith("“")}
    if any(not _is_near(quote, quotes) for quote in statement.quotes):
        return True
    return any(not head.isdigit() and head not in known.words for head in statement.heads)


def _is_near(quote: str, known: Collection[str]) -> bool:
    """Whether it is one of `known` or a false reading of one; a text of n letters allows at most n - 1 edits."""
    return any(quote == other or OSA.distance(quote, other) <= min(NEAR_QUOTE, len(other) - 3) for other in known)


_STATEMENT_RULES: Final[tuple[tuple[str, Callable[[Statement, Known], bool]], ...]] = (
    ("leaks_truth", _leaks),
    ("restates_truth", _restates),
    ("invented", _invents),
)
ORDER: Final = (
    *(name for name, _ in (*_TEXT_RULES, *_STATEMENT_RULES)),
    "duplicate",
    "near_duplicate",
    "look_alike",
    "true_object_again",
    "true_object_absent",
)
"""The rules by name, in the order in which they are applied; the first that applies is counted."""


def filter_statements(
    proposed: Sequence[tuple[str, str]],
    truths: Sequence[str],
    visible: Collection[str],
    possible_truths: Sequence[str] = (),
) -> Filtered:
    """What is left of `proposed`, (text, strategy) each, for a pair with these `truths`.

    `visible` are words or phrases known to fit the pair's images. Kept statements that share a word with one of
    `possible_truths` are flagged. When no statement is about the thing that truly changed, none is kept. Raises
    ValueError for truths that are no statements.
    """
    known = Known.of(truths, visible)
    kept: list[tuple[str, str, Statement]] = []
    dropped: list[tuple[str, str]] = []
    for raw, strategy in proposed:
        text = raw.strip()
        found = _examined(text, known, {other: statement for other, _, statement in kept})
        if isinstance(found, str):
            dropped.append((text, found))
        else:
            kept.append((text, strategy, found))
    if not any(_keeps_true_object(statement, known) for _, _, statement in kept):
        return Filtered((), (*dropped, *((text, "true_object_absent") for text, _, _ in kept)))
    suspects = words_of(possible_truths)
    return Filtered(tuple(Kept(t, strategy, bool(s.words & suspects)) for t, strategy, s in kept), tuple(dropped))


def _examined(text: str, known: Known, kept: Mapping[str, Statement]) -> Statement | str:
    """The statement in `text`, or the name of the first rule that it breaks, alone or next to those `kept`."""
    for name, breaks in _TEXT_RULES:
        if breaks(text, known):
            return name
    statement = read(text)
    if statement is None:
        return "other_form"
    for name, applies in _STATEMENT_RULES:
        if applies(statement, known):
            return name
    if any(_bare(text) == _bare(other) for other in kept):
        return "duplicate"
    if any(statement.says(other) for other in kept.values()):
        return "near_duplicate"
    if sum(statement.resembles(other) for other in kept.values()) >= MOST_LOOK_ALIKES:
        return "look_alike"
    for truth in known.truths:
        about_it = [other for other in kept.values() if _keeps_object(other, truth)]
        if len(about_it) >= MOST_OF_TRUE_OBJECT and _keeps_object(statement, truth) and not _is_whole_image(truth):
            return "true_object_again"
    return statement


def _keeps_true_object(statement: Statement, known: Known) -> bool:
    """Whether it is about a thing that truly changed."""
    return any(_keeps_object(statement, truth) for truth in known.truths)


def _keeps_object(statement: Statement, truth: Statement) -> bool:
    """Whether it is about the thing of a truth; the whole image is no thing, and anything keeps it."""
    return _is_whole_image(truth) or truth.subject <= statement.words or statement.subject <= truth.subject


def _is_whole_image(truth: Statement) -> bool:
    return truth.subject == words_of([WHOLE_IMAGE])


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, clean(text).casefold()))
