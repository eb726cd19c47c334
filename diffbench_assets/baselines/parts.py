"""What a call shows, taken apart.

Belongs here: the images in the parts of a call, and chance that these alone decide. Does not belong here: answering.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

from diffbench_assets.seeds import rng

Parts = tuple[str | bytes, ...]
"""Prompt texts and PNG bytes in the order in which a model reads them."""

_T = TypeVar("_T")


def images(parts: Parts) -> tuple[bytes, bytes]:
    """The two PNGs of a call. Raises ValueError when there are not two."""
    found = [part for part in parts if isinstance(part, bytes)]
    if len(found) != 2:
        raise ValueError(f"a baseline compares two images; the call has {len(found)}")
    return found[0], found[1]


def draw(choices: Sequence[_T], name: str, parts: Parts) -> _T:
    """One of the choices, each as likely over calls; `name` and the bytes of the parts decide."""
    shown = (hashlib.sha256(part if isinstance(part, bytes) else part.encode()).hexdigest() for part in parts)
    return choices[int(rng(name, *shown).integers(len(choices)))]
