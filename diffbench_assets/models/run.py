"""Asking a model many calls: what is sent, what is already known, and when to stop.

Belongs here: the workers between a stream of calls and a stream of replies. Does not belong here: HTTP (`client.py`),
and where calls come from or rows go to.

Calls are read as they are needed, so images of at most `concurrency` calls are in memory. The event loop lives in a
thread of its own: requests keep moving while the consumer writes a file.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping

from diffbench_assets.models.clients.chat import ChatClient
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.progress import Progress
from diffbench_assets.models.registry import BaselineModel, Endpoint, Model
from diffbench_assets.models.replies import FINISHED, Answer, Outcome, Reply
from diffbench_assets.models.requests import Call, Request, prepare
from diffbench_assets.models.retry import RetryPolicy

SYNC_EVERY_S = 0.5
MOST_UNREAD = 1000
"""Replies that may wait for the consumer before the workers do."""

MOST_FAILED_IN_A_ROW = 20
"""With no answer in between, and at least three for each request in flight: the endpoint is down, or the key is bad."""

Baseline = Callable[[Call], str]


class Run:
    """Iterate over it for the replies, in the order in which they are finished; it can be iterated once.

    Every finished answer is in `journal` before its reply is yielded, and calls whose fingerprint is there are not sent
    (unless their outcome is in `ask_again`). When `budget` ends, calls in flight finish, calls in the journal are still
    yielded, and the others get no reply: `stopped_by_budget` is then true. The same happens when call after call fails
    with no answer in between: `stopped_by_errors`. Leaving the loop early cancels what is in flight. Embedded baselines
    are computed anew each time, since they cost nothing and their code may have changed.

    Raises KeyProblem, JournalError, or ValueError for a call that cannot be sent or a budget that cannot be kept.
    """

    def __init__(
        self,
        model: Model | Endpoint,
        calls: Iterable[Call],
        journal: Journal | None = None,
        *,
        budget: Budget | None = None,
        total: int | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        ask_again: frozenset[Outcome] = frozenset(),
        baselines: Mapping[str, Baseline] | None = None,
        policy: RetryPolicy | None = None,
    ) -> None:
        if isinstance(model, Endpoint) and budget and budget.usd is not None and not model.usd_per_million_tokens:
            raise ValueError(f"{model.id}: a budget in dollars needs usd_per_million_tokens in the registry")
        if isinstance(model, BaselineModel) and model.baseline not in (baselines or {}):
            raise ValueError(f"{model.id}: there is no embedded baseline {model.baseline!r} for this protocol")
        self.model = model
        self.progress = Progress(total)
        self.stopped_by_budget = False
        self.stopped_by_errors = False
        self._failed_in_a_row = 0
        self._calls = iter(calls)
        self._journal = journal
        self._budget = budget or Budget()
        self._on_progress = on_progress
        self._ask_again = ask_again
        self._baselines = baselines or {}
        self._policy = policy
        self._in_flight: dict[str, asyncio.Future[Answer | None]] = {}
        self._replies: queue.Queue[Reply | BaseException | None] = queue.Queue()

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
        if isinstance(self.model, BaselineModel):
            await self._answer_embedded(self._baselines[self.model.baseline])
            return
        self._settled = asyncio.Event()
        async with ChatClient(self.model, self._policy) as client, asyncio.TaskGroup() as tasks:
            sync = tasks.create_task(self._sync_now_and_then())
            async with asyncio.TaskGroup() as workers:
                for _ in range(self.model.concurrency):
                    workers.create_task(self._work(client))
            sync.cancel()

    async def _answer_embedded(self, baseline: Baseline) -> None:
        for call in self._calls:
            request = prepare(self.model, call)
            text = baseline(call)
            await self._hand_over(request, Answer("completed" if text.strip() else "empty", text, cost_usd=0.0), False)

    async def _work(self, client: ChatClient) -> None:
        for call in self._calls:
            request = prepare(self.model, call)
            answer = self._known(request)
            cached = answer is not None
            if answer is None:
                answer, cached = await self._ask_once(client, request)
            if answer is not None:
                await self._hand_over(request, answer, cached)

    def _known(self, request: Request) -> Answer | None:
        answer = self._journal.get(request.request_sha256) if self._journal is not None else None
        return None if answer is None or answer.outcome in self._ask_again else answer

    async def _ask_once(self, client: ChatClient, request: Request) -> tuple[Answer | None, bool]:
        """(answer, whether another call asked it). Equal requests are sent once, even when they run side by side."""
        running = self._in_flight.get(request.request_sha256)
        if running:
            answer = await asyncio.shield(running)
            return answer, True
        future = self._in_flight[request.request_sha256] = asyncio.get_running_loop().create_future()
        answer = await self._ask_within_budget(client, request)
        del self._in_flight[request.request_sha256]
        future.set_result(answer)
        return answer, False

    async def _ask_within_budget(self, client: ChatClient, request: Request) -> Answer | None:
        if self.stopped_by_errors:
            return None
        estimate = client.estimated_cost(request)
        while (admitted := self._budget.admit(estimate)) == "wait":
            self._settled.clear()
            await self._settled.wait()
        if admitted == "no":
            self.stopped_by_budget = True
            return None
        spent = 0.0
        try:
            answer = await client.ask(request)
            spent = client.spent(request, answer)
        finally:
            self._budget.settle(estimate, spent)
            self._settled.set()
        if answer.outcome in FINISHED:
            self._failed_in_a_row = 0
            if self._journal is not None:
                self._journal.put(request.request_sha256, answer)
        else:
            self._failed_in_a_row += 1
            most = max(MOST_FAILED_IN_A_ROW, 3 * client.endpoint.concurrency)
            self.stopped_by_errors = self._failed_in_a_row >= most
        return answer

    async def _hand_over(self, request: Request, answer: Answer, cached: bool) -> None:
        await asyncio.sleep(0)
        while self._replies.qsize() >= MOST_UNREAD:
            await asyncio.sleep(0.01)
        self._replies.put(
            Reply(
                **answer.row(),
                item_id=request.call.item_id,
                repeat=request.call.repeat,
                request_sha256=request.request_sha256,
                image_sha256=request.image_sha256,
                image_size=request.image_size,
                image_detail=request.image_detail,
                cached=cached,
            )
        )

    async def _sync_now_and_then(self) -> None:
        while self._journal is not None:
            await asyncio.sleep(SYNC_EVERY_S)
            await asyncio.to_thread(self._journal.sync)
