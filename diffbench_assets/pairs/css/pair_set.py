"""The set of CSS-mutated pairs: its cells and settings."""

from __future__ import annotations

from typing import Final, Literal

from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.css.operators import CELLS, OPERATORS
from diffbench_assets.pairs.css.pairs import SUITE
from diffbench_assets.pairs.css.sampling import PAGES_A_ROUND
from diffbench_assets.pairs.pair_set import PairSet, PairSettings, setting
from diffbench_assets.schemas import CANDIDATES


class CssSettings(PairSettings):
    """What CSS-mutated pairs are made with."""

    seed: int = setting(0, "Seed of every random choice.", variable="DIFFBENCH_SEED")
    n: int = setting(100, "Pairs per cell.", variable="DIFFBENCH_N", demo=2, ge=0)
    no_diff: int = setting(500, "Pairs without a difference.", variable="DIFFBENCH_N_NO_DIFF", demo=10, ge=0)
    pairs_a_page: int = setting(
        1, "Pairs that a page gives before other pages run out.", variable="DIFFBENCH_PAIRS_A_PAGE", ge=1
    )
    mechanism: Literal["any", "class_swap"] = setting(
        "any", "How operators on a scale act: any way, or by swapping a class alone.", variable="DIFFBENCH_MECHANISM"
    )
    gate: Literal["visible", "exact"] = setting(
        "visible", "Least that a change has to show: the floor, or one pixel as in DiffSpot.", variable="DIFFBENCH_GATE"
    )
    polish_with: str = setting("", "Model that rewords what people read.", variable="DIFFBENCH_POLISH_WITH")

    def most_pages(self) -> int:
        return len(OPERATORS) * PAGES_A_ROUND * self.n + 2 * self.no_diff

    def pairs_wanted(self, cell: str) -> int:
        return self.no_diff if cell == NO_DIFF else self.n


WEBDIFF: Final = PairSet(SUITE, (*CELLS, NO_DIFF), CssSettings, drawn_from=(CANDIDATES,), demo_s=120)
