"""The set of pixel-level and semantic pairs: its cells and settings."""

from __future__ import annotations

from typing import Final

from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.categories import CATEGORIES
from diffbench_assets.pairs.counts import PAPER_PAIRS, PAPER_QUESTIONS, no_difference_count
from diffbench_assets.pairs.pair_set import PairSet, PairSettings, setting
from diffbench_assets.pairs.shares import PAGES_FOR_ONE, SUITE
from diffbench_assets.pairs.transforms.profiles import PROFILES


class LowLevelSettings(PairSettings):
    """What pairs of the ten categories are made with."""

    seed: int = setting(0, "Seed of every random choice.", variable="DIFFBENCH_SEED")
    n: int = setting(20, "Pairs per cell.", variable="DIFFBENCH_CHOICE_N", demo=4, ge=0)
    paper_counts: bool = setting(False, "As many as VDiff-Bench has: 1,756 questions over 1,543 pairs.")
    no_difference_share: float = setting(0.0, "Share of questions where nothing differs.", ge=0, le=0.9)
    seeds_from: list[str] = setting(
        [], "scenes (drawn here), pages (of the pool) or images; all three, images where any are named."
    )
    images: list[str] = setting([], "Image file, folder, glob or Parquet file to take seed images from.")
    profile: str = setting(
        "",
        f"Low-level changes: {' or '.join(PROFILES)}; paper with --paper-counts, else extended.",
        pattern=f"^({'|'.join(PROFILES)})?$",
    )
    strength: float = setting(1.0, "Scales the pixel transforms.", ge=0.1)
    image_pairs: list[str] = setting([], "Folder of pairs NAME-before.png, NAME-after.png to have described by models.")
    describe_with: str = setting("", "Vision model that writes how image pairs differ.")
    check_with: str = setting("", "Another vision model, which checks what was written.")
    edit_with: str = setting("", "Model with an images/edits endpoint that edits photographs.")
    propose_with: str = setting("", "Vision model that proposes moves in photographs.")

    @property
    def sources(self) -> list[str]:
        """Where seed images come from."""
        return self.seeds_from or ["scenes", "pages", *(["images"] if self.images else [])]

    @property
    def changes(self) -> str:
        """The name of the profile that is chosen, or of the one that goes with the counts."""
        return self.profile or ("paper" if self.paper_counts else "extended")

    def most_pages(self) -> int:
        wanted = sum(self.pairs_wanted(cell) for cell in (*CATEGORIES, NO_DIFF))
        return PAGES_FOR_ONE * wanted if "pages" in self.sources else 0

    def pairs_wanted(self, cell: str) -> int:
        if cell != NO_DIFF:
            return PAPER_PAIRS[cell] if self.paper_counts else self.n
        questions = sum(PAPER_QUESTIONS.values()) if self.paper_counts else self.n * len(CATEGORIES)
        return no_difference_count(questions, self.no_difference_share)


LOWLEVEL: Final = PairSet(SUITE, (*CATEGORIES, NO_DIFF), LowLevelSettings, scenes=True, demo_s=85)
