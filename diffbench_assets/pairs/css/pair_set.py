"""The set of CSS-mutated pairs: its cells and settings."""

from __future__ import annotations

from typing import Final, Literal

from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.css.operators import CELLS, OPERATORS
from diffbench_assets.pairs.css.pairs import SUITE
from diffbench_assets.pairs.css.sampling import SEARCH_FACTOR
from diffbench_assets.pairs.pair_set import PairSet, PairSettings, setting
from diffbench_assets.schemas import CANDIDATES


class CssSettings(PairSettings):
    """What CSS-mutated pairs are made with."""

    seed: int = setting(0, "Seed of every random choice.", variable="DIFFBENCH_SEED")
    n: int = setting(100, "Pairs per cell.", variable="DIFFBENCH_N", demo=2, ge=0)
    no_diff: int = setting(500, "Pairs without a difference.", variable="DIFFBENCH_N_NO_DIFF", demo=10, ge=0)
    search_factor: int = setting(SEARCH_FACTOR, "Pages searched for each pair wanted.", ge=1)
    mechanism: Literal["any", "class_swap"] = setting(
        "any", "How operators on a scale act: any way, or by swapping a class alone.", variable="DIFFBENCH_MECHANISM"
    )
    polish_with: str = setting("", "Model that rewords what people read.", variable="DIFFBENCH_POLISH_WITH")

    def most_pages(self) -> int:
        return len(OPERATORS) * self.search_factor * self.n + 2 * self.no_diff

    def pairs_wanted(self, cell: str) -> int:
        return self.no_diff if cell == NO_DIFF else self.n


WEBDIFF: Final = PairSet(SUITE, (*CELLS, NO_DIFF), CssSettings, drawn_from=(CANDIDATES,), demo_s=150)
