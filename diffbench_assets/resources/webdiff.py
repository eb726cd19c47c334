"""Resources of the pair makers: settings of a build, the lake, the browser and the CLIP embedder.

Belongs here: Dagster configuration around plain objects. Does not belong here: what they do.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from dagster import ConfigurableResource

from diffbench_assets.browser.render import Renderer
from diffbench_assets.embedding import ClipEmbedder, NoWeights
from diffbench_assets.lake import Lake
from diffbench_assets.pairs.css.sampling import SEARCH_FACTOR

Result = TypeVar("Result")


class LakeResource(ConfigurableResource):
    """The lake at `root`: a folder or an object-store URL."""

    root: str = os.environ.get("DIFFBENCH_LAKE", "lake")

    def open(self) -> Lake:
        return Lake(self.root)


class BuildSettings(ConfigurableResource):
    """What a benchmark is built from: the seed, pairs a cell, no_diff pairs, and pages searched for each pair wanted.

    `polish_with` names a model of models.yaml that rewords the descriptions people read; empty for none.
    """

    seed: int = int(os.environ.get("DIFFBENCH_SEED", "0"))
    n: int = int(os.environ.get("DIFFBENCH_N", "100"))
    n_no_diff: int = int(os.environ.get("DIFFBENCH_N_NO_DIFF", "500"))
    search_factor: int = SEARCH_FACTOR
    polish_with: str = os.environ.get("DIFFBENCH_POLISH_WITH", "")


class BrowserResource(ConfigurableResource):
    """One Chromium for a whole step."""

    def run(self, work: Callable[[Renderer], Awaitable[Result]]) -> Result:
        """`work` with a browser that is started for it and closed after it."""

        async def session() -> Result:
            async with Renderer() as renderer:
                return await work(renderer)

        return asyncio.run(session())


class EmbedderResource(ConfigurableResource):
    """CLIP weights: a tag of open_clip's hub, the path of a local checkpoint, or `none`."""

    model: str = os.environ.get("DIFFBENCH_CLIP_MODEL", "ViT-B-32")
    weights: str = os.environ.get("DIFFBENCH_CLIP_WEIGHTS", "laion2b_s34b_b79k")
    _embedder: ClipEmbedder | None = None
    _missing: str | None = None

    def distances(self, pairs: Sequence[tuple[bytes, bytes]]) -> tuple[list[float] | None, str]:
        """CLIP distances of (before, after) PNGs, or None and the reason why there are none."""
        if self.weights == "none":
            return None, "switched off (DIFFBENCH_CLIP_WEIGHTS=none)"
        embedder = self.embedder()
        if embedder is None:
            return None, self._missing or ""
        return embedder.distances(pairs), f"{self.model}/{self.weights}"

    def embedder(self) -> ClipEmbedder | None:
        """The embedder, or None when there are no weights to be had."""
        if self._embedder is None and self._missing is None and self.weights != "none":
            try:
                self._embedder = ClipEmbedder(self.model, self.weights)
            except NoWeights as error:
                self._missing = str(error)
        return self._embedder
