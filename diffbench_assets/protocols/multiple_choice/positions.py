"""Where things stand in a question, balanced over a cell: letters, image order, wording.

No choice of a letter, and no letter for "no difference", may pay off: within a cell every letter is the answer equally
often, and every letter is the no-difference option equally often, give or take one (VDiff-Bench §3.4 balances them
approximately).

Belongs here: balanced, seeded assignments. Does not belong here: what stands at the letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from diffbench_assets.protocols.multiple_choice.prompt import LABELS
from diffbench_assets.seeds import rng

T = TypeVar("T")


def balanced(values: Sequence[T], n: int, *seed: object) -> list[T]:
    """`n` of `values` in random order, each floor(n/k) or ceil(n/k) times of k values."""
    generator = rng("balanced", *seed)
    filled = [value for _ in range(n // len(values)) for value in values]
    rest = [values[i] for i in generator.permutation(len(values))[: n % len(values)]]
    return [(filled + rest)[i] for i in generator.permutation(n)]


def letter_pairs(n: int, *seed: object) -> list[tuple[str, str]]:
    """For `n` questions about a difference: (letter of the answer, letter of "no difference"), two different ones.

    The counts of each differ by at most one over A–D. Four questions in a row take every letter once as the answer, and
    once, a fixed step further, as the no-difference option; a part of such a block takes none of them twice.
    """
    generator = rng("letters", *seed)
    steps = balanced((1, 2, 3), -(-n // len(LABELS)), *seed)
    blocks = [
        (LABELS[i], LABELS[(i + step) % len(LABELS)]) for step in steps for i in generator.permutation(len(LABELS))
    ]
    return [blocks[i] for i in generator.permutation(n)]
