"""Pair makers, one folder each; the grammar of differences; what a maker returns; records that replay.

A maker (`css`, `page_edits`, `transforms`, `photographs`) returns `made.MadePair`, which `made.pair_row` makes a row.
"""

from typing import Final

NO_DIFF: Final = "no_diff"
"""Cell, category and tier of pairs that show one image twice."""
