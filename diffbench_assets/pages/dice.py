"""Seeded choices with the few verbs that templates and builders need.

Belongs here: drawing from a seed. Does not belong here: what is drawn.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """A `random.Random` seeded by text, so that the same text gives the same page under any Python."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def pick(self, *options: T) -> T:
        """One of the arguments."""
        return self._random.choice(options)

    def one(self, options: Sequence[T]) -> T:
        """One entry of a sequence."""
        return self._random.choice(options)

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """All entries in a drawn order."""
        return self._random.sample(options, len(options))

    def some(self, options: Sequence[T], count: int) -> list[T]:
        """`count` different entries, or all of them where there are fewer."""
        return self._random.sample(options, min(count, len(options)))

    def number(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return self._random.randint(low, high)

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self._random.random() < probability
