"""One request at a time for each host, with a gap after it.

Belongs here: turns. Does not belong here: what is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class _Host:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0
    ended: float = float("-inf")


class Politeness:
    """Turns at hosts, whoever asks: sites that share a host share its turns. Seconds; a longer Crawl-delay than
    `longest_delay_s` counts as that."""

    def __init__(self, gap_s: float, longest_delay_s: float) -> None:
        self._gap_s = gap_s
        self._longest_delay_s = longest_delay_s
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def turn(self, host: str, crawl_delay_s: float | None = None) -> AsyncIterator[None]:
        """Waits until `host` may be asked, and holds it until the answer has been read."""
        loop = asyncio.get_running_loop()
        gap = max(self._gap_s, min(crawl_delay_s or 0.0, self._longest_delay_s))
        state = self._hosts.setdefault(host, _Host())
        state.users += 1
        try:
            async with state.lock:
                # What the last one thought of the gap does not matter: it may not have known the Crawl-delay yet.
                await asyncio.sleep(max(0.0, state.ended + gap - loop.time()))
                try:
                    yield
                finally:
                    state.ended = loop.time()
        finally:
            state.users -= 1
            loop.call_later(max(self._gap_s, self._longest_delay_s), self._forget, host)

    def _forget(self, host: str) -> None:
        state = self._hosts.get(host)
        longest = max(self._gap_s, self._longest_delay_s)
        if state and not state.users and state.ended + longest <= asyncio.get_running_loop().time():
            del self._hosts[host]
