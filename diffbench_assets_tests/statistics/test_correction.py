import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets.statistics.correction import JudgeErrors, corrected


def test_the_correction_undoes_the_errors_of_the_judge() -> None:
    errors = JudgeErrors(right=200, right_accepted=180, wrong=100, wrong_turned_down=95)
    seen = 0.6 * 0.9 + 0.4 * 0.05
    assert corrected(seen, seen, seen, errors).value == pytest.approx(0.6)  # type: ignore[union-attr]


def test_a_judge_that_tells_nothing_corrects_nothing() -> None:
    assert corrected(0.5, 0.4, 0.6, JudgeErrors(10, 5, 10, 5)) is None


@given(st.floats(0, 1), st.floats(0, 0.2), st.integers(60, 100), st.integers(60, 100))
def test_ends_enclose_the_value_and_stay_in_range(share: float, half: float, hits: int, rejections: int) -> None:
    found = corrected(share, max(0, share - half), min(1, share + half), JudgeErrors(100, hits, 100, rejections))
    assert found is not None and 0 <= found.low <= found.value <= found.high <= 1


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    dice = np.random.default_rng(3)
    truth, sensitivity, specificity, n, labelled, held = 0.4, 0.92, 0.97, 200, 100, 0
    for _ in range(1000):
        share = dice.binomial(n, truth * sensitivity + (1 - truth) * (1 - specificity)) / n
        reach = 1.96 * np.sqrt(share * (1 - share) / n)
        hits, rejections = int(dice.binomial(labelled, sensitivity)), int(dice.binomial(labelled, specificity))
        found = corrected(share, share - reach, share + reach, JudgeErrors(labelled, hits, labelled, rejections))
        held += found is not None and found.low <= truth <= found.high
    assert 930 <= held <= 985
