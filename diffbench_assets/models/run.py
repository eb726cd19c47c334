"""Asking a model many calls: the workers between a stream of calls and a stream of replies.

Belongs here: threads, queues, and what a run that ended early says. Does not belong here: one call (`caller.py`), and
where calls come from or rows go to.

Calls are read as they are needed, so images of at most `concurrency` calls are in memory. The event loop lives in a
thread of its own: requests keep moving while the consumer writes a file.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from diffbench_assets.models.caller import Caller
from diffbench_assets.models.clients import client_of
from diffbench_assets.models.clients.baseline import Baseline
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.progress import Progress
from diffbench_assets.models.registry import BaselineModel, Endpoint
from diffbench_assets.models.replies import Outcome, Reply
from diffbench_assets.models.requests import Call
from diffbench_assets.models.retry import DEFAULT_POLICY, RetryPolicy

SYNC_EVERY_S = 0.5
MOST_UNREAD = 1000
"""Replies that may wait for the consumer before the workers do."""


class Stopped(RuntimeError):
    """A run ended before every call was asked; what was finished is kept and will not be asked again."""


class Run:
    """Iterate over it for the replies, in the order in which they are finished; it can be iterated once.

    What `Caller` says of journal, budget and giving up holds for all calls. When it stops, calls in flight finish,
    calls in the journal are still yielded, and the others get no reply. Leaving the loop early cancels what is in
    flight. `baselines` are the embedded functions that a model of that kind can name; they are computed anew each
    time, since they cost nothing and their code may have changed.

    Raises KeyProblem, StoreError, or ValueError for a call that cannot be sent or a budget that cannot be kept.
    """

    def __init__(
        self,
        model: Endpoint | BaselineModel,
        calls: Iterable[Call],
        journal: Journal | None = None,
        *,
        budget: Budget | None = None,
        total: int | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        ask_again: frozenset[Outcome] = frozenset(),
        baselines: Mapping[str, Baseline] = MappingProxyType({}),
        policy: RetryPolicy = DEFAULT_POLICY,
    ) -> None:
        self.model = model
        self.progress = Progress(total)
        self._calls = iter(calls)
        self._caller = Caller(client_of(model, policy, baselines), journal, budget, ask_again)
        self._on_progress = on_progress
        self._replies: queue.Queue[Reply | BaseException | None] = queue.Queue()

    @property
    def stopped_by_budget(self) -> bool:
        return self._caller.stopped_by_budget

    @property
    def stopped_by_errors(self) -> bool:
        return self._caller.stopped_by_errors

    def __iter__(self) -> Iterator[Reply]:
        self.progress.started_at = time.monotonic()
        loop = asyncio.new_event_loop()
        main = loop.create_task(self._main())
        thread = threading.Thread(target=self._drive, args=(loop, main), name=f"ask {self.model.id}", daemon=True)
        thread.start()
        try:
            while (reply := self._replies.get()) is not None:
                if isinstance(reply, BaseException):
                    raise reply
                self.progress.count(reply)
                if self._on_progress:
                    self._on_progress(self.progress)
                yield reply
        finally:
            if thread.is_alive():
                loop.call_soon_threadsafe(main.cancel)
            thread.join()
            loop.close()

    def _drive(self, loop: asyncio.AbstractEventLoop, main: asyncio.Task[None]) -> None:
        try:
            loop.run_until_complete(main)
        except asyncio.CancelledError:
            pass
        except BaseException as error:
            while isinstance(error, BaseExceptionGroup):
                error = error.exceptions[0]
            self._replies.put(error)
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.run_until_complete(loop.shutdown_default_executor())
            self._replies.put(None)

    async def _main(self) -> None:
        async with self._caller, asyncio.TaskGroup() as tasks:
            sync = tasks.create_task(self._sync_now_and_then())
            async with asyncio.TaskGroup() as workers:
                for _ in range(self._caller.client.concurrency):
                    workers.create_task(self._work())
            sync.cancel()

    async def _work(self) -> None:
        for call in self._calls:
            if (reply := await self._caller.ask(call)) is not None:
                await self._hand_over(reply)

    async def _hand_over(self, reply: Reply) -> None:
        await asyncio.sleep(0)
        while self._replies.qsize() >= MOST_UNREAD:
            await asyncio.sleep(0.01)
        self._replies.put(reply)

    async def _sync_now_and_then(self) -> None:
        while (journal := self._caller.journal) is not None:
            await asyncio.sleep(SYNC_EVERY_S)
            await asyncio.to_thread(journal.sync)


def raise_if_unanswered(name: str, errors: Counter[str | None]) -> None:
    """Raises Stopped when every call failed; `errors` counts what went wrong with calls, None for nothing."""
    if errors and not errors[None]:
        raise Stopped(f"{name}: {failed(errors)}; `diffbench models check {name}` says what is wrong")


def failed(errors: Counter[str | None]) -> str:
    """How many calls failed, and the commonest reasons."""
    reasons = [(error, n) for error, n in errors.most_common() if error is not None]
    shown = "; ".join(f"{n:,} × {error[:200]}" for error, n in reasons[:3])
    return f"{sum(n for _, n in reasons):,} of {errors.total():,} failed ({shown})"


def raise_if_stopped(run: Run) -> None:
    """Raises Stopped, saying what to do, when `run` ended early."""
    if run.stopped_by_budget:
        raise Stopped(f"{run.model.id}: the budget is used up ({run.progress.line()}); raise it and run again to go on")
    if run.stopped_by_errors:
        raise Stopped(
            f"{run.model.id}: call after call failed ({run.progress.line()}); "
            f"`diffbench models check {run.model.id}` says what is wrong"
        )
