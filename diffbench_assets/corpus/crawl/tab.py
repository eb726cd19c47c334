"""One page of the hostile web, watched and guarded from outside.

Belongs here: what the browser tells of a page while it loads, what is refused to it, and asking questions in a world
that its scripts cannot reach. Does not belong here: limits (`limits.py`), settling (`settle.py`), rows (`visit.py`).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from playwright.async_api import BrowserContext, CDPSession, Page
from playwright.async_api import Error as PlaywrightError

from diffbench_assets.corpus.crawl import failures
from diffbench_assets.corpus.crawl.failures import Failed
from diffbench_assets.corpus.crawl.limits import Limits, MemoryWatch, Meter

Permitted = Callable[[str], Awaitable[bool]]
"""Whether an address may be visited, as robots.txt of its host says."""

_OBSERVE_JS: Final = (Path(__file__).parent / "observe.js").read_text()
# Service workers outlive their page: refused on the prototype, where a page cannot go around it; what it counted hangs
# on the function. The console is mute because each of its lines crosses three processes, and a flood delays all pages.
_GUARD_JS: Final = """(() => {
  for (const name of Object.keys(console)) if (typeof console[name] === 'function') console[name] = () => {};
  Object.freeze(console);
  if (!globalThis.ServiceWorkerContainer) return;
  let refused = 0;
  const value = function register() {
    refused += 1;
    return Promise.reject(new DOMException('Service workers are off.', 'SecurityError'));
  };
  Object.defineProperty(value, 'refused', { get: () => refused });
  Object.defineProperty(ServiceWorkerContainer.prototype, 'register', { value });
})()"""
_WORKERS_JS: Final = "globalThis.ServiceWorkerContainer ? ServiceWorkerContainer.prototype.register.refused : 0"
_VISIBLE_TYPES: Final = frozenset({"Image", "Font", "Stylesheet"})
_GONE: Final = ("Cannot find context", "context was destroyed", "Inspected target navigated")
_PAUSED: Final = [{"urlPattern": "*", "resourceType": kind} for kind in ("Document", "Media")]


class Navigated(Exception):
    """The document that was asked about is gone; another has come, or is coming."""


class Tab:
    """A page in a context of its own. `meter.over` fails when it must end."""

    def __init__(self, page: Page, session: CDPSession, meter: Meter, gateway_url: str, permitted: Permitted) -> None:
        self.page = page
        self.addresses: list[str] = []
        """Every address of the page itself, the first one too."""
        self.final_url: str | None = None
        self.status: int | None = None
        self.generation = 0
        """Documents shown so far."""
        self._session = session
        self._meter = meter
        self._gateway_url = gateway_url
        self._permitted = permitted
        self._frame = ""
        self._document = ""
        self._pending = False
        self._world = (0, 0)
        self._open: set[str] = set()
        self._parsed = asyncio.Event()
        self._loaded = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(
        cls, context: BrowserContext, meter: Meter, memory: MemoryWatch, gateway_url: str, permitted: Permitted
    ) -> Tab:
        """A blank tab, guarded. Raises PlaywrightError when the browser is gone."""
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        tab = cls(page, session, meter, gateway_url, permitted)
        tab._frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        for event, heard in {
            "Fetch.requestPaused": tab._on_paused,
            "Network.requestWillBeSent": tab._on_request,
            "Network.responseReceived": tab._on_response,
            "Network.dataReceived": lambda event: meter.received(max(event["dataLength"], event["encodedDataLength"])),
            "Network.webSocketFrameReceived": lambda event: meter.received(len(event["response"]["payloadData"])),
            "Network.loadingFinished": lambda event: tab._open.discard(event["requestId"]),
            "Network.loadingFailed": tab._on_failed,
            "Page.frameNavigated": tab._on_navigated,
            "Page.domContentEventFired": lambda _: tab._parsed.set(),
            "Page.loadEventFired": lambda _: tab._loaded.set(),
            "Page.windowOpen": lambda _: meter.popup(),
            "Page.downloadWillBegin": lambda _: meter.refuse(),
            # Playwright dismisses every dialog that nobody listens for.
            "Page.javascriptDialogOpening": lambda _: meter.dialog(),
            "Log.entryAdded": tab._on_log,
            "Inspector.targetCrashed": lambda _: meter.fail("out_of_memory" if memory.took() else "crashed"),
        }.items():
            session.on(event, heard)
        page.on("close", lambda _: meter.fail("closed_itself"))
        await asyncio.gather(
            session.send("Page.enable"),
            session.send("Inspector.enable"),
            session.send("Log.enable"),
            session.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}),
            session.send("Network.setBypassServiceWorker", {"bypass": True}),
            session.send("Fetch.enable", {"patterns": _PAUSED}),
            session.send("Page.addScriptToEvaluateOnNewDocument", {"source": _GUARD_JS}),
        )
        return tab

    @property
    def moving(self) -> bool:
        """Whether another document has been asked for and not come yet."""
        return self._pending

    @property
    def fetching(self) -> bool:
        """Whether pictures, fonts or stylesheets are on their way."""
        return bool(self._open)

    async def navigate(self, url: str, deadline: float) -> None:
        """Ask for `url` and return when its document begins. Failures are told to the meter.

        Raises Failed("timeout") when nothing has come by `deadline`, which is of the loop's clock.
        """
        try:
            async with asyncio.timeout_at(deadline):
                answer = await self._session.send("Page.navigate", {"url": url})
        except TimeoutError:
            raise Failed("timeout") from None
        if answer.get("isDownload"):
            self._meter.fail("download")
        elif not self.generation and not self._pending:
            self._meter.fail("no_content")

    async def document(self, limits: Limits, deadline: float) -> None:
        """Wait until the document is parsed, and loaded if that is in time; `deadline` is of the loop's clock.

        Raises Failed("timeout") when it is not parsed by then.
        """
        try:
            async with asyncio.timeout_at(deadline):
                await self._parsed.wait()
        except TimeoutError:
            raise Failed("timeout") from None
        try:
            async with asyncio.timeout_at(deadline):
                await self._loaded.wait()
        except TimeoutError:
            await self.send("Page.stopLoading", limits.answer_s)

    async def ask(self, function: str, *arguments: Any, limit_s: float) -> Any:
        """What a function of `observe.js` answers about the document as it is.

        Raises Navigated when the document went away, Failed("unresponsive") when no answer comes in `limit_s`.
        """
        if self._world[0] != self.generation:
            made = {"frameId": self._frame, "worldName": "diffbench"}
            world = (
                self.generation,
                (await self.send("Page.createIsolatedWorld", limit_s, made))["executionContextId"],
            )
            await self._evaluate(_OBSERVE_JS, limit_s, world[1])
            self._world = world
        call = f"diffbench.{function}(...{json.dumps(arguments)})"
        return await self._evaluate(call, limit_s, self._world[1])

    async def count_workers(self, limit_s: float) -> None:
        """Tell the meter of the service workers that were refused to the page, as far as it lets us see."""
        count = await self._evaluate(_WORKERS_JS, limit_s)
        self._meter.refuse(min(count, 100) if isinstance(count, int) and count > 0 else 0)

    async def scripts(self, on: bool, limit_s: float) -> None:
        """Let the page's scripts run, timers and frames too, or hold them."""
        await self.send("Emulation.setScriptExecutionDisabled", limit_s, {"value": not on})

    async def send(self, method: str, limit_s: float, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        """A command of the DevTools protocol.

        Raises Navigated when the document went away, Failed("unresponsive") when no answer comes in `limit_s`.
        """
        generation = self.generation
        try:
            async with asyncio.timeout(limit_s):
                answer: dict[str, Any] = await self._session.send(method, parameters)
                return answer
        except TimeoutError:
            raise Failed("unresponsive") from None
        except PlaywrightError as error:
            if generation != self.generation or self._pending or any(words in str(error) for words in _GONE):
                raise Navigated from error
            raise

    async def close(self) -> None:
        """Stop what is still being decided; the tab itself ends with its context."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _evaluate(self, expression: str, limit_s: float, world: int | None = None) -> Any:
        how = {"expression": expression, "awaitPromise": True, "returnByValue": True, "timeout": int(1000 * limit_s)}
        answer = await self.send("Runtime.evaluate", limit_s, how | ({"contextId": world} if world else {}))
        if "exceptionDetails" in answer:
            raise Failed("unreadable")
        return answer["result"].get("value")

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) and not self._meter.over.done():
            self._meter.over.set_exception(error)

    def _on_paused(self, event: dict[str, Any]) -> None:
        self._later(self._decide(event))

    async def _decide(self, event: dict[str, Any]) -> None:
        if event["resourceType"] == "Media" or (event["frameId"] == self._frame and not await self._may_go(event)):
            self._meter.refuse()
            answer = ("Fetch.failRequest", {"requestId": event["requestId"], "errorReason": "BlockedByClient"})
        else:
            answer = ("Fetch.continueRequest", {"requestId": event["requestId"]})
        with suppress(PlaywrightError):  # The request, or the page, may be gone.
            await self._session.send(*answer)

    async def _may_go(self, event: dict[str, Any]) -> bool:
        url = event["request"]["url"]
        if self.addresses and not self._meter.redirect():
            return False
        self.addresses.append(url)
        if not await self._permitted(url):
            self._meter.fail("forbidden")
            return False
        return True

    def _on_request(self, event: dict[str, Any]) -> None:
        if event.get("type") == "Document" and event.get("frameId") == self._frame:
            self._document, self._pending = event["requestId"], True
        if event["request"]["url"].startswith("http"):
            if event.get("type") in _VISIBLE_TYPES:
                self._open.add(event["requestId"])
            if self._meter.request():
                self._later(self._block_all())

    async def _block_all(self) -> None:
        with suppress(PlaywrightError):  # The page may be gone.
            await self._session.send("Network.setBlockedURLs", {"urls": ["*"]})

    def _on_response(self, event: dict[str, Any]) -> None:
        response = event["response"]
        headers = {name.lower(): value for name, value in response["headers"].items()}
        if failures.REFUSED in headers:
            self._meter.refuse()
        if event["requestId"] == self._document:
            if failures.REFUSED not in headers and failures.FAILED not in headers:
                self.status, self.final_url = response["status"], response["url"]
            if reason := failures.of_answer(response["status"], response["mimeType"], headers):
                self._meter.fail(reason)

    def _on_log(self, event: dict[str, Any]) -> None:
        # Chromium refuses file:, chrome: and data: addresses before there is a request; its log is where that shows.
        if event["entry"]["text"].startswith("Not allowed to"):
            self._meter.refuse()

    def _on_failed(self, event: dict[str, Any]) -> None:
        self._open.discard(event["requestId"])
        if event.get("blockedReason") == "inspector":
            self._meter.refuse()
        if event["requestId"] != self._document:
            return
        if "TUNNEL" in event["errorText"]:
            self._later(self._ask_gateway(self.addresses[-1]))
            return
        if not event.get("canceled") and "ABORTED" not in event["errorText"]:
            self._meter.fail(failures.of_net_error(event["errorText"]) if self._pending else "incomplete")
        self._pending = False

    async def _ask_gateway(self, url: str) -> None:
        self._meter.fail(await failures.why_no_tunnel(self._gateway_url, url))

    def _on_navigated(self, event: dict[str, Any]) -> None:
        frame = event["frame"]
        if frame.get("parentId") or frame["url"].startswith("chrome-error:"):
            return
        if not frame["url"].startswith(("http:", "https:")):
            self._meter.refuse()
            self._meter.fail("refused_scheme")
        self.generation += 1
        self.final_url = frame["url"] + frame.get("urlFragment", "")
        self._pending = False
        self._open.clear()
        self._parsed.clear()
        self._loaded.clear()
