"""What one page may cost, and the counts held against it.

Belongs here: the limits, the counting, and the watch on memory. Does not belong here: how a page is loaded
(`tab.py`) or what becomes of one that went too far (`visit.py`).
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import psutil

from diffbench_assets.corpus.crawl.failures import Failed

MB: Final = 1024 * 1024
_POLL_S: Final = 0.2
_NEWS_S: Final = 5.0
"""Within which news of a killed process arrives."""


@dataclass(frozen=True)
class Limits:
    """The most that one page gets. A page that goes over fails, unless the sentence says otherwise."""

    total_s: float = 60.0
    """Seconds from opening the tab to the row."""
    load_s: float = 25.0
    """Seconds until the document is parsed. One whose pictures or scripts are late is taken as it is then."""
    settle_s: float = 10.0
    """Seconds for scrolling through, late pictures, and two equal captures. Then it is taken as it is."""
    answer_s: float = 5.0
    """Seconds that the page's main thread may leave a question unanswered."""
    max_bytes: int = 64 * MB
    """Bytes received, unpacked, over all requests of the page's documents and frames."""
    max_requests: int = 1000
    """Requests; further ones are refused and the page goes on, up to as many refused."""
    max_redirects: int = 10
    """Changes of address: by status, meta refresh and script alike."""
    max_dialogs: int = 10
    max_popups: int = 50
    """Windows the page tried to open; none is."""
    max_elements: int = 100_000
    max_html: int = 16 * MB
    """Characters of the document as rendered."""
    max_scroll_px: int = 20_000
    """How far down to look for late pictures. The rest is left unseen."""
    max_memory: int = 1536 * MB
    """Resident bytes of the page's process."""


class Meter:
    """Counts of one page. `over` fails as soon as a limit is passed, or when the page is known to be lost."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.requests = self.refused = self.bytes = self.dialogs = self.popups = self.redirects = 0

    def fail(self, reason: str) -> None:
        """End the visit; the first reason stands."""
        if not self.over.done():
            self.over.set_exception(Failed(reason))

    def close(self) -> None:
        """Nobody waits any more."""
        if not self.over.cancel():
            self.over.exception()

    def request(self) -> bool:
        """Count a request. True for the first one that is over the limit."""
        self.requests += 1
        if self.requests > 2 * self._limits.max_requests:
            self.fail("too_many_requests")
        return self.requests == self._limits.max_requests + 1

    def refuse(self, count: int = 1) -> None:
        """Count what was kept from the page: requests, downloads, windows, service workers."""
        self.refused += count

    def received(self, count: int) -> None:
        self.bytes += count
        if self.bytes > self._limits.max_bytes:
            self.fail("too_large")

    def dialog(self) -> None:
        self.dialogs += 1
        if self.dialogs > self._limits.max_dialogs:
            self.fail("dialogs")

    def popup(self) -> None:
        self.popups += 1
        self.refuse()
        if self.popups > self._limits.max_popups:
            self.fail("popups")

    def redirect(self) -> bool:
        """Count a change of address. False when it may not be followed."""
        self.redirects += 1
        if self.redirects > self._limits.max_redirects:
            self.fail("redirects")
            return False
        return True


class MemoryWatch:
    """Kills processes of one browser that hold too much memory.

    A renderer belongs to one page, which then gets a crash event. Any other process is shared: with more than twice the
    limit in one, the browser goes.
    """

    def __init__(self, processes: Callable[[], Awaitable[list[dict[str, Any]]]], limit: int) -> None:
        self._processes = processes
        self._limit = limit
        self._killed: set[int] = set()
        self._unexplained: list[float] = []

    def took(self) -> bool:
        """Whether a crash just seen was this watch's doing. Each kill answers for one crash, and not for long."""
        now = time.monotonic()
        self._unexplained = [killed for killed in self._unexplained if now - killed < _NEWS_S]
        return bool(self._unexplained and self._unexplained.pop(0))

    async def run(self) -> None:
        """Until cancelled, or the browser is gone."""
        while True:
            await asyncio.sleep(_POLL_S)
            for process in await self._processes():
                with suppress(psutil.Error, ProcessLookupError):
                    self._look(process["id"], process["type"] == "renderer")

    def _look(self, pid: int, renderer: bool) -> None:
        resident = psutil.Process(pid).memory_info().rss
        # A large process takes a while to die.
        if resident > self._limit * (1 if renderer else 2) and pid not in self._killed:
            os.kill(pid, signal.SIGKILL)
            self._killed.add(pid)
            if renderer:
                self._unexplained.append(time.monotonic())
