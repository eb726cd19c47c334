"""Numbers of multiple choice (VDiff-Bench §4): from questions and exact verdicts to the tables of its report.

    choices = place_choices(pairs, questions, responses, verdicts)   # choices.py; all four of one suite
    metrics = choice_metrics(choices, replicates=1000)               # metrics.py; schemas.METRICS
    board = choice_leaderboard(metrics)                              # leaderboard.py
    comparisons = compare_choices(choices, replicates=1000)          # comparison.py; comparison.COMPARISONS

Belongs here: what is about options and letters. Does not belong here: intervals, slices, tests of two models and usage,
which are the same for every protocol and stand one folder up; scoring one answer (`protocols/multiple_choice/`).
"""
