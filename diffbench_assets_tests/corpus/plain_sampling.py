"""Lots, shards and capped samples row by row in Python: what the SQL over whole corpora must agree with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from diffbench_assets.corpus.sampling import CAP, effective_cap
from diffbench_assets.seeds import digest


def lot(seed: object, page_id: str) -> str:
    """The lot of a page: 32 hex digits; the smallest win."""
    return digest(seed, page_id)[:32]


def shard_of(registered: str, shards: int) -> int:
    """The shard of a registered domain, 0 … shards - 1: all hosts of one domain are in one shard."""
    return int(digest("shard", registered)[:15], 16) % shards


def capped_sample(
    rows: Iterable[Mapping[str, Any]],
    *,
    seed: object,
    cap: int | None = CAP,
    share: float | None = None,
    by: str = "domain",
    key: str = "page_id",
) -> list[Mapping[str, Any]]:
    """The rows that stay, ordered by id: of each value of column `by` (null is one too) those with the smallest lots.

    `cap` pages at most, and at most `share` (0 … 1) of the rows kept, see `effective_cap`. Ids must be distinct.
    """
    groups: dict[Any, list[tuple[str, str, Mapping[str, Any]]]] = {}
    for row in rows:
        groups.setdefault(row[by], []).append((lot(seed, row[key]), row[key], row))
    most = effective_cap((len(group) for group in groups.values()), cap, share)
    kept = [entry for group in groups.values() for entry in sorted(group, key=lambda entry: entry[:2])[:most]]
    return [row for _, _, row in sorted(kept, key=lambda entry: entry[1])]
