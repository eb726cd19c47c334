"""Whose turn it is: one page of a host at a time, with a gap between two.

Belongs here: the order of visits and the waiting that a host may ask for. Does not belong here: visiting.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from itertools import count

from diffbench_assets.corpus.crawl.visit import Target


class HostQueue:
    """Targets by host, handed out in the order in which their hosts are ready.

    `gap_s` is the least time between the end of one visit and the start of the next on a host; a target's own
    `crawl_delay_s` can lengthen it.
    """

    def __init__(self, targets: Iterable[Target], gap_s: float, clock: Callable[[], float]) -> None:
        self._gap_s = gap_s
        self._clock = clock
        self._waiting: dict[str, deque[tuple[Target, float]]] = defaultdict(deque)
        """Targets of each host in their order, with the time before which each must not be visited."""
        self._ready: list[tuple[float, int, str]] = []
        self._order = count()
        self._out = 0
        self._changed = asyncio.Event()
        for target in targets:
            self._waiting[target.host].append((target, 0.0))
        for host in self._waiting:
            heapq.heappush(self._ready, (0.0, next(self._order), host))

    async def next(self) -> Target | None:
        """A target whose host is ready, waiting for one if need be; None when all are done. `done` must follow."""
        while True:
            self._changed.clear()
            wait_s = self._ready[0][0] - self._clock() if self._ready else None
            if wait_s is not None and wait_s <= 0:
                host = heapq.heappop(self._ready)[2]
                self._out += 1
                return self._waiting[host].popleft()[0]
            if wait_s is None and not self._out:
                return None
            try:
                async with asyncio.timeout(wait_s):
                    await self._changed.wait()
            except TimeoutError:
                pass  # Its time has come.

    def done(self, target: Target, again_after_s: float | None = None) -> None:
        """`target` has been visited; with `again_after_s` it goes back, behind the others of its host."""
        self._out -= 1
        waiting = self._waiting[target.host]
        now = self._clock()
        if again_after_s is not None:
            waiting.append((target, now + again_after_s))
        if waiting:
            ready = max(now + max(self._gap_s, target.crawl_delay_s), waiting[0][1])
            heapq.heappush(self._ready, (ready, next(self._order), target.host))
        else:
            del self._waiting[target.host]
        self._changed.set()
