"""Tailwind without a build: pages that load its script, or its stylesheet of version 2, from a public address.

Belongs here: recognising these, and running the real engine on what a page gives it. Does not belong here: the scales
(`scales.py`), or when a page is compiled (`original.py`).

The engine runs in a context of its own, without network, with a copy of nothing but what the engine reads: the page's
class names, its own configuration and its Tailwind styles. Only the stylesheet that comes out is taken over.
Configuration is JavaScript of the page; it can do no more there than any page does in a crawl, and its context is
thrown away afterwards.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, Literal

import brotli
from playwright.async_api import Route

from diffbench_assets.browser.render import PageFailed, Renderer, Tab
from diffbench_assets.pages.scales import all_siblings

Flavour = Literal["2", "3", "4"]

_ADDRESS: Final = "http://tailwind.test/"
_CDN_2 = re.compile(
    r"tailwindcss(?:@|/)\^?[012](?:[./]|$)|tailwindcss/dist/tailwind(?:\.min)?\.css|/tailwind\.min\.css"
)
_CDN_3 = re.compile(r"//cdn\.tailwindcss\.com|tailwindcss(?:@|/)\^?3")
_CDN_4 = re.compile(r"@tailwindcss/browser|tailwindcss(?:@|/)\^?4")
_PLUGINS: Final = {
    "forms": "r1()", "typography": "Jx()", "aspect-ratio": "tk()", "container-queries": "ik()",
}  # fmt: skip
"""How the vendored engine names the plug-ins that its address asks for."""
_PLUGIN = re.compile(r"[?&]plugins=([^&#]+)")
_CONFIGURES = re.compile(r"\btailwind\s*\.\s*config\b")

READ_JS: Final = """() => {
    const all = (selector) => [...Document.prototype.querySelectorAll.call(document, selector)];
    const styles = all('style[type="text/tailwindcss" i]').map((style) => style.textContent);
    const scripts = all("script").map((script) => [script.src || "", script.src ? "" : script.textContent]);
    if (!styles.length && !scripts.some(([address]) => address.includes("tailwind"))) return null;
    return { styles, scripts, classes: [...new Set(all("[class]").flatMap((element) => [...element.classList]))] };
}"""
"""What a page has that concerns the engine; null when nothing does."""
INSERT_JS: Final = """(css) => {
    const style = document.createElement("style");
    style.textContent = css;
    Document.prototype.querySelector.call(document, "head").append(style);
}"""
_COMPILE_JS: Final = """async ([styles, classes]) => {
    for (const style of document.querySelectorAll("style[type]")) style.remove();
    document.body.innerHTML = "<i></i>";
    document.body.firstChild.className = classes;
    document.head.append(...styles.map((text) => {
        const style = document.createElement("style");
        style.type = "text/tailwindcss";
        style.textContent = text;
        return style;
    }));
    for (let at = 0; at < 3; at++) await new Promise((resolve) => setTimeout(resolve));
    return [...document.querySelectorAll("style:not([type])")].map((style) => style.textContent).join("\\n");
}"""


@dataclass(frozen=True)
class Source:
    """What a page gives the engine: its flavour and plug-ins, configuration scripts, styles, class names."""

    flavour: Flavour
    plugins: tuple[str, ...]
    scripts: tuple[str, ...]
    styles: tuple[str, ...]
    classes: tuple[str, ...]


def flavour_of_address(address: str) -> Flavour | None:
    """Which Tailwind a script or stylesheet address loads, None when it is not Tailwind."""
    if "tailwind" not in address:
        return None
    if _CDN_4.search(address):
        return "4"
    if _CDN_3.search(address):
        return "3"
    return "2" if _CDN_2.search(address) else None


def source_of(found: dict[str, Any] | None, texts: dict[str, str]) -> Source | None:
    """What `READ_JS` found, as the engine's input; None when the page does not use one.

    `texts` are the page's own scripts that are files, by address.
    """
    if found is None:
        return None
    addresses = [address for address, _ in found["scripts"]]
    flavours = [flavour for address in addresses if (flavour := flavour_of_address(address)) in ("3", "4")]
    if not flavours and not found["styles"]:
        return None
    plugins = {name for address in addresses for match in _PLUGIN.finditer(address) for name in match[1].split(",")}
    plugins = {name.partition("@")[0] for name in plugins}
    scripts = [text or texts.get(address, "") for address, text in found["scripts"]]
    return Source(
        flavours[0] if flavours else "4",
        tuple(name for name in _PLUGINS if name in plugins),
        tuple(text for text in scripts if _CONFIGURES.search(text)),
        tuple(found["styles"]),
        tuple(sorted(found["classes"])),
    )


class Engine:
    """The engine at work, in a browser of its own from the first page that needs it on.

    A page with scripts of its own has a tab of its own; the others share one.
    """

    def __init__(self) -> None:
        self._renderer = Renderer()
        self._sharing = asyncio.Lock()
        self._shared = AsyncExitStack()
        self._tab: Tab | None = None
        self._compiled = 0

    async def __aenter__(self) -> Engine:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._end_sharing()
        await self._renderer.__aexit__()

    async def compiled(self, source: Source) -> str:
        """The stylesheet that the engine makes, with every class that an operator may put in the place of one.

        Empty when the engine refuses what the page gives it, or does not end. Raises NoBrowser.
        """
        try:
            if source.scripts or source.flavour == "3":  # what configures version 3 stays for the next page
                async with self._renderer.tab(scripts=True) as tab:
                    await _open(tab, source)
                    return await self._compile(tab, source)
            async with self._sharing:
                return await self._compile_shared(source)
        except PageFailed:
            return ""

    async def _compile_shared(self, source: Source) -> str:
        try:
            if self._tab is None:
                self._tab = await self._shared.enter_async_context(self._renderer.tab(scripts=True))
                await _open(self._tab, source)
            return await self._compile(self._tab, source)
        except PageFailed:
            await self._end_sharing()
            raise

    async def _end_sharing(self) -> None:
        self._tab = None
        await self._shared.aclose()

    async def _compile(self, tab: Tab, source: Source) -> str:
        styles = source.styles or (('@import "tailwindcss";',) if source.flavour == "4" else ())
        names = {*source.classes, *(other for name in source.classes for other in all_siblings(name))}
        self._compiled += 1
        # The engine begins anew only where the text of the styles is another.
        arguments = [[*styles, f"/* {self._compiled} */"], " ".join(sorted(names))]
        css: str = await tab.evaluate(_COMPILE_JS, arguments)
        return css


async def _open(tab: Tab, source: Source) -> None:
    """A document with nothing but the engine, and what configures it."""
    document = "".join(
        ["<!DOCTYPE html><html><head><meta charset=utf-8>", _script(_engine(source.flavour, source.plugins)),
         *map(_script, source.scripts), "</head><body></body></html>"]
    )  # fmt: skip

    async def answer(route: Route) -> None:
        if route.request.url == _ADDRESS:
            await route.fulfill(body=document, content_type="text/html;charset=utf-8")
        else:
            await route.abort()

    await tab.visit(_ADDRESS, answer)


def _script(text: str) -> str:
    # As a string that is run: text that ends a script element would end this one too.
    return f"<script>(0, eval)({json.dumps(text).replace('<', chr(92) + 'u003c')})</script>"


@cache
def _engine(flavour: Flavour, plugins: Sequence[str]) -> str:
    if flavour == "4":
        return _vendored("tailwind-4.3.4.js.br")
    whole = f"[{','.join(_PLUGINS.values())}]"
    engine = _vendored("tailwind-3.4.10.js.br")
    assert engine.count(whole) == 1
    return engine.replace(whole, f"[{','.join(_PLUGINS[name] for name in plugins)}]")


@cache
def stylesheet_2() -> bytes:
    """The stylesheet of Tailwind 2.2.19, the file that `tailwindcss@2` addresses on public CDNs serve."""
    return _vendored("tailwind-2.2.19.min.css.br").encode()


def _vendored(name: str) -> str:
    data = resources.files("diffbench_assets.pages").joinpath(f"data/{name}").read_bytes()
    return brotli.decompress(data).decode("utf-8")
