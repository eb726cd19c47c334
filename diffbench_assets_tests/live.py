"""One real Chromium for all tests of a worker, and the questions that several test modules put to it.

Belongs here: fixtures. Does not belong here: pages (`small_pages.py`) or the browser of the ingestion tests
(`rendering.py`).
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import settings

from diffbench_assets.browser.gate import Box, Decision, Pixels, decide, decode, region
from diffbench_assets.browser.render import VIEWPORT, Renderer
from diffbench_assets.pairs.css.candidates import SPARE, PageResult, PageTask, Row, find_candidates
from diffbench_assets.pairs.css.operators import CELLS
from diffbench_assets.pairs.css.operators.base import Element
from diffbench_assets.pairs.css.search import parse_elements
from diffbench_assets.pairs.edits import apply_to_html
from diffbench_assets.pairs.record import Mutation

# A busy machine is no failure.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

Result = TypeVar("Result")
SHAPE = (VIEWPORT[1], VIEWPORT[0])


class Live:
    """The project's own renderer, whose event loop runs in a thread of its own."""

    def __init__(self, renderer: Renderer, loop: asyncio.AbstractEventLoop) -> None:
        self.renderer = renderer
        self._loop = loop

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=120)

    def search(
        self, html: str, *cells: str, page_id: str = "page", missing: str = "", seed: int = 0, exact: bool = False
    ) -> PageResult:
        """What one page gives for `cells` (all of them by default)."""
        task = PageTask(page_id, html, missing, cells or CELLS, exact=exact)
        return self.run(find_candidates(self.renderer, [task], seed))[0]

    def rows(self, html: str, *cells: str, **settings: Any) -> list[Row]:
        """The candidate rows of one page, cell after cell, without those that were left as spares."""
        found = self.search(html, *cells, **settings).rows.values()
        return [row for rows in found for row in rows if row["status"] != SPARE]

    def ask(self, html: str, script: str, argument: Any = None) -> Any:
        """The value of a script on a fresh page that shows `html`."""

        async def work() -> Any:
            async with self.renderer.tab() as tab:
                await tab.load(html)
                return await tab.evaluate(script, argument)

        return self.run(work())

    def computed(self, questions: Sequence[tuple[str, str, str]]) -> list[str]:
        """Computed values of (html, selector, property), each on a fresh document; `text` asks for the text."""
        script = """([selector, property]) => {
            const element = document.querySelector(selector);
            return property === 'text' ? element.textContent : getComputedStyle(element).getPropertyValue(property);
        }"""

        async def work() -> list[str]:
            async with self.renderer.tab() as tab:
                values = []
                for html, selector, property in questions:
                    await tab.load(html)
                    values.append(await tab.evaluate(script, [selector, property]))
                return values

        return self.run(work())

    def elements(self, html: str) -> list[Element]:
        """The elements that the search sees on a page."""

        async def work() -> list[Element]:
            async with self.renderer.tab() as tab:
                await tab.load(html)
                return parse_elements(await tab.snapshot())

        return self.run(work())

    def pixels(self, html: str) -> Pixels:
        """The settled capture of a fresh page."""

        async def work() -> bytes:
            async with self.renderer.tab() as tab:
                await tab.load(html)
                return await tab.settled()

        return decode(self.run(work()))

    def box(self, html: str, selector: str) -> Box:
        """The border box of an element on a fresh page."""
        script = """(selector) => {
            const box = document.querySelector(selector).getBoundingClientRect();
            return [box.x, box.y, box.width, box.height];
        }"""
        return tuple(self.ask(html, script, selector))

    def static_decision(self, html: str, mutation: Mutation) -> Decision:
        """The gate's decision with no use of the live search: static HTML, fresh pages, boxes measured there."""
        after = apply_to_html(html, mutation.edits)
        where = region(self.box(html, mutation.selector), self.box(after, mutation.selector), SHAPE)
        return decide(self.pixels(html), self.pixels(after), where)


@pytest.fixture(scope="session")
def live() -> Iterator[Live]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def run(work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, loop).result(timeout=60)

    renderer = run(Renderer().__aenter__())
    yield Live(renderer, loop)
    run(renderer.__aexit__())
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()
