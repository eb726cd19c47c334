"""Three statements to one question: which claims may stand together, and which set a question gets.

A reader without the images must not learn from the set which of its members is true. So a set is judged as a set: its
three claims are worded differently, each excludes the others, and its weight is high when they are close to one
another, whichever is true. Weights are then scaled until every claim has the same total over the sets that hold it.
A pair's set is drawn, in proportion to weight, from those that hold its truth: each claim of a set is then as likely to
have been the truth as any other, provided that the pair maker drew the truth uniformly from what it could have done.

There is no other fallback when close sets are few: sets of less related claims carry a small weight, and are drawn as
far as it takes. Sets that break the first two conditions are never drawn.

Belongs here: sets of claims. Does not belong here: wording, letters, reviews (`questions.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from diffbench_assets.pairs.grammar import TINTS, Claim, excludes
from diffbench_assets.seeds import rng

Floats = npt.NDArray[np.float64]

ANOTHER_VALUE: Final = "another_value"
REVERSED: Final = "reversed_direction"
ANOTHER_PROPERTY: Final = "another_property"
ANOTHER_ELEMENT: Final = "another_element"
ANOTHER_CHANGE: Final = "another_change"
INVENTED: Final = "invented_change"

CLOSENESS: Final = {
    REVERSED: 1.0,
    ANOTHER_VALUE: 1.0,
    ANOTHER_ELEMENT: 1.0,
    ANOTHER_PROPERTY: 0.5,
    ANOTHER_CHANGE: 0.001,
}
"""Odds that one claim is joined by another that departs from it so, all claims of one kind together."""

TOLERANCE: Final = 1e-3
"""A claim's total may differ from 1 by this much."""

STEPS: Final = 40
"""Scaling stops here when the totals cannot be equal, for example because every set holds one and the same claim."""

LONGEST_STEP: Final = 3.0
"""In natural logarithms of a factor."""


class NotEnoughClaims(ValueError):
    """The claims of a pair make no set of three; the pair cannot be asked about."""


def strategy(truth: Claim | None, other: Claim) -> str:
    """How a false claim departs from the truth; symmetric in the two. INVENTED when nothing differs."""
    if truth is None:
        return INVENTED
    if truth.subject == other.subject:
        if other == truth.reversed():
            return REVERSED
        of_one_kind = truth.axis == other.axis or (truth.change in TINTS and other.change in TINTS)
        return ANOTHER_VALUE if of_one_kind else ANOTHER_PROPERTY
    return ANOTHER_ELEMENT if truth.axis == other.axis else ANOTHER_CHANGE


class Triples:
    """The sets of three among `possible`, the claims that a pair maker could have made true of one image."""

    def __init__(self, possible: Sequence[Claim]) -> None:
        self.claims = sorted(set(possible))
        self._apart, self._close = _relations(self.claims)
        self._scale = _equal_totals(self._apart, self._close)

    def weights(self, claim: Claim) -> Floats:
        """(claims, claims), above the diagonal: weight of the set of `claim` and the two claims."""
        i = self.claims.index(claim)
        near, apart = self._close[i] * self._scale, self._apart[i] * self._scale
        both = np.outer(near, near) * self._apart
        through = np.outer(near, apart) * self._close
        return self._scale[i] * np.triu(both + through + through.T, k=1)

    def draws(self, truth: Claim | None, *seed: object) -> Iterator[tuple[Claim, ...]]:
        """Every set of false claims, each once, in a random order in which a set of more weight tends to come first.

        Two claims that exclude `truth`; without a truth three claims, of the sets that a pair with one would be shown
        together with its truth. Raises NotEnoughClaims when there is none.
        """
        seen: set[frozenset[Claim]] = set()
        for claims in self._races(*seed) if truth is None else self._race(truth, rng(*seed)):
            if frozenset(claims) not in seen:
                seen.add(frozenset(claims))
                yield claims
        if not seen:
            raise NotEnoughClaims(f"{len(self.claims)} claims make no set of three that exclude one another")

    def _race(self, claim: Claim, generator: np.random.Generator) -> Iterator[tuple[Claim, ...]]:
        """Both others of every set that holds `claim`: drawn one after the other without return, by weight."""
        weights = self.weights(claim)
        first, second = np.nonzero(weights)
        arrival = generator.exponential(size=len(first)) / weights[first, second]
        for k in np.argsort(arrival, kind="stable"):
            yield self.claims[first[k]], self.claims[second[k]]

    def _races(self, *seed: object) -> Iterator[tuple[Claim, ...]]:
        """All sets of three, as if a claim drawn uniformly were true; then the next claim, and so on in turns."""
        order = [self.claims[i] for i in rng(*seed).permutation(len(self.claims))]
        running = [(claim, self._race(claim, rng(*seed, claim.as_dict()))) for claim in order]
        while running:
            still = []
            for claim, race in running:
                if others := next(race, None):
                    yield tuple(sorted((claim, *others)))
                    still.append((claim, race))
            running = still


def _relations(claims: Sequence[Claim]) -> tuple[Floats, Floats]:
    """Two symmetric matrices (claims, claims): 1 where two may stand together, else 0; and there, their closeness.

    The odds of a kind of relation are shared among as many claims as stand in it on average: otherwise the many other
    elements of a page would leave no room for the few other values.
    """
    words = [claim.words().casefold() for claim in claims]
    apart = np.zeros((len(claims), len(claims)))
    kinds: dict[str, list[tuple[int, int]]] = {kind: [] for kind in CLOSENESS}
    for (i, a), (j, b) in combinations(enumerate(claims), 2):
        if words[i] != words[j] and excludes(a, b) and excludes(b, a):
            apart[i, j] = apart[j, i] = 1
            kinds[strategy(a, b)].append((i, j))
    close = np.zeros_like(apart)
    for kind, pairs in kinds.items():
        if pairs:
            i, j = np.array(pairs).T
            close[i, j] = close[j, i] = CLOSENESS[kind] * len(claims) / (2 * len(pairs))
    return apart, close


def _equal_totals(apart: Floats, close: Floats) -> Floats:
    """Factor of each claim, so that the weights of the sets holding it sum to 1 for every claim.

    The weight of a set of three is the sum, over the claim in its middle, of the product of the two closenesses that
    join the others to it, times the factors of all three. The logarithms of the factors minimise the convex function
    (weight of all sets) - (sum of logarithms), whose slope is total - 1 for each claim: Newton steps, cut short while
    they are long.
    """
    logs = np.zeros(len(apart))
    for _ in range(STEPS):
        scale = np.exp(logs)
        one_end = (apart * scale) @ close
        shared = np.outer(scale, scale) * (close * (one_end + one_end.T) + apart * ((close * scale) @ close))
        totals = shared.sum(axis=1) / 2  # `shared` holds each set of a claim twice: once for each of the others
        wrong = np.where(totals > 0, totals - 1, 0)
        if np.abs(wrong).max(initial=0) < TOLERANCE:
            break
        curvature = shared + np.diag(totals + 1e-9)
        step = np.linalg.solve(curvature, wrong)
        logs -= step * min(1, LONGEST_STEP / np.abs(step).max())
    return np.exp(logs)
