"""The crawler on the hostile web: it ends, reaches nothing private, loses nothing, and tells what happened."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright.async_api import Page

from diffbench_assets.browser.chromium import NoBrowser
from diffbench_assets.corpus.crawl.crawler import crawl
from diffbench_assets.corpus.crawl.spool import Spool
from diffbench_assets.corpus.crawl.tab import Permitted
from diffbench_assets.corpus.crawl.visit import TakeSnapshot
from diffbench_assets.corpus.net.gateway import Gateway
from diffbench_assets.schemas import CRAWLED
from diffbench_assets_tests.corpus.crawl.crawl_process import SETTINGS
from diffbench_assets_tests.corpus.crawl.hostile_web import HostileWeb
from diffbench_assets_tests.corpus.crawl.traps import Place

ALONE = replace(SETTINGS, pages_in_flight=1)


BUSY = dict.fromkeys(("out_of_memory", "unresponsive", "timeout", "too_many_elements"), "too much for the machine")
"""Which limit stops a page that takes all it can get depends on how busy the machine is."""


@asynccontextmanager
async def the_web(sites: int = 6) -> AsyncIterator[tuple[HostileWeb, Gateway]]:
    """A small web and the gateway to it."""
    async with HostileWeb(sites, designs=2) as web, Gateway(resolve=web.resolve, dial=web.dial) as gateway:
        yield web, gateway


def named(web: HostileWeb, *names: str) -> list[dict[str, Any]]:
    """Rows of places as the crawler takes them."""
    return [place.row for place in web.places if place.name in names]


def by_name(spool: Spool) -> dict[str, dict[str, Any]]:
    return {row["url_id"]: row for row in spool.rows()}


async def crawled_with_kills(web: HostileWeb, gateway: Gateway, folder: Path, kills: Sequence[int]) -> None:
    """A crawl of everything, killed when so many pages are stored, and begun again each time."""
    rows = json.dumps([place.row for place in web.places]).encode()
    command = [sys.executable, "-m", "diffbench_assets_tests.corpus.crawl.crawl_process", str(folder), gateway.url]
    for kill_at in [*kills, None]:
        process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE)
        assert process.stdin
        process.stdin.write(rows)
        process.stdin.write_eof()
        if kill_at is None:
            assert await process.wait() == 0
            return
        while len(list(folder.glob("*/*.parquet"))) < kill_at:
            assert process.returncode is None
            await asyncio.sleep(0.05)
        # What the process had started dies with it, but not at once.
        family = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGKILL)
        await process.wait()
        await asyncio.to_thread(psutil.wait_procs, family, 20)
        web.note(Spool(folder).keys())


def test_a_crawl_killed_three_times_gives_every_page_of_a_hostile_web_its_row(tmp_path: Path) -> None:
    async def run() -> tuple[HostileWeb, Gateway]:
        async with HostileWeb(sites=215) as web, Gateway(resolve=web.resolve, dial=web.dial) as gateway:
            await crawled_with_kills(web, gateway, tmp_path, kills=[40, 120, 200])
            return web, gateway

    web, gateway = asyncio.run(run())
    assert web.hosts >= 300
    rows = by_name(Spool(tmp_path))
    assert set(rows) == {place.name for place in web.places}

    wrong = {}
    for place in web.places:
        row = rows[place.name]
        told = {"failure": row["failure"], **{name: row[name] for name in place.facts}}
        if BUSY.get(told["failure"], told["failure"]) == BUSY.get(place.failure, place.failure):
            told["failure"] = place.failure
        if told != {"failure": place.failure, **place.facts}:
            wrong[place.name] = (told, dict(place.facts))
        kept = place.failure is None
        assert (row["html"] is not None) == (row["screenshot"] is not None) == kept, place.name
        assert (row["structure_fingerprint"] is not None) == kept, place.name
    assert wrong == {}

    # Nothing private was reached: not through the gateway, and not around it.
    assert gateway.refused["address"] >= 15
    assert gateway.refused["port"] >= 5
    assert {address.rpartition(".")[0] for address in web.dialled} <= {"20.40.0", "20.40.1"}
    assert web.secret_requests == 0
    # No window was opened.
    assert not any(asked.path == "/popup" for asked in web.log)

    # What was stored before a kill was not asked for again. (`across` leads to site-000.)
    assert len(web.notes) == 3
    for asked_before, stored in web.notes:
        again = {asked.host.partition(".")[0] for asked in web.log[asked_before:]}
        assert (again & stored) <= {"site-000"}


def test_pages_are_kept_as_they_are_seen(tmp_path: Path) -> None:
    async def run() -> None:
        async with the_web() as (web, gateway):
            names = ("site-000", "fades-in", "lone-surrogate", "utf-16", "clobbered", "meta-once")
            # A browser for every two pages.
            settings = replace(SETTINGS, recycle_after=2)
            outcome = await crawl(named(web, *names), Spool(tmp_path), settings, gateway.url)
            assert outcome == {"kept": len(names)}
            agents = {asked.agent for asked in web.log}
            assert len(agents) == 1
            assert "diffbench-assets/" in agents.pop()

    asyncio.run(run())
    rows = by_name(Spool(tmp_path))
    assert all(list(row) == CRAWLED.names for row in rows.values())
    assert rows["site-000"]["html"].startswith("<!DOCTYPE html><html")
    assert rows["site-000"]["final_url"] == "http://site-000.test/"
    assert rows["site-000"]["screenshot"]["bytes"].startswith(b"\x89PNG")
    assert rows["site-000"]["settle_ms"] is not None
    assert rows["utf-16"]["html"].count("wide") == 1
    assert "\ufffd half" in rows["lone-surrogate"]["html"]
    assert "<h1>Names</h1>" in rows["clobbered"]["html"]
    assert rows["meta-once"]["redirects"] == ["http://meta-once.test/"]
    # A heading that fades in over nine seconds is seen at its end: its ink is in the picture.
    assert len(rows["fades-in"]["screenshot"]["bytes"]) > len(rows["utf-16"]["screenshot"]["bytes"])


BROWSER, DRIVER, RENDERER = "--remote-debugging-pipe", "run-driver", "--type=renderer"


def killer(victim: str, killed: list[str]) -> Permitted:
    """Kills processes begun from now on with `victim` in their command line, whenever site-002 is to be asked for."""
    others = set(psutil.Process().children(recursive=True))

    async def permitted(url: str) -> bool:
        if "site-002" in url:
            killed.append(url)
            for process in set(psutil.Process().children(recursive=True)) - others:
                with suppress(psutil.Error):  # Others end by themselves meanwhile.
                    line = process.cmdline()
                    if victim in line and (victim == RENDERER or not any("--type=" in part for part in line)):
                        process.kill()
        return True

    return permitted


@pytest.mark.parametrize("victim", [BROWSER, DRIVER])
def test_a_browser_or_driver_that_dies_costs_one_page(tmp_path: Path, victim: str) -> None:
    killed: list[str] = []

    async def run() -> None:
        async with the_web() as (web, gateway):
            rows = named(web, *(f"site-{number:03}" for number in range(6)))
            done: list[int] = []
            hook = killer(victim, killed)
            outcome = await crawl(rows, Spool(tmp_path), SETTINGS, gateway.url, done.append, permitted=hook)
            assert outcome == {"kept": 5, "crashed": 1}
            assert sum(done) == 6

    asyncio.run(run())
    assert len(killed) == 2
    assert by_name(Spool(tmp_path))["site-002"]["failure"] == "crashed"


def test_a_renderer_that_dies_is_the_failure_of_its_own_page(tmp_path: Path) -> None:
    killed: list[str] = []

    async def run() -> None:
        async with the_web() as (web, gateway):
            rows = named(web, "site-001", "site-002", "site-003")
            hook = killer(RENDERER, killed)
            assert await crawl(rows, Spool(tmp_path), ALONE, gateway.url, permitted=hook) == {"kept": 2, "crashed": 1}

    asyncio.run(run())
    assert len(killed) == 1


def test_without_a_browser_there_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIFFBENCH_CHROMIUM", "/no/such/program")
    rows = [{"url_id": "a", "url": "http://site-000.test/", "host": "site-000.test", "crawl_delay_s": None}]
    with pytest.raises(NoBrowser, match="DIFFBENCH_CHROMIUM"):
        asyncio.run(crawl(rows, Spool(tmp_path), SETTINGS, "http://127.0.0.1:9"))


def test_a_page_that_robots_forbid_is_not_asked_for_even_when_a_redirect_leads_there(tmp_path: Path) -> None:
    async def permitted(url: str) -> bool:
        return "site-000" not in url

    async def run() -> None:
        async with the_web() as (web, gateway):
            rows = named(web, "across", "site-000", "site-001")
            outcome = await crawl(rows, Spool(tmp_path), SETTINGS, gateway.url, permitted=permitted)
            assert outcome == {"forbidden": 2, "kept": 1}
            assert not web.asked("site-000.test")

    asyncio.run(run())


def test_a_snapshot_stands_beside_the_document_and_a_page_without_one_is_no_page(tmp_path: Path) -> None:
    def snapshot(page: Page) -> TakeSnapshot:
        assert page.url == "about:blank"

        async def take() -> str | None:
            # The page is live: its own scripts and timers answer.
            waited = await page.evaluate("new Promise((done) => setTimeout(() => done(document.title), 10))")
            return f"<title>{waited}</title>" if "meta-once" in page.url else None

        return take

    async def run() -> None:
        async with the_web() as (web, gateway):
            rows = named(web, "site-001", "meta-once")
            assert await crawl(rows, Spool(tmp_path), ALONE, gateway.url, snapshot=snapshot) == {
                "kept": 1,
                "no_snapshot": 1,
            }

    asyncio.run(run())
    assert by_name(Spool(tmp_path))["meta-once"]["snapshot"] == "<title>Hello</title>"


def test_one_host_gets_one_page_at_a_time_with_its_gap_between(tmp_path: Path) -> None:
    async def run() -> None:
        async with the_web() as (web, gateway):
            rows = [
                {
                    "url_id": str(n),
                    "url": f"http://site-000.test/popup?{n}",
                    "host": "site-000.test",
                    "crawl_delay_s": 0.5,
                }
                for n in range(3)
            ]
            slow = {
                "url_id": "slow",
                "url": "http://site-001.test/",
                "host": "site-001.test",
                "crawl_delay_s": 86_400.0,
            }
            await crawl([*rows, slow], Spool(tmp_path), SETTINGS, gateway.url)
            times = [asked.at for asked in web.log if asked.host == "site-000.test"]
            assert len(times) == 3
            assert all(later - earlier >= 0.5 for earlier, later in zip(times, times[1:], strict=False))
            assert not web.asked("site-001.test")

    asyncio.run(run())
    assert by_name(Spool(tmp_path))["slow"]["failure"] == "crawl_delay"


@pytest.mark.parametrize(
    "row, message",
    [
        ({"url_id": "a", "url": "file:///etc/passwd"}, "url_id 'a': 'file:///etc/passwd' is no http or https address"),
        ({"url_id": "a/../b", "url": "http://site-000.test/"}, "url_id 'a/../b': expected 1 to 128 letters"),
    ],
)
def test_a_row_that_cannot_be_visited_is_an_error_that_names_it(
    tmp_path: Path, row: dict[str, str], message: str
) -> None:
    rows = [{**row, "host": "x", "crawl_delay_s": None}]
    with pytest.raises(ValueError, match=message):
        asyncio.run(crawl(rows, Spool(tmp_path), SETTINGS, "http://127.0.0.1:9"))


def test_places_are_named_once() -> None:
    async def run() -> list[Place]:
        async with HostileWeb(3, designs=1) as web:
            return web.places

    names = [place.name for place in asyncio.run(run())]
    assert len(set(names)) == len(names)
