"""Which answers count as right under which judge.

Belongs here: the rule that turns a verdict into success (DiffSpot §3.1). Does not belong here: the grid that it fills
(`statistics/scores.py`), intervals, slices, tables.
"""

from __future__ import annotations

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
from diffbench_assets.statistics.scores import NO_DIFF, Scores

VERDICTS = ("correct", "wrong")


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
