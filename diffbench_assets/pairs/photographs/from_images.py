"""Pairs from photographs through an image-edit endpoint: which endpoint edits and which model proposes moves.

Belongs here: opening endpoints and journals for photographs. Does not belong here: the edits and their checks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from diffbench_assets.errors import UserError
from diffbench_assets.models.journal import ImageJournal, Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.registry import EndpointModel
from diffbench_assets.pairs.made import MadePair
from diffbench_assets.pairs.photographs.crops import encode
from diffbench_assets.pairs.photographs.editor import ImageEditor
from diffbench_assets.pairs.photographs.ocr import RapidReader
from diffbench_assets.pairs.photographs.pairs import (
    Seed,
    ask_proposals,
    position_edit_pairs,
    text_edit_pairs,
)
from diffbench_assets.pairs.photographs.seed_images import SeedImage

EDITED: Final = ("ocr", "position")
"""Categories that the paper fills by image editing (VDiff-Bench appendix A.3)."""


def edited_photographs(
    category: str,
    images: Callable[[], Iterable[SeedImage]],
    editor: EndpointModel,
    proposer: EndpointModel | None,
    journals: Path,
    seed: int,
    counts: Counter[str],
    budget_calls: int | None = None,
) -> Iterator[MadePair]:
    """Verified pairs of `category` (one of EDITED), in the order of `images`; `counts` gains what was dropped and why.

    Finished edits and proposals are in `journals` and not asked for again. Raises UserError when the packages that
    read text are missing, or when moves are wanted and no model proposes them.
    """

    def photographs() -> Iterator[Seed]:
        for image in images():
            yield image.seed_id, encode(image.pixels)

    budget = Budget(calls=budget_calls)
    with ImageJournal(journals / f"edits-{editor.id}") as journal:
        edit = ImageEditor(editor, journal, budget=budget)
        if category == "ocr":
            yield from text_edit_pairs(photographs(), edit, RapidReader(), seed=seed, counts=counts)
            return
        if proposer is None:
            raise UserError("position edits need a vision model that proposes moves: set propose_with")
        with Journal(journals / f"moves-{proposer.id}.jsonl") as asked:
            proposals = ask_proposals(photographs(), proposer, asked, budget=budget)
        yield from position_edit_pairs(photographs(), proposals, edit, counts=counts)
