"""Pages from records: the stored HTML and the record's steps on it, rendered again on fresh pages.

Belongs here: the independent replay that a page's pairs go through, when they are made and whenever they are verified.
The images of a CSS pair are those of the replay. Does not belong here: what a step does (`record.py`), steps on pixels
(`pixel_steps.py`), the live search (`css/candidates.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from diffbench_assets.browser.flight import in_flight
from diffbench_assets.browser.gate import decode, is_blank, pixels_hash
from diffbench_assets.browser.render import PageFailed, Renderer, Tab
from diffbench_assets.pairs.record import edited, html_edits, loads


@dataclass(frozen=True)
class Replay:
    """Both renders and the hashes of their pixels, or the reason why there are none."""

    before: bytes = b""
    after: bytes = b""
    before_pixels: str = ""
    after_pixels: str = ""
    failure: str | None = None


@dataclass(frozen=True)
class ReplayTask:
    """A page's stored HTML and a pair's record, of which steps on pixels are left out; an empty one: the page twice.

    `expected` are the hashes of the pixels that both sides should have, where they are known.
    """

    html: str
    record: str
    expected: tuple[str | None, str | None] = (None, None)


@dataclass(frozen=True)
class Render:
    """A page's capture, the hash of its pixels, and whether they are all of one colour."""

    png: bytes
    hash: str
    blank: bool


async def replay_all(
    renderer: Renderer,
    tasks: Sequence[ReplayTask],
    progress: Callable[[int], object] = lambda done: None,
    befores: dict[str, Render] | None = None,
) -> list[Replay]:
    """Replays in the order of `tasks`. One that cannot be rendered has its `failure` set; none is left out.

    A stored page is rendered once for all its pairs; `befores` keeps these renders, by HTML, for another call.
    """
    kept = {} if befores is None else befores

    async def work(tab: Tab, task: ReplayTask) -> Replay:
        try:
            return await _replay(renderer, tab, task, kept)
        except PageFailed as failure:
            if failure.tab_lost:
                raise
            return Replay(failure=failure.reason)

    return await in_flight(renderer, tasks, work, lambda task, failure: Replay(failure=failure.reason), progress)


async def _replay(renderer: Renderer, tab: Tab, task: ReplayTask, befores: dict[str, Render]) -> Replay:
    try:
        steps = loads(task.record)
        html = edited(steps, task.html)
    except ValueError:
        return Replay(failure="unresolved")
    before = befores.get(task.html)
    if before is None:
        before = befores[task.html] = await _rendered(tab, task.html, task.expected[0])
    after = before
    if html_edits(steps):
        after = await _rendered(tab, html, task.expected[1])
    elif not steps:
        # The two renders of a no_diff pair share nothing but the browser.
        async with renderer.tab() as other:
            after = await _rendered(other, task.html, task.expected[1])
    if before.blank:
        return Replay(failure="page_blank")
    return Replay(before.png, after.png, before.hash, after.hash)


async def _rendered(tab: Tab, html: str, expected: str | None) -> Render:
    """A settled capture: one that agrees with the expected pixels, or else two in a row that agree."""
    await tab.load(html)
    render = await asyncio.to_thread(_read, await tab.capture())
    return render if render.hash == expected else await asyncio.to_thread(_read, await tab.settled())


def _read(png: bytes) -> Render:
    pixels = decode(png)
    return Render(png, pixels_hash(pixels), is_blank(pixels))


def confirm(candidate: Mapping[str, Any], replay: Replay) -> str | None:
    """Why the replay does not confirm the candidate, or None.

    The gate decided on the pixels of the live captures: when the replay has the same pixels, its decision is the same.
    """
    if replay.failure:
        return replay.failure
    same = (replay.before_pixels, replay.after_pixels) == (candidate["before_pixels"], candidate["after_pixels"])
    return None if same else "replay_differs"
