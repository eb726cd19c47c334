"""The chat client: one call in, one answer out, whatever the network does in between.

Belongs here: HTTP, which failures are which, and one call's retries. Does not belong here: many calls at once, the
journal and the budget (`run.py`).
"""

from __future__ import annotations

import asyncio
import ssl
import time
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType

import httpx
from tenacity import AsyncRetrying, stop_never

from diffbench_assets.models.keys import read_key
from diffbench_assets.models.lanes import Lanes
from diffbench_assets.models.limits import AdaptiveLimit, Pace
from diffbench_assets.models.registry import Endpoint
from diffbench_assets.models.replies import Answer, BadReply, cost, error_message, excerpt, read_completion
from diffbench_assets.models.requests import CHARACTERS_PER_TOKEN, Request, build_body
from diffbench_assets.models.retry import Attempts, Failure, Kind, RetryPolicy, retry_after

LARGEST_BODY = 8 * 1024 * 1024
"""Bytes of a response that are read at most; 16,384 tokens of text are below 0.5 MB."""

TOO_LARGE = f"answer is larger than {LARGEST_BODY >> 20} MB"

FIRST_GUESS_OUTPUT_TOKENS = 500
TRANSIENT_STATUSES = frozenset({408, 409, 425})
REFUSAL_CODES = frozenset({"content_filter", "content_policy_violation"})
"""How Azure and OpenAI name a prompt they will not answer, under status 400."""

QUOTA_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
"""An account without credit says 429 too; waiting does not help it."""


class ChatClient:
    """Asks one endpoint. An async context manager; raises KeyProblem on construction when its key is not set."""

    def __init__(self, endpoint: Endpoint, policy: RetryPolicy | None = None) -> None:
        self.endpoint = endpoint
        self.limit = AdaptiveLimit(endpoint.concurrency)
        self._policy = policy or RetryPolicy()
        self._key = read_key(endpoint)
        self._pace = Pace(endpoint.requests_per_minute, endpoint.tokens_per_minute)
        self._mean_output = float(FIRST_GUESS_OUTPUT_TOKENS)
        self._lanes = Lanes(endpoint, self._key)

    async def __aenter__(self) -> ChatClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._lanes.aclose()

    def estimated_cost(self, request: Request) -> float:
        """US dollars that `request` will cost if its answer is of average length; 0 without a price."""
        price = self.endpoint.usd_per_million_tokens
        return cost(price, request.estimated_tokens, round(self._mean_output)) or 0.0

    def spent(self, request: Request, answer: Answer) -> float:
        """US dollars to count for `answer`: its cost, or an estimate when the endpoint reported no usage."""
        if answer.cost_usd is not None or answer.outcome == "error":
            return answer.cost_usd or 0.0
        output = len(answer.text or "") // CHARACTERS_PER_TOKEN
        return cost(self.endpoint.usd_per_million_tokens, request.estimated_tokens, output) or 0.0

    async def ask(self, request: Request) -> Answer:
        """The answer to `request` after as many attempts as it takes; a failed call has outcome `error`."""
        attempts = Attempts(self._policy)
        body = build_body(self.endpoint, request)
        sent = 0
        started = time.perf_counter()

        async def attempt() -> Answer:
            nonlocal sent, started
            await self.limit.acquire()
            try:
                reserved = request.estimated_tokens + self._mean_output
                await self._pace.turn(reserved)
                sent, started = sent + 1, time.perf_counter()
                try:
                    answer = await self._send(body)
                except Failure:
                    self._pace.tokens.correct(-reserved)
                    raise
                self._learn(answer, reserved)
                return answer
            finally:
                self.limit.release()

        try:
            answer: Answer = await AsyncRetrying(retry=attempts.again, wait=attempts.wait, stop=stop_never)(attempt)
        except Failure as failure:
            if failure.kind == "refused":
                answer = Answer("refused", text=None, finish_reason="content_filter")
            else:
                answer = Answer("error", text=None, error=str(failure))
        return replace(answer, attempts=sent, latency_s=round(time.perf_counter() - started, 6))

    async def attempt_once(self, request: Request) -> Answer:
        """One attempt, without limits. Raises Failure."""
        return await self._send(build_body(self.endpoint, request))

    def _learn(self, answer: Answer, reserved: float) -> None:
        """Correct the token bucket and the expected length of answers by what was reported."""
        if answer.input_tokens is None or answer.output_tokens is None:
            return
        self._pace.tokens.correct(answer.input_tokens + answer.output_tokens - reserved)
        self._mean_output += 0.1 * (answer.output_tokens - self._mean_output)

    async def _send(self, body: bytes) -> Answer:
        sent_at, limit_s = time.monotonic(), self.endpoint.timeout_s
        try:
            async with asyncio.timeout(limit_s):
                status, headers, content = await self._post(body)
        except (TimeoutError, httpx.TimeoutException) as error:
            if isinstance(error, httpx.ConnectTimeout):
                raise Failure("transient", "no connection in time: the endpoint's host does not respond") from None
            raise Failure("transient", f"no full answer within the time limit of {limit_s:g} s") from None
        except httpx.HTTPError as error:
            raise Failure("transient", excerpt(connection_problem(error).encode(), self._key)) from None
        try:
            if status != 200:
                raise self._failure(status, headers, content)
            answer = read_completion(content, self._key, self.endpoint.usd_per_million_tokens)
        except BadReply as bad:
            failure = Failure(_kind(bad.status, bad.transient), str(bad), status=bad.status)
            self._note(failure, sent_at)
            raise failure from None
        except Failure as failure:
            self._note(failure, sent_at)
            raise
        self.limit.succeeded()
        return answer

    async def _post(self, body: bytes) -> tuple[int, httpx.Headers, bytes]:
        async with (
            self._lanes.lane() as http,
            http.stream("POST", self.endpoint.url, content=body) as response,
        ):
            content = bytearray()
            async for chunk in response.aiter_raw():
                content += chunk
                if len(content) > LARGEST_BODY:
                    raise Failure("fatal", TOO_LARGE)
            return response.status_code, response.headers, self._plain(bytes(content), response.headers)

    def _plain(self, content: bytes, headers: httpx.Headers) -> bytes:
        encoding = headers.get("content-encoding", "identity").lower()
        if encoding == "identity" or not content:
            return content
        if encoding not in {"gzip", "deflate"}:
            raise Failure("fatal", "answer is compressed in a way that was not asked for")
        try:
            # 47: zlib or gzip, by its header.
            plain = zlib.decompressobj(47).decompress(content, LARGEST_BODY + 1)
        except zlib.error:
            raise Failure("transient", "answer is damaged: it does not decompress") from None
        if len(plain) > LARGEST_BODY:
            raise Failure("fatal", TOO_LARGE)
        return plain

    def _failure(self, status: int, headers: httpx.Headers, content: bytes) -> Failure:
        message, code = error_message(content, self._key)
        text = f"HTTP {status}: {message or 'no message'}"
        if 300 <= status < 400:
            text = f"HTTP {status}: the endpoint redirects elsewhere; write its final address in the registry"
        wait = retry_after(headers.get("retry-after"), datetime.now(UTC), self._policy.longest_retry_after_s)
        kind = _kind(status, transient=False)
        if status == 400 and code in REFUSAL_CODES:
            kind = "refused"
        elif code in QUOTA_CODES:
            kind = "fatal"
        return Failure(kind, text, status=status, retry_after_s=wait)

    def _note(self, failure: Failure, sent_at: float) -> None:
        if failure.kind == "rate_limit":
            self.limit.throttled(sent_at, time.monotonic())
            self._pace.pause(failure.retry_after_s or 0.0)


def connection_problem(error: BaseException) -> str:
    """A sentence for a request that got no whole answer, by the error at the bottom of the chain."""
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLError):
            return f"TLS failed: {cause.reason or cause.strerror or 'no reason given'}"
        if isinstance(cause, ConnectionRefusedError):
            return "connection refused: nothing listens at the endpoint's host and port"
        if type(cause).__name__ == "gaierror":
            return "host not found: the name of the endpoint's host does not resolve"
    return f"connection failed: {error or type(error).__name__}"


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    todo = [error]
    while todo:
        cause = todo.pop()
        if cause in found:
            continue
        found.append(cause)
        todo += [inner for inner in (cause.__cause__, cause.__context__) if inner is not None]
        if isinstance(cause, BaseExceptionGroup):
            todo += cause.exceptions
    return found


def _kind(status: int | None, transient: bool) -> Kind:
    if status == 429:
        return "rate_limit"
    if transient or status in TRANSIENT_STATUSES or (status is not None and status >= 500):
        return "transient"
    return "fatal"
