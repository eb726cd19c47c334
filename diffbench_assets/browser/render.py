"""A real Chromium that renders stored pages to the same pixels every time.

Belongs here: launching the browser, loading a page with scripts off and the network cut, waiting until it has settled,
and capturing it. Does not belong here: what is on the page (`page.js`) or what the pixels mean (`gate.py`).
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import platform
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Browser, CDPSession, Page, Playwright, Route, async_playwright
from playwright.async_api import Error as PlaywrightError

from diffbench_assets.browser.chromium import NoBrowser, find_chromium, sandboxed

VIEWPORT: Final = (1280, 800)
"""Width and height in CSS px at device scale 1 (DiffSpot §2.1)."""

FLAGS: Final = (
    # The same pixels everywhere: no GPU raster, no subpixel text, no hinting, one colour profile, no scrollbars.
    "--disable-gpu",
    "--disable-lcd-text",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--hide-scrollbars",
    "--disable-partial-raster",
    "--disable-skia-runtime-opts",
    # Animated images show their first frame.
    "--blink-settings=imageAnimationPolicy=2",
    # Nothing but the page: no calls home, no name look-ups.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-quic",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-dev-shm-usage",
)
CONTEXT: Final[Mapping[str, Any]] = {
    "viewport": {"width": VIEWPORT[0], "height": VIEWPORT[1]},
    "device_scale_factor": 1,
    "service_workers": "block",
    "accept_downloads": False,
    "reduced_motion": "reduce",
    "color_scheme": "light",
    "locale": "en-US",
    "timezone_id": "UTC",
}
"""What every page meets, stored or crawled: the same window, and nothing of this machine's own settings."""

FREEZE: Final = (
    "*,*::before,*::after{animation:none!important;transition:none!important;caret-color:transparent!important;"
    "scroll-behavior:auto!important}"
)
LOAD_TIMEOUT_S: Final = 20.0
START_TIMEOUT_S: Final = 60.0
CLOSE_TIMEOUT_S: Final = 10.0
SETTLE_CAPTURES: Final = 6

_PAGE_JS: Final = (Path(__file__).parent / "page.js").read_text()
_READY_JS: Final = (
    # By the prototype's getters: a named element of the page would answer in a property's place.
    "() => { const own = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);"
    " own('body')?.offsetHeight;"
    " return document.fonts.status === 'loaded' && [...own('images')].every((image) => image.complete) }"
)
_FREEZE_JS: Final = (
    "(css) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(css); document.adoptedStyleSheets = [sheet];"
    " for (const svg of document.querySelectorAll('svg')) { svg.pauseAnimations(); svg.setCurrentTime(0); } }"
)


class PageFailed(RuntimeError):
    """The page cannot be rendered; `reason` is the status a row gets (`page_crashed`, `page_timeout`, …)."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason

    @property
    def tab_lost(self) -> bool:
        """Whether the tab may not render another page: it crashed, hangs, or its browser died."""
        return self.reason not in ("page_blank", "page_unstable", "page_unsettled")


class Renderer:
    """One browser for a whole run. Use as an async context manager.

    Tabs are cheap to keep and pages cheap to load into them; a browser that dies, or no longer answers, is started
    again with a Playwright driver of its own, and whoever was rendering gets PageFailed("browser_died").
    """

    def __init__(self, environment: Mapping[str, str | float | bool] | None = None) -> None:
        """`environment` is that of the browser's process, its parent's by default."""
        self._environment = dict(environment) if environment is not None else None
        self._driver: Playwright | None = None
        self._browser: Browser | None = None
        self._lock = asyncio.Lock()
        self.version = ""

    async def __aenter__(self) -> Renderer:
        await self._launch()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._end()

    @property
    def fingerprint(self) -> str:
        """What decides the pixels beside the page: browser version, architecture, viewport and flags."""
        flags = hashlib.sha256(" ".join((*FLAGS, FREEZE)).encode()).hexdigest()[:8]
        return f"chromium-{self.version}/{platform.machine()}/{VIEWPORT[0]}x{VIEWPORT[1]}/{flags}"

    async def _launch(self) -> None:
        try:
            async with asyncio.timeout(START_TIMEOUT_S):
                self._driver = await async_playwright().start()
                self._browser = await self._driver.chromium.launch(
                    executable_path=find_chromium(),
                    args=list(FLAGS),
                    chromium_sandbox=sandboxed(),
                    env=self._environment,
                )
        except (PlaywrightError, TimeoutError) as error:
            raise NoBrowser.not_started(error) from error
        finally:
            if self._browser is None:
                await self._end()
        self.version = self._browser.version

    async def _end(self) -> None:
        """Ends browser and driver, neither of which may be alive or answer."""
        browser, driver = self._browser, self._driver
        self._browser = self._driver = None
        for close in (browser and browser.close, driver and driver.stop):
            if close:
                with suppress(PlaywrightError, TimeoutError):
                    async with asyncio.timeout(CLOSE_TIMEOUT_S):
                        await close()

    async def _alive(self) -> Browser:
        async with self._lock:
            if self._browser is None or not self._browser.is_connected():
                await self._end()
                await self._launch()
            assert self._browser is not None
            return self._browser

    def _lost(self, browser: Browser) -> None:
        """`browser` gives no tab or does not answer: the next tab gets a new one."""
        if browser is self._browser:
            self._browser = None

    @asynccontextmanager
    async def tab(self, scripts: bool = False) -> AsyncIterator[Tab]:
        """A new tab in a context of its own, closed at the end; without network, and without scripts unless asked for.

        Raises PageFailed when there is none to be had.
        """
        browser = await self._alive()
        try:
            # None of these calls ends by itself when the browser dies at the wrong moment.
            async with asyncio.timeout(LOAD_TIMEOUT_S):
                context = await browser.new_context(**CONTEXT, java_script_enabled=scripts, offline=True)
                page = await context.new_page()
                session = await context.new_cdp_session(page)
        except (PlaywrightError, TimeoutError) as error:
            self._lost(browser)
            raise PageFailed("browser_died", f"no tab: {error}".splitlines()[0]) from error
        try:
            yield Tab(page, session)
        except PlaywrightError as error:
            raise _page_failed(error) from error
        finally:
            try:
                async with asyncio.timeout(CLOSE_TIMEOUT_S):
                    await context.close()
            except (PlaywrightError, TimeoutError):
                self._lost(browser)  # And the context with it.


@asynccontextmanager
async def _in_time(otherwise: str) -> AsyncIterator[None]:
    """Raises PageFailed for what the browser raises, and after LOAD_TIMEOUT_S."""
    try:
        async with asyncio.timeout(LOAD_TIMEOUT_S):
            yield
    except TimeoutError as error:
        raise PageFailed("page_timeout", f"{otherwise} after {LOAD_TIMEOUT_S:.0f} s") from error
    except PlaywrightError as error:
        raise _page_failed(error) from error


def _page_failed(error: PlaywrightError) -> PageFailed:
    text = str(error).splitlines()[0]
    if "crash" in text.lower():
        return PageFailed("page_crashed", text)
    if "closed" in text.lower():
        return PageFailed("browser_died", text)
    return PageFailed("page_error", text)


class Tab:
    """A tab that loads one page after another."""

    def __init__(self, page: Page, cdp: CDPSession) -> None:
        self._page = page
        self._cdp = cdp
        self._answer: Callable[[Route], Awaitable[None]] | None = None
        self.visits = 0

    @property
    def session(self) -> CDPSession:
        """The tab's DevTools session."""
        return self._cdp

    async def load(self, html: str) -> None:
        """A fresh document with `html`, its fonts and images ready and its animations frozen.

        Raises PageFailed when it does not load in time or crashes the tab.
        """
        async with _in_time("not loaded"):
            await self._page.goto("about:blank")
            # Playwright's own set_content writes into the open document, which takes a quarter more time.
            frame = (await self._cdp.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
            await self._cdp.send("Page.setDocumentContent", {"frameId": frame, "html": html})
            await self._page.wait_for_load_state("load", timeout=1000 * LOAD_TIMEOUT_S)
            await self._freeze(lambda: True)

    async def visit(self, address: str, answer: Callable[[Route], Awaitable[None]]) -> None:
        """The document at an address, loaded; `answer` answers all requests of the tab from now on.

        Raises PageFailed when it does not load in time or crashes the tab.
        """
        async with _in_time("not loaded"):
            if self._answer is None:
                await self._page.route("**/*", self._routed)
            self._answer = answer
            self.visits += 1
            await self._page.goto(address, wait_until="load", timeout=1000 * LOAD_TIMEOUT_S)

    async def _routed(self, route: Route) -> None:
        assert self._answer is not None
        await self._answer(route)

    async def still(self, idle: Callable[[], bool]) -> None:
        """A visited document, its fonts and images ready, no request open, and its animations frozen."""
        async with _in_time("not ready"):
            await self._freeze(idle)

    async def _freeze(self, idle: Callable[[], bool]) -> None:
        await self._page.evaluate(_FREEZE_JS, FREEZE)
        while not (await self._page.evaluate(_READY_JS) and idle()):
            await asyncio.sleep(0.005)

    async def capture(self) -> bytes:
        """The viewport as PNG bytes, as it is now."""
        async with _in_time("no frame"):
            reply = await self._cdp.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
        return base64.b64decode(reply["data"])

    async def settled(self) -> bytes:
        """The viewport once two captures in a row are equal.

        Raises PageFailed("page_unsettled") when they never are.
        """
        last = await self.capture()
        for _ in range(SETTLE_CAPTURES):
            now = await self.capture()
            if now == last:
                return now
            last = now
        raise PageFailed("page_unsettled", f"{SETTLE_CAPTURES + 1} captures, no two in a row equal")

    async def snapshot(self) -> list[dict[str, Any]]:
        """Installs `page.js` and returns its rows, one per visible element."""
        await self.evaluate(_PAGE_JS)
        return await self.call("diffbench.snapshot")

    async def trial(self, operators: list[list[list[dict[str, Any]]]], want: int) -> list[list[list[dict[str, Any]]]]:
        """Layout outcomes of each operator's groups of mutations; see `trial` in `page.js`."""
        return await self.call("diffbench.trial", operators, want)

    async def mutated(self, mutations: list[dict[str, Any]]) -> bytes | None:
        """A capture with all `mutations` applied, undone afterwards; None when their boxes interfere."""
        try:
            return await self.capture() if await self.call("diffbench.enter", mutations) else None
        finally:
            await self.call("diffbench.leave")

    async def call(self, function: str, *arguments: Any) -> Any:
        """The value of a function of a script that is installed in the page, such as `diffbench.snapshot`."""
        # As JSON text: Playwright's own conversion of large structures costs more than everything else together.
        expression = f"(text) => JSON.stringify({function}(...JSON.parse(text)) ?? null)"
        return json.loads(await self.evaluate(expression, json.dumps(arguments)))

    async def evaluate(self, expression: str, argument: Any = None) -> Any:
        """The value of a JavaScript expression in the page; it cannot wait for callbacks while scripts are off."""
        async with _in_time("the page does not answer"):
            return await self._page.evaluate(expression, argument)
