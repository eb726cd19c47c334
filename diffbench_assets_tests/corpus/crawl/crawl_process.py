"""A crawl in a process of its own, which a test can kill: `python -m …crawl_process SPOOL GATEWAY < rows.json`.

Belongs here: reading the rows and running the crawl with limits short enough for tests. Does not belong here: tests.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from diffbench_assets.corpus.crawl.crawler import Settings, crawl
from diffbench_assets.corpus.crawl.limits import MB, Limits
from diffbench_assets.corpus.crawl.spool import Spool

SETTINGS = Settings(
    Limits(
        total_s=15,
        load_s=3,
        settle_s=2,
        answer_s=2,
        max_bytes=8 * MB,
        max_requests=60,
        max_popups=20,
        max_elements=20_000,
        max_memory=500 * MB,
    ),
    pages_in_flight=6,
    gap_s=0,
    retry_after_s=0.2,
    contact="crawler@example.test",
)

if __name__ == "__main__":
    asyncio.run(crawl(json.load(sys.stdin), Spool(Path(sys.argv[1])), SETTINGS, sys.argv[2]))
