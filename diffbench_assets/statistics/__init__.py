"""From verdicts to numbers: scores, intervals, comparisons and the tables of the report.

Belongs here: pure functions from pyarrow tables (the columns of `schemas.py`) to pyarrow tables. Does not belong
here: reading or writing the lake, Dagster, plots, judging an answer. Every table is the same whatever the order of
the input rows, and no model's number depends on which other models are present, except where the number is itself
about several models (ranks, comparisons, mean recall).
"""
