"""Substitution: a thing of another size, a drawing replaced by another of the page, one less of several alike.

Belongs here: size, kind and count. Does not belong here: things that go altogether (`appearance.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np

from diffbench_assets.pairs.edits import Edit
from diffbench_assets.pairs.grammar import Claim
from diffbench_assets.pairs.page_edits.loaded import LoadedPage, Thing, kin_words
from diffbench_assets.pairs.page_edits.offers import Offer

FACTORS: Final = (("larger", 1, (1.2, 1.35, 1.5)), ("smaller", -1, (0.8, 0.7, 0.6)))
"""Claim, direction, and the factors of size."""

MODELS: Final = 3
"""Drawings that one drawing may be replaced by."""

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def offers(thing: Thing, page: LoadedPage, dice: np.random.Generator) -> Iterator[Offer]:
    """For a group one member less; for other things another size, and for drawings another drawing."""
    if thing.noun.startswith("group of "):
        yield _one_less(thing, dice)
        return
    if thing.details.drawing:
        yield from _replacements(thing, page, dice)
    if not thing.details.inline and thing.details.untransformed:
        yield from _sizes(thing, dice)


def _sizes(thing: Thing, dice: np.random.Generator) -> Iterator[Offer]:
    for claim, direction, factors in FACTORS:
        factor = float(dice.choice(factors))
        yield Offer(
            thing,
            Claim(thing.phrase, claim),
            (Edit(thing.selector, "style", "scale", f"{factor:g}"),),
            "scale",
            "none",
            f"{factor:g}",
            direction,
            factor,
            "times",
            roams=True,
        )


def _replacements(thing: Thing, page: LoadedPage, dice: np.random.Generator) -> Iterator[Offer]:
    """Copies of drawings that stand once on the page: then no third thing looks the same or ceases to."""
    times = Counter(details.drawing for _, details in page.elements)
    if times[thing.details.drawing] > 1 or thing.details.pictured:
        return
    width, height = thing.element.box[2:]
    models = [
        other
        for other in page.things
        if other.noun == thing.noun
        and other.element.tag == thing.element.tag
        and other.selector != thing.selector
        and times[other.details.drawing] == 1
        and not other.details.pictured
        and 0.67 <= (other.element.box[2] / other.element.box[3]) / (width / height) <= 1.5
    ]
    for index in dice.permutation(len(models))[:MODELS]:
        other = models[index]
        yield Offer(
            thing,
            Claim(thing.phrase, "replaced", f"different from {other.phrase}", f"the same as {other.phrase}"),
            (Edit(thing.selector, "drawing", value=other.selector),),
            "drawing",
            "its own",
            other.phrase,
        )


def _one_less(group: Thing, dice: np.random.Generator) -> Offer:
    count = group.details.kin
    one, many = kin_words(group.details)
    # The first one stays: its text may be what the group is called by.
    gone = int(dice.integers(2, count + 1))
    words = [f"{_NUMBERS[n]} {one if n == 1 else many}" for n in (count, count - 1)]
    edit = Edit(f"{group.selector} > :nth-child({gone})", "style", "visibility", "hidden")
    claim = Claim(group.phrase, "count", *words)
    return Offer(group, claim, (edit,), "visibility", words[0], words[1], -1, 1, "members")
