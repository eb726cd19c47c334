"""What the numbers of a suite are made from, whatever the protocol.

Belongs here: the tables together. Does not belong here: reading them (`results.py`), any number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from diffbench_assets.models.registry import Facts


@dataclass(frozen=True, kw_only=True)
class Raw:
    """The tables of a suite that its numbers come from, and what else a report tells.

    `prepared` are those that the protocol makes before it asks, by name; one that is not made yet is empty. `facts` are
    what the registry says of models, `versions` name whatever made the tables.
    """

    suite: str
    items: pa.Table
    """What was asked about the suite's pairs: item_id, pair_id, cell, order and repeat of every item."""
    pairs: pa.Table
    responses: pa.Table
    verdicts: pa.Table
    prepared: Mapping[str, pa.Table] = field(default_factory=dict)
    facts: Mapping[str, Facts] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
