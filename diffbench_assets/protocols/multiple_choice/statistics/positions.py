"""Does a model favour letters? Tests over the four positions of the right answer.

Belongs here: two chi-square tests. Does not belong here: recall by position and shares of letters (`metrics.py`).
"""

from __future__ import annotations

import numpy as np
from scipy.stats import chi2_contingency, chisquare

from diffbench_assets.statistics.answers import Ints

LEAST_EXPECTED = 5
"""Below this expected count the chi-square distribution is no guide (Cochran 1954): the test has no result."""


def letter_bias(choice: Ints, answer: Ints) -> float:
    """p-value of the letters chosen (codes 0 to 3) against the letters of the right answers of the same questions.

    Choices of an accurate model follow the answers, which makes the test careful: a small p is to be trusted, a large
    one less so. NaN where there are too few answers.
    """
    letter = (choice >= 0) & (choice < 4)
    chosen, expected = (np.bincount(codes[letter], minlength=4) for codes in (choice, answer))
    if expected.min() < LEAST_EXPECTED:
        return float("nan")
    return float(chisquare(chosen, expected).pvalue)


def accuracy_bias(choice: Ints, answer: Ints) -> float:
    """p-value of right and wrong answers being independent of the position of the right answer.

    Invalid answers (code 4) are wrong, unscored ones (-1) left out. NaN where there are too few of either.
    """
    scored = choice >= 0
    right = (choice == answer)[scored]
    table = np.stack([np.bincount(answer[scored][side], minlength=4) for side in (right, ~right)])
    table = table[:, table.sum(axis=0) > 0]
    if table.shape[1] < 2 or not table.sum(axis=1).all():
        return float("nan")
    found = chi2_contingency(table, correction=False)
    return float("nan") if found.expected_freq.min() < LEAST_EXPECTED else float(found.pvalue)
