"""What clients of endpoints share: limits, retries and costs of one call.

Belongs here: everything about a call but what is sent and how an answer is read, which each kind of client adds. Does
not belong here: many calls at once, the journal and the budget (`caller.py`).
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import ClassVar

from diffbench_assets.models.clients.client import Client
from diffbench_assets.models.failures import Failure
from diffbench_assets.models.keys import read_key
from diffbench_assets.models.lanes import Lanes
from diffbench_assets.models.limits import AdaptiveLimit, Pace
from diffbench_assets.models.registry import Endpoint, Price
from diffbench_assets.models.replies import Answer
from diffbench_assets.models.requests import CHARACTERS_PER_TOKEN, Request
from diffbench_assets.models.retry import RetryPolicy, retrying


class EndpointClient(Client):
    """Asks one endpoint. Raises KeyProblem on construction when its key is not set."""

    first_guess_output_tokens: ClassVar[int]

    def __init__(self, endpoint: Endpoint, policy: RetryPolicy) -> None:
        self.endpoint = endpoint
        self.name = endpoint.id
        self.concurrency = endpoint.concurrency
        self._policy = policy
        self._key = read_key(endpoint)
        self._limit = AdaptiveLimit(endpoint.concurrency)
        self._pace = Pace(endpoint.requests_per_minute, endpoint.tokens_per_minute)
        self._mean_output = float(self.first_guess_output_tokens)
        self._lanes = Lanes(endpoint, self._key, policy.longest_retry_after_s)

    def refused(self, failure: Failure) -> Answer:
        """The answer to a call that the endpoint would not pass on to its model."""
        return Answer("refused", text=None, finish_reason="content_filter")

    async def __aexit__(self, *error: object) -> None:
        await self._lanes.aclose()

    def estimated_cost(self, request: Request) -> float:
        price = self.endpoint.usd_per_million_tokens
        return cost(price, request.estimated_tokens, round(self._mean_output)) or 0.0

    def spent(self, request: Request, answer: Answer) -> float:
        if answer.cost_usd is not None or answer.outcome == "error":
            return answer.cost_usd or 0.0
        # A thought that came with its answer counts the answer twice: rather too much than too little.
        output = (len(answer.thought or "") + len(answer.text or "")) // CHARACTERS_PER_TOKEN
        return cost(self.endpoint.usd_per_million_tokens, request.estimated_tokens, output) or 0.0

    async def ask(self, request: Request) -> Answer:
        sent = 0
        started = time.perf_counter()

        async def attempt() -> Answer:
            nonlocal sent, started
            await self._limit.acquire()
            try:
                reserved = request.estimated_tokens + self._mean_output
                await self._pace.turn(reserved)
                sent, started = sent + 1, time.perf_counter()
                return await self._limited(request, reserved)
            finally:
                self._limit.release()

        try:
            answer: Answer = await retrying(self._policy)(attempt)
        except Failure as failure:
            failed = Answer("error", text=None, error=str(failure))
            answer = self.refused(failure) if failure.kind == "refused" else failed
        return replace(answer, attempts=sent, latency_s=round(time.perf_counter() - started, 6))

    async def _limited(self, request: Request, reserved: float) -> Answer:
        """One attempt, from which the limits learn."""
        sent_at = time.monotonic()
        try:
            answer = await self.attempt(request)
        except Failure as failure:
            if failure.kind == "rate_limit":
                self._limit.throttled(sent_at, time.monotonic())
                self._pace.pause(failure.retry_after_s or 0.0)
            self._pace.tokens.correct(-reserved)
            raise
        self._limit.succeeded()
        if answer.input_tokens is not None and answer.output_tokens is not None:
            self._pace.tokens.correct(answer.input_tokens + answer.output_tokens - reserved)
            self._mean_output += 0.1 * (answer.output_tokens - self._mean_output)
        return answer


def cost(price: Price | None, input_tokens: int | None, output_tokens: int | None) -> float | None:
    """US dollars, or None when the price or a count is unknown."""
    if price is None or input_tokens is None or output_tokens is None:
        return None
    return (input_tokens * price.input + output_tokens * price.output) / 1e6
