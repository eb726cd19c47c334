"""OCR: one character, one digit, two neighbours or one word of a short text is another (VDiff-Bench, appendix A.3).

Belongs here: edits of text that keep its script. Does not belong here: text mutations by tier (`operators/typography`).
"""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Callable, Collection, Iterator
from typing import Final

import numpy as np

from diffbench_assets.pairs.css.operators.typography import LIGATED_SCRIPTS
from diffbench_assets.pairs.edits import Edit
from diffbench_assets.pairs.grammar import VALUE, Claim
from diffbench_assets.pairs.naming import place
from diffbench_assets.pairs.page_edits.loaded import LoadedPage, Thing
from diffbench_assets.pairs.page_edits.offers import Offer

LEAST_BOX: Final = (24, 10)
"""Width and height in CSS px of a text that is asked about; screens set text smaller and sharper than photographs."""

_SHOWN: Final[dict[str, Callable[[str], str]]] = {"none": str, "uppercase": str.upper, "lowercase": str.lower}


def offers(thing: Thing, page: LoadedPage, dice: np.random.Generator) -> Iterator[Offer]:
    """One edit of each kind that the text of the thing allows."""
    element, details = thing.element, thing.details
    show = _SHOWN.get(details.transform)
    if len(element.own) != 1 or element.children or details.glyph or show is None:
        return
    own = element.own[0]
    text = " ".join(own.text.split())
    width, height = element.box[2:]
    if not 2 <= len(text) <= VALUE or set("“”") & set(text) or width < LEAST_BOX[0] or height < LEAST_BOX[1]:
        return
    # The subject must not quote what changed.
    named = f"the {thing.noun} {place(thing.place)}"
    for kind, edited in variants(text, _words(page), _characters(page), dice):
        before, after = show(text), show(edited)
        if before != after:
            node = own.text.replace(own.text.strip(), edited)
            edit = Edit(thing.selector, "text", value=node, node=own.node)
            yield Offer(thing, Claim(named, "reads", before, after), (edit,), "text", before, after, 0, 1, kind)


def variants(
    text: str, words: Collection[str], characters: Collection[str], dice: np.random.Generator
) -> Iterator[tuple[str, str]]:
    """(kind, changed text) with at most one change of each kind: a character, a digit, two neighbours, a word.

    `words` and `characters` are those that can stand in for others, ASCII letters aside.
    """
    places = [i for i, char in enumerate(text) if char.isalpha() and not _joined(char)]
    for i in dice.permutation(places):
        pool = sorted(_alike(text[i], characters) - {text[i]})
        if pool:
            yield "character", text[:i] + str(dice.choice(pool)) + text[i + 1 :]
            break
    digits = [i for i, char in enumerate(text) if char in string.digits]
    if digits:
        i = int(dice.choice(digits))
        # A leading zero would give the edit away.
        pool = [digit for digit in "123456789" if digit != text[i]]
        yield "digit", text[:i] + str(dice.choice(pool)) + text[i + 1 :]
    swaps = [
        i for i in range(len(text) - 1)
        if text[i].isalnum() and text[i] != text[i + 1] and _kind(text[i]) == _kind(text[i + 1])
        and not _joined(text[i])
    ]  # fmt: skip
    if swaps:
        i = int(dice.choice(swaps))
        yield "neighbors", text[:i] + text[i + 1] + text[i] + text[i + 2 :]
    yield from _word(text, words, dice)


def _word(text: str, others: Collection[str], dice: np.random.Generator) -> Iterator[tuple[str, str]]:
    words = text.split()
    for i in dice.permutation(len(words)):
        pool = sorted(
            other for other in others
            if _shape(other) == _shape(words[i]) and abs(len(other) - len(words[i])) <= 2
            and other.casefold() not in {word.casefold() for word in words}
        )  # fmt: skip
        if pool:
            yield "word", " ".join([*words[:i], str(dice.choice(pool)), *words[i + 1 :]])
            return


def _words(page: LoadedPage) -> set[str]:
    return {word for element, _ in page.elements for own in element.own for word in own.text.split()}


def _characters(page: LoadedPage) -> set[str]:
    return {c for element, _ in page.elements for own in element.own for c in own.text}


def _shape(word: str) -> tuple[str, ...] | None:
    """Script and case of a word; None for what is no plain word, which matches nothing but its like."""
    if not word.isalpha() or len(word) < 3:
        return ("", word)
    case = "upper" if word.isupper() else "title" if word[0].isupper() else "lower"
    return _script(word[0]), case


def _script(char: str) -> str:
    return unicodedata.name(char, "").split(" ")[0]


def _kind(char: str) -> tuple[str, str]:
    return _script(char), unicodedata.category(char)


def _joined(char: str) -> bool:
    return not char.isascii() and unicodedata.name(char, "").startswith(LIGATED_SCRIPTS)


def _alike(char: str, used: Collection[str]) -> set[str]:
    """Characters of the same script and case: ASCII letters, or those of the page, which its fonts can draw."""
    for pool in (string.ascii_lowercase, string.ascii_uppercase):
        if char in pool:
            return set(pool)
    return {c for c in used if _kind(c) == _kind(char) and not c.isascii()}
