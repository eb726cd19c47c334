"""Typography operators: font_weight, font_size, letter_spacing, line_height and text.

Belongs here: where each applies and how its scale runs. They act on elements that hold text of their own, so that the
change is the target's and not its children's.
"""

from __future__ import annotations

import random
import string
import unicodedata
from collections.abc import Callable, Iterator

from diffbench_assets.pages.ladders import TAILWIND_SCALES
from diffbench_assets.pairs.css.operators.base import (
    Element,
    Operator,
    Planned,
    Variant,
    class_variants,
    describe_element,
    inline_variant,
    nearest,
)
from diffbench_assets.pairs.edits import Edit
from diffbench_assets.pairs.grammar import excerpts
from diffbench_assets.pairs.record import Mutation

WEIGHTS = tuple(value for _, value in TAILWIND_SCALES["font"])
SIZES = tuple(value for _, value in TAILWIND_SCALES["text"])
SCATTERED = 8
LIGATED_SCRIPTS = ("ARABIC", "DEVANAGARI", "BENGALI", "TAMIL", "TELUGU", "THAI")
"""Scripts whose letters join or stack: spacing letters apart or swapping one breaks the word, not only its look."""


def has_text(element: Element) -> bool:
    return bool(element.own) and element.hits >= 3


def weight_variants(element: Element) -> Iterator[Variant]:
    """Class tokens font-thin … font-black, or the computed weight on the same scale."""
    if not has_text(element):
        return
    yield from class_variants(element, {"font": "font-weight"})
    weight = element.style["font-weight"]
    at = nearest(float(weight), tuple(float(value) for value in WEIGHTS))
    yield inline_variant(element, "font-weight", at, WEIGHTS)


def size_variants(element: Element) -> Iterator[Variant]:
    """Class tokens text-xs … text-9xl, or the computed size on the same scale."""
    if not has_text(element):
        return
    yield from class_variants(element, {"text": "font-size"})
    at = nearest(element.px("font-size"), tuple(float(value.removesuffix("px")) for value in SIZES))
    yield inline_variant(element, "font-size", at, SIZES)


def em_groups(
    property: str, least: float
) -> Callable[[Operator, Element, random.Random], Iterator[dict[str, Planned]]]:
    """Groups of an operator that adds an offset in em to `property`; results below `least` em are left out."""

    def groups(operator: Operator, element: Element, dice: random.Random) -> Iterator[dict[str, Planned]]:
        if not has_text(element) or (property == "letter-spacing" and _ligated(element.own[0].text)):
            return
        size = element.px("font-size")
        if size <= 0:
            return
        now = round(element.px(property) / size, 4)
        for direction in (1, -1):
            group = {}
            for tier, (offset, _) in operator.tiers.items():
                after = round(now + direction * offset, 4)
                if after < least:
                    continue
                edit = Edit(element.selector, "style", property, f"{after:g}em")
                group[tier] = Planned(
                    Mutation(
                        operator.name,
                        tier,
                        element.selector,
                        "inline",
                        (edit,),
                        property,
                        f"{now:g}em",
                        f"{after:g}em",
                        direction,
                        offset,
                        operator.unit,
                        describe_element(element),
                    )
                )
            if group:
                yield group

    return groups


def _ligated(text: str) -> bool:
    return any(unicodedata.name(char, "").startswith(LIGATED_SCRIPTS) for char in text if not char.isascii())


def text_groups(operator: Operator, element: Element, dice: random.Random) -> Iterator[dict[str, Planned]]:
    """Replacement of whole characters of one text node, each by another of its kind, so that the word keeps its length.

    A tier that takes as many characters as a whole word has takes the word; characters of several words are at most
    SCATTERED. The tiers nest: the characters of a smaller change are among those of a larger one, and all of them lie
    in the first 60 characters, where the record shows them.
    """
    if not has_text(element):
        return
    for own in element.own:
        start = len(own.text) - len(own.text.lstrip())
        places = [i for i in range(start, min(len(own.text), start + 60)) if _kind(own.text[i])]
        dice.shuffle(places)
        words = [word for word in _words(places) if len(word) >= operator.tiers["easy"][0]]
        word = dice.choice(words) if words else set()
        places.sort(key=lambda place: place not in word)
        group = {}
        for tier, (least, most) in operator.tiers.items():
            if len(places) < least:
                continue
            whole = least <= len(word) <= most
            count = len(word) if whole else dice.randint(int(least), int(min(most, len(places), SCATTERED)))
            after = list(own.text)
            for place in places[:count]:
                after[place] = _other(own.text[place], own.text, dice)
            chosen = sorted(places[:count])
            new = "".join(after)
            if any(new[place] == own.text[place] for place in chosen):
                continue
            group[tier] = Planned(
                Mutation(
                    operator.name,
                    tier,
                    element.selector,
                    "text_node",
                    (Edit(element.selector, "text", "", new, own.node, chosen[0], chosen[-1]),),
                    "text",
                    own.text.strip()[:80],
                    new.strip()[:80],
                    0,
                    count,
                    operator.unit,
                    describe_element(element),
                )
            )
        if group:
            yield group


def _words(places: list[int]) -> list[set[int]]:
    """Runs of neighbouring places."""
    words: list[set[int]] = []
    for place in sorted(places):
        if words and place - 1 in words[-1]:
            words[-1].add(place)
        else:
            words.append({place})
    return words


def reads(before: str, after: str, direction: int, moved: tuple[float, float]) -> tuple[tuple[str, ...], ...]:
    """The stretch of the text that differs."""
    shown = excerpts(before, after)
    return (("reads", *shown),) if shown else ()


def _kind(char: str) -> str | None:
    """The pool of characters that may stand in for `char`; None for spaces, signs and joining scripts."""
    if char in string.ascii_lowercase:
        return string.ascii_lowercase
    if char in string.ascii_uppercase:
        return string.ascii_uppercase
    if char in string.digits:
        return string.digits
    return "own" if unicodedata.category(char) in ("Lo", "Ll", "Lu") and not _ligated(char) else None


def _other(char: str, text: str, dice: random.Random) -> str:
    """Another character of the same kind; outside ASCII one of the same text, which its font is sure to have."""
    pool = _kind(char)
    choices = sorted({c for c in text if _kind(c) == "own"}) if pool == "own" else sorted(pool or "")
    choices = [c for c in choices if c != char and unicodedata.category(c) == unicodedata.category(char)]
    return dice.choice(choices) if choices else char
