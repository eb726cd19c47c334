"""CLIP distance between the two images of a pair.

Belongs here: loading open_clip weights and embedding in batches. torch is imported on first use only.
"""

from __future__ import annotations

import io
import logging
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


class NoWeights(RuntimeError):
    """The CLIP weights cannot be had; the message says why and what would help."""


def _hub_answers() -> bool:
    """Whether the weights' hub can be reached; with a proxy configured only a request could tell, so it is assumed."""
    if os.environ.get("HTTPS_PROXY") or os.environ.get("https_proxy"):
        return True
    address = urlsplit(os.environ.get("HF_ENDPOINT", "https://huggingface.co"))
    try:
        socket.create_connection((address.hostname or "", address.port or 443), timeout=5).close()
    except OSError:
        return False
    return True


@contextmanager
def _unlogged() -> Iterator[None]:
    """Nothing that open_clip says to the root logger is printed: what is wrong, NoWeights tells in one line."""
    root, silent = logging.getLogger(), logging.NullHandler()

    def refuse(record: logging.LogRecord) -> bool:
        return False

    # With no handler at all, a word to the root logger would give it one that prints, for good.
    root.addHandler(silent)
    root.addFilter(refuse)
    try:
        yield
    finally:
        root.removeFilter(refuse)
        root.removeHandler(silent)


class ClipEmbedder:
    """open_clip image embeddings on the GPU where there is one.

    `weights` is a tag of open_clip's hub (`laion2b_s34b_b79k`) or the path of a local checkpoint.
    Raises NoWeights when neither can be loaded.
    """

    def __init__(self, model: str, weights: str, batch_size: int = 32) -> None:
        if "/" in weights and not Path(weights).exists():
            raise NoWeights(f"the CLIP checkpoint {weights!r} does not exist; correct DIFFBENCH_CLIP_WEIGHTS")
        if not Path(weights).exists() and not _hub_answers():
            # Cached weights still load; without this the hub client would retry for half a minute.
            os.environ["HF_HUB_OFFLINE"] = "1"
        import open_clip
        import torch

        self._torch = torch
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._batch_size = batch_size
        try:
            with _unlogged():
                network, _, preprocess = open_clip.create_model_and_transforms(
                    model, pretrained=weights, device=self._device
                )
        except Exception as error:
            # Whatever the hub, the network or the checkpoint raises means the same here: no distances, and why.
            raise NoWeights(
                f"CLIP weights {model}/{weights} could not be loaded ({type(error).__name__}: "
                f"{str(error).splitlines()[0][:160]}); set DIFFBENCH_CLIP_WEIGHTS to a local checkpoint"
            ) from error
        self._network = network.eval()
        self._preprocess = preprocess

    def distances(
        self, pairs: Sequence[tuple[bytes, bytes]], progress: Callable[[int], object] = lambda done: None
    ) -> list[float]:
        """1 - cosine similarity of the two PNG images of every pair, rounded to 6 places."""
        return [
            distance
            for start in range(0, len(pairs), self._batch_size)
            for distance in self._batch(pairs[start : start + self._batch_size], progress)
        ]

    def _batch(self, pairs: Sequence[tuple[bytes, bytes]], progress: Callable[[int], object]) -> list[float]:
        before, after = (self._embed([pair[side] for pair in pairs]) for side in (0, 1))
        progress(len(pairs))
        return [round(max(0.0, 1.0 - float(cosine)), 6) for cosine in (before * after).sum(dim=1)]

    def _embed(self, images: Sequence[bytes]) -> Any:
        from PIL import Image

        batch = self._torch.stack([self._preprocess(Image.open(io.BytesIO(png)).convert("RGB")) for png in images])
        with self._torch.inference_mode():
            features = self._network.encode_image(batch.to(self._device)).float()
        return features / features.norm(dim=1, keepdim=True)
