"""Small changes of a short text that a reader can see.

Belongs here: one letter, one digit, two neighbours swapped, a word from elsewhere. Does not belong here: scenes,
pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

_VOWELS: Final = "AEIOU"
_CONSONANTS: Final = "BCDFGHJKLMNPRSTVWXYZ"
_DIGITS: Final = "0123456789"
_LOOKALIKES: Final = (
    "OQD0CGU", "IL1JT7", "B83RP69", "EFB3", "S58", "Z27", "UVYW", "MNHW", "KXHR", "5639", "AR4", "1T7", "VY",
)  # fmt: skip


def variants(text: str, words: Sequence[str], dice: np.random.Generator) -> list[str]:
    """Up to four changed texts, one of each sort that the text allows (VDiff-Bench appendix A.3).

    `words` are the ones that can stand in for a word of the text. Chance chooses the places.
    """
    sorts = (
        _replaced(text, _letters_like, dice),
        _replaced(text, _digits_like, dice),
        _swapped(text, dice),
        _reworded(text, words, dice),
    )
    return list(dict.fromkeys(changed for changed in sorts if changed and changed != text))


def alike(one: str, other: str) -> bool:
    """Whether two characters are easily taken for each other."""
    return one == other or any(one in group and other in group for group in _LOOKALIKES)


def _letters_like(character: str) -> str:
    family = next((family for family in (_VOWELS, _CONSONANTS) if character in family), "")
    return "".join(other for other in family if not alike(character, other))


def _digits_like(character: str) -> str:
    return "".join(other for other in _DIGITS if character in _DIGITS and not alike(character, other))


def _replaced(text: str, choices_for: Callable[[str], str], dice: np.random.Generator) -> str | None:
    places = [place for place, character in enumerate(text) if choices_for(character)]
    if not places:
        return None
    place = places[int(dice.integers(len(places)))]
    choices = choices_for(text[place])
    return text[:place] + choices[int(dice.integers(len(choices)))] + text[place + 1 :]


def _swapped(text: str, dice: np.random.Generator) -> str | None:
    places = [
        place
        for place, (one, other) in enumerate(zip(text, text[1:], strict=False))
        if one.isalnum() and other.isalnum() and not alike(one, other)
    ]
    if not places:
        return None
    place = places[int(dice.integers(len(places)))]
    return text[:place] + text[place + 1] + text[place] + text[place + 2 :]


def _reworded(text: str, words: Sequence[str], dice: np.random.Generator) -> str | None:
    own = text.split(" ")
    places = [place for place, word in enumerate(own) if word.isalpha() and len(word) > 2]
    others = [word for word in words if word not in own]
    if not places or not others:
        return None
    place = places[int(dice.integers(len(places)))]
    return " ".join([*own[:place], others[int(dice.integers(len(others)))], *own[place + 1 :]])
