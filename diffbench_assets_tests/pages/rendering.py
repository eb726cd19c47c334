"""Real Chromium for the tests of page ingestion: pixels, requests and the fonts that were used.

Belongs here: what several ingestion tests ask of the browser. Does not belong here: the project's own renderer.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from diffbench_assets.browser.chromium import find_chromium, sandboxed
from diffbench_assets.browser.render import FLAGS


@contextmanager
def chromium(environment: Mapping[str, str | float | bool] | None = None) -> Iterator[Browser]:
    """The headless Chromium that the package itself would launch, but for its way to this machine."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(),
            args=[flag for flag in FLAGS if not flag.startswith("--host-resolver-rules")],
            chromium_sandbox=sandboxed(),
            env=dict(environment) if environment else None,
        )
        try:
            yield browser
        finally:
            browser.close()


def open_page(browser: Browser, html: str) -> tuple[Page, list[str]]:
    """A page showing `html`, and the list that every address it requests is added to (`data:` ones left out)."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    requests: list[str] = []
    page.on("request", lambda request: None if request.url.startswith("data:") else requests.append(request.url))
    page.set_content(html)
    page.evaluate("document.fonts.ready")
    return page, requests


def pixels(browser: Browser, html: str) -> np.ndarray:
    """RGB pixels, (800, 1280, 3) uint8, of the top of a page."""
    page, _ = open_page(browser, html)
    image = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    page.close()
    return np.asarray(image)


def foreign_fonts(page: Page) -> set[str]:
    """Names of fonts that the page took from the system, and of the box that stands for a missing glyph."""
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    # -1: the whole tree; pierce: what form controls draw is in shadow trees.
    root = session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
    found: set[str] = set()
    pending = [root]
    while pending:
        node = pending.pop()
        pending.extend(node.get("children", []))
        pending.extend(node.get("shadowRoots", []))
        pending.extend(node.get("pseudoElements", []))
        if node["nodeType"] == 1 and node["nodeName"] not in ("HEAD", "STYLE", "META", "TITLE"):
            used = session.send("CSS.getPlatformFontsForNode", {"nodeId": node["nodeId"]})["fonts"]
            found.update(
                font["postScriptName"] or font["familyName"]
                for font in used
                if (not font["isCustomFont"] or "box" in font["postScriptName"]) and font["glyphCount"] > 0
            )
    return found


def tag_sequence(page: Page) -> list[str]:
    """`depth:tag` of every element that Chromium built, in document order."""
    sequence: list[str] = page.evaluate(
        """() => {
            const out = [];
            const walk = (e, d) => { out.push(d + ':' + e.localName); for (const c of e.children) walk(c, d + 1); };
            walk(document.documentElement, 0);
            return out;
        }"""
    )
    return sequence
