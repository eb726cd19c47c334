"""Shares that a judge of known errors reports, corrected for these errors (Rogan and Gladen 1978).

Belongs here: a judge's sensitivity and specificity, and the correction with its interval. Does not belong here: how a
judge was measured, and which shares are corrected.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

Z = 1.959964
"""Of a 95 % interval."""


@dataclass(frozen=True)
class JudgeErrors:
    """What a judge did with labelled answers: how many right ones it accepted, how many wrong ones it turned down."""

    right: int
    right_accepted: int
    wrong: int
    wrong_turned_down: int

    @property
    def sensitivity(self) -> float:
        return self.right_accepted / self.right

    @property
    def specificity(self) -> float:
        return self.wrong_turned_down / self.wrong


class Corrected(NamedTuple):
    """A share and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def corrected(share: float, low: float, high: float, errors: JudgeErrors) -> Corrected | None:
    """The share of right answers behind `share` of accepted ones, whose own 95 % interval is `low` to `high`.

    (share + specificity − 1) / (sensitivity + specificity − 1), cut to 0…1. The interval adds the uncertainty of both
    to that of the share, as Lang and Reiczigel (2014) do: by the delta method about counts with one success and one
    failure more. None for a judge that tells nothing, whose sensitivity and specificity add up to 1 or less.
    """
    informed = errors.sensitivity + errors.specificity - 1
    if informed <= 0:
        return None
    value = (share + errors.specificity - 1) / informed
    right, wrong = errors.right + 2, errors.wrong + 2
    sensitivity, specificity = (errors.right_accepted + 1) / right, (errors.wrong_turned_down + 1) / wrong
    informed = sensitivity + specificity - 1
    about = _cut((share + specificity - 1) / informed)
    of_sensitivity, of_specificity = sensitivity * (1 - sensitivity) / right, specificity * (1 - specificity) / wrong
    shift = 2 * Z**2 * (about * of_sensitivity - (1 - about) * of_specificity)
    variance = ((high - low) / (2 * Z)) ** 2 + about**2 * of_sensitivity + (1 - about) ** 2 * of_specificity
    reach = Z * sqrt(variance) / informed
    value = _cut(value)
    return Corrected(value, min(value, _cut(about + shift - reach)), max(value, _cut(about + shift + reach)))


def _cut(value: float) -> float:
    return min(1.0, max(0.0, value))
