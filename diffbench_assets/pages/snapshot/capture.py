"""Reading a live page through the browser: its tree, styles, pictures, fonts and what only a screenshot shows.

Belongs here: everything that talks to the page. Does not belong here: writing the text (`inline.py`, `css.py`).

Nothing is fetched: bytes are those the browser received for the page. Scripts of the page cannot interfere, as all
questions are asked in an isolated world.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.async_api import CDPSession, Page, Request
from playwright.async_api import Error as PlaywrightError

from diffbench_assets.browser.render import FREEZE, VIEWPORT
from diffbench_assets.pages.snapshot.inline import Box, Captured, Resource, write_page
from diffbench_assets.pages.snapshot.system_fonts import Sample, system_faces

TIMEOUT_S: Final = 60.0
MAX_RESOURCE_BYTES: Final = 12 * 2**20
"""A larger picture or font counts as missing."""
MAX_RESOURCES_BYTES: Final = 24 * 2**20
"""What all pictures, fonts and stylesheets of a page may hold together; those that come later count as missing."""
MAX_FONTS: Final = 200
MAX_BOX_SIDE: Final = 4096
_KINDS: Final = frozenset({"Image", "Stylesheet", "Other", "Document", "Media"})
_JS: Final = (Path(__file__).parent / "snapshot.js").read_text()


class SnapshotFailed(RuntimeError):
    """No snapshot could be taken; `reason` is no_body, too_many_nodes, too_large, timeout or browser_error."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason


class Fonts:
    """The font requests of a page, kept from before it is loaded: `fonts = Fonts(page)`, then `page.goto(...)`.

    The browser drops a font's file once it is parsed, but still has the response. Playwright remembers the last hundred
    requests of a page by itself; this is for pages that make more.
    """

    def __init__(self, page: Page) -> None:
        self.requests: list[Request] = []
        page.on("requestfinished", self._note)

    def _note(self, request: Request) -> None:
        if request.resource_type == "font" and len(self.requests) < MAX_FONTS:
            self.requests.append(request)


def prepare_snapshot(page: Page) -> Callable[[], Awaitable[str | None]]:
    """What takes the snapshot of `page` later, as `take_snapshot` does; None when it cannot be had.

    To be called before the page is loaded, as its fonts are noted from then on.
    """
    fonts = Fonts(page)

    async def take() -> str | None:
        try:
            return await take_snapshot(page, fonts)
        except SnapshotFailed:
            return None

    return take


async def take_snapshot(page: Page, fonts: Fonts | None = None) -> str:
    """One HTML text that shows what `page` shows now, without scripts and without network.

    `page` must have settled at 1280×800, scrolled to the top. It is used up: its state may change. The text is the same
    for the same state; it goes through `to_page` before it is stored as a page. Without `fonts` only those among the
    page's last hundred requests are found. Raises SnapshotFailed.
    """
    try:
        async with asyncio.timeout(TIMEOUT_S):
            session = await page.context.new_cdp_session(page)
            try:
                requests = fonts.requests if fonts else await page.requests()
                captured = await _capture(session, await _font_resources(requests))
            finally:
                with suppress(PlaywrightError):
                    await session.detach()
            # Cutting fonts and writing megabytes would hold up every other page of the event loop.
            return await asyncio.to_thread(write_page, captured)
    except TimeoutError as error:
        raise SnapshotFailed("timeout", f"not done after {TIMEOUT_S:.0f} s") from error
    except PlaywrightError as error:
        raise SnapshotFailed("browser_error", str(error).splitlines()[0]) from error
    except ValueError as error:
        raise SnapshotFailed("too_large", str(error)) from error


class World:
    """The isolated world of one page."""

    def __init__(self, session: CDPSession, context: int) -> None:
        self.session = session
        self._context = context

    async def call(self, function: str, argument: Any = None, by_value: bool = True) -> Any:
        """The value (or the handle's id) of `function`, JavaScript of one parameter. Raises SnapshotFailed."""
        reply = await self.session.send(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": function,
                "arguments": [{"value": argument}],
                "executionContextId": self._context,
                "returnByValue": by_value,
            },
        )
        if "exceptionDetails" in reply:
            detail = reply["exceptionDetails"].get("exception", {}).get("description", "")
            raise SnapshotFailed("browser_error", detail.partition("\n")[0][:200])
        result = reply["result"]
        return result.get("value") if by_value else result["objectId"]


async def _font_resources(requests: Sequence[Request]) -> dict[str, Resource]:
    found: dict[str, Resource] = {}
    total = 0
    for request in requests:
        if request.resource_type != "font" or request.url in found:
            continue
        with suppress(PlaywrightError):  # what the browser no longer has counts as missing
            response = await request.response()
            if response is None or not response.ok:
                continue
            data = await response.body()
            total += len(data)
            if data and len(data) <= MAX_RESOURCE_BYTES and total <= MAX_RESOURCES_BYTES:
                found[request.url] = Resource("Font", response.headers.get("content-type", ""), data)
    return found


async def _capture(session: CDPSession, fonts: dict[str, Resource]) -> Captured:
    await session.send("Network.enable")
    # Asking about styles makes the browser load stylesheets once more; refused, it takes what it has.
    await session.send("Network.setBlockedURLs", {"urls": ["*"]})
    for domain in ("Page", "DOM", "CSS"):
        await session.send(f"{domain}.enable")
    tree = (await session.send("Page.getResourceTree"))["frameTree"]
    frame = tree["frame"]["id"]
    resources = {**await _resources(session, frame, tree["resources"]), **fonts}
    reply = await session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "diffbench-snapshot"})
    world = World(session, reply["executionContextId"])
    await world.call(f"() => {{ {_JS} }}")
    sheets = {url: resource.text() for url, resource in resources.items() if resource.kind == "Stylesheet"}
    found = json.loads(await world.call("(input) => diffbenchSnapshot(input)", {"sheets": sheets, "freeze": FREEZE}))
    if "failure" in found:
        reason = found["failure"]
        raise SnapshotFailed(reason if reason in ("no_body", "too_many_nodes") else "browser_error", reason)
    pictures = [await _box_picture(world, number, Box(**box)) for number, box in enumerate(found["boxes"])]
    faces = await system_faces(world, [Sample(*sample) for sample in found["texts"]])
    return Captured(
        parts=found["parts"],
        sheets=found["sheets"],
        base=found["base"],
        defaults=found["defaults"],
        resources=resources,
        boxes=pictures,
        faces=faces,
    )


async def _resources(session: CDPSession, frame: str, listed: list[dict[str, Any]]) -> dict[str, Resource]:
    """The bytes the browser keeps of what the page loaded, stylesheets first, by address."""
    resources: dict[str, Resource] = {}
    total = 0
    listed = sorted(listed, key=lambda item: item["type"] != "Stylesheet")
    for item in listed:
        size = item.get("contentSize") or 0
        failed = item.get("failed") or item.get("canceled") or item["type"] not in _KINDS
        if failed or size > MAX_RESOURCE_BYTES or total + size > MAX_RESOURCES_BYTES:
            continue
        with suppress(PlaywrightError):  # what the browser no longer has counts as missing
            reply = await session.send("Page.getResourceContent", {"frameId": frame, "url": item["url"]})
            content = reply["content"]
            data = base64.b64decode(content) if reply["base64Encoded"] else content.encode("utf-8", "replace")
            total += len(data)
            if data and len(data) <= MAX_RESOURCE_BYTES and total <= MAX_RESOURCES_BYTES:
                resources[item["url"]] = Resource(item["type"], item.get("mimeType", ""), data)
    return resources


async def _box_picture(world: World, number: int, box: Box) -> bytes | None:
    """PNG of what one box shows, alone, at its size in whole pixels; None when nothing of it is in the viewport."""
    left, top, right, bottom = (round(edge) for edge in (box.left, box.top, box.right, box.bottom))
    seen = (max(left, 0), max(top, 0), min(right, VIEWPORT[0]), min(bottom, VIEWPORT[1]))
    if seen[0] >= seen[2] or seen[1] >= seen[3] or max(right - left, bottom - top) > MAX_BOX_SIDE:
        return None
    await world.call("(number) => diffbenchOnly(number)", number)
    clear = {"color": {"r": 0, "g": 0, "b": 0, "a": 0}}
    await world.session.send("Emulation.setDefaultBackgroundColorOverride", clear)
    try:
        reply = await world.session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
    finally:
        await world.session.send("Emulation.setDefaultBackgroundColorOverride", {})
        await world.call("(number) => diffbenchShow(number)", number)
    with Image.open(io.BytesIO(base64.b64decode(reply["data"]))) as shot:
        picture = Image.new("RGBA", (right - left, bottom - top))
        picture.paste(shot.convert("RGBA").crop(seen), (seen[0] - left, seen[1] - top))
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()
