"""Discovery in a process of its own, to be killed: `python -m … PORT SPOOL HOSTS`."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

from diffbench_assets.corpus.net.client import ClientLimits
from diffbench_assets.corpus.sitemaps.run import discover_sites
from diffbench_assets_tests.corpus.net.loopback_web import open_gateway
from diffbench_assets_tests.corpus.sitemaps.helpers import QUICK

PARALLEL = 8


def hosts(count: int) -> list[str]:
    return [f"h{n}.test" for n in range(count)]


async def main(port: int, spool: Path, count: int) -> None:
    settings = replace(QUICK, parallel_hosts=PARALLEL, client=ClientLimits(attempts=2, first_wait_s=0.01))
    async with open_gateway(port) as gateway:
        await discover_sites(hosts(count), gateway.url, spool, settings)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))
