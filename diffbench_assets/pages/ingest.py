"""Pages of a source: read through the browser, made self-contained, compared with what they were, one row each.

Belongs here: rows of the pages table from a source, and the fingerprint of what it was made from. Does not belong here:
reading sources (`sources.py`), any step of a page (`original.py`, `stored.py`).
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

from diffbench_assets.browser.flight import in_flight
from diffbench_assets.browser.gate import decode, is_blank, pixel_agreement
from diffbench_assets.browser.render import PageFailed, Renderer, Tab
from diffbench_assets.pages import font_world, original, written
from diffbench_assets.pages.errors import PageUnusable
from diffbench_assets.pages.sources import (
    GeneratorSource,
    HtmlSource,
    ParquetSource,
    RawPage,
    ScenesSource,
    SourceSpec,
    find_files,
    page_count,
    read_source,
)
from diffbench_assets.pages.stored import Page, to_page
from diffbench_assets.pages.tailwind import Engine
from diffbench_assets.versions import file_sha256

Result = TypeVar("Result")
BATCH_PAGES: Final = 64
"""Pages between two looks at the source: what is in memory at once."""


@dataclass(frozen=True)
class Made:
    """What became of a raw page: the page, and the share of pixels in which it agrees with its original.

    `agreement` is None where there is no page, or no original but itself.
    """

    page: Page
    agreement: float | None = None


class Reader:
    """Two browsers for a whole run: one that reads pages, and the project's own renderer for what they become."""

    def __init__(self, reading: Renderer, rendering: Renderer, engine: Engine) -> None:
        self._reading = reading
        self._rendering = rendering
        self._engine = engine

    @classmethod
    @asynccontextmanager
    async def started(cls) -> AsyncIterator[Reader]:
        """A reader for as long as the context lasts. Raises NoBrowser."""
        async with Renderer(font_world.environment()) as reading, Renderer() as rendering, Engine() as engine:
            yield cls(reading, rendering, engine)

    async def make(
        self, pages: Sequence[RawPage], progress: Callable[[int], object] = lambda pages: None
    ) -> list[Made]:
        """Every page made self-contained, in order; one that cannot be used has a `drop_reason` and stops no other."""
        made = await self._made(pages, False, progress)
        # Equal at the first capture, a page need not be waited for.
        unequal = [number for number, done in enumerate(made) if done.agreement not in (None, 1.0)]
        again = await self._made([pages[number] for number in unequal], True)
        for number, done in zip(unequal, again, strict=True):
            made[number] = done
        return made

    async def _made(
        self, pages: Sequence[RawPage], settled: bool, progress: Callable[[int], object] = lambda pages: None
    ) -> list[Made]:
        async def compare(tab: Tab, copy: tuple[bytes, Page]) -> Made:
            png, page = copy
            assert page.html is not None
            await tab.load(page.html)
            shown = await (tab.settled() if settled else tab.capture())
            if await asyncio.to_thread(lambda: is_blank(decode(shown))):
                return Made(Page(drop_reason="no_visible_content: all of one color"))
            return Made(page, pixel_agreement(png, shown))

        read = await in_flight(self._reading, pages, partial(self._read, settled=settled), _unread, progress)
        copies = [(png, page) for png, page in read if page.html is not None]
        compared = iter(await in_flight(self._rendering, copies, compare, _unrendered))
        return [next(compared) if page.html is not None else Made(page) for _, page in read]

    async def _read(self, tab: Tab, raw: RawPage, settled: bool) -> tuple[bytes, Page]:
        try:
            found = await original.read(self._engine, tab, raw, settled)
            if found.snapshot.looked_for_fonts and tab.visits > 1:
                # What a browser found for a character it takes again, whatever the language of the next page.
                async with self._reading.tab() as fresh:
                    found = await original.read(self._engine, fresh, raw, settled)
            return found.png, await asyncio.to_thread(to_page, found.snapshot.text, raw.language, raw.richness)
        except PageUnusable as error:
            return b"", Page(drop_reason=str(error))
        except PageFailed as failure:
            if failure.tab_lost:
                raise
            return _unread(raw, failure)
        except Exception as error:  # a hostile page must not end the run; its reason is stored and counted
            return b"", Page(drop_reason=f"failed: {type(error).__name__}: {error}"[:300])


def _unread(raw: RawPage, failure: PageFailed) -> tuple[bytes, Page]:
    return b"", Page(drop_reason=failure.reason)


def _unrendered(copy: tuple[bytes, Page], failure: PageFailed) -> Made:
    return Made(Page(drop_reason=failure.reason))


class Writer:
    """What stores pages that the project wrote itself; see `written.py`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    @asynccontextmanager
    async def started(cls) -> AsyncIterator[Writer]:
        """A writer for as long as the context lasts."""
        async with Engine() as engine:
            yield cls(engine)

    async def make(
        self, pages: Sequence[RawPage], progress: Callable[[int], object] = lambda pages: None
    ) -> list[Made]:
        """Every page, in order. Raises NoBrowser when there is none for the Tailwind of one."""
        made = []
        for page in pages:
            made.append(Made(await written.stored(self._engine, page)))
            progress(1)
        return made


@contextmanager
def reading(maker: type[Reader] | type[Writer] = Reader) -> Iterator[Callable[..., list[Made]]]:
    """`make` of a reader, or a writer, that lives as long as the context, for callers without an event loop or in one.

    It has a loop of its own, in a thread of its own.
    """
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def run(work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, loop).result()

    try:
        started: AbstractAsyncContextManager[Reader | Writer] = maker.started()
        working = run(started.__aenter__())
        try:
            yield lambda *arguments: run(working.make(*arguments))
        finally:
            run(started.__aexit__(None, None, None))
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def ingest(
    spec: SourceSpec, progress: Callable[[int], object] = lambda pages: None, most: int | None = None
) -> Iterator[dict[str, Any]]:
    """One row of the pages table for every page of the source, or `most` of them; see `sources.read_source`.

    A page that cannot be used has its drop_reason.
    """
    raw = read_source(spec, most)
    with reading(Writer if isinstance(spec, GeneratorSource | ScenesSource) else Reader) as make:
        while batch := list(islice(raw, BATCH_PAGES)):
            for page, made in zip(batch, make(batch, progress), strict=True):
                yield _row(spec.name, page, made)


def _row(source: str, raw: RawPage, made: Made) -> dict[str, Any]:
    page = made.page
    return {
        "page_id": raw.page_id,
        "source": source,
        "url": raw.url,
        "html": page.html,
        "domain": raw.domain,
        "style": raw.style,
        "richness": raw.richness or page.richness,
        "language": raw.language or page.language,
        "structure_fingerprint": page.structure_fingerprint,
        "missing_glyphs": page.missing_glyphs,
        "pixel_agreement": made.agreement,
        "drop_reason": page.drop_reason,
    }


def source_fingerprint(spec: SourceSpec, most: int | None = None) -> str:
    """Hash of the source's settings, of its files' contents and of how many pages are read."""
    digest = hashlib.sha256(spec.model_dump_json().encode())
    if isinstance(spec, HtmlSource | ParquetSource):
        if most is not None and most < page_count(spec):
            digest.update(f"\n{most} pages".encode())
        for name, path in _inputs(spec):
            digest.update(f"\n{name}\n{_content_sha256(path)}".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _content_sha256(path: Path) -> str:
    try:
        return file_sha256(path)
    except OSError as error:
        return f"unreadable: {error.strerror}"


def _inputs(spec: HtmlSource | ParquetSource) -> Iterator[tuple[str, Path]]:
    """Name and path of every file the source may read: a page's stylesheets, images and fonts lie below its root."""
    root, files = find_files(spec)
    if isinstance(spec, HtmlSource):
        parts = ((path.relative_to(root), path) for path in root.rglob("*") if path.is_file())
        files = [path for name, path in parts if not any(p.startswith(".") or p == "node_modules" for p in name.parts)]
    for path in sorted(files):
        yield str(path.relative_to(root)), path
