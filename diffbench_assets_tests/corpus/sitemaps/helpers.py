"""Discovery over a loopback web, quick and impolite."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from diffbench_assets.corpus.net.client import ClientLimits
from diffbench_assets.corpus.sitemaps.run import discover_sites
from diffbench_assets.corpus.sitemaps.settings import DiscoverySettings
from diffbench_assets.corpus.sitemaps.spool import rows_of
from diffbench_assets_tests.corpus.net.loopback_web import Answer, Asked, LoopbackWeb, pages

QUICK = DiscoverySettings(gap_s=0, host_s=20, client=ClientLimits(attempts=2, request_s=1, first_wait_s=0.01))


def urlset(*urls: str) -> str:
    return "<urlset>" + "".join(f"<url><loc>{url.replace('&', '&amp;')}</loc></url>" for url in urls) + "</urlset>"


def index(*urls: str) -> str:
    return "<sitemapindex>" + "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls) + "</sitemapindex>"


class Found:
    """Rows by host, kept addresses by host, and what the servers were asked."""

    def __init__(self, spool: Path, hosts: Iterable[str], log: list[Asked]) -> None:
        sites, urls = rows_of(spool, hosts)
        self.sites = {row["host"]: row for row in sites}
        self.rows = urls
        self.log = log

    def urls(self, host: str) -> list[Any]:
        return [row["url"] for row in self.rows if row["host"] == host]

    def asked(self, host: str) -> list[str]:
        return [asked.path for asked in self.log if asked.host == host]


def discover(
    web: dict[str, Answer | str | bytes] | Callable[[Asked], Answer],
    spool: Path,
    *hosts: str,
    gateway: dict[str, Any] | None = None,
    tls: Any = None,
    **settings: Any,
) -> Found:
    """Discovers `hosts` in a web of `host/path` → answer."""

    async def main(server: LoopbackWeb) -> None:
        async with server.gateway(**(gateway or {})) as opened:
            await discover_sites(hosts, opened.url, spool, replace(QUICK, **settings))

    with LoopbackWeb(web if callable(web) else pages(web), tls) as server:
        asyncio.run(main(server))
        return Found(spool, hosts, server.log)
