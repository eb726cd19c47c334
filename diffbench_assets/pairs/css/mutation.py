"""A mutation: the edits that turn a page's stored HTML into its after page, with their size and meaning.

Belongs here: its shape, which is that of its step in a record. Does not belong here: applying edits (`pairs/edits.py`),
which mutations are worth making (`operators/`) and whether they can be seen (`browser/gate.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from diffbench_assets.pairs.edits import Edit

Mechanism = Literal["class_swap", "inline", "text_node"]


@dataclass(frozen=True)
class Mutation:
    """One change of one property of one element, of known size."""

    operator: str
    tier: str
    selector: str
    mechanism: Mechanism
    edits: tuple[Edit, ...]
    property: str
    before: str
    after: str
    direction: int
    magnitude: float
    magnitude_unit: str
    element: dict[str, str] = field(default_factory=dict)
