"""Calls to one model: what is known is not asked, what is asked is kept, and asking ends when it should.

Belongs here: the journal, the budget and when to give up, whatever the client. Does not belong here: how one call is
made (`clients/`), and where calls come from and replies go to (`run.py`).
"""

from __future__ import annotations

import asyncio
from typing import Self

from diffbench_assets.models.clients.client import Client
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.replies import FINISHED, Answer, Outcome, Reply
from diffbench_assets.models.requests import Call, Request

MOST_FAILED_IN_A_ROW = 20
"""With no answer in between, and at least three for each request in flight: the endpoint is down, or the key is bad."""


class Caller:
    """Asks through `client`. An async context manager, used from one event loop.

    Every finished answer is in `journal` before it is returned, and what is there is not asked again (unless its
    outcome is in `ask_again`). Equal requests are sent once, even when they run side by side. When `budget` ends,
    what is not known is not asked: `stopped_by_budget` is then true. The same happens when call after call fails with
    no answer in between: `stopped_by_errors`. Clients whose answers are free know neither journal nor budget.

    Raises ValueError for a budget that cannot be kept.
    """

    def __init__(
        self,
        client: Client,
        journal: Journal | None = None,
        budget: Budget | None = None,
        ask_again: frozenset[Outcome] = frozenset(),
    ) -> None:
        if budget and budget.usd is not None and client.unpriced:
            raise ValueError(f"{client.name}: {client.unpriced}")
        self.client = client
        self.journal = None if client.free else journal
        self.stopped_by_budget = False
        self.stopped_by_errors = False
        self._budget = budget or Budget()
        self._ask_again = ask_again
        self._failed_in_a_row = 0
        self._places = asyncio.Semaphore(client.concurrency)
        self._settled = asyncio.Event()
        self._in_flight: dict[str, asyncio.Future[Answer | None]] = {}

    async def __aenter__(self) -> Self:
        await self.client.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.client.__aexit__(*error)

    async def ask(self, call: Call) -> Reply | None:
        """The reply to `call`; None when asking has ended and nothing is known. Raises StoreError and ValueError."""
        request = self.client.prepare(call)
        if (known := self._known(request)) is not None:
            return _reply(request, known, cached=True)
        running = self._in_flight.get(request.request_sha256)
        answer = await (asyncio.shield(running) if running else self._ask(request))
        return None if answer is None else _reply(request, answer, cached=running is not None)

    def _known(self, request: Request) -> Answer | None:
        answer = self.journal.get(request.request_sha256) if self.journal is not None else None
        return None if answer is None or answer.outcome in self._ask_again else answer

    async def _ask(self, request: Request) -> Answer | None:
        running = asyncio.get_running_loop().create_future()
        self._in_flight[request.request_sha256] = running
        try:
            async with self._places:
                if self.client.free:
                    answer: Answer | None = await self.client.ask(request)
                else:
                    answer = None if self.stopped_by_errors else await self._ask_within_budget(request)
            running.set_result(answer)
            return answer
        finally:
            # Whoever waits for an answer that does not come, by an error or an end, does not wait for ever.
            running.cancel()
            del self._in_flight[request.request_sha256]

    async def _ask_within_budget(self, request: Request) -> Answer | None:
        estimate = self.client.estimated_cost(request)
        while (admitted := self._budget.admit(estimate)) == "wait":
            self._settled.clear()
            await self._settled.wait()
        if admitted == "no":
            self.stopped_by_budget = True
            return None
        spent = 0.0
        try:
            answer = await self.client.ask(request)
            spent = self.client.spent(request, answer)
        finally:
            self._budget.settle(estimate, spent)
            self._settled.set()
        if answer.outcome in FINISHED:
            self._failed_in_a_row = 0
            if self.journal is not None:
                self.journal.put(request.request_sha256, answer)
        else:
            self._failed_in_a_row += 1
            most = max(MOST_FAILED_IN_A_ROW, 3 * self.client.concurrency)
            self.stopped_by_errors = self._failed_in_a_row >= most
        return answer


def _reply(request: Request, answer: Answer, cached: bool) -> Reply:
    return Reply(
        **answer.row(),
        image=answer.image,
        item_id=request.call.item_id,
        repeat=request.call.repeat,
        request_sha256=request.request_sha256,
        image_sha256=request.image_sha256,
        image_size=request.image_size,
        image_detail=request.image_detail,
        cached=cached,
    )
