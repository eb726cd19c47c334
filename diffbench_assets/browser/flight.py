"""Several pages in flight: tabs that take one task after another, and survive a browser that dies.

Belongs here: scheduling. Does not belong here: what is done with a page.
"""

from __future__ import annotations

from asyncio import gather
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from diffbench_assets.browser.render import PageFailed, Renderer, Tab

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

    A task whose tab or browser dies is tried once more at the end, alone, so that it answers for itself and not for a
    neighbour; if it dies again it is handed to `give_up`. The others go on.
    """
    results: dict[int, Result] = {}
    waiting = iter(range(len(tasks)))
    died: list[int] = []

    async def worker() -> None:
        index = next(waiting, None)
        while index is not None:
            try:
                async with renderer.tab() as tab:
                    while index is not None:
                        results[index] = await work(tab, tasks[index])
                        progress(1)
                        index = next(waiting, None)
            except PageFailed:
                assert index is not None
                died.append(index)
                index = next(waiting, None)

    await gather(*(worker() for _ in range(min(TABS, len(tasks)))))
    for index in sorted(died):
        try:
            async with renderer.tab() as tab:
                results[index] = await work(tab, tasks[index])
        except PageFailed as failure:
            results[index] = give_up(tasks[index], failure)
        progress(1)
    return [results[index] for index in range(len(tasks))]
