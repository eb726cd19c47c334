"""A set of pairs that suites ask about, and what can be set about making it.

Belongs here: what a set of pairs is. Does not belong here: any one (`css/pair_set.py`, `lowlevel.py`), making pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from diffbench_assets.schemas import Table


class PairSettings(BaseModel):
    """What can be set about making a set of pairs."""

    def most_pages(self) -> int:
        """No more pages of a source than this are ever looked at: of a larger one, no others need be read."""
        return 0


@dataclass(frozen=True)
class PairSet:
    """Pairs by cell. `name` is that of the suite that they are made for, and of their folder in the lake.

    `scenes`: whether they are made of scenes, and of whatever pages are in the pool. `drawn_from`: tables beside the
    pairs that tell what else they could have been, where their own rows do not. `demo_s`: seconds that making those of
    `diffbench demo` takes on two cores, about.
    """

    name: str
    cells: tuple[str, ...]
    settings: type[PairSettings]
    scenes: bool = False
    drawn_from: tuple[Table, ...] = ()
    demo_s: int = 0


def setting(default: Any, says: str, *, variable: str = "", demo: Any = None, **rules: Any) -> Any:
    """A field of settings, which is an option of `diffbench build` too.

    `variable` of the environment takes the default's place where it is set; `demo` is the value of `diffbench demo`.
    """
    return Field(default, description=says, json_schema_extra={"variable": variable, "demo": demo}, **rules)
