"""A raw page as Chromium shows it, and the snapshot of that.

Belongs here: loading a page of a source, compiling its Tailwind, capturing it. Does not belong here: what answers its
requests (`served.py`), what becomes of the snapshot (`stored.py`).

Scripts are off and there is no network. The browser knows the fonts of `font_world.py` and no others, so that the page
looks the same on every machine; that look is the original that a stored page is compared with.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Route

from diffbench_assets.browser.render import PageFailed, Tab
from diffbench_assets.pages import tailwind
from diffbench_assets.pages.errors import PageUnusable
from diffbench_assets.pages.served import Answer, Site
from diffbench_assets.pages.snapshot.capture import MAX_RESOURCES_BYTES, SnapshotFailed, Taken, snapshot_of
from diffbench_assets.pages.snapshot.write import Resource
from diffbench_assets.pages.sources import MAX_SOURCE_BYTES, RawPage

_BLANK: Final = b"\0 \t\r\n\f"
_KINDS: Final = {"stylesheet": "Stylesheet", "font": "Font"}


@dataclass(frozen=True)
class Original:
    """The PNG of a page as its source has it, and its snapshot."""

    png: bytes
    snapshot: Taken


async def read(engine: tailwind.Engine, tab: Tab, raw: RawPage, settled: bool) -> Original:
    """The original of a raw page. The browser of `tab` is in the world of `font_world`.

    `settled`: whether two captures in a row must be equal, as far as the page allows it; else the first is taken.
    Raises PageUnusable when nothing can be made of the page, PageFailed when it cannot be rendered.
    """
    _check_source(raw)
    requests = _Requests(Site(raw))
    await tab.visit(requests.site.address, requests.answer)
    await _compile_tailwind(engine, tab, requests)
    await tab.still(lambda: requests.open == 0)
    png = await _settled(tab) if settled else await tab.capture()
    try:
        shadows = b"shadowrootmode" in requests.site.document.body.lower()
        return Original(png, await snapshot_of(tab.session, requests.resources, shadows))
    except SnapshotFailed as failure:
        reason = "no_visible_content: no body" if failure.reason == "no_body" else str(failure)
        raise PageUnusable(reason) from failure
    except TimeoutError as error:
        raise PageFailed("page_timeout", "no snapshot") from error


async def _settled(tab: Tab) -> bytes:
    try:
        return await tab.settled()
    except PageFailed as failure:
        if failure.reason != "page_unsettled":
            raise
        return await tab.capture()  # a drawing moves, which no stored page does


def _check_source(raw: RawPage) -> None:
    if raw.error is not None:
        raise PageUnusable(raw.error)
    if not raw.html or not (raw.html.strip() if isinstance(raw.html, str) else raw.html.strip(_BLANK)):
        raise PageUnusable("empty")
    if len(raw.html) > MAX_SOURCE_BYTES:
        raise PageUnusable(f"too_large: {len(raw.html) / 2**20:.0f} MB")


@dataclass
class _Requests:
    """Answers the requests of one page, and keeps what it answered with. `open` are those being answered."""

    site: Site
    resources: dict[str, Resource] = field(default_factory=dict)
    open: int = 0
    _size: int = 0
    _visited: bool = False

    async def answer(self, route: Route) -> None:
        self.open += 1
        try:
            await self._answer(route)
        except PlaywrightError:
            pass  # The page is gone that asked.
        finally:
            self.open -= 1

    async def _answer(self, route: Route) -> None:
        request = route.request
        address = request.url.partition("#")[0]
        if request.is_navigation_request() and request.frame.parent_frame is None:
            # The page itself, once: where it leads afterwards is not followed.
            visited, self._visited = self._visited, True
            await (route.fulfill(status=204) if visited else _fulfil(route, self.site.document))
            return
        found = self.site.answer(address)
        if found is None or self._size + len(found.body) > MAX_RESOURCES_BYTES:
            # A frame that leads elsewhere stays empty.
            await (route.fulfill(status=204) if request.is_navigation_request() else route.abort())
            return
        if address not in self.resources:
            self._size += len(found.body)
            self.resources[address] = Resource(_KINDS.get(request.resource_type, "Image"), found.body)
        await _fulfil(route, found)


async def _fulfil(route: Route, answer: Answer) -> None:
    await route.fulfill(body=answer.body, headers={"content-type": answer.kind, "access-control-allow-origin": "*"})


async def _compile_tailwind(engine: tailwind.Engine, tab: Tab, requests: _Requests) -> None:
    """Puts the stylesheet into the page that its Tailwind script would have made."""
    found = await tab.evaluate(tailwind.READ_JS)
    if found is None:
        return
    files = {address: requests.site.answer(address) for address, text in found["scripts"] if not text}
    texts = {address: answer.body.decode("utf-8", "replace") for address, answer in files.items() if answer}
    source = tailwind.source_of(found, texts)
    if source is None:
        return
    if css := await engine.compiled(source):
        await tab.evaluate(tailwind.INSERT_JS, css)
