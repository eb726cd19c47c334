"""Verification of finished pairs: the page's stored HTML and the record, rendered again, against the stored images.

Belongs here: comparing what a lake holds with what it says it was made from. Does not belong here: making pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from diffbench_assets.browser.gate import decode
from diffbench_assets.browser.render import Renderer
from diffbench_assets.lake import Lake
from diffbench_assets.pairs.replay import Replay, ReplayTask, replay_all

CHUNK_PAIRS = 64
_COLUMNS = ("pair_id", "cell", "page_id", "record", "image_before", "image_after", "before_pixels", "after_pixels")


@dataclass
class Verification:
    """How many pairs were rendered again, and one line for each that differs."""

    checked: int = 0
    differing: list[str] = field(default_factory=list)
    fingerprint: str = ""


async def verify_pairs(
    lake: Lake, prefixes: Sequence[str], progress: Callable[[int], object] = lambda done: None
) -> Verification:
    """Replays the webdiff pairs whose id starts with one of `prefixes` (all of them by default).

    Raises ValueError when no pair has such an id.
    """
    result = Verification()
    ids = lake.read_all("webdiff/pairs", ["pair_id"])
    known = ids["pair_id"].to_pylist() if ids is not None else []
    wanted = {pair for pair in known if not prefixes or pair.startswith(tuple(prefixes))}
    if not wanted:
        raise ValueError(f"{lake.root} has no pair {' or '.join(prefixes) or 'at all'}")
    async with Renderer() as renderer:
        result.fingerprint = renderer.fingerprint
        stored = lake.iter_rows("webdiff/pairs", _COLUMNS, wanted, key="pair_id")
        while chunk := list(islice(stored, CHUNK_PAIRS)):
            needed = {pair["page_id"] for pair in chunk}
            html = {row["page_id"]: row["html"] for row in lake.iter_rows("pages", ("page_id", "html"), needed)}
            present = [pair for pair in chunk if html.get(pair["page_id"])]
            for pair in chunk:
                if pair not in present:
                    result.differing.append(
                        f"{pair['pair_id']} {pair['cell']}: its page {pair['page_id']} is not in the lake"
                    )
            tasks = [
                ReplayTask(html[pair["page_id"]], pair["record"], (pair["before_pixels"], pair["after_pixels"]))
                for pair in present
            ]
            for pair, replay in zip(present, await replay_all(renderer, tasks, progress), strict=True):
                if difference := _difference(pair, replay):
                    result.differing.append(f"{pair['pair_id']} {pair['cell']}: {difference}")
            result.checked += len(chunk)
    return result


def _difference(pair: dict[str, Any], replay: Replay) -> str | None:
    if replay.failure:
        return f"cannot be rendered again ({replay.failure})"
    for side, again in (("before", replay.before), ("after", replay.after)):
        stored = pair[f"image_{side}"]["bytes"]
        if stored != again and (changed := _changed_pixels(stored, again)):
            return f"{changed} in the {side} image"
        if pair[f"{side}_pixels"] != getattr(replay, f"{side}_pixels"):
            return f"the {side} hash does not belong to the stored image"
    return None


def _changed_pixels(stored: bytes, again: bytes) -> str | None:
    first, second = decode(stored), decode(again)
    if first.shape != second.shape:
        return f"{second.shape[1]}x{second.shape[0]} pixels instead of {first.shape[1]}x{first.shape[0]}"
    rows, columns = np.nonzero(first != second)
    if not len(rows):
        return None
    return f"{len(rows)} pixels differ within ({columns.min()}, {rows.min()})–({columns.max()}, {rows.max()})"
