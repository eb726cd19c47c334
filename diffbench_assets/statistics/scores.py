"""Which answers count as right under which judge: the judge × model × pair grid that every other number is taken from.

Belongs here: the rule that turns a verdict into success, and the three headline proportions as subsets of the pairs
(DiffSpot §3.1). Does not belong here: intervals, slices, tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from diffbench_assets.statistics.answers import (
    OUTCOMES,
    Answers,
    Bools,
    Ints,
    codes,
    distinct,
    locate,
    require_present,
    require_unique,
    text,
)

NO_DIFF = "no_diff"
VERDICTS = ("correct", "wrong")
HEADLINE = ("accuracy", "recall", "specificity")
"""Each is the share of successes over a subset of the pairs: all, has-diff, no-diff."""

MAX_UNSCORED_SHARE = 0.05
"""Above this share of pairs without a verdict a score says more about the run than about the model: it is null."""


@dataclass(frozen=True)
class Scores:
    """Successes of M models on N pairs as J judges see them. Every array is (J, M, N), pairs in order of pair_id.

    An unscored pair (no response, no completed answer, no verdict) is not a success and stays in the denominator.
    """

    pairs: pa.Table
    judges: tuple[str, ...]
    models: tuple[str, ...]
    success: Bools
    scored: Bools
    hallucinations: Ints
    """Number of claims that are not true; 0 where unscored."""
    stale: int
    """Verdicts left out because their pair or their response is no longer in the lake."""

    @property
    def suite(self) -> str:
        return str(self.pairs["suite"][0].as_py())

    @property
    def pages(self) -> Ints:
        """(N,) number of each pair's source page in the order of page_id: the cluster of every interval."""
        return codes(self.pairs["page_id"], distinct(self.pairs["page_id"]))

    def of_models(self, models: Sequence[str]) -> Scores:
        """The same scores of `models` alone, in their order: what to rank or average when some models are baselines."""
        index = [self.models.index(model) for model in models]
        return replace(
            self,
            models=tuple(models),
            success=self.success[:, index],
            scored=self.scored[:, index],
            hallucinations=self.hallucinations[:, index],
        )

    def members(self, metric: str) -> Ints:
        """Indices of the pairs that are the denominator of `metric`, one of HEADLINE."""
        no_diff = pc.equal(self.pairs["cell"], NO_DIFF).to_numpy()
        return np.flatnonzero({"accuracy": np.ones_like(no_diff), "recall": ~no_diff, "specificity": no_diff}[metric])

    def covered(self, members: Ints, max_unscored: float = MAX_UNSCORED_SHARE) -> Bools:
        """(J, M): whether at most `max_unscored` of the pairs `members` have no verdict."""
        if not len(members):
            return np.zeros(self.scored.shape[:2], dtype=bool)
        return (~self.scored[:, :, members]).sum(axis=2) / len(members) <= max_unscored


def score_verdicts(answers: Answers, verdicts: pa.Table) -> Scores:
    """Scores of every model that was asked under every judge that gave a verdict.

    Success: a has-diff pair judged correct (extra claims do not spoil it), or a no-diff pair scored with no
    hallucination (DiffSpot §3.1). A verdict counts only for a completed response to the same item.

    Raises ValueError when an item has two verdicts of one judge, a verdict is neither correct nor wrong, or a row
    claims to be scored without saying so: a has-diff pair without verdict, any pair without a hallucination list.
    """
    require_present(verdicts, "verdicts", ("item_id", "pair_id", "model", "judge"))
    judges = distinct(verdicts["judge"])
    models = pa.array(answers.models, pa.string())
    row, pair = locate(verdicts, answers.pairs, "pair_id")
    model = codes(verdicts["model"], models)[row]
    row, pair, model = row[model >= 0], pair[model >= 0], model[model >= 0]
    item = codes(verdicts["item_id"], answers.item_ids)[row]
    current = (item >= 0) & (item == answers.item[model, pair])
    row, pair, model = row[current], pair[current], model[current]

    rows = verdicts.take(pa.array(row))
    shape = (len(judges), len(models), answers.pairs.num_rows)
    place = np.ravel_multi_index((codes(rows["judge"], judges), model, pair), shape)
    require_unique(place, rows, "verdicts", ("item_id", "model", "judge"))

    no_diff = pc.equal(answers.pairs["cell"], NO_DIFF).to_numpy()[pair]
    claims_scored = text(rows["unscored_reason"]).is_null().to_numpy(zero_copy_only=False)
    verdict = codes(rows["verdict"], pa.array(VERDICTS))
    _require_consistent(rows, verdict, no_diff, claims_scored)
    scored = claims_scored & (answers.outcome[model, pair] == OUTCOMES.index("completed"))
    false_claims = pc.list_value_length(rows["hallucinations"]).fill_null(0).to_numpy().astype(np.int64)
    success = np.where(no_diff, false_claims == 0, verdict == VERDICTS.index("correct"))

    def grid(values: Bools | Ints) -> np.ndarray:
        flat = np.zeros(int(np.prod(shape)), dtype=values.dtype)
        flat[place] = values
        return flat.reshape(shape)

    return Scores(
        pairs=answers.pairs,
        judges=tuple(judges.to_pylist()),
        models=answers.models,
        success=grid(success & scored),
        scored=grid(scored),
        hallucinations=grid(np.where(scored, false_claims, 0)),
        stale=verdicts.num_rows - len(row),
    )


def _require_consistent(rows: pa.Table, verdict: Ints, no_diff: Bools, claims_scored: Bools) -> None:
    given = text(rows["verdict"]).is_valid().to_numpy(zero_copy_only=False)
    silent = pc.list_value_length(rows["hallucinations"]).is_null().to_numpy()
    faults = (
        (given & (verdict < 0), f"verdict is not one of {', '.join(VERDICTS)}"),
        (claims_scored & ~no_diff & ~given, "no verdict and no unscored_reason; a scored pair needs a verdict"),
        (claims_scored & silent, "hallucinations is null; a scored item lists them, an empty list for none"),
    )
    for fault, message in faults:
        if fault.any():
            first = rows.slice(int(np.flatnonzero(fault)[0]), 1).to_pylist()[0]
            raise ValueError(
                f"verdicts: item {first['item_id']!r}, model {first['model']!r}, judge {first['judge']!r}: {message}"
                f" (verdict {first['verdict']!r}; {int(fault.sum())} such rows)"
            )
