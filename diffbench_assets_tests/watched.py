"""A real browser for a module's tests, and pages that are watched for what they must not do.

Import `browser` in the conftest of a folder to have the fixture there.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Error, Page, Request, sync_playwright

from diffbench_assets.browser.chromium import find_chromium, sandboxed


# One a module: while Playwright's synchronous interface is open, nothing else in the process can run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), chromium_sandbox=sandboxed())
        yield chromium
        chromium.close()


class WatchedPage:
    """A page, what it asked for, and everything else that it must not do."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("request", self._count)
        page.on("pageerror", self._fail)
        page.on("console", self._note)
        page.on("dialog", self._refuse)
        page.add_init_script(
            "addEventListener('securitypolicyviolation', (e) => console.error('blocked ' + e.violatedDirective))"
        )

    def _count(self, request: Request) -> None:
        self.requests.append(request.url)

    def _fail(self, error: Error) -> None:
        self.errors.append(str(error))

    def _note(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def _refuse(self, dialog: Dialog) -> None:
        self.errors.append(f"dialog: {dialog.message}")
        dialog.dismiss()
