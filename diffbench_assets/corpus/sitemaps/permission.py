"""What robots.txt says of an address that a page leads to, for visits with a browser.

Belongs here: the question. Does not belong here: reading rules (`visitor.py`, `robots.py`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from diffbench_assets.corpus.net.client import Client
from diffbench_assets.corpus.sitemaps.politeness import Politeness
from diffbench_assets.corpus.sitemaps.settings import DiscoverySettings
from diffbench_assets.corpus.sitemaps.visitor import Visitor


def permitted_by_robots(client: Client, settings: DiscoverySettings) -> Callable[[str], Awaitable[bool]]:
    """Whether the rules of an address's origin allow it; they are read once, when first needed.

    Where no server answers, the visit is permitted: it will find nobody either, and its row says so.
    """
    visitor = Visitor(client, Politeness(settings.gap_s, settings.longest_crawl_delay_s))

    async def permitted(url: str) -> bool:
        rules = await visitor.robots(url)
        return rules.allows(url) or not rules.answered

    return permitted
