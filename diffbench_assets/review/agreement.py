"""Do two reviewers decide alike about the options that both looked at?

Belongs here: agreement on accept, rewrite and discard. Does not belong here: agreement of judges
(`statistics/agreement.py`), or what a build does when reviewers differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, product
from typing import Any

import numpy as np
import pyarrow as pa

from diffbench_assets.lake import Lake
from diffbench_assets.review.decisions import DECISIONS
from diffbench_assets.schemas import REVIEWS
from diffbench_assets.statistics.answers import Floats
from diffbench_assets.statistics.intervals import REPLICATES, page_weights, percentile_interval, ratio, wilson
from diffbench_assets.statistics.tables import described, interval

AGREEMENT = described(
    ("reviewer_a", pa.string(), "First reviewer, by name."),
    ("reviewer_b", pa.string(), "Second reviewer."),
    (
        "measure",
        pa.string(),
        "agreement (share of options decided alike), kappa (Cohen's, of the three decisions), agreement_<decision> (of "
        "the times either reviewer decided so, both counted, the share on which they agree), or "
        "count_<decision>_<decision> (options by the first and by the second reviewer's decision).",
    ),
    ("value", pa.float64(), "The number; null where it is not defined."),
    ("ci_low", pa.float64(), "Lower end of the 95 % interval, bootstrap over questions; null for counts."),
    ("ci_high", pa.float64(), "Upper end of the 95 % interval."),
    ("n", pa.int64(), "Options that both reviewers decided about."),
    ("n_excluded", pa.int64(), "Options that only one of them decided about."),
)


def read_reviews(lake: Lake, suite: str) -> list[dict[str, Any]]:
    """All reviewers' decisions about a suite, rows of schemas.REVIEWS."""
    return list(lake.iter_all(REVIEWS.of(suite), REVIEWS.names))


def agreement_table(reviews: Iterable[Mapping[str, Any]], *, replicates: int = REPLICATES, seed: int = 0) -> pa.Table:
    """Agreement of every two reviewers; columns of AGREEMENT. `reviews` are rows of schemas.REVIEWS.

    Options of one question are drawn together. Where all draws are alike, a share gets the Wilson interval with the
    questions it is about as the sample, and kappa none.
    """
    decided: dict[str, dict[tuple[str, str], int]] = defaultdict(dict)
    for row in reviews:
        decided[row["reviewer"]][row["question_id"], row["option_sha256"]] = DECISIONS.index(row["decision"])
    rows: list[dict[str, Any]] = []
    for a, b in combinations(sorted(decided), 2):
        both = sorted(decided[a].keys() & decided[b].keys())
        counts = {
            "n": len(both),
            "n_excluded": len(decided[a].keys() ^ decided[b].keys()),
        }
        pairs = np.array([(decided[a][key], decided[b][key]) for key in both], dtype=np.int64).reshape(-1, 2)
        questions = np.array([question for question, _ in both])
        for measure, numbers in _measured(pairs, questions, replicates, seed):
            rows.append({"reviewer_a": a, "reviewer_b": b, "measure": measure, **numbers, **counts})
    return pa.Table.from_pylist(rows, schema=AGREEMENT)


def agreement_text(reviews: Iterable[Mapping[str, Any]]) -> str:
    """`agreement_table` for a terminal: a paragraph for every two reviewers."""
    rows = agreement_table(reviews).to_pylist()
    if not rows:
        return "Agreement needs two reviewers."
    pairs: dict[tuple[str, str], dict[str, dict[str, Any]]] = defaultdict(dict)
    for row in rows:
        pairs[row["reviewer_a"], row["reviewer_b"]][row["measure"]] = row
    return "\n\n".join("\n".join(_lines(*names, by)) for names, by in pairs.items())


def _measured(
    pairs: np.ndarray, questions: np.ndarray, replicates: int, seed: int
) -> Iterator[tuple[str, dict[str, float | None]]]:
    """`pairs` (options, 2) are the two decisions as indices of DECISIONS, `questions` (options,) the question's id."""
    k = len(DECISIONS)
    table = np.zeros((k, k))
    np.add.at(table, (pairs[:, 0], pairs[:, 1]), 1)
    drawn = _measures(_drawn_tables(pairs, questions, replicates, seed) if len(pairs) else table[None])
    for measure, (value,) in _measures(table[None]).items():
        low, high = (end.item() for end in percentile_interval(drawn[measure][:, None]))
        if low == high:
            about = np.full(len(pairs), measure == "agreement")
            if measure.startswith("agreement_"):
                about = (pairs == DECISIONS.index(measure.removeprefix("agreement_"))).any(axis=1)
            sample = len(np.unique(questions[about]))
            low, high = (end.item() for end in wilson(value * sample, sample)) if sample else (np.nan, np.nan)
        yield measure, interval(value, low, high)
    for (i, first), (j, second) in product(enumerate(DECISIONS), repeat=2):
        yield f"count_{first}_{second}", interval(table[i, j], np.nan, np.nan)


def _drawn_tables(pairs: np.ndarray, questions: np.ndarray, replicates: int, seed: int) -> Floats:
    """(replicates, decisions, decisions): counts of the two decisions, questions drawn with replacement."""
    k = len(DECISIONS)
    numbers = np.unique(questions, return_inverse=True)[1]
    weights = page_weights(numbers, replicates, seed)
    cells = np.zeros((len(pairs), k * k), dtype=np.float32)
    cells[np.arange(len(pairs)), pairs[:, 0] * k + pairs[:, 1]] = 1
    return (weights.T @ cells).astype(np.float64).reshape(-1, k, k)


def _measures(tables: Floats) -> dict[str, Floats]:
    """Of tables (many, decisions, decisions); NaN where a measure is not defined."""
    total = tables.sum(axis=(1, 2))
    alike = np.diagonal(tables, axis1=1, axis2=2)
    firsts, seconds = tables.sum(axis=2), tables.sum(axis=1)
    observed = ratio(alike.sum(axis=1), total)
    chance = ratio((firsts * seconds).sum(axis=1), total**2)
    by_decision = ratio(2 * alike, firsts + seconds)
    return {
        "agreement": observed,
        "kappa": ratio(observed - chance, 1 - chance),
        **{f"agreement_{decision}": by_decision[:, i] for i, decision in enumerate(DECISIONS)},
    }


def _lines(a: str, b: str, by: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    whole = by["agreement"]
    yield f"{a} and {b}: {whole['n']} options decided by both, {whole['n_excluded']} by one"
    for measure in ("agreement", "kappa", *(f"agreement_{decision}" for decision in DECISIONS)):
        row = by[measure]
        shown = "not defined" if row["value"] is None else f"{row['value']:.3f}"
        ends = "" if row["ci_low"] is None else f"  [{row['ci_low']:.3f}, {row['ci_high']:.3f}]"
        yield f"  {measure.replace('_', ' on ', 1):22}{shown}{ends}"
    yield f"  {a} (down), {b} (across)"
    yield " " * 12 + "".join(f"{decision:>9}" for decision in DECISIONS)
    for first in DECISIONS:
        cells = (by[f"count_{first}_{second}"]["value"] for second in DECISIONS)
        yield f"  {first:10}" + "".join(f"{int(cell):>9}" for cell in cells)
