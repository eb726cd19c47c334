"""The suites: which pairs, asked in which way.

Belongs here: one row per suite. Adding a suite is adding a row, and a set of pairs when its pairs are new. Does not
belong here: what a suite or a protocol is (`protocols/`), what pairs are (`pairs/`), partitions or assets.
"""

from __future__ import annotations

from typing import Final

from diffbench_assets.pairs.css.pair_set import WEBDIFF
from diffbench_assets.pairs.lowlevel import LOWLEVEL
from diffbench_assets.protocols.multiple_choice.protocol import MultipleChoice
from diffbench_assets.protocols.open_ended.protocol import OpenEnded
from diffbench_assets.protocols.protocol import Suite, by_name

SUITES: Final[dict[str, Suite]] = by_name(
    Suite("webdiff", OpenEnded(), WEBDIFF),
    Suite("webdiff_mcq", MultipleChoice(), WEBDIFF),
    Suite("lowlevel_mcq", MultipleChoice(), LOWLEVEL),
)
