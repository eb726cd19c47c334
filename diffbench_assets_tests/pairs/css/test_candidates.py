"""From pages to candidate rows: the same rows for the same inputs, whatever else is asked for and whatever dies."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from PIL import Image

from diffbench_assets.browser import render
from diffbench_assets.browser.render import PageFailed, Renderer, Tab
from diffbench_assets.pairs.css.candidates import (
    ATTEMPTS,
    SPARE,
    PageResult,
    PageTask,
    discarded_total,
    find_candidates,
)
from diffbench_assets.pairs.css.operators import CELLS
from diffbench_assets.schemas import CANDIDATES
from diffbench_assets_tests.live import Live
from diffbench_assets_tests.small_pages import page, tailwind_page, utilities

CELLS_ASKED = ("color.hard", "rounded.easy", "text.medium")


def varied_page(number: int = 0) -> str:
    """A page on which most operators find a target."""
    css = (
        utilities(["rounded", "text-blue", "opacity"])
        + ".tile{position:absolute;width:300px;height:130px;background:rgb(219,234,254)}"
    )
    tiles = "".join(
        f'<div class="tile rounded-lg" style="left:{40 + 400 * (i % 3)}px;top:{30 + 180 * (i // 3)}px">'
        f'<h3 class="text-blue-500">Heading {number} of {i}</h3>'
        f'<p style="display:flex;justify-content:space-between;height:40px"><b>one</b><b>two</b></p></div>'
        for i in range(9)
    )
    return page(tiles, css)


# Rows


def test_rows_have_the_columns_of_the_table_and_unique_ids(live: Live) -> None:
    result = live.search(varied_page())
    assert list(result.rows) == list(CELLS)
    rows = [row for rows in result.rows.values() for row in rows]
    assert all(set(row) <= set(CANDIDATES.names) for row in rows)
    assert len({row["candidate_id"] for row in rows}) == len(rows)
    for cell, found in result.rows.items():
        assert {f"{row['operator']}.{row['tier']}" for row in found} == {cell}
        tried = [row["status"] for row in found if row["status"] != SPARE]
        assert 1 <= len(tried) <= ATTEMPTS + 1
        assert "accepted" not in tried[:-1]
        for row in found:
            if row["status"] == "accepted":
                assert row["outside_changed_px"] == 0 < row["inside_changed_px"]
                assert row["before_pixels"] != row["after_pixels"]
                assert json.loads(row["record"])[0]["selector"] == row["selector"]


def test_the_same_inputs_give_the_same_rows(live: Live) -> None:
    first, second = (live.search(varied_page(), seed=3) for _ in range(2))
    assert (first.rows, first.discarded) == (second.rows, second.discarded)


def test_seed_and_page_id_choose_other_candidates(live: Live) -> None:
    records = {
        json.dumps([row.get("record") for row in live.rows(varied_page(), *CELLS_ASKED, page_id=page_id, seed=seed)])
        for page_id, seed in (("a", 0), ("b", 0), ("a", 1))
    }
    assert len(records) == 3


def test_a_cell_asked_alone_gets_the_rows_it_gets_among_all(live: Live) -> None:
    together = live.search(varied_page()).rows
    for cell in ("color.hard", "rounded.easy", "justify.medium", "font_size.hard", "text.easy"):
        assert live.search(varied_page(), cell).rows == {cell: together[cell]}


def test_results_come_in_the_order_of_the_tasks_however_many_tabs_work(live: Live) -> None:
    tasks = [PageTask(f"page-{i}", varied_page(i), "", CELLS_ASKED) for i in range(5)]
    progressed: list[int] = []
    together = live.run(find_candidates(live.renderer, tasks, 0, progressed.append))
    alone = [live.run(find_candidates(live.renderer, [task], 0))[0] for task in tasks]
    assert [result.rows for result in together] == [result.rows for result in alone]
    assert sum(progressed) == 5


def test_no_pages_give_no_results(live: Live) -> None:
    assert live.run(find_candidates(live.renderer, [], 0)) == []


def test_a_page_with_nothing_to_change_says_so_for_each_cell(live: Live) -> None:
    html = page(
        '<img width="3" height="3" src="data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=">'
    )
    assert {row["status"] for row in live.rows(html)} == {"no_target"}


def test_discarded_counts_are_summed_over_pages() -> None:
    results = [PageResult({}, Counter(moves_other=2, shadowed=1)), PageResult({}, Counter(moves_other=1))]
    assert list(discarded_total(results).items()) == [("moves_other", 3), ("shadowed", 1)]


def test_what_could_have_been_made_instead_is_kept_uncaptured_beside_the_accepted_one(live: Live) -> None:
    rows = live.search(varied_page()).rows["color.hard"]
    spares = [row for row in rows if row["status"] == SPARE]
    assert spares and rows[len(rows) - len(spares) - 1]["status"] == "accepted"
    assert len({row["record"] for row in rows}) == len(rows)
    for row in spares:
        assert row["after_pixels"] is None and row["inside_changed_px"] is None and row["box_after"]["width"] > 0


def test_a_page_with_values_that_are_numbers_is_searched(live: Live) -> None:
    html = page('<progress value="0.4"></progress><meter value="0.6"></meter><ol><li value="3">Third</li></ol>')
    assert "page_error" not in {row["status"] for row in live.rows(html, "font_weight.easy", "text.hard")}


# A browser or a tab that dies


def statuses(results: list[PageResult]) -> list[set[str]]:
    return [
        {[row["status"] for row in rows if row["status"] != SPARE][-1] for rows in result.rows.values()}
        for result in results
    ]


def browser_pids() -> set[int]:
    """The main processes of the browsers below this process."""
    found = set()
    for process in psutil.Process().children(recursive=True):
        try:
            line = process.cmdline()
        except psutil.NoSuchProcess:
            continue
        if any("--headless" in word for word in line) and not any(word.startswith("--type=") for word in line):
            found.add(process.pid)
    return found


Kill = Callable[..., None]


def with_own_browser(work: Callable[[Renderer, Kill], Awaitable[Any]]) -> Any:
    """Runs `work(renderer, kill)` with a browser of its own, which `kill()` ends at once, or sends another signal."""

    async def session() -> Any:
        others = browser_pids()
        async with Renderer() as renderer:

            def kill(how: signal.Signals = signal.SIGKILL) -> None:
                for pid in browser_pids() - others:
                    os.kill(pid, how)

            return await work(renderer, kill)

    return asyncio.run(session())


def tasks_of(count: int) -> list[PageTask]:
    return [PageTask(f"page-{i}", varied_page(i), "", CELLS_ASKED) for i in range(count)]


def test_a_browser_that_is_killed_once_costs_no_page() -> None:
    async def work(renderer: Renderer, kill: Kill) -> tuple[list[PageResult], list[PageResult]]:
        done = 0

        def progress(pages: int) -> None:
            nonlocal done
            done += pages
            if done == 2:
                kill()

        interrupted = await find_candidates(renderer, tasks_of(6), 0, progress)
        return interrupted, await find_candidates(renderer, tasks_of(6), 0)

    interrupted, undisturbed = with_own_browser(work)
    assert [result.rows for result in interrupted] == [result.rows for result in undisturbed]
    assert statuses(undisturbed) == [{"accepted"}] * 6


def test_a_page_that_kills_the_browser_each_time_is_given_up_and_the_others_are_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deadly = "<!-- deadly -->"
    deaths = 0

    async def work(renderer: Renderer, kill: Kill) -> list[PageResult]:
        load = Tab.load

        async def fatal_load(tab: Tab, html: str) -> None:
            nonlocal deaths
            if deadly in html:
                deaths += 1
                kill()
            await load(tab, html)

        monkeypatch.setattr(Tab, "load", fatal_load)
        tasks = tasks_of(4)
        tasks[1] = PageTask("deadly", varied_page(1) + deadly, "", CELLS_ASKED)
        return await find_candidates(renderer, tasks, 0)

    found = statuses(with_own_browser(work))
    assert found[1] == {"browser_died"}
    assert deaths == 2
    assert [found[i] for i in (0, 2, 3)] == [{"accepted"}] * 3


def test_a_browser_that_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "LOAD_TIMEOUT_S", 4.0)
    monkeypatch.setattr(render, "CLOSE_TIMEOUT_S", 1.0)

    async def work(renderer: Renderer, kill: Kill) -> None:
        async with renderer.tab() as tab:
            kill(signal.SIGSTOP)
            with pytest.raises(PageFailed, match="page_timeout"):
                await tab.load(varied_page())
        async with renderer.tab() as tab:
            await tab.load(varied_page())
        kill(signal.SIGSTOP)
        with pytest.raises(PageFailed, match="browser_died"):
            async with renderer.tab():
                pass
        async with renderer.tab() as tab:
            await tab.load(varied_page())

    with_own_browser(work)


def test_a_driver_that_dies_costs_no_page() -> None:
    others = set(psutil.Process().children())
    killed: list[psutil.Process] = []

    async def work(renderer: Renderer, kill: Kill) -> list[PageResult]:
        def progress(pages: int) -> None:
            if not killed:
                killed.extend(set(psutil.Process().children()) - others)
                for driver in killed:
                    driver.kill()

        return await find_candidates(renderer, tasks_of(4), 0, progress)

    assert statuses(with_own_browser(work)) == [{"accepted"}] * 4
    assert len(killed) == 1


def test_a_tab_that_crashes_costs_its_own_page_only(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    load = Tab.load

    async def crashing_load(tab: Tab, html: str) -> None:
        await load(tab, html)
        if "crash-me" in html:
            # Never answered: the process is gone.
            crash = asyncio.ensure_future(tab._cdp.send("Page.crash"))
            await asyncio.sleep(0.3)
            crash.cancel()

    monkeypatch.setattr(Tab, "load", crashing_load)
    tasks = tasks_of(6)
    for index in (0, 1, 2):
        tasks[index] = PageTask(f"crash-{index}", page("<p>crash-me</p>"), "", CELLS_ASKED)
    found = statuses(live.run(find_candidates(live.renderer, tasks, 0)))
    assert all(reasons <= {"page_crashed", "page_error"} for reasons in found[:3])
    assert found[3:] == [{"accepted"}] * 3


# Untrusted pages


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """Address of an HTTP server on loopback, and the paths it was asked for."""
    hits: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hits.append(self.path)
            self.send_response(200)
            self.end_headers()

        do_POST = do_HEAD = do_OPTIONS = do_GET

        def log_message(self, *arguments: object) -> None:
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_port}", hits
    httpd.shutdown()
    httpd.server_close()


def test_a_page_that_asks_for_network_scripts_and_files_gets_nothing(
    live: Live, server: tuple[str, list[str]], tmp_path: Path
) -> None:
    net, hits = server
    red = tmp_path / "red.png"
    Image.new("RGB", (300, 300), (255, 0, 0)).save(red)
    html = f"""<!DOCTYPE html><html><head>
        <link rel="stylesheet" href="{net}/a.css"><link rel="preload" as="image" href="{net}/b.png">
        <link rel="prefetch" href="{net}/c"><link rel="preconnect" href="{net}"><link rel="icon" href="{net}/d.ico">
        <style>@import url({net}/e.css); body {{ background: url({net}/f.png) }}
        @font-face {{ font-family: F; src: url({net}/g.woff2) }} h1 {{ font-family: F }}</style>
        <script src="{net}/h.js"></script>
        <script>document.documentElement.style.background = 'red'; fetch('{net}/i'); new WebSocket('{net}/w')</script>
        </head>
        <body onload="document.body.innerHTML = '<div style=background:red;height:900px>'">
        <h1>Title</h1><img src="{net}/k.png"><img src="file://{red}"><iframe src="{net}/l"></iframe>
        <iframe src="file://{red}"></iframe><object data="{net}/m"></object><embed src="{net}/n">
        <svg><image href="{net}/r.png"/><use href="{net}/s.svg#x"/></svg><input type="image" src="{net}/t.png">
        <div style="position:absolute;left:600px;top:200px;width:200px;height:100px;background:rgb(0,90,200)"></div>
        </body></html>"""
    assert "accepted" in {row["status"] for row in live.rows(html, "rounded.hard", "color.hard")}
    shown = live.pixels(html)
    assert not (shown == np.uint32(0xFF0000FF)).any()
    assert hits == []


@pytest.mark.parametrize(
    "body",
    [
        '<meta http-equiv="refresh" content="0;url={net}/away"><h1>Title</h1>',
        '<p>T</p><video src="{net}/video" poster="{net}/poster" autoplay></video><audio src="{net}/a"></audio>',
        '<h1>Title</h1><iframe srcdoc="<meta http-equiv=refresh content=0;url={net}/inner>"></iframe>',
    ],
    ids=["refresh", "media", "frame"],
)
def test_pages_that_navigate_or_play_reach_nothing(body: str, live: Live, server: tuple[str, list[str]]) -> None:
    net, hits = server
    rows = live.rows(page(body.format(net=net)), "color.hard")
    assert rows[0]["status"] in ("accepted", "page_error", "page_blank", "page_unstable", "page_unsettled")
    assert hits == []


def test_no_script_runs_in_a_page(live: Live) -> None:
    html = page(
        "<p>text</p><script>document.title = 'ran'</script><img src=x onerror=\"document.title = 'ran'\">"
        "<svg onload=\"document.title = 'ran'\"></svg>"
        "<iframe srcdoc=\"<script>parent.document.title = 'ran'</script>\"></iframe>"
    )
    assert live.ask(html, "() => document.title") == ""


def test_nothing_of_a_page_is_left_in_the_next_one(live: Live) -> None:
    async def work() -> list[str]:
        async with live.renderer.tab() as tab:
            await tab.load('<title>first</title><base href="https://x.test/"><form id="a"><input name="q"></form>')
            await tab.load("<p>second</p>")
            return await tab.evaluate("() => [document.title, document.baseURI, String(document.forms.length)]")

    assert live.run(work())[:3] == ["", "about:blank", "0"]


def test_a_page_that_never_finishes_loading_is_given_up_in_time(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diffbench_assets.browser.render._READY_JS", "() => false")
    monkeypatch.setattr("diffbench_assets.browser.render.LOAD_TIMEOUT_S", 0.5)
    assert [row["status"] for row in live.rows(page("<p>x</p>"), "color.hard")] == ["page_timeout"]


def test_deep_nesting_and_many_elements_give_rows_or_a_reason(live: Live) -> None:
    deep = page("<div>" * 400 + "deep" + "</div>" * 400)
    wide = page("".join(f"<i>{i}</i> " for i in range(400)))
    for html in (deep, wide):
        assert len(live.rows(html, "color.hard", "font_size.hard")) >= 2


def test_a_tailwind_page_keeps_its_rows_when_a_tab_is_used_for_many_pages(live: Live) -> None:
    async def work() -> list[list[str]]:
        records = []
        for _ in range(2):
            tasks = [
                PageTask(name, tailwind_page(name), "", (f"{name}.hard",))
                for name in ("rounded", "color", "opacity", "border")
            ]
            results = await find_candidates(live.renderer, tasks, 0)
            records.append([rows[-1]["record"] for result in results for rows in result.rows.values()])
        return records

    first, second = live.run(work())
    assert first == second
