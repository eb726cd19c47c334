"""An offer: one change that can be tried on one thing, and the claim that it would make true.

Belongs here: the shape that all categories share. Does not belong here: any category, or trying.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from diffbench_assets.browser.gate import Box
from diffbench_assets.pairs.edits import Edit
from diffbench_assets.pairs.grammar import Claim


class Named(Protocol):
    """What is changed: an element of a page or a thing of a scene, which claims have a phrase for."""

    @property
    def selector(self) -> str: ...

    @property
    def phrase(self) -> str:
        """What tells it from all others."""
        ...

    @property
    def target(self) -> dict[str, str]:
        """The `target` of a difference."""
        ...

    @property
    def text_room(self) -> Box:
        """Where its text can be seen."""
        ...

    def found_at(self, box: Box) -> bool:
        """Whether its phrase still fits when it fills this box."""
        ...


@dataclass(frozen=True)
class Offer:
    """A change of `thing`: `property` goes from `before` to `after`.

    `direction` is +1 or -1 where the property has a scale, else 0; `magnitude` is in `unit`. `roams`: the thing takes
    up other room than before, which must be free. `rival`: edits that must look clearly unlike these, since the claim
    says that they were not made.
    """

    thing: Named
    claim: Claim
    edits: tuple[Edit, ...]
    property: str
    before: str
    after: str
    direction: int = 0
    magnitude: float = 1.0
    unit: str = ""
    roams: bool = False
    rival: tuple[Edit, ...] = ()
