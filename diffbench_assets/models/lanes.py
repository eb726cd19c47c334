"""Kept connections to one endpoint, and one exchange through them.

Belongs here: how HTTP clients are set up and shared, and how much of an answer is read. Does not belong here: what is
sent, what an answer says, and what a failure means (`failures.py`).

Each lane is an httpx client with one connection. One client with many connections would do the same work, but the pool
of httpcore compares all its connections with each other on every request: at 32 of them that is most of the CPU time.
"""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import httpx

from diffbench_assets.models.failures import Failure, broken_connection, failure_of
from diffbench_assets.models.keys import Key
from diffbench_assets.models.registry import Endpoint
from diffbench_assets.models.retry import retry_after

CONNECT_TIMEOUT_S = 15.0
KEEPALIVE_S = 30.0
GZIP_OR_ZLIB = 47
"""zlib's way of saying: whichever of the two, by its header."""

# httpcore's debug lines print response headers, in which a server can echo the key; httpx adds a line per request.
logging.getLogger("httpcore").setLevel(logging.WARNING)
logging.getLogger("httpx").setLevel(logging.WARNING)


class Lanes:
    """As many lanes as were ever needed at once; the one used last is used next, so its connection is likely open."""

    def __init__(self, endpoint: Endpoint, key: Key, longest_retry_after_s: float) -> None:
        self._key = key
        self._limit_s = endpoint.timeout_s
        self._longest_retry_after_s = longest_retry_after_s
        self._headers = httpx.Headers(
            {
                "Content-Type": "application/json",
                "Accept": "application/json",
                # Plain answers only: a compressed one can be a thousand times larger than it looks.
                "Accept-Encoding": "identity",
                **key.headers(),
            }
        )
        self._timeout = httpx.Timeout(endpoint.timeout_s, connect=min(CONNECT_TIMEOUT_S, endpoint.timeout_s), pool=None)
        self._limits = httpx.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=KEEPALIVE_S)
        self._tls = httpx.create_ssl_context()
        self._idle: list[httpx.AsyncClient] = []
        self._all: list[httpx.AsyncClient] = []

    async def exchange(
        self, method: str, url: str, largest: int, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> bytes:
        """The body of a 200 answer, of at most `largest` bytes. Raises Failure; redirects are not followed."""
        try:
            async with (
                asyncio.timeout(self._limit_s),
                self._lane() as http,
                http.stream(method, url, headers=headers, content=body) as response,
            ):
                content = bytearray()
                async for chunk in response.aiter_raw():
                    content += chunk
                    if len(content) > largest:
                        raise _too_large(largest)
        except httpx.ConnectTimeout:
            raise Failure("transient", "no connection in time: the endpoint's host does not respond") from None
        except (TimeoutError, httpx.TimeoutException):
            raise Failure("transient", f"no full answer within the time limit of {self._limit_s:g} s") from None
        except httpx.HTTPError as error:
            raise broken_connection(error, self._key) from None
        plain = _plain(bytes(content), response.headers.get("content-encoding", "identity").lower(), largest)
        if response.status_code != 200:
            wait = retry_after(response.headers.get("retry-after"), datetime.now(UTC), self._longest_retry_after_s)
            raise failure_of(response.status_code, plain, self._key, wait)
        return plain

    async def aclose(self) -> None:
        """Close all connections."""
        for client in self._all:
            await client.aclose()

    @asynccontextmanager
    async def _lane(self) -> AsyncIterator[httpx.AsyncClient]:
        """An HTTP client that nobody else uses at this moment."""
        client = self._idle.pop() if self._idle else self._new()
        try:
            yield client
        finally:
            self._idle.append(client)

    def _new(self) -> httpx.AsyncClient:
        client = httpx.AsyncClient(
            headers=self._headers, timeout=self._timeout, limits=self._limits, verify=self._tls, http2=False
        )
        self._all.append(client)
        return client


def _plain(content: bytes, encoding: str, largest: int) -> bytes:
    if encoding == "identity" or not content:
        return content
    if encoding not in {"gzip", "deflate"}:
        raise Failure("fatal", "answer is compressed in a way that was not asked for")
    try:
        plain = zlib.decompressobj(GZIP_OR_ZLIB).decompress(content, largest + 1)
    except zlib.error:
        raise Failure("transient", "answer is damaged: it does not decompress") from None
    if len(plain) > largest:
        raise _too_large(largest)
    return plain


def _too_large(largest: int) -> Failure:
    return Failure("fatal", f"answer is larger than {largest >> 20} MB")
