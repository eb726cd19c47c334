"""A loopback web, a browser that visits it with scripts on, and the project's own renderer, for the whole module.

Belongs here: serving pages, visiting and copying them. Does not belong here: the pages (`constructs.py`, the tests).
"""

from __future__ import annotations

import asyncio
import http.server
import threading
from collections import Counter
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest
from playwright.async_api import Browser, Page, async_playwright
from playwright.async_api import Error as PlaywrightError

from diffbench_assets.browser.chromium import find_chromium, sandboxed
from diffbench_assets.browser.render import FLAGS, FREEZE, VIEWPORT, Renderer
from diffbench_assets.pages import font_world
from diffbench_assets.pages.snapshot.capture import Fonts, take_snapshot
from diffbench_assets.pages.stored import Page as StoredPage
from diffbench_assets.pages.stored import to_page

_STILL_JS = """(css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    for (const svg of document.querySelectorAll('svg')) { svg.pauseAnimations(); svg.setCurrentTime(0); }
    document.activeElement?.blur();
    scrollTo(0, 0);
}"""
Result = TypeVar("Result")
Files = Mapping[str, tuple[str, bytes]]
"""Content type and bytes by path."""


@dataclass
class Copied:
    """A page as it was and what became of it."""

    original: bytes
    text: str
    page: StoredPage
    copy: bytes | None
    asked_while_copying: Counter[str]

    @property
    def html(self) -> str:
        assert self.page.html is not None, self.page.drop_reason
        return self.page.html


@dataclass
class Web:
    """Two origins on loopback with the same files, and who asked for what."""

    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    ports: list[int] = field(default_factory=list)

    def handler(self) -> type[http.server.BaseHTTPRequestHandler]:
        web = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.partition("?")[0]
                web.asked[path] += 1
                found = web.files.get(path)
                self.send_response(200 if found else 404)
                self.send_header("Access-Control-Allow-Origin", "*" if "nocors" not in path else "null")
                if found:
                    self.send_header("Content-Type", found[0])
                    self.send_header("Content-Length", str(len(found[1])))
                self.end_headers()
                if found:
                    with suppress(ConnectionError):
                        self.wfile.write(found[1])

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        return Handler


class Studio:
    """Visits, copies and renders, on an event loop of its own thread."""

    def __init__(self, web: Web, loop: asyncio.AbstractEventLoop, browser: Browser, renderer: Renderer) -> None:
        self._web = web
        self._loop = loop
        self._browser = browser
        self._renderer = renderer

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=180)

    def copy(self, html: str, files: Files | None = None, recorded: bool = False) -> Copied:
        """Serves `html` ({other} stands for the second origin), visits it, and renders what its snapshot becomes.

        `recorded` notes the page's font requests from its start.
        """
        other = f"http://127.0.0.1:{self._web.ports[1]}"
        fill = {"{other}": other}
        self._web.files = {"/": ("text/html; charset=utf-8", _filled(html, fill).encode())}
        for path, (kind, data) in (files or {}).items():
            self._web.files[path] = (kind, _filled(data.decode(), fill).encode() if "text" in kind else data)
        self._web.asked.clear()
        return self.run(self._copy(recorded))

    async def _copy(self, recorded: bool) -> Copied:
        context = await self._browser.new_context(
            viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]}, reduced_motion="reduce", locale="en-US"
        )
        try:
            page = await context.new_page()
            fonts = Fonts(page) if recorded else None
            await page.goto(f"http://127.0.0.1:{self._web.ports[0]}/", wait_until="load")
            original = await settled(page)
            before = Counter(self._web.asked)
            text = await take_snapshot(page, fonts)
            asked = self._web.asked - before
            stored = to_page(text)
            return Copied(original, text, stored, await self._render(stored.html), asked)
        finally:
            await context.close()

    async def _render(self, html: str | None) -> bytes | None:
        if html is None:
            return None
        async with self._renderer.tab() as tab:
            await tab.load(html)
            return await tab.settled()

    def on_page(self, html: str, work: Any) -> Any:
        """What `work(page)` gives on a live page that shows `html`."""

        async def visit() -> Any:
            context = await self._browser.new_context(viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]})
            try:
                page: Page = await context.new_page()
                await page.set_content(html)
                return await work(page)
            finally:
                with suppress(PlaywrightError):
                    await context.close()

        return self.run(visit())


async def settled(page: Page) -> bytes:
    """A live page once two captures in a row are equal and its network is silent."""
    with suppress(PlaywrightError):  # some pages never are silent
        await page.wait_for_load_state("networkidle", timeout=10_000)
    await page.evaluate("() => document.fonts.ready.then(() => 0)")
    await page.evaluate(_STILL_JS, FREEZE)
    last = await page.screenshot(animations="allow", caret="initial")
    for _ in range(20):
        await asyncio.sleep(0.15)
        now = await page.screenshot(animations="allow", caret="initial")
        if now == last:
            return now
        last = now
    raise AssertionError("no two captures in a row are equal")


def _filled(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text


@pytest.fixture(scope="package")
def studio() -> Iterator[Studio]:
    web = Web()
    servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), web.handler()) for _ in range(2)]
    web.ports = [server.server_address[1] for server in servers]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()

    async def start() -> tuple[Any, Browser, Renderer]:
        playwright = await async_playwright().start()
        browser = await playwright.chromium.launch(
            executable_path=find_chromium(),
            args=[flag for flag in FLAGS if not flag.startswith("--host-resolver-rules")],
            chromium_sandbox=sandboxed(),
            env=font_world.environment(),
        )
        return playwright, browser, await Renderer().__aenter__()

    async def stop(playwright: Any, browser: Browser, renderer: Renderer) -> None:
        await browser.close()
        await renderer.__aexit__()
        await playwright.stop()

    started = asyncio.run_coroutine_threadsafe(start(), loop).result(timeout=60)
    yield Studio(web, loop, started[1], started[2])
    asyncio.run_coroutine_threadsafe(stop(*started), loop).result(timeout=60)
    loop.call_soon_threadsafe(loop.stop)
    for server in servers:
        server.shutdown()
