"""Many visits: several pages in flight, each stored when it is finished, none lost to a death of the browser.

Belongs here: retries, suspects, and what a resumed crawl leaves out. Does not belong here: a visit (`visit.py`), turns
of hosts (`politeness.py`), files (`spool.py`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from diffbench_assets.corpus.crawl.failures import RETRIED, BrowserLost
from diffbench_assets.corpus.crawl.launch import Browsers
from diffbench_assets.corpus.crawl.limits import Limits
from diffbench_assets.corpus.crawl.politeness import HostQueue
from diffbench_assets.corpus.crawl.spool import Spool
from diffbench_assets.corpus.crawl.tab import Permitted
from diffbench_assets.corpus.crawl.visit import Row, Snapshot, Target, empty_row, everything, visit
from diffbench_assets.durable import check_key

KEPT: Final = "kept"
STORED_BEFORE: Final = "stored_before"


@dataclass(frozen=True)
class Settings:
    """How to crawl."""

    limits: Limits = field(default_factory=Limits)
    pages_in_flight: int = 3
    gap_s: float = 1.0
    """Least seconds between two visits to a host; a host's own crawl delay can lengthen it."""
    max_crawl_delay_s: float = 60.0
    """Pages of hosts that ask for more are not visited."""
    attempts: int = 2
    """Visits to a page whose failure may be of the moment."""
    retry_after_s: float = 10.0
    recycle_after: int = 500
    """Pages of one browser before a new one takes over."""
    contact: str = ""
    """Address or page where the owner of a site finds who is crawling; part of the user agent."""


async def crawl(
    urls: Sequence[Mapping[str, Any]],
    spool: Spool,
    settings: Settings,
    gateway_url: str,
    progress: Callable[[int], object] = lambda pages: None,
    snapshot: Snapshot | None = None,
    permitted: Permitted = everything,
) -> Counter[str]:
    """Visit every URL that `spool` does not hold yet, and store a row of CRAWLED for each.

    `urls` have url_id, url, host and crawl_delay_s (seconds or None). Returns how many pages were kept, failed (by
    reason) or were stored before. When the browser dies, the pages it had open are suspects: each is visited again at
    the end, alone, and one that kills the browser alone too is stored as `crashed`. Raises ValueError for a row that
    cannot be visited, NoBrowser when Chromium does not start, StoreError when another crawl is using `spool`.
    """
    crawler = _Crawler(spool, settings, gateway_url, progress, snapshot, permitted)
    with spool:
        return await crawler.run([_target(row) for row in urls])


class _Crawler:
    def __init__(
        self,
        spool: Spool,
        settings: Settings,
        gateway_url: str,
        progress: Callable[[int], object],
        snapshot: Snapshot | None,
        permitted: Permitted,
    ) -> None:
        self._spool = spool
        self._settings = settings
        self._visit_settings = (settings.limits, gateway_url, snapshot, permitted)
        self._browsers = Browsers(gateway_url, settings.contact, settings.limits.max_memory, settings.recycle_after)
        self._progress = progress
        self._attempts: Counter[str] = Counter()
        self._deaths: Counter[str] = Counter()
        self._suspects: list[Target] = []
        self._outcomes: Counter[str] = Counter()

    async def run(self, targets: Sequence[Target]) -> Counter[str]:
        stored = self._spool.keys()
        left = list({target.url_id: target for target in targets if target.url_id not in stored}.values())
        self._outcomes[STORED_BEFORE] = len({target.url_id for target in targets}) - len(left)
        visited = [target for target in left if target.crawl_delay_s <= self._settings.max_crawl_delay_s]
        for target in left:
            if target.crawl_delay_s > self._settings.max_crawl_delay_s:
                await self._store({**empty_row(target, ""), "failure": "crawl_delay"})
        async with self._browsers:
            await self._visit_all(visited, self._settings.pages_in_flight)
            suspects, self._suspects = self._suspects, []
            await self._visit_all(suspects, 1)
        return +self._outcomes

    async def _visit_all(self, targets: Sequence[Target], at_once: int) -> None:
        queue = HostQueue(targets, self._settings.gap_s, asyncio.get_running_loop().time)
        works = [self._work(queue, alone=at_once == 1) for _ in range(min(at_once, len(targets)))]
        workers = [asyncio.create_task(work) for work in works]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self, queue: HostQueue, alone: bool) -> None:
        while target := await queue.next():
            again_after_s = None
            try:
                async with self._browsers.one() as chromium:
                    row = await visit(chromium, target, *self._visit_settings)
            except BrowserLost:
                self._deaths[target.url_id] += 1
                if alone and self._deaths[target.url_id] > 1:
                    await self._store({**empty_row(target, ""), "failure": "crashed"})
                elif alone:
                    again_after_s = 0.0
                else:
                    self._suspects.append(target)
            else:
                self._attempts[target.url_id] += 1
                if row["failure"] in RETRIED and self._attempts[target.url_id] < self._settings.attempts:
                    again_after_s = self._settings.retry_after_s
                else:
                    await self._store(row)
            queue.done(target, again_after_s)

    async def _store(self, row: Row) -> None:
        await asyncio.to_thread(self._spool.put_row, row)
        self._outcomes[row["failure"] or KEPT] += 1
        self._progress(1)


def _target(row: Mapping[str, Any]) -> Target:
    """Raises ValueError naming the row."""
    address = urlsplit(row["url"])
    if address.scheme not in ("http", "https") or not address.hostname:
        raise ValueError(f"url_id {row['url_id']!r}: {row['url']!r} is no http or https address")
    return Target(check_key(row["url_id"], "url_id"), row["url"], row["host"], row["crawl_delay_s"] or 0.0)
