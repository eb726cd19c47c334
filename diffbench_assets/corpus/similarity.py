"""How alike a copy of a page and its original are, by pixels and by CLIP.

Belongs here: comparing two screenshots, and the threshold. Does not belong here: rendering, or what becomes of a page
that was not compared.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Final, Literal, Protocol

import numpy as np
from PIL import Image

KEEP: Final = 0.70
"""CLIP image similarity from which a copy is kept (DiffSpot §2.1; in its pilot, layouts drifted below)."""

Decision = Literal["kept", "dissimilar", "unknown"]


class Embedder(Protocol):
    """What `embedding.ClipEmbedder` offers: 1 - cosine similarity of the two PNG images of every pair."""

    def distances(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[float]: ...


def pixel_agreement(a: bytes, b: bytes) -> float:
    """Share of pixels of two PNG images that are equal in all of RGBA.

    Images of different sizes are laid on each other at the top left; a pixel that only one of them has is unequal.
    Raises OSError when one is no picture.
    """
    first, second = _pixels(a), _pixels(b)
    height, width = min(first.shape[0], second.shape[0]), min(first.shape[1], second.shape[1])
    equal = int((first[:height, :width] == second[:height, :width]).all(axis=2).sum())
    covered = first.shape[0] * first.shape[1] + second.shape[0] * second.shape[1] - height * width
    return equal / covered


def _pixels(png: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGBA"))


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
