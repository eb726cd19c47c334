"""One visit: a URL becomes a row of `crawled`, whatever the page does.

Belongs here: the order of a visit, its one clock, and the row. Does not belong here: which page is next, and what
happens after a browser's death (`crawler.py`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from diffbench_assets.corpus.crawl.failures import BrowserLost, Failed
from diffbench_assets.corpus.crawl.launch import Chromium
from diffbench_assets.corpus.crawl.limits import Limits, Meter
from diffbench_assets.corpus.crawl.settle import Settled, settle
from diffbench_assets.corpus.crawl.tab import Navigated, Permitted, Tab
from diffbench_assets.pages.errors import PageUnusable
from diffbench_assets.pages.fingerprint import structure_fingerprint

TakeSnapshot = Callable[[], Awaitable[str | None]]
"""HTML to keep of a page that is settled and live, its scripts running; None when none can be made."""
Snapshot = Callable[[Page], TakeSnapshot]
"""Called with a page while it is blank, so that what it loads can be noted."""

_LOOK_S: Final = 0.02
_NEWS_S: Final = 1.0

Row = dict[str, Any]


@dataclass(frozen=True)
class Target:
    """A page to visit."""

    url_id: str
    url: str
    host: str
    crawl_delay_s: float = 0.0


async def everything(url: str) -> bool:
    """The `Permitted` that permits every address."""
    return True


async def visit(
    chromium: Chromium,
    target: Target,
    limits: Limits,
    gateway_url: str,
    snapshot: Snapshot | None = None,
    permitted: Permitted = everything,
) -> Row:
    """A row of CRAWLED: with page, or with the failure that stood in its way.

    `snapshot` makes one self-contained text of the live page. Raises BrowserLost when the browser died meanwhile, which
    may be another page's doing.
    """
    row = empty_row(target, chromium.version)
    meter = Meter(limits)
    try:
        async with chromium.context() as context:
            try:
                async with asyncio.timeout(limits.total_s):
                    tab = await Tab.open(context, meter, chromium.memory, gateway_url, permitted)
                    take_snapshot = snapshot(tab.page) if snapshot else None
                    try:
                        await _first_of(meter.over, _take(tab, target.url, limits, take_snapshot, row))
                    finally:
                        row["redirects"] = tab.addresses[:-1]
                        row["final_url"], row["status"] = tab.final_url, tab.status
                        await tab.close()
            except TimeoutError:
                raise Failed("timeout") from None
            finally:
                row["requests"], row["refused"], row["bytes"] = meter.requests, meter.refused, meter.bytes
                meter.close()
    except (Failed, PlaywrightError) as error:
        if not await chromium.answers():
            raise BrowserLost from error
        row["failure"] = error.reason if isinstance(error, Failed) else "browser_error"
        row["html"] = row["snapshot"] = row["screenshot"] = row["structure_fingerprint"] = None
    return row


def empty_row(target: Target, browser: str) -> Row:
    """A row of CRAWLED of which only the beginning is known."""
    return {
        "url_id": target.url_id,
        "url": target.url,
        "host": target.host,
        "final_url": None,
        "status": None,
        "redirects": [],
        "html": None,
        "snapshot": None,
        "screenshot": None,
        "structure_fingerprint": None,
        "consent_banner": None,
        "sticky_overlays": None,
        "requests": 0,
        "refused": 0,
        "bytes": 0,
        "load_ms": None,
        "settle_ms": None,
        "failure": None,
        "browser": browser,
        "fetched_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }


async def _take(tab: Tab, url: str, limits: Limits, take_snapshot: TakeSnapshot | None, row: Row) -> None:
    start = time.monotonic()
    deadline = asyncio.get_running_loop().time() + limits.load_s
    await tab.navigate(url, deadline)
    while True:
        generation = tab.generation
        try:
            await tab.scripts(True, limits.answer_s)
            await tab.document(limits, deadline)
            generation = tab.generation
            row["load_ms"] = round(1000 * (time.monotonic() - start))
            settled = await settle(tab, limits)
            await tab.count_workers(limits.answer_s)
            if not tab.moving and tab.generation == generation:
                break
        except Navigated:
            pass
        await _next_document(tab, generation, deadline)
    await _keep(tab, settled, take_snapshot, limits, row)


async def _next_document(tab: Tab, generation: int, deadline: float) -> None:
    """Until the page has gone where it is going."""
    while True:
        await asyncio.sleep(_LOOK_S)
        if not tab.moving or tab.generation != generation:
            return
        if asyncio.get_running_loop().time() > deadline:
            raise Failed("timeout")


async def _keep(tab: Tab, settled: Settled, take_snapshot: TakeSnapshot | None, limits: Limits, row: Row) -> None:
    try:
        row["structure_fingerprint"] = await asyncio.to_thread(structure_fingerprint, settled.html)
    except PageUnusable as error:
        raise Failed(str(error).partition(":")[0]) from error
    row["html"] = settled.html
    if take_snapshot:
        await tab.scripts(True, limits.answer_s)
        row["snapshot"] = await take_snapshot()
        if row["snapshot"] is None:
            raise Failed("no_snapshot")
    row["screenshot"] = {"bytes": settled.screenshot, "path": f"{row['url_id']}.png"}
    row["consent_banner"], row["sticky_overlays"] = settled.consent_banner, settled.sticky_overlays
    row["settle_ms"] = settled.settle_ms


async def _first_of(over: asyncio.Future[None], work: Awaitable[None]) -> None:
    """The work, unless the page is over first."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task, over}, return_when=asyncio.FIRST_COMPLETED)
        if task.done() and isinstance(task.exception(), PlaywrightError):
            await asyncio.wait({over}, timeout=_NEWS_S)  # News of a crash may come just after the error it caused.
        await (over if over.done() else task)
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError, Failed, Navigated, PlaywrightError):
            await task
