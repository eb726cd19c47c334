"""The browser of the crawler: many pages at once, each in a context of its own, scripts on, one way out.

Belongs here: flags, starting, replacing and ending Chromium. Does not belong here: what happens in a page.

Every request goes to the gateway, loopback addresses included, and Chromium resolves no name itself. What could go
around a proxy (QUIC, WebRTC over UDP, prefetched names, calls home) is off. A page stays in one process with all its
frames, so that its traffic and its memory can be held against it; contexts never share a process.
"""

from __future__ import annotations

import asyncio
import os
import platform
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from playwright.async_api import Browser, BrowserContext, CDPSession, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from diffbench_assets import __version__
from diffbench_assets.browser import render
from diffbench_assets.browser.chromium import NoBrowser, find_chromium, sandboxed
from diffbench_assets.corpus.crawl.failures import BrowserLost
from diffbench_assets.corpus.crawl.limits import MemoryWatch
from diffbench_assets.pages import font_world

START_S: Final = 60.0
CLOSE_S: Final = 10.0
ANSWER_S: Final = 5.0

FLAGS: Final = (
    *(flag for flag in render.FLAGS if not flag.startswith("--host-resolver-rules")),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-domain-reliability",
    "--block-new-web-contents",
    "--deny-permission-prompts",
    "--disable-site-isolation-trials",
    "--mute-audio",
    "--js-flags=--max-old-space-size=512",
)


def user_agent(chromium: str, contact: str) -> str:
    """What servers are told: a Chromium of this version, driven by this project, and whom to write to."""
    about = "; ".join(part for part in ("compatible", f"diffbench-assets/{__version__}", contact) if part)
    engine = f"AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{chromium.split('.')[0]}.0.0.0 Safari/537.36"
    return f"Mozilla/5.0 (X11; Linux {platform.machine()}) {engine} ({about})"


class Chromium:
    """One running browser with a Playwright driver of its own, so that nothing outlives it."""

    def __init__(self, driver: Playwright, browser: Browser, session: CDPSession, pid: int, agent: str) -> None:
        self._driver = driver
        self._browser = browser
        self._session = session
        self._pid = pid
        self._agent = agent
        self.version = browser.version
        self.pages = 0
        self.users = 0
        self._lost = False
        self.memory: MemoryWatch
        self._watching: asyncio.Task[None]

    @classmethod
    async def start(cls, gateway_url: str, contact: str, max_memory: int) -> Chromium:
        """Raises NoBrowser when it does not start."""
        program = find_chromium()
        driver = await async_playwright().start()
        try:
            async with asyncio.timeout(START_S):
                browser = await driver.chromium.launch(
                    executable_path=program,
                    args=[*FLAGS, f"--proxy-server={gateway_url}"],
                    chromium_sandbox=sandboxed(),
                    env=font_world.environment(),
                )
                session = await browser.new_browser_cdp_session()
                info = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
        except (PlaywrightError, TimeoutError) as error:
            await driver.stop()
            raise NoBrowser.not_started(error) from error
        pid = next(process["id"] for process in info if process["type"] == "browser")
        chromium = cls(driver, browser, session, pid, user_agent(browser.version, contact))
        chromium.memory = MemoryWatch(chromium._processes, max_memory)
        chromium._watching = asyncio.create_task(chromium._watch())
        return chromium

    @property
    def alive(self) -> bool:
        return not self._lost and self._browser.is_connected()

    async def answers(self) -> bool:
        """Whether it still does what it is told; if not, it is ended."""
        try:
            async with asyncio.timeout(ANSWER_S):
                await self._processes()
        except (PlaywrightError, TimeoutError):
            self.kill()
        return self.alive

    async def _processes(self) -> list[dict[str, Any]]:
        processes: list[dict[str, Any]] = (await self._session.send("SystemInfo.getProcessInfo"))["processInfo"]
        return processes

    async def _watch(self) -> None:
        with suppress(PlaywrightError):
            await self.memory.run()

    @asynccontextmanager
    async def context(self) -> AsyncIterator[BrowserContext]:
        """A fresh context: nothing kept from any other page. Raises BrowserLost when there is none to be had."""
        try:
            async with asyncio.timeout(CLOSE_S):
                context = await self._browser.new_context(**render.CONTEXT, user_agent=self._agent)
                # Granting nothing refuses everything, without a prompt that nobody would answer.
                await context.grant_permissions([])
        except (PlaywrightError, TimeoutError) as error:
            self.kill()
            raise BrowserLost from error
        try:
            yield context
        finally:
            try:
                async with asyncio.timeout(CLOSE_S):
                    await context.close()
            except TimeoutError:
                self.kill()
            except PlaywrightError:
                pass  # The browser is gone, and the context with it.

    def kill(self) -> None:
        """End it without asking: it does not answer, or its driver is gone."""
        self._lost = True
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)

    async def close(self) -> None:
        self._watching.cancel()
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._browser.close()
        except (PlaywrightError, TimeoutError):
            self.kill()
        with suppress(PlaywrightError, TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await self._driver.stop()


class Browsers:
    """Always a working browser: one that died, or has shown `recycle_after` pages, is replaced."""

    def __init__(self, gateway_url: str, contact: str, max_memory: int, recycle_after: int) -> None:
        self._settings = (gateway_url, contact, max_memory)
        self._recycle_after = recycle_after
        self._current: Chromium | None = None
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> Browsers:
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._current:
            await self._current.close()

    @asynccontextmanager
    async def one(self) -> AsyncIterator[Chromium]:
        """The browser for one page. A replaced browser ends with its last page. Raises NoBrowser."""
        async with self._lock:
            old = self._current
            if old is None or not old.alive or old.pages >= self._recycle_after:
                self._current = None
                if old and not old.users:
                    await old.close()
                self._current = await Chromium.start(*self._settings)
            chromium = self._current
            assert chromium is not None
            chromium.pages += 1
            chromium.users += 1
        try:
            yield chromium
        finally:
            chromium.users -= 1
            if chromium is not self._current and not chromium.users:
                await chromium.close()
