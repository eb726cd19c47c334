"""Many sites side by side, each host's requests one after another.

Belongs here: the loop over hosts. Does not belong here: what happens at one of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from diffbench_assets.corpus.net.client import Client
from diffbench_assets.corpus.sitemaps.discover import discover_site
from diffbench_assets.corpus.sitemaps.politeness import Politeness
from diffbench_assets.corpus.sitemaps.settings import DiscoverySettings
from diffbench_assets.corpus.sitemaps.spool import entry_of, key_of, spool_of


async def discover_sites(
    hosts: Iterable[str],
    gateway_url: str,
    spool: Path,
    settings: DiscoverySettings,
    on_site: Callable[[dict[str, object]], None] = lambda row: None,
) -> None:
    """Reads robots.txt and sitemaps of every host that `spool` does not hold yet, through the gateway.

    A finished host is kept at once and never asked again, whatever came of it; one in flight at a kill is asked anew.
    `on_site` gets the row of `sites` of each host that was finished by this call. Raises StoreError, and GatewayGone
    when the gateway closes before the hosts are done (none of them is then kept as unreachable).
    """
    with spool_of(spool, settings) as kept:
        finished = kept.keys()
        waiting: Iterator[str] = iter(hosts)
        politeness = Politeness(settings.gap_s, settings.longest_crawl_delay_s)
        async with Client(gateway_url, settings.contact, settings.client) as client:

            async def worker() -> None:
                for host in waiting:
                    if key_of(host) in finished:
                        await asyncio.sleep(0)
                        continue
                    site = await discover_site(host, client, politeness, settings)
                    await asyncio.to_thread(kept.put, key_of(host), entry_of(site))
                    on_site(site.row)

            workers = [asyncio.create_task(worker()) for _ in range(settings.parallel_hosts)]
            try:
                await asyncio.gather(*workers)
            finally:
                for task in workers:
                    task.cancel()
                await asyncio.gather(*workers, return_exceptions=True)
