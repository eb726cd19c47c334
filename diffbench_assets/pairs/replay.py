"""Pairs from records: the stored HTML and the record alone, rendered again on fresh pages.

Belongs here: the independent replay that every pair goes through, when it is made and whenever it is verified. The
images of a pair are those of the replay. Does not belong here: the live search (`candidates.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from diffbench_assets.browser.flight import in_flight
from diffbench_assets.browser.gate import decode, is_blank, pixels_hash
from diffbench_assets.browser.render import PageFailed, Renderer, Tab
from diffbench_assets.pairs.css.mutation import Mutation
from diffbench_assets.pairs.edits import apply_to_html


@dataclass(frozen=True)
class Replay:
    """Both captures of a pair and the hashes of their pixels, or the reason why there are none."""

    before: bytes = b""
    after: bytes = b""
    before_pixels: str = ""
    after_pixels: str = ""
    failure: str | None = None


@dataclass(frozen=True)
class ReplayTask:
    """A page's stored HTML and a mutation's JSON record; no record means the same page twice.

    `expected` are the hashes of the pixels that both sides should have, where they are known.
    """

    html: str
    record: str | None
    expected: tuple[str | None, str | None] = (None, None)


async def replay_all(
    renderer: Renderer, tasks: Sequence[ReplayTask], progress: Callable[[int], object] = lambda done: None
) -> list[Replay]:
    """Replays in the order of `tasks`. One that cannot be rendered has its `failure` set; none is left out."""

    async def work(tab: Tab, task: ReplayTask) -> Replay:
        try:
            return await _replay(renderer, tab, task)
        except PageFailed as failure:
            if failure.tab_lost:
                raise
            return Replay(failure=failure.reason)

    return await in_flight(renderer, tasks, work, lambda task, failure: Replay(failure=failure.reason), progress)


async def _replay(renderer: Renderer, tab: Tab, task: ReplayTask) -> Replay:
    before = await _rendered(tab, task.html, task.expected[0])
    if task.record is None:
        # The two renders of a no_diff pair share nothing but the browser.
        async with renderer.tab() as other:
            after = await _rendered(other, task.html, task.expected[1])
    else:
        try:
            html = apply_to_html(task.html, Mutation.from_record(task.record).edits)
        except ValueError:
            return Replay(failure="unresolved")
        after = await _rendered(tab, html, task.expected[1])
    if before.blank:
        return Replay(failure="page_blank")
    return Replay(before.png, after.png, before.hash, after.hash)


@dataclass(frozen=True)
class _Render:
    png: bytes
    hash: str
    blank: bool


async def _rendered(tab: Tab, html: str, expected: str | None) -> _Render:
    """A settled capture: one that agrees with the expected pixels, or else two in a row that agree."""
    await tab.load(html)
    render = await asyncio.to_thread(_read, await tab.capture())
    return render if render.hash == expected else await asyncio.to_thread(_read, await tab.settled())


def _read(png: bytes) -> _Render:
    pixels = decode(png)
    return _Render(png, pixels_hash(pixels), is_blank(pixels))


def confirm(candidate: Mapping[str, Any], replay: Replay) -> str | None:
    """Why the replay does not confirm the candidate, or None.

    The gate decided on the pixels of the live captures: when the replay has the same pixels, its decision is the same.
    """
    if replay.failure:
        return replay.failure
    same = (replay.before_pixels, replay.after_pixels) == (candidate["before_pixels"], candidate["after_pixels"])
    return None if same else "replay_differs"
