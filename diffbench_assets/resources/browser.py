"""The browser as a resource: one Chromium for a whole step."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

from dagster import ConfigurableResource

from diffbench_assets.browser.render import Renderer

Result = TypeVar("Result")


class OpenBrowser:
    """A Chromium that is running, and the event loop that its work runs on."""

    def __init__(self, renderer: Renderer, runner: asyncio.Runner) -> None:
        self.renderer = renderer
        self._runner = runner

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self._runner.run(work)


class BrowserResource(ConfigurableResource):
    """Chromium as the machine has it."""

    @contextmanager
    def open(self) -> Iterator[OpenBrowser]:
        """A browser that is started here and closed at the end."""
        with asyncio.Runner() as runner:
            renderer = Renderer()
            runner.run(renderer.__aenter__())
            try:
                yield OpenBrowser(renderer, runner)
            finally:
                runner.run(renderer.__aexit__())

    def fingerprint(self) -> str:
        """What decides pixels beside the page. The browser is started for it once a process."""
        return _fingerprint()


@cache
def _fingerprint() -> str:
    with BrowserResource().open() as chromium:
        return chromium.renderer.fingerprint
