"""Reading a page through the browser: its tree, styles, pictures, fonts and what only a screenshot shows.

Belongs here: everything that talks to the page. Does not belong here: writing the text (`write.py`, `css.py`).

Nothing is fetched: bytes are those the browser received for the page. Scripts of the page cannot interfere, as all
questions are asked in an isolated world.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.async_api import CDPSession, Page, Request
from playwright.async_api import Error as PlaywrightError

from diffbench_assets.browser.render import FREEZE, VIEWPORT
from diffbench_assets.pages import font_world, fonts
from diffbench_assets.pages.pictures import MAX_BYTES
from diffbench_assets.pages.snapshot.write import Box, Captured, Draft, Resource
from diffbench_assets.pages.used_fonts import Sample, Use

TIMEOUT_S: Final = 60.0
MAX_RESOURCES_BYTES: Final = 24 * 2**20
"""What all pictures, fonts and stylesheets of a page may hold together; those that come later count as missing."""
MAX_FONTS: Final = 200
MAX_BOX_SIDE: Final = 4096
_UNUSABLE: Final = ("no_body", "too_many_nodes", "too_many_attributes")
"""What `snapshot.js` turns down."""
_KINDS: Final = frozenset({"Image", "Stylesheet", "Other", "Document", "Media"})
_JS: Final = (Path(__file__).parent / "snapshot.js").read_text()


class SnapshotFailed(RuntimeError):
    """No snapshot could be taken; `reason` is one of `_UNUSABLE`, too_large, timeout or browser_error."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason


@dataclass(frozen=True)
class Taken:
    """A snapshot's text, and whether the browser had to look for fonts that no stack of the page names."""

    text: str
    looked_for_fonts: bool


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
    noted = Fonts(page)

    async def take() -> str | None:
        try:
            return await take_snapshot(page, noted)
        except SnapshotFailed:
            return None

    return take


async def take_snapshot(page: Page, noted: Fonts | None = None) -> str:
    """One HTML text that shows what `page`, whose scripts ran, shows now, without scripts and without network.

    `page` must have settled at 1280×800, scrolled to the top. It is used up: its state may change. The text is the same
    for the same state; it goes through `stored.to_page` before it is stored as a page. Without `noted` only those fonts
    are found that are among the page's last hundred requests. Raises SnapshotFailed.
    """
    try:
        async with asyncio.timeout(TIMEOUT_S):
            session = await page.context.new_cdp_session(page)
            try:
                loaded = await _font_resources(noted.requests if noted else await page.requests())
                await _cut_off(session)
                await session.send("Page.enable")
                tree = (await session.send("Page.getResourceTree"))["frameTree"]
                loaded |= await _resources(session, tree["frame"]["id"], tree["resources"])
                return (await _taken(session, loaded, scripted=True, shadows=True)).text
            finally:
                with suppress(PlaywrightError):
                    await session.detach()
    except TimeoutError as error:
        raise SnapshotFailed("timeout", f"not done after {TIMEOUT_S:.0f} s") from error
    except PlaywrightError as error:
        raise SnapshotFailed("browser_error", str(error).splitlines()[0]) from error


async def snapshot_of(session: CDPSession, resources: Mapping[str, Resource], shadows: bool) -> Taken:
    """`take_snapshot` of a page without scripts, all of whose `resources` are at hand, by address.

    `shadows`: whether it may hold closed shadow roots.
    Raises SnapshotFailed, PlaywrightError and TimeoutError.
    """
    async with asyncio.timeout(TIMEOUT_S):
        return await _taken(session, resources, scripted=False, shadows=shadows)


class World:
    """The isolated world of one page."""

    def __init__(self, session: CDPSession, context: int) -> None:
        self.session = session
        self._context = context

    async def call(self, function: str, argument: Any = None, by_value: bool = True) -> Any:
        """The value (or the handle's id) of `function`, JavaScript of one parameter. Raises SnapshotFailed."""
        return await self._send(function, {"value": argument}, by_value)

    async def hand_over(self, function: str, node: int) -> None:
        """Calls `function` with a node of the page, by its id in the browser. Raises SnapshotFailed."""
        found = await self.session.send("DOM.resolveNode", {"backendNodeId": node, "executionContextId": self._context})
        await self._send(function, {"objectId": found["object"]["objectId"]}, True)

    async def _send(self, function: str, argument: dict[str, Any], by_value: bool) -> Any:
        reply = await self.session.send(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": function,
                "arguments": [argument],
                "executionContextId": self._context,
                "returnByValue": by_value,
            },
        )
        if "exceptionDetails" in reply:
            detail = reply["exceptionDetails"].get("exception", {}).get("description", "")
            raise SnapshotFailed("browser_error", detail.partition("\n")[0][:200])
        result = reply["result"]
        return result.get("value") if by_value else result["objectId"]


async def _taken(session: CDPSession, resources: Mapping[str, Resource], scripted: bool, shadows: bool) -> Taken:
    frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
    reply = await session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "diffbench-snapshot"})
    world = World(session, reply["executionContextId"])
    await world.call(f"() => {{ {_JS} }}")
    resources = await _read_sheets(world, resources)
    if shadows:
        await _find_closed_shadows(world)
    sheets = {url: found.text for url, found in resources.items() if found.kind == "Stylesheet"} if scripted else {}
    given = {"scripts": scripted, "sheets": sheets, "freeze": FREEZE}
    found = json.loads(await world.call("(input) => diffbenchSnapshot(input)", given))
    if "failure" in found:
        reason = found["failure"]
        raise SnapshotFailed(reason) if reason in _UNUSABLE else SnapshotFailed("browser_error", reason)
    boxes = [await _box_picture(world, number, Box(**box)) for number, box in enumerate(found.pop("boxes"))]
    texts = [Sample(*sample) for sample in found.pop("texts")]
    captured = Captured(**found, texts=texts, boxes=boxes, resources=resources, scripted=scripted)
    # Cutting fonts and writing megabytes would hold up every other page of the event loop.
    try:
        draft = await asyncio.to_thread(Draft, captured)
        drawn = await _ask_for_fonts(world, draft.uses)
        return Taken(await asyncio.to_thread(draft.finished, drawn), bool(drawn))
    except ValueError as error:
        raise SnapshotFailed("too_large", str(error)) from error


async def _cut_off(session: CDPSession) -> None:
    """Asked about styles, a browser loads stylesheets once more; refused, it takes what it has."""
    await session.send("Network.enable")
    await session.send("Network.setBlockedURLs", {"urls": ["*"]})


async def _find_closed_shadows(world: World) -> None:
    """Hands over the shadow roots that a page keeps to itself."""
    pending = [(await world.session.send("DOM.getDocument", {"depth": -1, "pierce": True}))["root"]]
    while pending:
        node = pending.pop()
        shadows = node.get("shadowRoots", [])
        pending += [*node.get("children", []), *shadows]
        for shadow in shadows:
            if shadow["shadowRootType"] == "closed":
                await world.hand_over("(shadow) => diffbenchClosed(shadow)", shadow["backendNodeId"])


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
            if data and len(data) <= MAX_BYTES and total <= MAX_RESOURCES_BYTES:
                found[request.url] = Resource("Font", data)
    return found


async def _resources(session: CDPSession, frame: str, listed: list[dict[str, Any]]) -> dict[str, Resource]:
    """The bytes the browser keeps of what the page loaded, stylesheets first, by address."""
    resources: dict[str, Resource] = {}
    total = 0
    listed = sorted(listed, key=lambda item: item["type"] != "Stylesheet")
    for item in listed:
        size = item.get("contentSize") or 0
        failed = item.get("failed") or item.get("canceled") or item["type"] not in _KINDS
        if failed or size > MAX_BYTES or total + size > MAX_RESOURCES_BYTES:
            continue
        with suppress(PlaywrightError):  # what the browser no longer has counts as missing
            found = await _content(session, frame, item["url"], item["type"])
            total += len(found.data) + len(found.text)
            if len(found.data) <= MAX_BYTES and total <= MAX_RESOURCES_BYTES:
                resources[item["url"]] = found
    return resources


async def _content(session: CDPSession, frame: str, url: str, kind: str) -> Resource:
    reply = await session.send("Page.getResourceContent", {"frameId": frame, "url": url})
    content = reply["content"]
    if reply["base64Encoded"]:
        return Resource(kind, base64.b64decode(content))
    return Resource(kind, content.encode("utf-8", "replace"), content if kind == "Stylesheet" else "")


async def _read_sheets(world: World, resources: Mapping[str, Resource]) -> dict[str, Resource]:
    """The resources with the text of their stylesheets. The browser knows in which encoding one was written."""
    read = dict(resources)
    for url, found in resources.items():
        if found.kind == "Stylesheet" and not found.text:
            plain = found.data.isascii()
            encoded = "" if plain else base64.b64encode(found.data).decode("ascii")
            text = found.data.decode() if plain else await world.call("(data) => diffbenchDecode(data)", encoded)
            read[url] = replace(found, text=text)
    return read


async def _box_picture(world: World, number: int, box: Box) -> tuple[tuple[int, int], bytes | None]:
    """Size in whole pixels and PNG of what one box shows, alone; no PNG when nothing of it can be seen."""
    left, top, right, bottom = (round(edge) for edge in (box.left, box.top, box.right, box.bottom))
    size = (right - left, bottom - top)
    if max(size) > MAX_BOX_SIDE:
        return (min(size[0], MAX_BOX_SIDE), min(size[1], MAX_BOX_SIDE)), None
    moved = await world.call("(number) => diffbenchOnly(number)", number)
    left, right = left + round(moved[0]), right + round(moved[0])
    top, bottom = top + round(moved[1]), bottom + round(moved[1])
    seen = (max(left, 0), max(top, 0), min(right, VIEWPORT[0]), min(bottom, VIEWPORT[1]))
    clear = {"color": {"r": 0, "g": 0, "b": 0, "a": 0}}
    await world.session.send("Emulation.setDefaultBackgroundColorOverride", clear)
    try:
        if seen[0] >= seen[2] or seen[1] >= seen[3]:
            return size, None
        reply = await world.session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
    finally:
        await world.session.send("Emulation.setDefaultBackgroundColorOverride", {})
        await world.call("(number) => diffbenchShow(number)", number)
    with Image.open(io.BytesIO(base64.b64decode(reply["data"]))) as shot:
        picture = Image.new("RGBA", size)
        picture.paste(shot.convert("RGBA").crop(seen), (seen[0] - left, seen[1] - top))
    out = io.BytesIO()
    picture.save(out, "PNG")
    return size, out.getvalue()


async def _ask_for_fonts(world: World, uses: Sequence[Use]) -> dict[int, dict[str, str]]:
    """Which family draws each character that a use is lacking, by the number of the use."""
    lacking = [number for number, use in enumerate(uses) if use.lacking]
    if not lacking:
        return {}
    await _cut_off(world.session)
    for domain in ("DOM", "CSS"):
        await world.session.send(f"{domain}.enable")
    try:
        asked = [(number, "".join(sorted(uses[number].lacking))) for number in lacking]
        drawn: dict[int, dict[str, str]] = {number: {} for number in lacking}
        unsure: list[tuple[int, str]] = []
        for (number, text), families in zip(asked, await _families(world, uses, asked), strict=True):
            for character in text:
                having = [name for name in families if character in _coverage(name)]
                if len(having) > 1:
                    unsure.append((number, character))
                elif having:
                    drawn[number][character] = having[0]
        for (number, character), families in zip(unsure, await _families(world, uses, unsure), strict=True):
            drawn[number][character] = families[0] if families else ""
        return drawn
    finally:
        await world.session.send("CSS.disable")
        await world.session.send("Network.setBlockedURLs", {"urls": []})


def _coverage(family: str) -> frozenset[str]:
    font = font_world.known().get(family.casefold())
    return fonts.coverage(font) if font else frozenset()


async def _families(world: World, uses: Sequence[Use], asked: Sequence[tuple[int, str]]) -> list[list[str]]:
    """Per text, in the stack of its use, the families that draw it."""
    samples = [uses[number].sample for number, _ in asked]
    probes = [[s.stack, s.weight, s.style, s.locale, text] for s, (_, text) in zip(samples, asked, strict=True)]
    await world.call("(samples) => diffbenchProbe(samples)", probes)
    await world.session.send("DOM.getDocument", {"depth": 0})
    found: list[list[str]] = []
    for number in range(len(probes)):
        handle = await world.call("(number) => diffbenchProbes[number]", number, by_value=False)
        node = await world.session.send("DOM.requestNode", {"objectId": handle})
        reply = await world.session.send("CSS.getPlatformFontsForNode", {"nodeId": node["nodeId"]})
        found.append([font["familyName"] for font in reply["fonts"] if not font["isCustomFont"]])
    await world.call("() => diffbenchProbeHost.remove()")
    return found
