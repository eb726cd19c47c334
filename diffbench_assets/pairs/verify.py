"""Verification of finished pairs: their records replayed, against the images that are stored.

Belongs here: comparing what a lake holds with what it says it was made from. Does not belong here: replaying
(`replay.py`), making pairs.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from PIL.Image import DecompressionBombError

from diffbench_assets.browser.gate import decode, pixels_hash
from diffbench_assets.browser.render import Renderer
from diffbench_assets.lake import Lake
from diffbench_assets.pairs.pixel_steps import apply_to_pixels
from diffbench_assets.pairs.record import EndpointEdit, Given, Step, Transformation, loads, pixel_steps
from diffbench_assets.pairs.replay import ReplayTask, replay_all
from diffbench_assets.schemas import PAGES, PAIRS

CHUNK_PAIRS = 64
_COLUMNS = (
    "pair_id", "cell", "page_id", "record", "image_before", "image_after", "before_pixels", "after_pixels",
    "differences", "render_fingerprint",
)  # fmt: skip


@dataclass
class Verification:
    """How many pairs were looked at, one line for each that differs, and why how many could not be replayed.

    Of those that could not, only the hashes of the stored pixels were compared.
    """

    checked: int = 0
    differing: list[str] = field(default_factory=list)
    not_replayed: Counter[str] = field(default_factory=Counter)
    fingerprint: str = ""


async def verify_pairs(
    lake: Lake, prefixes: Sequence[str], progress: Callable[[int], object] = lambda done: None
) -> Verification:
    """Replays the pairs of every suite whose id starts with one of `prefixes` (all of them by default).

    Raises ValueError when no pair has such an id.
    """
    result = Verification()
    known = [(table, {row["pair_id"] for row in lake.iter_all(table, ["pair_id"])}) for table in lake.of_suites(PAIRS)]
    begins = tuple(prefixes or [""])
    wanted = [(table, {pair for pair in ids if pair.startswith(begins)}) for table, ids in known]
    if not any(ids for _, ids in wanted):
        raise ValueError(f"{lake.root} has no pair {' or '.join(prefixes) or 'at all'}")
    async with Renderer() as renderer:
        result.fingerprint = renderer.fingerprint
        for table, pair_ids in wanted:
            stored = lake.iter_rows(table, _COLUMNS, pair_ids, key="pair_id")
            while chunk := list(islice(stored, CHUNK_PAIRS)):
                await _verify_chunk(renderer, lake, chunk, result, progress)
    return result


async def _verify_chunk(
    renderer: Renderer,
    lake: Lake,
    chunk: Sequence[dict[str, Any]],
    result: Verification,
    progress: Callable[[int], object],
) -> None:
    of_pages = [pair for pair in chunk if pair["render_fingerprint"].startswith("chromium") and pair["record"]]
    needed = {pair["page_id"] for pair in of_pages}
    html = {row["page_id"]: row["html"] for row in lake.iter_rows(PAGES, ("page_id", "html"), needed)}
    present = [pair for pair in of_pages if html.get(pair["page_id"])]
    tasks = [
        ReplayTask(html[pair["page_id"]], pair["record"], (pair["before_pixels"], pair["after_pixels"]))
        for pair in present
    ]
    found: dict[str, str | None] = {
        pair["pair_id"]: f"its page {pair['page_id']} is not in the lake" for pair in of_pages
    }
    for pair, replay in zip(present, await replay_all(renderer, tasks, progress), strict=True):
        if replay.failure:
            found[pair["pair_id"]] = f"cannot be made again ({replay.failure})"
            continue
        steps = pixel_steps(loads(pair["record"]))
        found[pair["pair_id"]] = await _looked(_difference, pair, steps, replay.before, replay.after)
    for pair in chunk:
        if pair["pair_id"] not in found:
            found[pair["pair_id"]] = await _looked(_without_page, pair, result)
            progress(1)
        if difference := found[pair["pair_id"]] or _foreign_steps(pair):
            result.differing.append(f"{pair['pair_id']} {pair['cell']}: {difference}")
    result.checked += len(chunk)


async def _looked(look: Callable[..., str | None], *arguments: Any) -> str | None:
    """What `look` finds, in a thread; or that an image is none."""
    try:
        return await asyncio.to_thread(look, *arguments)
    except (OSError, SyntaxError, ValueError, zlib.error, DecompressionBombError) as error:
        return f"an image that is stored cannot be read ({error})"


def _without_page(pair: dict[str, Any], result: Verification) -> str | None:
    """What differs in a pair that was made from somebody's image."""
    try:
        steps = loads(pair["record"]) if pair["record"] else None
    except ValueError as error:
        return str(error)
    source, reason = _source(pair, steps) if steps is not None else (None, "without a record")
    if source is None or steps is None:
        result.not_replayed[reason] += 1
        return _stale_hash(pair)
    return _difference(pair, steps, source, source)


def _source(pair: dict[str, Any], steps: Sequence[Step]) -> tuple[bytes | None, str]:
    """The image that the steps were taken on, or the reason why there is none."""
    before, after = pair["image_before"]["bytes"], pair["image_after"]["bytes"]
    first = next(iter(steps), None)
    if isinstance(first, EndpointEdit):
        return None, "edited by an endpoint"
    if isinstance(first, Given):
        return None, "given as they are"
    if isinstance(first, Transformation) and first.applied_to == "neither":
        return None, "both images made from one that is not in the lake"
    return (after if isinstance(first, Transformation) and first.applied_to == "after" else before), ""


def _foreign_steps(pair: dict[str, Any]) -> str | None:
    """Whether a difference claims steps that the pair's record does not have."""
    steps = json.loads(pair["record"] or "[]")
    for difference in pair["differences"] or ():
        if any(step not in steps for step in json.loads(difference["record"])):
            return f"the record of {difference['id']} is no part of the pair's"
    return None


def _difference(pair: dict[str, Any], steps: Sequence[Step], before: bytes, after: bytes) -> str | None:
    """What differs between the pair's images and `before` and `after` with `steps` on their pixels."""
    try:
        made = apply_to_pixels(steps, before, after)
    except ValueError as error:
        return f"cannot be made again ({error})"
    for side, again in zip(("before", "after"), made, strict=True):
        stored = pair[f"image_{side}"]["bytes"]
        if stored != again and (changed := _changed_pixels(stored, again)):
            return f"{changed} in the {side} image"
    return _stale_hash(pair)


def _stale_hash(pair: dict[str, Any]) -> str | None:
    for side in ("before", "after"):
        if pair[f"{side}_pixels"] != pixels_hash(decode(pair[f"image_{side}"]["bytes"])):
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
