"""Appearance: a thing is gone, and its place is empty.

Belongs here: hiding. The pair shows the thing first; a question that shows it backward asks for what has been added.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from diffbench_assets.pairs.edits import Edit
from diffbench_assets.pairs.grammar import Claim
from diffbench_assets.pairs.page_edits.loaded import LoadedPage, Thing
from diffbench_assets.pairs.page_edits.offers import Offer


def offers(thing: Thing, page: LoadedPage, dice: np.random.Generator) -> Iterator[Offer]:
    """The thing hidden in place: everything else stays where it is."""
    edit = Edit(thing.selector, "style", "visibility", "hidden")
    yield Offer(thing, Claim(thing.phrase, "disappeared"), (edit,), "visibility", "visible", "hidden", -1)
