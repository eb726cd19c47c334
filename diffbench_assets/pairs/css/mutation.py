"""A mutation: the edits that turn a page's stored HTML into its after page, their size and meaning, and their record.

Belongs here: the record's shape. Does not belong here: applying edits (`pairs/edits.py`), which mutations are worth
making (`operators/`) and whether they can be seen (`browser/gate.py`).
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

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

    def to_record(self) -> str:
        """The JSON record; keys sorted, so that equal mutations have equal records."""
        return json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)

    @classmethod
    def from_record(cls, record: str) -> Mutation:
        """The mutation of a JSON record.

        Raises ValueError when the record is not one of ours.
        """
        try:
            fields: dict[str, Any] = json.loads(record)
            fields["edits"] = tuple(Edit(**edit) for edit in fields["edits"])
            return cls(**fields)
        except (TypeError, KeyError, json.JSONDecodeError) as error:
            raise ValueError(f"not a mutation record: {record[:80]!r} ({error})") from error
