"""An offer: one change that can be tried on one thing, and the claim that it would make true.

Belongs here: the shape that all categories share. Does not belong here: any category, or trying.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from diffbench_assets.pairs.edits import Edit
from diffbench_assets.pairs.grammar import Claim
from diffbench_assets.pairs.page_edits.scene import Scene, Thing


@dataclass(frozen=True)
class Offer:
    """A change of `thing`: `property` goes from `before` to `after`.

    `direction` is +1 or -1 where the property has a scale, else 0; `magnitude` is in `unit`. `roams`: the thing takes
    up other room than before, which must be free. `rival`: edits that must look clearly unlike these, since the claim
    says that they were not made.
    """

    thing: Thing
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


Offers: TypeAlias = Callable[[Thing, Scene, np.random.Generator], Iterator[Offer]]
"""What a category is: the offers it makes for one thing of a scene."""
