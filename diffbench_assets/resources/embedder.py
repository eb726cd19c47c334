"""The CLIP embedder as a resource: loaded on first use, once a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dagster import ConfigurableResource

from diffbench_assets.embedding import ClipEmbedder, NoWeights
from diffbench_assets.resources.settings import setting


class EmbedderResource(ConfigurableResource):
    """CLIP weights: a tag of open_clip's hub, the path of a local checkpoint, or `none`."""

    model: str = setting("DIFFBENCH_CLIP_MODEL", "ViT-B-32")
    weights: str = setting("DIFFBENCH_CLIP_WEIGHTS", "laion2b_s34b_b79k")
    _embedder: ClipEmbedder | None = None
    _missing: str | None = None

    def measure(self, pairs: Sequence[dict[str, Any]]) -> str:
        """Gives rows of pairs their CLIP distance. Returns what measured it, or why nothing did."""
        embedder = self.embedder()
        if embedder is None:
            return self._missing or "switched off (DIFFBENCH_CLIP_WEIGHTS=none)"
        images = [(row["image_before"]["bytes"], row["image_after"]["bytes"]) for row in pairs]
        for row, distance in zip(pairs, embedder.distances(images), strict=True):
            row["clip_distance"] = distance
        return f"{self.model}/{self.weights}"

    def embedder(self) -> ClipEmbedder | None:
        """The embedder, or None when there are no weights to be had."""
        if self._embedder is None and self._missing is None and self.weights != "none":
            try:
                self._embedder = ClipEmbedder(self.model, self.weights)
            except NoWeights as error:
                self._missing = str(error)
        return self._embedder
