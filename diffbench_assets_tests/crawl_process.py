"""A crawl in its own process, whose partitions come from corpus.yaml: crawls twice and prints what was asked for.

With a third argument the copies are audited too, twice.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import warnings
from pathlib import Path

warnings.simplefilter("ignore")

from dagster import DagsterInstance  # noqa: E402

from diffbench_assets import partitions  # noqa: E402
from diffbench_assets.cli.running import Graph, audit_sources, crawl_sources  # noqa: E402
from diffbench_assets.corpus.crawl.crawler import Settings  # noqa: E402
from diffbench_assets.corpus.net.gateway import Gateway  # noqa: E402
from diffbench_assets.corpus.sitemaps.settings import DiscoverySettings  # noqa: E402
from diffbench_assets.definitions import defs  # noqa: E402
from diffbench_assets.pages.sources import CrawlSource  # noqa: E402
from diffbench_assets.resources.crawl import CrawlResource  # noqa: E402
from diffbench_assets.resources.embedder import EmbedderResource  # noqa: E402
from diffbench_assets.resources.lake import LakeResource  # noqa: E402
from diffbench_assets_tests.corpus.crawl.hostile_web import HostileWeb  # noqa: E402


def main(lake: Path, sites: int, audited: bool) -> None:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    web = HostileWeb(sites, designs=4)
    asyncio.run_coroutine_threadsafe(web.__aenter__(), loop).result(120)

    class LocalWeb(CrawlResource):
        """The made-up web instead of the live one; everything else as in earnest."""

        def gateway(self) -> Gateway:
            return Gateway(resolve=web.resolve, dial=web.dial)

        def discovery(self, spec: CrawlSource) -> DiscoverySettings:
            return DiscoverySettings(seed=spec.seed, urls_per_host=spec.urls_per_host, contact=spec.contact, gap_s=0)

        def visits(self, spec: CrawlSource) -> Settings:
            return Settings(contact=spec.contact, gap_s=0, retry_after_s=0.1)

    asked = []
    with DagsterInstance.ephemeral() as instance:
        for _ in range(2):
            running = Graph(
                defs,
                instance,
                lake=LakeResource(root=str(lake)),
                embedder=EmbedderResource(weights="none"),
                web=LocalWeb(),
            )
            crawl_sources(running, ["web"], partitions.shards.get_partition_keys())
            if audited:
                audit_sources(running, ["web"])
            asked.append(len(web.log))
    print(json.dumps({"asked": asked, "secret": web.secret_requests}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), audited=len(sys.argv) > 3)
