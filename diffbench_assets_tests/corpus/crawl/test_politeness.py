"""Turns: every host waits for its gap, and nobody else waits with it."""

from __future__ import annotations

import asyncio

from diffbench_assets.corpus.crawl.politeness import HostQueue
from diffbench_assets.corpus.crawl.visit import Target


class Clock:
    """A clock that a test turns."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def target(name: str, host: str, crawl_delay_s: float = 0.0) -> Target:
    return Target(name, f"http://{host}/{name}", host, crawl_delay_s)


async def at_once(queue: HostQueue) -> Target | None:
    """The next target, which must not need waiting for."""
    async with asyncio.timeout(0.05):
        return await queue.next()


async def waits(queue: HostQueue) -> bool:
    try:
        await at_once(queue)
    except TimeoutError:
        return True
    return False


def test_hosts_take_turns_and_one_host_has_one_page_out() -> None:
    async def run() -> None:
        clock = Clock()
        a1, a2, b1 = target("a1", "a"), target("a2", "a"), target("b1", "b")
        queue = HostQueue([a1, a2, b1], 10.0, clock)
        assert [await at_once(queue), await at_once(queue)] == [a1, b1]
        assert await waits(queue)
        queue.done(a1)
        assert await waits(queue)
        clock.now = 10.0
        assert await at_once(queue) == a2
        queue.done(b1)
        queue.done(a2)
        assert await at_once(queue) is None

    asyncio.run(run())


def test_a_host_that_asks_for_more_gets_it() -> None:
    async def run() -> None:
        clock = Clock()
        first, second = target("1", "a", 30.0), target("2", "a", 30.0)
        queue = HostQueue([first, second], 10.0, clock)
        queue.done(await at_once(queue) or second)
        clock.now = 29.0
        assert await waits(queue)
        clock.now = 30.0
        assert await at_once(queue) == second

    asyncio.run(run())


def test_a_page_to_be_tried_again_comes_after_the_others_of_its_host_and_not_too_soon() -> None:
    async def run() -> None:
        clock = Clock()
        first, second = target("1", "a"), target("2", "a")
        queue = HostQueue([first, second], 0.0, clock)
        assert await at_once(queue) == first
        queue.done(first, again_after_s=5.0)
        assert await at_once(queue) == second
        queue.done(second)
        assert await waits(queue)
        clock.now = 5.0
        assert await at_once(queue) == first

    asyncio.run(run())


def test_whoever_waits_is_told_when_there_is_nothing_left() -> None:
    async def run() -> None:
        only = target("1", "a")
        queue = HostQueue([only], 0.0, Clock())
        assert await at_once(queue) == only
        waiting = [asyncio.create_task(queue.next()) for _ in range(2)]
        await asyncio.sleep(0)
        queue.done(only)
        assert await asyncio.gather(*waiting) == [None, None]

    asyncio.run(run())
