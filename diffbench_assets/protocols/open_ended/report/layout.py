"""The columns of an open-ended suite's leaderboard, in the page's order of importance.

Belongs here: columns and the note under them. Does not belong here: notations (`report/leaderboard_text.py`).
"""

from __future__ import annotations

from diffbench_assets.protocols.open_ended.results import EMBEDDED_JUDGE
from diffbench_assets.protocols.open_ended.statistics.correction import errors_in_words
from diffbench_assets.report.leaderboard_text import Column, Layout, interval_of, two_digits

LAYOUT = Layout(
    (
        Column("Easy", "recall_easy"),
        Column("Medium", "recall_medium"),
        Column("Hard", "recall_hard"),
        Column("Recall", "recall"),
        Column("Recall corrected", "recall_corrected", None),
        Column("Its 95 % interval", "recall_corrected_interval", None, interval_of("recall_corrected")),
        Column("Specificity", "specificity"),
        Column("Accuracy", "accuracy"),
        Column("95 % interval", "accuracy_interval", None, interval_of("accuracy")),
        Column("False claims per answer", "hallucinations_per_answer", min, two_digits),
        Column("Coverage", "coverage", None),
    ),
    "Scores in percent. Unscored pairs stay in the denominator; coverage is the share of pairs with a verdict. "
    "Intervals: bootstrap over source pages. " + errors_in_words(EMBEDDED_JUDGE),
    under_judge=True,
)
