"""Resources of the crawl: the gateway that every request goes through, and limits of discovery and visits."""

from __future__ import annotations

from pathlib import Path

from dagster import ConfigurableResource

from diffbench_assets.corpus.crawl.crawler import Settings
from diffbench_assets.corpus.net.gateway import Gateway
from diffbench_assets.corpus.sitemaps.settings import DiscoverySettings
from diffbench_assets.lake import Lake
from diffbench_assets.pages.sources import CrawlSource


class CrawlResource(ConfigurableResource):
    """How a crawl reaches the web. What is finished lies in spools: a folder of the lake, or ./spools beside it."""

    def gateway(self) -> Gateway:
        """The proxy that refuses private addresses."""
        return Gateway()

    def discovery(self, spec: CrawlSource) -> DiscoverySettings:
        return DiscoverySettings(seed=spec.seed, urls_per_host=spec.urls_per_host, contact=spec.contact)

    def visits(self, spec: CrawlSource) -> Settings:
        return Settings(contact=spec.contact)

    def spool(self, lake: Lake, source: str, shard: str, name: str) -> Path:
        """The folder of what a shard has finished of one stage, made if need be."""
        root = Path("spools" if "://" in lake.root else f"{lake.root}/spools")
        folder = root / source / shard / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder
