"""One small benchmark shared by the tests that hold vectorised code against plain loops."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pytest

from diffbench_assets.protocols.open_ended.statistics.scores import score_verdicts
from diffbench_assets.statistics.answers import Answers, place_responses
from diffbench_assets.statistics.intervals import page_weights
from diffbench_assets.statistics.scores import Scores
from diffbench_assets_tests.protocols.open_ended.statistics.plain_loops import Plain
from diffbench_assets_tests.protocols.open_ended.statistics.synthetic import benchmark


@dataclass(frozen=True)
class Small:
    """The tables, the grids made of them, and the same as dictionaries with the same bootstrap weights."""

    pairs: pa.Table
    responses: pa.Table
    verdicts: pa.Table
    answers: Answers
    scores: Scores
    plain: Plain
    replicates: int


@pytest.fixture(scope="session")
def small() -> Small:
    pairs, responses, verdicts = benchmark(models=4, judges=3, per_cell=3, no_diff=30, pages=60, seed=5)
    answers = place_responses(pairs, responses)
    scores = score_verdicts(answers, verdicts)
    replicates = 25
    drawn = page_weights(scores.pages, replicates)
    ids = scores.pairs["pair_id"].to_pylist()
    weights = [dict(zip(ids, map(int, column), strict=True)) for column in drawn.T]
    plain = Plain(pairs.to_pylist(), responses.to_pylist(), verdicts.to_pylist(), weights)
    return Small(pairs, responses, verdicts, answers, scores, plain, replicates)
