"""The images of pairs under review, read from the lake as they are looked at."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Final

from diffbench_assets.lake import Lake
from diffbench_assets.schemas import Table

SIDES: Final = ("before", "after")
PAIRS_IN_MEMORY: Final = 24


class PairImages:
    """PNG bytes of pairs; the latest few stay in memory."""

    def __init__(self, lake: Lake, pairs: Table) -> None:
        self._lake = lake
        self._pairs = pairs
        self._pair = lru_cache(PAIRS_IN_MEMORY)(self._read)
        self._reading = threading.Lock()

    def png(self, pair_id: str, side: str) -> bytes | None:
        """The image of `side`, one of SIDES; None when there is no such pair."""
        with self._reading:  # Both sides are asked for at once; the second request finds the pair in memory.
            pair = self._pair(pair_id)
        return pair[side] if pair else None

    def _read(self, pair_id: str) -> dict[str, bytes] | None:
        columns = [f"image_{side}" for side in SIDES]
        for row in self._lake.iter_rows(self._pairs, columns, {pair_id}, key="pair_id"):
            return {side: row[f"image_{side}"]["bytes"] for side in SIDES}
        return None
