"""Which of a site's addresses are kept: a sample that the seed and the addresses decide, not their order.

Belongs here: scope, cap and counts. Does not belong here: where addresses come from.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable

from diffbench_assets.corpus.sitemaps.parse import Entry
from diffbench_assets.corpus.sitemaps.urls import LONGEST_URL, host_of, is_page, normalise, site_of
from diffbench_assets.seeds import digest


class Choice:
    """The `most` addresses of smallest hash, in memory that does not grow with how many are offered.

    An address that is offered again after it had to go counts once more as over the cap.
    """

    def __init__(self, site: str, seed: int, most: int, allows: Callable[[str], bool]) -> None:
        self._site = site
        self._seed = seed
        self._most = most
        self._allows = allows
        self._heap: list[tuple[int, str]] = []
        self._kept: dict[str, tuple[str, str | None]] = {}
        self.seen = 0
        self.left_out: Counter[str] = Counter()

    def offer(self, entry: Entry, sitemap: str) -> None:
        """Counts an entry, and keeps its address if it belongs to the sample so far."""
        self.seen += 1
        reason = self._take(entry, sitemap)
        if reason:
            self.left_out[reason] += 1

    def rows(self) -> list[tuple[str, str, str | None]]:
        """(address, sitemap, last modified), by address."""
        return sorted((url, *where) for url, where in self._kept.items())

    def drop(self, url: str, reason: str) -> None:
        """Leaves out an address after all."""
        del self._kept[url]
        self.left_out[reason] += 1

    def _take(self, entry: Entry, sitemap: str) -> str | None:
        if len(entry.url) > LONGEST_URL:
            return "too_long"
        url = normalise(entry.url, sitemap)
        if url is None:
            return "not_an_address"
        if len(url) > LONGEST_URL:
            return "too_long"
        if site_of(host_of(url)) != self._site:
            return "other_site"
        if not is_page(url):
            return "not_a_page"
        if url in self._kept:
            return "duplicate"
        key = -int(digest(self._seed, url)[:16], 16)
        if len(self._heap) == self._most and key < self._heap[0][0]:
            return "over_cap"
        # Last, because hostile rules make it slow: most addresses of a large site never get here.
        if not self._allows(url):
            return "robots"
        heapq.heappush(self._heap, (key, url))
        self._kept[url] = (sitemap, entry.last_modified)
        if len(self._heap) > self._most:
            _, gone = heapq.heappop(self._heap)
            del self._kept[gone]
            return "over_cap"
        return None
