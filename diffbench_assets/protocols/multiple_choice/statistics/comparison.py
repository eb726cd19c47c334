"""Model against model on the questions that both have a scored answer for.

Belongs here: which metrics of multiple choice are compared. Does not belong here: the tests and their correction, which
are those of every protocol (`statistics/comparison.py`).
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from diffbench_assets.protocols.multiple_choice.statistics.choices import Choices
from diffbench_assets.statistics.comparison import compare_models
from diffbench_assets.statistics.intervals import REPLICATES

COMPARED = ("accuracy", "specificity")


def compare_choices(choices: Choices, *, replicates: int = REPLICATES, seed: int = 0) -> pa.Table:
    """Every two models: difference with its pair-clustered interval, exact McNemar test, Holm's correction.

    Columns of comparison.COMPARISONS, whose pairs are questions here and whose pages are pairs. Specificity, on the
    questions on which nothing differs, only where there are any.
    """
    found = compare_models(choices.scores(), replicates=replicates, seed=seed)
    return found.filter(pc.is_in(found["metric"], pa.array(COMPARED)))
