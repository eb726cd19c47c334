"""Several pages in flight: tabs that take one task after another, and survive a browser that dies.

Belongs here: scheduling. Does not belong here: what is done with a page.
"""

from __future__ import annotations

from asyncio import gather
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from diffbench_assets.web.render import PageFailed, Renderer, Tab

TABS: Final = 3
"""Tabs at work at once: a capture is mostly waiting for two frames, and another page can use the time."""

Task = TypeVar("Task")
Result = TypeVar("Result")


async def in_flight(
    renderer: Renderer,
    tasks: Sequence[Task],
    work: Callable[[Tab, Task], Awaitable[Result]],
    give_up: Callable[[Task, PageFailed], Result],
    progress: Callable[[int], object] = lambda done: None,
) -> list[Result]:
    """The result of `work` for every task, in the order of `tasks`.

    A task whose tab or browser dies is tried once more in a new one, then handed to `give_up`; the others go on.
    """
    results: dict[int, Result] = {}
    waiting = iter(range(len(tasks)))
    failures: Counter[int] = Counter()

    async def worker() -> None:
        index = next(waiting, None)
        while index is not None:
            try:
                async with renderer.tab() as tab:
                    while index is not None:
                        results[index] = await work(tab, tasks[index])
                        progress(1)
                        index = next(waiting, None)
            except PageFailed as failure:
                assert index is not None
                failures[index] += 1
                if failures[index] > 1:
                    results[index] = give_up(tasks[index], failure)
                    progress(1)
                    index = next(waiting, None)

    await gather(*(worker() for _ in range(min(TABS, len(tasks)))))
    return [results[index] for index in range(len(tasks))]
