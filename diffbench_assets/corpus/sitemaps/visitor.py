"""Asking on behalf of one site: robots.txt of every origin on the way, turns, redirects.

Belongs here: what may be asked next. Does not belong here: what an answer says.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import httpx

from diffbench_assets.corpus.net.bodies import BodyLimit, unpacked
from diffbench_assets.corpus.net.client import Client, Unanswered
from diffbench_assets.corpus.sitemaps.politeness import Politeness
from diffbench_assets.corpus.sitemaps.robots import ALLOWS_ALL, MOST_BYTES, Robots, read_rules, unreachable
from diffbench_assets.corpus.sitemaps.urls import host_of, normalise, origin_of

T = TypeVar("T")

_REDIRECTS = 5
_REDIRECT_CODES = {301, 302, 303, 307, 308}
_NOBODY = {"unresolved", "unreachable", "timeout", "tls"}
_UNPACKED_ROBOTS = 4 * 1024 * 1024


class Visitor:
    """The requests of one site. Remembers the rules of every origin it met."""

    def __init__(self, client: Client, politeness: Politeness) -> None:
        self._client = client
        self._politeness = politeness
        self._robots: dict[str, Robots] = {}

    def known(self, url: str) -> Robots | None:
        """The rules for `url` if they were read already."""
        return self._robots.get(origin_of(url))

    async def robots(self, url: str) -> Robots:
        """The rules that govern `url`; its robots.txt is read once.

        RFC 9309, 2.3: 4xx and more than five redirects allow all, 5xx and silence forbid all.
        """
        origin = origin_of(url)
        if origin not in self._robots:
            final, rules = await self._read_robots(f"{origin}/robots.txt")
            self._robots[origin] = rules
            if final.endswith("/robots.txt") and final.count("/") == 3:
                self._robots.setdefault(origin_of(final), rules)
        return self._robots[origin]

    async def read(self, url: str, read: Callable[[str, httpx.Response], Awaitable[T]]) -> T:
        """What `read` makes of (final address, response) of `url`, which is normalised; status 200 only.

        Raises Unanswered, also with reasons `robots`, `redirects` and `http_<status>`.
        """

        async def step(response: httpx.Response) -> T:
            if response.status_code != 200:
                raise Unanswered(f"http_{response.status_code}")
            return await read(url, response)

        for _ in range(_REDIRECTS + 1):
            rules = await self.robots(url)
            if not rules.allows(url):
                raise Unanswered("robots")
            onwards = await self._hop(url, step, rules)
            if not isinstance(onwards, _Onwards):
                return onwards
            url = onwards.url
        raise Unanswered("redirects")

    async def _read_robots(self, url: str) -> tuple[str, Robots]:
        async def step(response: httpx.Response) -> Robots:
            status = response.status_code
            if status >= 500 or status == 429:
                return unreachable(f"{url}: http_{status}", answered=True)
            if status >= 300:
                return ALLOWS_ALL
            body = b""
            try:
                async for piece in unpacked(response, _UNPACKED_ROBOTS):
                    body += piece
                    if len(body) > MOST_BYTES:
                        break
            except BodyLimit:
                pass  # What came before the limit holds.
            return read_rules(body)

        met = False
        try:
            for _ in range(_REDIRECTS + 1):
                found = await self._hop(url, step, None)
                if not isinstance(found, _Onwards):
                    return url, found
                url, met = found.url, True
        except Unanswered as failure:
            nobody = failure.reason in _NOBODY or failure.reason.startswith("refused_")
            return url, unreachable(f"{url}: {failure.reason}", answered=met or not nobody)
        return url, ALLOWS_ALL

    async def _hop(
        self, url: str, read: Callable[[httpx.Response], Awaitable[T]], rules: Robots | None
    ) -> T | _Onwards:
        async def step(response: httpx.Response) -> T | _Onwards:
            if response.status_code in _REDIRECT_CODES:
                target = normalise(response.headers.get("Location", ""), url)
                if target is None:
                    raise Unanswered("bad_redirect")
                return _Onwards(target)
            return await read(response)

        async with self._politeness.turn(host_of(url), rules.crawl_delay_s if rules else None):
            return await self._client.ask(url, step)


class _Onwards:
    """A redirect to follow."""

    def __init__(self, url: str) -> None:
        self.url = url
