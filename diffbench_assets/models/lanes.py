"""Kept connections to one endpoint.

Belongs here: how HTTP clients are set up and shared. Does not belong here: what is sent through them.

Each lane is an httpx client with one connection. One client with many connections would do the same work, but the pool
of httpcore compares all its connections with each other on every request: at 32 of them that is most of the CPU time.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from diffbench_assets.models.keys import Key
from diffbench_assets.models.registry import Endpoint

CONNECT_TIMEOUT_S = 15.0
KEEPALIVE_S = 30.0

# httpcore's debug lines print response headers, in which a server can echo the key; httpx adds a line per request.
logging.getLogger("httpcore").setLevel(logging.WARNING)
logging.getLogger("httpx").setLevel(logging.WARNING)


class Lanes:
    """As many lanes as were ever needed at once; the one used last is used next, so its connection is likely open."""

    def __init__(self, endpoint: Endpoint, key: Key) -> None:
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

    @asynccontextmanager
    async def lane(self) -> AsyncIterator[httpx.AsyncClient]:
        """An HTTP client that nobody else uses at this moment."""
        client = self._idle.pop() if self._idle else self._new()
        try:
            yield client
        finally:
            self._idle.append(client)

    async def aclose(self) -> None:
        """Close all connections."""
        for client in self._all:
            await client.aclose()

    def _new(self) -> httpx.AsyncClient:
        client = httpx.AsyncClient(
            headers=self._headers, timeout=self._timeout, limits=self._limits, verify=self._tls, http2=False
        )
        self._all.append(client)
        return client
