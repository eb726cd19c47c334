"""An HTTP client whose requests all leave through the gateway.

Belongs here: one request with its retries and limits. Does not belong here: redirects (each hop has rules of its own,
which the caller knows), robots.txt, and waiting for a turn.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from http.cookiejar import DefaultCookiePolicy
from types import TracebackType
from typing import TypeVar

import httpx
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt

from diffbench_assets import __version__
from diffbench_assets.corpus.net.bodies import BodyLimit
from diffbench_assets.corpus.net.gateway import FAILED_HEADER, REFUSED_HEADER
from diffbench_assets.models.retry import retry_after

T = TypeVar("T")

_BUSY = {429, 500, 502, 503, 504}
_TRY_AGAIN = {"unreachable", "timeout", "bad_response"}


class Unanswered(Exception):
    """No usable answer came. `reason` is one word for the counts: refused_<reason of the gateway>, unresolved,
    unreachable, timeout, tls, header_too_large, bad_response, or a reason of `BodyLimit`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.may_pass = False


class GatewayGone(RuntimeError):
    """Nothing listens where the gateway should be: no host is to blame."""


class _Busy(Exception):
    """The server says to come back later."""

    def __init__(self, wait_s: float | None) -> None:
        self.wait_s = wait_s


@dataclass(frozen=True)
class ClientLimits:
    """Attempts and seconds of one request."""

    attempts: int = 3
    request_s: float = 60.0
    """For one attempt, body included: what ends a slow drip."""
    first_wait_s: float = 1.0
    longest_wait_s: float = 60.0
    """Also the most that a Retry-After may ask for."""


def user_agent(contact: str = "") -> str:
    """How requests name this program; `contact` is an address where its user can be reached."""
    return f"diffbench-assets/{__version__}" + (f" ({contact})" if contact else "")


class Client:
    """Requests through the gateway at `gateway_url`; an async context manager. Cookies are never kept."""

    def __init__(self, gateway_url: str, contact: str = "", limits: ClientLimits = ClientLimits()) -> None:  # noqa: B008
        self._limits = limits
        self._http = httpx.AsyncClient(
            proxy=gateway_url,
            trust_env=False,
            follow_redirects=False,
            headers={"User-Agent": user_agent(contact), "Accept": "*/*", "Accept-Encoding": "gzip"},
            timeout=httpx.Timeout(limits.request_s, pool=None),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=32),
        )
        self._http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def ask(self, url: str, read: Callable[[httpx.Response], Awaitable[T]]) -> T:
        """What `read` makes of the streamed response to GET `url`.

        A server that is busy (429, 5xx) or cannot be reached is asked again, with growing waits or as long as its
        Retry-After says; the last attempt's response is read whatever its status. `read` runs at most once: what breaks
        in the middle of a body is not asked again. Raises Unanswered, and GatewayGone.
        """
        attempts = AsyncRetrying(
            stop=stop_after_attempt(self._limits.attempts),
            retry=retry_if_exception(_may_pass),
            wait=self._wait,
            sleep=asyncio.sleep,
            reraise=True,
        )
        async for attempt in attempts:
            with attempt:
                return await self._once(url, read, last=attempt.retry_state.attempt_number == self._limits.attempts)
        raise AssertionError("tenacity returns or raises")

    async def _once(self, url: str, read: Callable[[httpx.Response], Awaitable[T]], last: bool) -> T:
        reading = False
        try:
            async with asyncio.timeout(self._limits.request_s), self._http.stream("GET", url) as response:
                if url.startswith("http:"):  # Inside a tunnel the server itself could write these headers.
                    if refused := response.headers.get(REFUSED_HEADER):
                        raise Unanswered(f"refused_{refused}")
                    if failed := response.headers.get(FAILED_HEADER):
                        raise Unanswered(failed)
                if response.status_code in _BUSY and not last:
                    header = response.headers.get("Retry-After")
                    raise _Busy(retry_after(header, datetime.now(UTC), self._limits.longest_wait_s))
                reading = True
                return await read(response)
        except (TimeoutError, httpx.HTTPError, httpx.InvalidURL, BodyLimit, Unanswered) as error:
            failure = error if isinstance(error, Unanswered) else Unanswered(_reason(error))
            failure.may_pass = not reading and failure.reason in _TRY_AGAIN
            raise failure from None

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, _Busy) and error.wait_s is not None:
            return error.wait_s
        doubled = self._limits.first_wait_s * 2.0 ** (state.attempt_number - 1)
        return min(self._limits.longest_wait_s, doubled) * random.uniform(0.5, 1.0)


def _may_pass(error: BaseException) -> bool:
    return isinstance(error, _Busy) or (isinstance(error, Unanswered) and error.may_pass)


def _reason(error: Exception) -> str:
    """One word for what went wrong. Raises GatewayGone."""
    if isinstance(error, BodyLimit):
        return error.reason
    if isinstance(error, (TimeoutError, httpx.TimeoutException)):
        return "timeout"
    if isinstance(error, httpx.ProxyError):  # "<status> <reason phrase>" of a CONNECT that the gateway turned away.
        status, _, phrase = str(error).partition(" ")
        return f"refused_{phrase}" if status == "403" else phrase or "unreachable"
    if isinstance(error, httpx.ConnectError):
        if any(isinstance(cause, ConnectionRefusedError) for cause in _causes(error)):
            raise GatewayGone("the gateway does not answer; was it closed?") from error
        return "tls"
    return "unreachable" if isinstance(error, httpx.ReadError) else "bad_response"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
