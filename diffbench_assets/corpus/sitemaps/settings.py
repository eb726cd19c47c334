"""How far discovery goes, and how politely.

Belongs here: every limit of `sitemaps`. Does not belong here: limits of connections (`net`).
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

from diffbench_assets.corpus.net.client import ClientLimits


@dataclass(frozen=True)
class DiscoverySettings:
    """Limits of one host unless said otherwise. Sizes follow the sitemap protocol (sitemaps.org) where it has any."""

    seed: int = 42
    urls_per_host: int = 20
    """Kept page addresses. The paper's funnel has 13 for each host on average (17.75M of 1.35M)."""
    sitemaps_per_host: int = 50
    depth: int = 3
    """Index files above a sitemap."""
    sitemap_bytes: int = 50 * 1024 * 1024
    urls_read_per_host: int = 500_000
    robots_per_host: int = 8
    """Other hosts of the site whose robots.txt is asked for."""
    host_s: float = 900.0
    gap_s: float = 1.0
    """Between two requests to one host name, from the end of the first to the start of the second."""
    longest_crawl_delay_s: float = 30.0
    parallel_hosts: int = 64
    """In all; one request at a time goes to each."""
    probes: tuple[str, ...] = ("/sitemap.xml", "/sitemap_index.xml", "/sitemap.xml.gz", "/sitemap.txt")
    """Tried in this order where robots.txt names no sitemap."""
    contact: str = ""
    client: ClientLimits = field(default_factory=ClientLimits)

    def fingerprint(self) -> str:
        """What decides the rows, as JSON; how fast and how parallel does not count."""
        pace = {"host_s", "gap_s", "longest_crawl_delay_s", "parallel_hosts", "contact", "client"}
        return json.dumps({name: value for name, value in asdict(self).items() if name not in pace}, sort_keys=True)
