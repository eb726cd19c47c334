"""Pairs of the suite lowlevel_mcq: seed images of every kind, changed in the ten ways of VDiff-Bench.

Belongs here: which source makes which pairs of a cell (`cell.py`), changes of the whole image (`transformed.py`) and
changes with a meaning (`edited.py`), and the rows (`rows.py`). Does not belong here: transforms and scenes
(`imaging/`), edits of pages (`web/semantic/`), questions.
"""
