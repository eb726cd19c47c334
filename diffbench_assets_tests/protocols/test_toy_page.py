"""The pages of a protocol made of one folder, and of its suites side by side, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from diffbench_assets.cli import app
from diffbench_assets.lake import Lake
from diffbench_assets_tests.models.chat_server import ChatServer
from diffbench_assets_tests.protocols.test_toy import reply
from diffbench_assets_tests.protocols.toy.small import SUITES, write_pairs, write_registries
from diffbench_assets_tests.report.opened import Watched, wait_for_images, watched
from diffbench_assets_tests.watched import browser

__all__ = ["browser", "watched"]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Before any browser: while one is open nothing else can run an event loop."""
    folder = tmp_path_factory.mktemp("toy-page")
    with pytest.MonkeyPatch.context() as patch, ChatServer(reply) as server:
        patch.chdir(folder)
        patch.setenv("DIFFBENCH_LAKE", str(folder / "lake"))
        write_pairs(Lake(str(folder / "lake")))
        write_registries(folder, server.url)
        for arguments in (["eval"], ["judge"], ["report", "--together"]):
            app(arguments, obj=SUITES, standalone_mode=False)
    return folder / "lake" / "reports"


def test_the_page_shows_its_own_section_and_every_item(reports: Path, watched: Watched) -> None:
    page = watched.open(reports / "dots" / "report.html")
    assert "counts" in page.inner_text("#orders") and "0.63" in page.inner_text("#orders")
    assert page.inner_text("#found") == "24 items"
    wait_for_images(page)
    assert "close: 1.00" in page.inner_text("#pair")
    page.select_option("#f-order", "backward")
    assert page.inner_text("#found").startswith("12 of")
    assert watched.errors == [] and watched.outside() == []


def test_suites_stand_side_by_side_with_their_differences(reports: Path, watched: Watched) -> None:
    page = watched.page
    page.goto((reports / "dots+dots_told" / "report.html").as_uri())
    text = page.inner_text("main")
    assert "dots_told − dots" in text and "counts" in text
    assert page.locator("table.board").count() >= 2
    assert watched.errors == [] and watched.outside() == []
