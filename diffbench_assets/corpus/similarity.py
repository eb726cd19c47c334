"""How alike a copy of a page and its original are, by pixels and by CLIP.

Belongs here: comparing two screenshots, and the threshold. Does not belong here: rendering, or what becomes of a page
that was not compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, Protocol

from diffbench_assets.browser.gate import pixel_agreement

KEEP: Final = 0.70
"""CLIP image similarity from which a copy is kept (DiffSpot §2.1; in its pilot, layouts drifted below)."""

Decision = Literal["kept", "dissimilar", "unknown"]


class Embedder(Protocol):
    """What `embedding.ClipEmbedder` offers: 1 - cosine similarity of the two PNG images of every pair."""

    def distances(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[float]: ...


def compare(
    originals: Sequence[bytes], copies: Sequence[bytes], embedder: Embedder | None
) -> list[tuple[float | None, float]]:
    """(CLIP similarity, pixel agreement) of each original and its copy, as PNG bytes; all similarities in batches.

    Without an embedder the similarity is None: nothing else stands in for it.
    """
    pairs = list(zip(originals, copies, strict=True))
    similarities: list[float | None] = [None] * len(pairs)
    if embedder is not None:
        similarities = [round(1.0 - distance, 6) for distance in embedder.distances(pairs)]
    return [(similarity, pixel_agreement(*pair)) for similarity, pair in zip(similarities, pairs, strict=True)]


def decide(similarity: float | None) -> Decision:
    """kept or dissimilar by KEEP; unknown without a similarity: the caller then chooses, and records that it did."""
    if similarity is None:
        return "unknown"
    return "kept" if similarity >= KEEP else "dissimilar"
