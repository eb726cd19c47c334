"""Building speed: accepted pairs per CPU-minute, the paper's way and this project's, in one run on the same pages.

    python benchmarks/construction.py PAGES --pages 12      # of a folder of HTML pages, spread over it

The paper's way (DiffSpot §2.2 and §2.3): one random candidate per operator and tier, its record applied to the static
HTML, a fresh context, page and screenshot for each, then the same gate. It is given what the project has to look for,
the visible elements of each page, and one screenshot before for all candidates of a page. CPU time is that of the whole
process tree: Python, Playwright's driver and every Chromium process. Then the paper's way decides every candidate that
the project captured, and a last pass with one tab says where the project's time goes.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import psutil

from diffbench_assets.browser.flight import TABS
from diffbench_assets.browser.gate import Box, Decision, Pixels, decide, decode, region
from diffbench_assets.browser.render import VIEWPORT, Renderer, Tab
from diffbench_assets.pages.ingest import ingest
from diffbench_assets.pages.sources import HtmlSource
from diffbench_assets.pairs.css import candidates as live
from diffbench_assets.pairs.css.candidates import PageTask, find_candidates
from diffbench_assets.pairs.css.filters import filter_box, filter_element
from diffbench_assets.pairs.css.operators import CELLS, OPERATORS, split_cell
from diffbench_assets.pairs.css.search import parse_elements
from diffbench_assets.pairs.edits import apply_to_html
from diffbench_assets.pairs.record import Mutation, loads
from diffbench_assets.pairs.replay import ReplayTask, confirm, replay_all

SHAPE: Final = (VIEWPORT[1], VIEWPORT[0])
_BOX_JS = "(s) => { const r = document.querySelector(s).getBoundingClientRect(); return [r.x, r.y, r.width, r.height] }"


def processes() -> list[psutil.Process]:
    """This process and all below it: Playwright's driver and every process of Chromium."""
    me = psutil.Process()
    return [me, *me.children(recursive=True)]


def cpu_seconds(tree: Sequence[psutil.Process]) -> float:
    """CPU of the processes since they started, with that of ended children, which their parents account for."""
    total = 0.0
    for process in tree:
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


@dataclass
class Run:
    """What one way of building cost, and what came out."""

    wall_s: float = 0.0
    cpu_s: float = 0.0
    decided: int = 0
    accepted: int = 0

    @contextmanager
    def clock(self) -> Iterator[None]:
        wall, cpu = time.perf_counter(), cpu_seconds(processes())
        yield
        self.wall_s += time.perf_counter() - wall
        self.cpu_s += cpu_seconds(processes()) - cpu

    @property
    def yield_(self) -> float:
        """Accepted pairs per CPU-minute."""
        return 60 * self.accepted / self.cpu_s

    def line(self, name: str) -> str:
        return (
            f"{name:34} {self.decided:6} {self.accepted:9} {self.wall_s:8.1f} {self.cpu_s:8.1f} "
            f"{self.decided / self.wall_s:10.2f} {self.yield_:12.1f}"
        )


class PapersWay:
    """Decisions by static HTML and a fresh page for each, as many at once as the project has tabs."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._slots = asyncio.Semaphore(TABS)

    @asynccontextmanager
    async def _page(self, html: str) -> AsyncIterator[Any]:
        async with self._slots, self._renderer.tab() as tab:
            await tab.load(html)
            yield tab._page

    async def decide_page(self, html: str, mutations: Sequence[Mutation]) -> list[tuple[Decision, Box]]:
        """The gate's decision on each mutation of a page, and the target's box after."""
        selectors = dict.fromkeys(mutation.selector for mutation in mutations)
        async with self._page(html) as page:
            boxes = {selector: tuple(await page.evaluate(_BOX_JS, selector)) for selector in selectors}
            before = decode(await page.screenshot())
        return await asyncio.gather(*(self._decide(html, m, before, boxes[m.selector]) for m in mutations))

    async def _decide(self, html: str, mutation: Mutation, before: Pixels, box: Box) -> tuple[Decision, Box]:
        async with self._page(apply_to_html(html, mutation.edits)) as page:
            box_after = tuple(await page.evaluate(_BOX_JS, mutation.selector))
            after = decode(await page.screenshot())
        return decide(before, after, region(box, box_after, SHAPE)), box_after


async def random_mutations(renderer: Renderer, task: PageTask, seed: int) -> list[tuple[Mutation, bool]]:
    """One random candidate per operator and tier, on any visible element that the operator applies to, and whether the
    content filters let its element through."""
    async with renderer.tab() as tab:
        await tab.load(task.html)
        elements = parse_elements(await tab.snapshot())
    chosen = []
    for cell in CELLS:
        name, tier = split_cell(cell)
        dice = random.Random(f"{seed}/{task.page_id}/{cell}")
        for element in dice.sample(elements, len(elements)):
            groups = [group for group in OPERATORS[name].groups(OPERATORS[name], element, dice) if tier in group]
            if groups:
                fair = filter_element(element, task.missing_glyphs) is None
                chosen.append((dice.choice(groups)[tier].mutation, fair))
                break
    return chosen


async def papers_way(renderer: Renderer, tasks: Sequence[PageTask], seed: int) -> Run:
    """Random candidates of every page, decided one by one."""
    run, way = Run(), PapersWay(renderer)
    chosen = [await random_mutations(renderer, task, seed) for task in tasks]
    with run.clock():
        for task, mutations in zip(tasks, chosen, strict=True):
            decided = await way.decide_page(task.html, [mutation for mutation, _ in mutations])
            run.decided += len(decided)
            for (_, fair), (decision, box) in zip(mutations, decided, strict=True):
                run.accepted += fair and decision.status == "accepted" and not filter_box(box)
    return run


async def this_project(renderer: Renderer, tasks: Sequence[PageTask], seed: int) -> tuple[Run, Run, list[live.Row]]:
    """The project's search alone; with every accepted candidate replayed; and the rows of all captured candidates."""
    run, confirmed = Run(), Run()
    with run.clock():
        results = await find_candidates(renderer, tasks, seed)
    rows = [row for result in results for found in result.rows.values() for row in found]
    captured = [row for row in rows if row.get("inside_changed_px") is not None]
    accepted = [row for row in captured if row["status"] == "accepted"]
    html = {task.page_id: task.html for task in tasks}
    run.decided, run.accepted = len(captured), len(accepted)
    with confirmed.clock():
        tasks = [
            ReplayTask(html[row["page_id"]], row["record"], (row["before_pixels"], row["after_pixels"]))
            for row in accepted
        ]
        replays = await replay_all(renderer, tasks)
    confirmed.accepted = sum(confirm(row, replay) is None for row, replay in zip(accepted, replays, strict=True))
    confirmed.decided = run.decided
    confirmed.wall_s += run.wall_s
    confirmed.cpu_s += run.cpu_s
    return run, confirmed, captured


async def agreement(renderer: Renderer, tasks: Sequence[PageTask], rows: Sequence[live.Row]) -> list[str]:
    """One line for each captured candidate on which the paper's way decides otherwise: status and pixel counts."""
    way, differing = PapersWay(renderer), []
    for task in tasks:
        found = [row for row in rows if row["page_id"] == task.page_id]
        decided = await way.decide_page(
            task.html, [step for row in found for step in loads(row["record"]) if isinstance(step, Mutation)]
        )
        for row, (decision, _) in zip(found, decided, strict=True):
            ours = Decision(row["status"], row["inside_changed_px"], row["outside_changed_px"])
            if ours != decision:
                differing.append(
                    f"{task.page_id} {row['operator']}.{row['tier']} {row['selector']}: {ours}, {decision}"
                )
    return differing


@dataclass
class Parts:
    """CPU seconds of the process tree by part of the work, and how often each part ran; parts never overlap."""

    tree: list[psutil.Process]
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    calls: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    _since: float = 0.0
    _stack: list[str] = field(default_factory=lambda: ["the rest"])

    def mark(self) -> None:
        """Everything since the last mark belongs to the part at work."""
        now = cpu_seconds(self.tree)
        self.seconds[self._stack[-1]] += now - self._since
        self._since = now

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        self.mark()
        self._stack.append(name)
        self.calls[name] += 1
        try:
            yield
        finally:
            self.mark()
            self._stack.pop()

    def timed(self, name: str, work: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def wrapped(*arguments: Any) -> Any:
            with self.part(name):
                return await work(*arguments)

        return wrapped


async def where_time_goes(renderer: Renderer, tasks: Sequence[PageTask], seed: int) -> Parts:
    """One page after another in one tab, with the CPU of each part."""
    async with renderer.tab() as tab:
        await tab.load("")
        parts = Parts(processes())

        class Timed(Tab):
            load: Any = parts.timed("load", Tab.load)
            snapshot: Any = parts.timed("snapshot", Tab.snapshot)
            trial: Any = parts.timed("layout trial", Tab.trial)
            capture: Any = parts.timed("capture", Tab.capture)

        async def to_thread(work: Callable[..., Any], *arguments: Any) -> Any:
            return work(*arguments)

        enumerate_, compare = parts.timed("enumerate", live.search_page), parts.timed("compare", live.decide_all)
        with (
            patch.object(live, "search_page", enumerate_),
            patch.object(live, "decide_all", compare),
            patch("asyncio.to_thread", parts.timed("decode", to_thread)),
        ):
            parts.mark()
            parts.seconds.clear()
            for task in tasks:
                await live.candidates_of_page(Timed(tab._page, tab._cdp), task, seed)
            parts.mark()
    return parts


def pages_of(folder: Path, count: int) -> list[PageTask]:
    """`count` usable pages spread evenly over the folder, made self-contained."""
    spec = HtmlSource(name="real", kind="html", path=str(folder))
    rows = [row for row in ingest(spec) if row["html"]]
    spread = rows[:: max(1, len(rows) // count)][:count]
    return [PageTask(row["page_id"], row["html"], row["missing_glyphs"] or "", CELLS) for row in spread]


async def measure(tasks: Sequence[PageTask], seed: int) -> None:
    async with Renderer() as renderer:
        print(f"{renderer.fingerprint}, {len(tasks)} pages, {os.cpu_count()} cores")
        ours, confirmed, rows = await this_project(renderer, tasks, seed)
        theirs = await papers_way(renderer, tasks, seed)
        print(f"\n{'':34} decided  accepted   wall s    CPU s  decided/s  acc./CPU-min")
        print(theirs.line("the paper's way"))
        print(ours.line("this project"))
        print(confirmed.line("this project, pairs replayed"))
        print(
            f"ratio {ours.yield_ / theirs.yield_:.1f}; with every pair replayed {confirmed.yield_ / theirs.yield_:.1f}"
        )
        differing = await agreement(renderer, tasks, rows)
        print(
            f"\nsame decision and pixel counts: {len(rows) - len(differing)} of {len(rows)} candidates decided by both"
        )
        print("\n".join(differing))
        report_parts(await where_time_goes(renderer, tasks, seed), len(tasks))


def report_parts(parts: Parts, pages: int) -> None:
    total = sum(parts.seconds.values())
    print(f"\nwhere this project's CPU goes, one tab, {pages} pages: {total:.1f} s")
    for part, seconds in sorted(parts.seconds.items(), key=lambda item: -item[1]):
        calls = parts.calls[part] or pages
        share, each = seconds / total, 1000 * seconds / calls
        print(f"  {part:16} {seconds:7.2f} s {share:6.1%}  {calls:6} times {each:7.1f} ms")
    floor = parts.seconds["load"] + 3 * pages * parts.seconds["capture"] / parts.calls["capture"]
    print(f"floor (two loads, two captures before and one after, a page): {floor:.1f} s, {100 * floor / total:.0f} %")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder of HTML pages")
    parser.add_argument("--pages", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    asyncio.run(measure(pages_of(arguments.folder, arguments.pages), arguments.seed))


if __name__ == "__main__":
    main()
