"""Settings of a build of CSS pairs."""

from __future__ import annotations

from dagster import ConfigurableResource

from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.css.sampling import SEARCH_FACTOR, most_pages
from diffbench_assets.resources.settings import setting


class BuildSettings(ConfigurableResource):
    """What a benchmark is built from: the seed, pairs a cell, no_diff pairs, and pages searched for each pair wanted.

    `polish_with` names a model of models.yaml that rewords the descriptions people read; empty for none.
    """

    seed: int = setting("DIFFBENCH_SEED", 0)
    n: int = setting("DIFFBENCH_N", 100)
    n_no_diff: int = setting("DIFFBENCH_N_NO_DIFF", 500)
    search_factor: int = SEARCH_FACTOR
    polish_with: str = setting("DIFFBENCH_POLISH_WITH", "")

    def most_pages(self) -> int:
        """How many pages of a source are read at most."""
        return most_pages(self.n, self.n_no_diff, self.search_factor)

    def pairs_wanted(self, cell: str) -> int:
        return self.n_no_diff if cell == NO_DIFF else self.n
