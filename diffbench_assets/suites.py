"""The suites: which pairs, asked in which way, over which cells.

Belongs here: one row per suite. Adding a suite is adding a row, and a pair maker when its pairs are new. Does not
belong here: what a suite or a protocol is (`protocols/`), partitions or assets.
"""

from __future__ import annotations

from typing import Final

from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.categories import CATEGORIES
from diffbench_assets.pairs.css.operators import CELLS
from diffbench_assets.protocols.multiple_choice.protocol import MultipleChoice
from diffbench_assets.protocols.open_ended.protocol import OpenEnded
from diffbench_assets.protocols.protocol import Suite

SUITES: Final[dict[str, Suite]] = {
    suite.name: suite
    for suite in (
        Suite("webdiff", OpenEnded(), (*CELLS, NO_DIFF), pairs_of="webdiff"),
        Suite("webdiff_mcq", MultipleChoice(), (*CELLS, NO_DIFF), pairs_of="webdiff"),
        Suite("lowlevel_mcq", MultipleChoice(), (*CATEGORIES, NO_DIFF), pairs_of="lowlevel_mcq"),
    )
}
