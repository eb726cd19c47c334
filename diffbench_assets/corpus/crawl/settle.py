"""A page that stands still: everything it will show is there, and two captures in a row are equal.

Belongs here: waiting, scrolling through, freezing, capturing. Does not belong here: loading (`tab.py`), or what is
seen on the page (`observe.js`).
"""

from __future__ import annotations

import asyncio
import base64
import time
from dataclasses import dataclass
from typing import Final

from diffbench_assets.corpus.crawl.failures import Failed
from diffbench_assets.corpus.crawl.limits import Limits
from diffbench_assets.corpus.crawl.tab import Tab

_LOOK_S: Final = 0.05
_CAPTURES: Final = 8
_LATE_SHARE: Final = 0.5
"""Share of the settling time that late pictures may take; the rest is for captures."""


@dataclass(frozen=True)
class Settled:
    """A page as it was when it stood still; `settle_ms` is None when it never did, and the last capture is kept."""

    screenshot: bytes
    html: str
    settle_ms: int | None
    consent_banner: bool
    sticky_overlays: int


async def settle(tab: Tab, limits: Limits) -> Settled:
    """Bring the loaded document of `tab` to rest and take it. Its scripts are held when this returns.

    Raises Failed when the page is too large or does not answer, Navigated when it went elsewhere meanwhile.
    """
    start = time.monotonic()
    await _ready(tab, limits, start)
    consent_banner = await tab.ask("consent", limit_s=limits.answer_s)
    # The page may take its time here: the limit on settling is what ends it.
    scroll_s = limits.answer_s + limits.settle_s
    sticky_overlays = await tab.ask("scroll", limits.max_scroll_px, limit_s=scroll_s)
    await _ready(tab, limits, start)
    await tab.ask("still", limit_s=limits.answer_s)
    await tab.scripts(False, limits.answer_s)
    screenshot, equal = await _stable(tab, limits, start)
    settle_ms = round(1000 * (time.monotonic() - start)) if equal else None
    html = await tab.ask("html", limits.max_html, limit_s=limits.answer_s)
    if html is None:
        raise Failed("too_large")
    return Settled(screenshot, html, settle_ms, bool(consent_banner), int(sticky_overlays))


async def _ready(tab: Tab, limits: Limits, start: float) -> None:
    """Until fonts and pictures are there, or long enough has been waited for them."""
    while True:
        size = await tab.ask("size", limit_s=limits.answer_s)
        if size["elements"] > limits.max_elements:
            raise Failed("too_many_elements")
        ready = await tab.ask("ready", limit_s=limits.answer_s) and not tab.fetching
        if ready or time.monotonic() - start > _LATE_SHARE * limits.settle_s:
            return
        await asyncio.sleep(_LOOK_S)


async def _stable(tab: Tab, limits: Limits, start: float) -> tuple[bytes, bool]:
    """The viewport as PNG, and whether two captures in a row were equal."""
    last = b""
    for _ in range(_CAPTURES):
        await tab.ask("freeze", limit_s=limits.answer_s)
        reply = await tab.send("Page.captureScreenshot", limits.answer_s, {"format": "png", "optimizeForSpeed": True})
        now = base64.b64decode(reply["data"])
        if now == last:
            return now, True
        last = now
        if time.monotonic() - start > limits.settle_s:
            break
    return last, False
