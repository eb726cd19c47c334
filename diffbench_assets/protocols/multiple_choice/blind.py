"""The blind check: whether the right option can be told from the text alone, in a whole set of questions.

Questions with a difference are put to readers who know that something differs: among three statements chance is 1/3,
whatever share of the set has "no difference" right. In a group or cell only those questions count of which every
statement is of a kind that is true somewhere in it: others are there because of their truth, and whoever likes one kind
of change best would seem to know. Where there is such a share, one more reader tells from the
statements whether anything differs, on equally many questions of both kinds: chance is 1/2. A set is clean when no
reader is above chance, on the whole, in a group or in a cell. Many are tried, so p-values are corrected (Holm): one row
in forty with an interval just above chance is what luck looks like.

Belongs here: accuracies, intervals, verdict on the set. Does not belong here: readers (`blind_readers.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy.stats import norm
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from diffbench_assets.pairs.grammar import CHANGES
from diffbench_assets.protocols.multiple_choice import blind_readers
from diffbench_assets.protocols.multiple_choice.prompt import LABELS
from diffbench_assets.seeds import rng

Floats = npt.NDArray[np.float64]
Row = Mapping[str, Any]

TEXT_MODEL: Final = "text_model"
DIFFERENCE_MODEL: Final = "difference_model"
LEVEL: Final = 0.95
"""Of the intervals, each for itself."""

FAILS_BY_LUCK: Final = 0.01
"""How often a set without any tell may fail the check, all readers and slices together."""

CROSS_VALIDATED: Final = 0.5
"""What a cross-validated answer is worth beside an independent one.

Two questions that teach each other the same accident are both right, or both wrong: without any tell, the accuracy of a
cross-validated reader varies up to twice as much as that of a rule (1.45 times in a simulation of 60 sets).
"""


@dataclass(frozen=True)
class Accuracy:
    """How often a reader was right on one slice. `p_raw`: probability of that much by luck, in this row alone."""

    reader: str
    slice: str
    slice_value: str
    n: int
    accuracy: float
    ci_low: float
    ci_high: float
    chance: float
    p_raw: float


@dataclass(frozen=True)
class BlindReport:
    """Accuracies, and beside each its p-value corrected for all of them."""

    accuracies: tuple[Accuracy, ...]
    p_values: tuple[float, ...]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Rows of `schemas.BLIND_CHECK` without the suite."""
        return [
            {
                "slice": found.slice,
                "slice_value": found.slice_value,
                "reader": found.reader,
                "accuracy": found.accuracy,
                "ci_low": found.ci_low,
                "ci_high": found.ci_high,
                "chance": found.chance,
                "p_value": p_value,
                "n": found.n,
                "passed": p_value >= FAILS_BY_LUCK,
            }
            for found, p_value in zip(self.accuracies, self.p_values, strict=True)
        ]

    @property
    def passed(self) -> bool:
        """Whether no reader is above chance after correction."""
        return all(row["passed"] for row in self.rows)

    @property
    def summary(self) -> str:
        """One sentence for a person: the trained reader on the whole set, then each reader that fails, at its best."""
        whole = next(found for found in self.accuracies if (found.reader, found.slice) == (TEXT_MODEL, "overall"))
        above = sum(found.ci_low > found.chance for found in self.accuracies)
        failed = [row for row in self.rows if not row["passed"]]
        most = {row["reader"]: row for row in sorted(failed, key=lambda row: row["accuracy"] - row["chance"])}
        names = ", ".join(f"{r['reader']} {r['accuracy']:.1%} on {r['slice_value']}" for r in most.values())
        return (
            f"text model {whole.accuracy:.1%} [{whole.ci_low:.1%}, {whole.ci_high:.1%}] of {whole.n}, chance "
            f"{whole.chance:.1%}; {above} of {len(self.accuracies)} intervals above chance, {len(failed)} after "
            f"correction{': ' + names if names else ''}"
        )


def blind_check(questions: Sequence[Row], seed: int) -> BlindReport:
    """Put rows of `schemas.QUESTIONS` to every blind reader; rotated copies are left out.

    Intervals are Wilson's with the sample that pairs amount to: questions of one pair are not independent. Raises
    ValueError when no question has a difference to find.
    """
    asked = [row for row in questions if row["rotation"] == 0]
    differing = [row for row in asked if row["answer"] != row["no_difference_label"]]
    if not differing:
        raise ValueError("no question has a difference to find: build a cell with differences first")
    found = [*_which(differing, seed), *_whether(differing, asked, seed)]
    corrected = multipletests([accuracy.p_raw for accuracy in found], method="holm")[1]
    return BlindReport(tuple(found), tuple(float(p) for p in corrected))


def _which(questions: Sequence[Row], seed: int) -> Iterator[Accuracy]:
    """Accuracies of telling the true statement."""
    triples = [_statements(row) for row in questions]
    right = np.array([[label == row["answer"] for label in _labels(row)] for row in questions])
    pairs = [row["pair_id"] for row in questions]
    traits = blind_readers.traits_of(triples)
    scores = {TEXT_MODEL: blind_readers.statement_scores(triples, traits, right, pairs, seed)}
    scores |= {reader: sign * traits[trait] for reader, (trait, sign) in blind_readers.RULES.items()}
    slices = [("overall", "all", np.full(len(questions), True))]
    kinds = [_kinds(row) for row in questions]
    for column in ("group", "cell"):
        values = np.array([row[column] for row in questions])
        for value in np.unique(values):
            true = {kind for (kind, _), of in zip(kinds, values, strict=True) if of == value}
            members = np.array([of == value and true.issuperset(k) for of, (_, k) in zip(values, kinds, strict=True)])
            slices += [(column, str(value), members)] if members.any() else []
    for reader, of_reader in scores.items():
        credit = _credit(of_reader, right)
        for name, value, members in slices:
            clusters = [pair for pair, member in zip(pairs, members, strict=True) if member]
            worth = CROSS_VALIDATED if reader == TEXT_MODEL else 1.0
            yield _accuracy(reader, name, value, credit[members], clusters, 1 / 3, worth)


def _kinds(row: Row) -> tuple[str | None, set[str]]:
    """What the true claim of a question is about, and the false ones; a model's statements are no claims."""
    true, *false = (
        CHANGES[json.loads(claim)["change"]].axis if claim else None
        for claim in (row["truth"], *(false["claim"] for false in row["distractors"]))
    )
    return true, {kind for kind in false if kind}


def _whether(differing: Sequence[Row], asked: Sequence[Row], seed: int) -> Iterator[Accuracy]:
    """Accuracy of telling whether anything differs, where the set has questions of both kinds."""
    same = [row for row in asked if row["answer"] == row["no_difference_label"]]
    n = min(len(same), len(differing))
    if not n:
        return
    chosen = [rows[i] for rows in (same, differing) for i in _sample(rows, n, seed)]
    triples, pairs = [_statements(row) for row in chosen], [row["pair_id"] for row in chosen]
    differs = np.repeat([False, True], n)
    scores = blind_readers.difference_scores(triples, blind_readers.traits_of(triples), differs, pairs, seed)
    credit = np.where(scores == 0.5, 0.5, (scores > 0.5) == differs)
    yield _accuracy(DIFFERENCE_MODEL, "overall", "all", credit, pairs, 1 / 2, CROSS_VALIDATED)


def _sample(rows: Sequence[Row], n: int, seed: int) -> npt.NDArray[np.int64]:
    return np.sort(rng("blind", seed).permutation(len(rows))[:n])


def _labels(row: Row) -> list[str]:
    return [label for label in LABELS if label != row["no_difference_label"]]


def _statements(row: Row) -> list[str]:
    return [row["options"][label] for label in _labels(row)]


def _credit(scores: Floats, right: npt.NDArray[np.bool_]) -> Floats:
    """(questions,): 1 for the right statement scored highest; its share where several score the same."""
    best = scores == scores.max(axis=1, keepdims=True)
    return np.asarray((best & right).sum(axis=1) / best.sum(axis=1))


def _accuracy(
    reader: str, name: str, value: str, credit: Floats, pairs: Sequence[str], chance: float, worth: float
) -> Accuracy:
    n, mean = len(credit), float(credit.mean())
    sample = _independent(credit, pairs) * worth
    low, high = proportion_confint(mean * sample, sample, alpha=1 - LEVEL, method="wilson")
    # The score test that Wilson's interval inverts: below 2.5 % exactly when the lower end is above chance.
    p_raw = float(norm.sf((mean - chance) / np.sqrt(chance * (1 - chance) / sample)))
    return Accuracy(reader, name, value, n, mean, float(low), float(high), chance, p_raw)


def _independent(credit: Floats, pairs: Sequence[str]) -> float:
    """How many independent questions the clustered ones are worth; never more than there are."""
    numbers = np.unique(np.asarray(pairs), return_inverse=True)[1]
    n, clusters, mean = len(credit), int(numbers.max()) + 1, credit.mean()
    if clusters == 1 or mean in (0, 1):
        return float(clusters)
    variance = (np.bincount(numbers, weights=credit - mean) ** 2).sum() * clusters / (clusters - 1) / n**2
    return float(min(n, mean * (1 - mean) / variance)) if variance > 0 else float(clusters)
