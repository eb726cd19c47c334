"""How models are asked and scored: one folder per protocol, each with prompt, parse, judge and score.

Belongs here: pure functions from pairs and answers to prompts and verdicts. Does not belong here:
making pairs, calling endpoints, Dagster.
"""
