"""The tidy `metrics` table of a multiple-choice suite: every score of every model with its interval.

    choice_metrics(choices, replicates=1000, seed=0, max_unscored=0.05) -> pa.Table   # schemas.METRICS, judge "exact"

Belongs here: which metric is reported over which slice. Does not belong here: how a letter becomes right or wrong
(`choices.py`), intervals, rankings, comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from diffbench_assets.protocols.multiple_choice.statistics.choices import JUDGE, LETTERS, Choices, error_kinds
from diffbench_assets.protocols.multiple_choice.statistics.circular import circular
from diffbench_assets.protocols.multiple_choice.statistics.positions import accuracy_bias, letter_bias
from diffbench_assets.schemas import METRICS
from diffbench_assets.statistics.answers import Bools, Floats, Ints
from diffbench_assets.statistics.intervals import (
    REPLICATES,
    Weights,
    page_weights,
    percentile_interval,
    proportion_interval,
    wilson,
)
from diffbench_assets.statistics.scores import MAX_UNSCORED_SHARE
from diffbench_assets.statistics.slices import OVERALL, Slice, slices
from diffbench_assets.statistics.tables import interval
from diffbench_assets.statistics.usage import usage_rows

SLICES = ("category", "group", "cell", "tier", "domain", "style", "language")
"""How accuracy is broken down; one that no question has a value of is left out."""

ORIGINS = ("truth_origin", "false_origin")
"""And by who made the statements, where there are several."""

Row = dict[str, object]


def choice_metrics(
    choices: Choices,
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    max_unscored: float = MAX_UNSCORED_SHARE,
) -> pa.Table:
    """Every metric of a suite with 95 % intervals, columns of schemas.METRICS (VDiff-Bench §4, tables 3, 4 and 6).

    Shares of all questions asked, so that accuracy, missed_change, competing_change, false_alarm (a statement chosen
    where nothing differs), invalid and 1 - coverage add up to 1:
    accuracy by SLICES and ORIGINS; the four errors and no_difference_rate (that option chosen, right or wrong) overall,
    by category and by group; choice_share by the letter chosen (slice choice); coverage overall, by category and cell.
    recall: accuracy by the position of the right answer (slice answer_position). pair_macro: mean over pairs of the
    accuracy on their questions. specificity: accuracy where nothing differs, only if there are such questions.
    circular_accuracy and consistency: over the questions with all four rotations, right in all, the same statement in
    all. letter_bias_p and accuracy_bias_p: p-values of `positions.py`, without interval.

    Intervals: Wilson where every pair has one question, else a bootstrap over pairs. A score is null where more than
    `max_unscored` of its questions are unscored. Rows with a null judge (outcomes, tokens, cost, latency) count every
    call, those of rotated copies too.
    """
    asked = _Asked(choices, max_unscored, page_weights(choices.pair[choices.asked], replicates, seed))
    rows = [row for part in (_scores, _errors, _positions, _circular, _coverage) for row in part(asked)]
    return pa.Table.from_pylist(rows + usage_rows(choices.answers), schema=METRICS.schema)


@dataclass(frozen=True)
class _Asked:
    """The N questions of rotation 0; arrays are (M, N) or (N,)."""

    choices: Choices
    max_unscored: float
    weights: Weights

    @cached_property
    def questions(self) -> pa.Table:
        return self.choices.questions.take(pa.array(self.choices.asked))

    @cached_property
    def choice(self) -> Ints:
        return self.choices.choice[:, self.choices.asked]

    @cached_property
    def answer(self) -> Ints:
        return self.choices.answer[self.choices.asked]

    @cached_property
    def no_difference(self) -> Ints:
        return self.choices.no_difference[self.choices.asked]

    @cached_property
    def scored(self) -> Bools:
        return self.choices.scored[:, self.choices.asked]

    @cached_property
    def right(self) -> Bools:
        return self.choice == self.answer

    @cached_property
    def pair(self) -> Ints:
        return self.choices.pair[self.choices.asked]

    def slices(self, names: tuple[str, ...], members: Ints | None = None) -> list[Slice]:
        """All questions (or `members`), then by each of `names` that any question has a value of."""
        known = tuple(name for name in names if self.questions[name].null_count < self.questions.num_rows)
        return slices(self.questions, np.arange(len(self.pair)) if members is None else members, known)

    def share(self, metric: str, part: Slice, event: Bools, scored: Bools | None = None) -> Iterator[Row]:
        """Rows of the share of `part` on which `event` (M, N) holds."""
        members = part.members
        happened = event[:, members].T
        low, high = proportion_interval(happened, self.weights[members], self.pair[members], one_cell=True)
        return self.rows(metric, part, happened.mean(axis=0), low, high, scored)

    def rows(
        self,
        metric: str,
        part: Slice,
        value: Floats,
        low: Floats | None = None,
        high: Floats | None = None,
        scored: Bools | None = None,
        always: bool = False,
    ) -> Iterator[Row]:
        """One row a model, null where its coverage is too low unless `always`."""
        n = len(part.members)
        unscored = (~(self.scored if scored is None else scored)[:, part.members]).sum(axis=1)
        nothing = np.full(len(value), np.nan)
        low, high = nothing if low is None else low, nothing if high is None else high
        for m, model in enumerate(self.choices.models):
            shown = always or unscored[m] / n <= self.max_unscored
            yield {
                "suite": self.choices.suite,
                "model": model,
                "judge": JUDGE,
                "metric": metric,
                "slice": part.name,
                "slice_value": part.value,
                **interval(value[m] if shown else np.nan, low[m], high[m]),
                "n": n,
                "n_unscored": int(unscored[m]),
            }


def _scores(asked: _Asked) -> Iterator[Row]:
    several = tuple(name for name in ORIGINS if len(set(asked.questions[name].to_pylist()) - {None}) > 1)
    for part in asked.slices((*SLICES, *several)):
        yield from asked.share("accuracy", part, asked.right)
    yield from _pair_macro(asked)
    if len(same := np.flatnonzero(asked.answer == asked.no_difference)):
        yield from asked.share("specificity", Slice(*OVERALL, same), asked.right)


def _pair_macro(asked: _Asked) -> Iterator[Row]:
    sizes = np.bincount(asked.pair)
    means = np.zeros((len(asked.right), len(sizes)))
    np.add.at(means.T, asked.pair, asked.right.T / sizes[asked.pair, None])
    weights = asked.weights[np.unique(asked.pair, return_index=True)[1]].astype(np.float64)
    low, high = percentile_interval((weights.T @ means.T) / weights.sum(axis=0)[:, None])
    value = means.mean(axis=1)
    plain = (low == high) | (sizes.max() == 1)
    low[plain], high[plain] = wilson(value[plain] * len(sizes), len(sizes))
    return asked.rows("pair_macro", Slice(*OVERALL, np.arange(len(asked.pair))), value, low, high)


def _errors(asked: _Asked) -> Iterator[Row]:
    events = error_kinds(asked.choice, asked.answer, asked.no_difference)
    events["no_difference_rate"] = asked.choice == asked.no_difference
    for metric, event in events.items():
        for part in asked.slices(("category", "group")):
            yield from asked.share(metric, part, event)


def _positions(asked: _Asked) -> Iterator[Row]:
    everything = np.arange(len(asked.pair))
    for code, letter in enumerate(LETTERS):
        if len(members := np.flatnonzero(asked.answer == code)):
            yield from asked.share("recall", Slice("answer_position", letter, members), asked.right)
    for code, letter in enumerate(LETTERS):
        yield from asked.share("choice_share", Slice("choice", letter, everything), asked.choice == code)
    for metric, test in (("letter_bias_p", letter_bias), ("accuracy_bias_p", accuracy_bias)):
        p = np.array([test(chosen, asked.answer) for chosen in asked.choice], dtype=np.float64)
        yield from asked.rows(metric, Slice(*OVERALL, everything), p)


def _circular(asked: _Asked) -> Iterator[Row]:
    found = circular(asked.choices)
    if found is None:
        return
    part = Slice(*OVERALL, found.origins)
    right, consistent, scored = (np.zeros_like(asked.right) for _ in range(3))
    for whole, values in ((right, found.right), (consistent, found.consistent), (scored, found.scored)):
        whole[:, found.origins] = values
    yield from asked.share("circular_accuracy", part, right, scored)
    yield from asked.share("consistency", part, consistent, scored)


def _coverage(asked: _Asked) -> Iterator[Row]:
    for part in asked.slices(("category", "cell")):
        value = asked.scored[:, part.members].mean(axis=1)
        yield from asked.rows("coverage", part, value, always=True)
