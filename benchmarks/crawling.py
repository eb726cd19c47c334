"""Crawling speed: pages per second of the crawler against a plain loop, in one run on the same pages.

    python -m benchmarks.crawling --pages 60 --delay-ms 150

The plain loop is what a short Playwright script does: a new context, load, fonts, scroll through, two equal
screenshots, the content, one page after the other. Both use the same browser build and flags, the same gateway, the
same loopback sites (generated pages, every answer late by `--delay-ms` as on a real network) and store the same rows.
Then their screenshots and structures are compared. CPU time is that of the whole process tree, the web server included.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.construction import cpu_seconds, processes
from diffbench_assets.browser.gate import decode
from diffbench_assets.corpus.crawl.crawler import Settings, crawl
from diffbench_assets.corpus.crawl.launch import Chromium
from diffbench_assets.corpus.crawl.limits import Limits
from diffbench_assets.corpus.crawl.spool import Spool
from diffbench_assets.corpus.crawl.visit import Target, empty_row
from diffbench_assets.corpus.net.gateway import Gateway
from diffbench_assets.pages.fingerprint import structure_fingerprint
from diffbench_assets_tests.corpus.crawl.hostile_web import HostileWeb

LIMITS = Limits()
SCROLL_JS = """async (most) => {
  const end = Math.min(document.documentElement.scrollHeight - innerHeight, most);
  for (let top = 0; top < end;) {
    top = Math.min(top + innerHeight, end);
    scrollTo(0, top);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  scrollTo(0, 0);
  await new Promise((resolve) => setTimeout(resolve, 40));
}"""


@dataclass
class Clock:
    """What one way of crawling cost."""

    wall_s: float = 0.0
    cpu_s: float = 0.0


@contextmanager
def clocked() -> Iterator[Clock]:
    clock = Clock()
    wall, cpu = time.perf_counter(), cpu_seconds(processes())
    yield clock
    clock.wall_s = time.perf_counter() - wall
    clock.cpu_s = cpu_seconds(processes()) - cpu


async def plain_loop(rows: Sequence[dict[str, Any]], spool: Spool, gateway_url: str) -> None:
    """Every page in a new context, one after the other."""
    chromium = await Chromium.start(gateway_url, "", LIMITS.max_memory)
    for row in rows:
        target = Target(row["url_id"], row["url"], row["host"])
        async with chromium.context() as context:
            page = await context.new_page()
            response = await page.goto(target.url, timeout=1000 * LIMITS.load_s)
            await page.evaluate("document.fonts.ready.then(() => 0)")
            await page.evaluate(SCROLL_JS, LIMITS.max_scroll_px)
            last, now = b"", b"?"
            while last != now:
                last, now = now, await page.screenshot(animations="disabled")
            html = await page.content()
        spool.put_row(
            {
                **empty_row(target, chromium.version),
                "status": response.status if response else None,
                "html": html,
                "screenshot": {"bytes": now, "path": f"{target.url_id}.png"},
                "structure_fingerprint": structure_fingerprint(html),
            }
        )
    await chromium.close()


async def measure(pages: int, delay_ms: int, in_flight: Sequence[int]) -> None:
    """Runs all ways and prints a table."""
    print(f"{pages} pages, answers {delay_ms} ms late")
    print("| way | pages/s | CPU s/page | kept | same structure | same pixels |\n|---|---|---|---|---|---|")
    async with (
        HostileWeb(pages, designs=min(pages, 64), delay_s=delay_ms / 1000) as web,
        Gateway(resolve=web.resolve, dial=web.dial) as gateway,
    ):
        rows = [place.row for place in web.sites]
        with tempfile.TemporaryDirectory() as folder:
            plain = Spool(Path(folder) / "plain")
            with clocked() as clock, plain:
                await plain_loop(rows, plain, gateway.url)
            expected = list(plain.rows())
            report("plain loop", clock, expected, expected)
            for at_once in in_flight:
                spool = Spool(Path(folder) / f"crawler-{at_once}")
                settings = Settings(limits=LIMITS, pages_in_flight=at_once, gap_s=0)
                with clocked() as clock:
                    await crawl(rows, spool, settings, gateway.url)
                report(f"crawler, {at_once} in flight", clock, list(spool.rows()), expected)


def report(way: str, clock: Clock, rows: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    """One line of the table."""
    kept = sum(row["html"] is not None for row in rows)
    pairs = [(row, other) for row, other in zip(rows, expected, strict=True) if row["html"] is not None]
    structures = sum(row["structure_fingerprint"] == other["structure_fingerprint"] for row, other in pairs)
    pixels = sum(
        bool((decode(row["screenshot"]["bytes"]) == decode(other["screenshot"]["bytes"])).all()) for row, other in pairs
    )
    cost = f"{len(rows) / clock.wall_s:.2f} | {clock.cpu_s / len(rows):.2f}"
    print(f"| {way} | {cost} | {kept} of {len(rows)} | {structures} | {pixels} |", flush=True)


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--delay-ms", type=int, default=150)
    parser.add_argument("--in-flight", type=int, nargs="+", default=[1, 2, 3, 4])
    arguments = parser.parse_args()
    asyncio.run(measure(arguments.pages, arguments.delay_ms, arguments.in_flight))


if __name__ == "__main__":
    main()
