"""One host's page addresses: robots.txt, then its sitemaps, breadth first.

Belongs here: the walk over one site. Does not belong here: many sites, and keeping what was found (`spool.py`).
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import httpx

from diffbench_assets.corpus.net.bodies import unpacked
from diffbench_assets.corpus.net.client import Client, Unanswered
from diffbench_assets.corpus.sitemaps.choice import Choice
from diffbench_assets.corpus.sitemaps.parse import Entry, NotASitemap, SitemapParser
from diffbench_assets.corpus.sitemaps.politeness import Politeness
from diffbench_assets.corpus.sitemaps.robots import Robots
from diffbench_assets.corpus.sitemaps.settings import DiscoverySettings
from diffbench_assets.corpus.sitemaps.urls import host_of, normalise, origin_of, site_of, url_id
from diffbench_assets.corpus.sitemaps.visitor import Visitor
from diffbench_assets.seeds import digest

HOME = "home"
"""Stands for the sitemap of a site's own address."""

_LIMITS = {"too_large", "gzip_bomb", "timeout"}


@dataclass(frozen=True)
class Site:
    """A finished host: its row of `sites` and its rows of `site_urls`."""

    row: dict[str, object]
    urls: list[dict[str, object]]


async def discover_site(host: str, client: Client, politeness: Politeness, settings: DiscoverySettings) -> Site:
    """What the robots.txt and sitemaps of `host` say. Never raises for anything that the host does."""
    walk = _Walk(host, Visitor(client, politeness), settings)
    try:
        async with asyncio.timeout(settings.host_s):
            await walk.run()
    except TimeoutError:
        walk.stopped_by("timeout")
    return walk.site()


@dataclass
class _Walk:
    host: str
    visitor: Visitor
    settings: DiscoverySettings
    outcome: str | None = None
    error: str | None = None
    robots: Robots | None = None
    home: str | None = None
    read: int = 0
    asked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        settings = self.settings
        self.choice = Choice(site_of(self.host), settings.seed, settings.urls_per_host, self.allows)

    def allows(self, url: str) -> bool:
        """As far as is known while sitemaps are read; `ask_other_hosts` asks the rest."""
        rules = self.visitor.known(url)
        return rules is None or rules.allows(url)

    def stopped_by(self, limit: str) -> None:
        """The first limit is the one that is told."""
        self.outcome = self.outcome or limit

    async def run(self) -> None:
        home = self.home = await self.find_home()
        if home is None:
            return
        assert self.robots is not None
        named = [url for url in (normalise(named, home) for named in self.robots.sitemaps) if url]
        if named:
            await self.read_all(self.smallest(named))
        else:
            for probe in self.settings.probes:
                if await self.read_all([home + probe.lstrip("/")]):
                    break
        await self.ask_other_hosts()

    async def find_home(self) -> str | None:
        """The site's own address: the first spelling at which a server answers."""
        for home in (f"{scheme}://{www}{self.host}/" for scheme in ("https", "http") for www in ("", "www.")):
            self.robots = await self.visitor.robots(home)
            if self.robots.state != "unreachable":
                self.error = None
                return home
            self.error = self.error if self.error and not self.robots.answered else self.robots.error
            if self.robots.answered:
                break
        self.outcome = "refused_address" if (self.error or "").endswith(": refused_address") else "unreachable"
        return None

    async def read_all(self, level: list[str]) -> bool:
        """Reads sitemaps level by level; whether any was one."""
        before = self.read
        for depth in range(self.settings.depth + 1):
            below: list[str] = []
            for url in level:
                if len(self.asked) >= self.settings.sitemaps_per_host:
                    self.stopped_by("too_many_sitemaps")
                    return self.read > before
                self.asked.add(url)
                below += await self.read_one(url)
            level = self.smallest(below)
            if not level:
                break
            if depth == self.settings.depth:
                self.stopped_by("too_deep")
        return self.read > before

    async def read_one(self, url: str) -> list[str]:
        """Offers the addresses in one file, and returns the files it names."""
        children: list[str] = []

        async def take(final: str, response: httpx.Response) -> None:
            parser = SitemapParser()
            async for piece in unpacked(response, self.settings.sitemap_bytes):
                self.sort_out(parser, parser.feed(piece), url, final, children)
            self.sort_out(parser, parser.close(), url, final, children)

        try:
            await self.visitor.read(url, take)
            self.read += 1
        except _Enough:
            self.read += 1
            self.stopped_by("too_many_urls")
        except (Unanswered, NotASitemap) as failure:
            if failure.reason in _LIMITS:
                self.stopped_by(failure.reason)
            if not failure.reason.startswith("http_4"):
                self.error = self.error or f"{url}: {failure.reason}"
        return children

    def sort_out(self, parser: SitemapParser, entries: list[Entry], url: str, final: str, children: list[str]) -> None:
        """Files to read next go to `children`, addresses of pages to the choice."""
        for entry in entries:
            if parser.kind == "index":
                child = normalise(entry.url, final)
                # An index may name files of its own site only; robots.txt alone may point elsewhere (sitemaps.org).
                if child and site_of(host_of(child)) in (site_of(self.host), site_of(host_of(final))):
                    children.append(child)
            elif self.choice.seen >= self.settings.urls_read_per_host:
                raise _Enough
            else:
                self.choice.offer(entry, url)

    def smallest(self, urls: list[str]) -> list[str]:
        """The sitemaps to read, chosen like pages: by hash, not by place."""
        ordered = sorted(set(urls) - self.asked, key=lambda url: digest(self.settings.seed, url))
        if len(ordered) > self.settings.sitemaps_per_host:
            self.stopped_by("too_many_sitemaps")
        return ordered[: self.settings.sitemaps_per_host]

    async def ask_other_hosts(self) -> None:
        """Kept addresses whose origin was not met yet: their robots.txt is asked for as well."""
        unknown = {origin_of(url) for url, _, _ in self.choice.rows() if self.visitor.known(url) is None}
        for origin in self.smallest(list(unknown))[: self.settings.robots_per_host]:
            await self.visitor.robots(origin + "/")

    def site(self) -> Site:
        """What was found, however the walk ended."""
        for url, _, _ in self.choice.rows():
            rules = self.visitor.known(url)
            if rules is None:
                self.choice.drop(url, "robots_unread")
            elif not rules.allows(url):
                self.choice.drop(url, "robots")
        found = self.choice.rows()
        if not found and self.home:
            if self.allows(self.home):
                found = [(self.home, HOME, None)]
            elif not self.read:
                self.outcome = "forbidden"
        row: dict[str, object] = {
            "host": self.host,
            "outcome": self.outcome or ("read" if self.read else "no_sitemap"),
            "robots": self.robots.state if self.robots else "unreachable",
            "crawl_delay_s": self.robots.crawl_delay_s if self.robots else None,
            "sitemaps": self.read,
            "urls_seen": self.choice.seen,
            "urls_kept": len(found),
            "left_out": dict(sorted(self.choice.left_out.items())),
            "error": self.error,
        }
        urls: list[dict[str, object]] = [
            {"url_id": url_id(url), "url": url, "host": self.host, "sitemap": sitemap, "last_modified": modified}
            for url, sitemap, modified in found
        ]
        return Site(row, urls)


class _Enough(Exception):
    """More addresses than are read of one host."""
