"""A web of made-up hosts behind one loopback server: plain sites, and every trap that a crawler must survive.

Belongs here: the sites, what becomes of a visit to each, and a log of everything that was asked for. Does not belong
here: a crawler or its tests.

Names resolve to made-up public addresses, and `dial` is the only place that knows which server stands behind them: the
gateway keeps its own policy, and a private address that it let pass would show in `dialled`. Two listeners stand for
what must never be reached: `secret_tcp` (a service of this machine) and `secret_udp` (a STUN server).
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from ipaddress import IPv4Address
from types import TracebackType
from typing import Final
from urllib.parse import urlsplit

from diffbench_assets.pages.ingest import ingest
from diffbench_assets.pages.sources import GeneratorSource
from diffbench_assets_tests.corpus.crawl.answers import Answer, Asked, reply
from diffbench_assets_tests.corpus.crawl.traps import ARTICLE, ARTICLE_PARTS, HELLO, PRIVATE, Place, all_traps

FIRST_ADDRESS: Final = int(IPv4Address("20.40.0.1"))
"""The first of the made-up public addresses."""
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class HostileWeb:
    """The web, while it is open as an async context manager."""

    def __init__(self, sites: int = 300, designs: int = 24, delay_s: float = 0.0) -> None:
        self.log: list[Asked] = []
        """Every request, in order."""
        self.dialled: list[str] = []
        """Every address that a connection was made to."""
        self.secret_requests = 0
        """Bytes, connections and datagrams at the services of this machine."""
        self.notes: list[tuple[int, frozenset[str]]] = []
        """Moments that a test wants to remember: how much was in the log, and what was stored by then."""
        self._sites = sites
        self._designs = designs
        self._delay_s = delay_s

    async def __aenter__(self) -> HostileWeb:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._secret = await asyncio.start_server(self._secret_served, "127.0.0.1", 0)
        self._datagrams, _ = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: _Counting(self), local_addr=("127.0.0.1", 0)
        )
        secret_tcp = self._secret.sockets[0].getsockname()[1]
        secret_udp = self._datagrams.get_extra_info("sockname")[1]
        traps = list(all_traps(secret_tcp, secret_udp))
        self.traps: Sequence[Place] = [place for place, _ in traps]
        spec = GeneratorSource(name="sites", kind="generator", seed=7, count=self._designs)
        designs = [str(row["html"]) for row in ingest(spec)]
        self.sites: Sequence[Place] = [
            Place(f"site-{number:03}", f"http://site-{number:03}.test/") for number in range(self._sites)
        ]
        self._hosts: dict[str, dict[str, Answer]] = {
            str(urlsplit(place.url).hostname): paths for place, paths in traps if paths
        }
        for number, place in enumerate(self.sites):
            page = designs[number // 2 % len(designs)] if number % 2 else ARTICLE.format(number=number)
            self._hosts[f"{place.name}.test"] = {"/": reply(page), "/popup": reply(HELLO), **ARTICLE_PARTS}
        self._addresses = {host: str(IPv4Address(FIRST_ADDRESS + n)) for n, host in enumerate(self._hosts)}
        self._tasks: set[asyncio.Task[None]] = set()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        for server in (self._server, self._secret):
            server.close()
        self._datagrams.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def places(self) -> list[Place]:
        """Everything there is to visit."""
        return [*self.traps, *self.sites]

    @property
    def hosts(self) -> int:
        """Names that resolve."""
        return len(self._hosts) + len(PRIVATE)

    async def resolve(self, host: str) -> list[str]:
        """The addresses of a name, for the gateway. Raises OSError."""
        if host in PRIVATE:
            return [PRIVATE[host]]
        if host in ("localhost", "localhost."):
            return ["127.0.0.1"]
        if host not in self._addresses:
            raise OSError(f"no such name: {host}")
        return [self._addresses[host]]

    async def dial(self, address: str, port: int) -> Streams:
        """A connection to whoever stands behind `address`, for the gateway."""
        self.dialled.append(address)
        if address not in self._addresses.values():
            raise OSError(f"no such address: {address}")
        return await asyncio.open_connection(*self._server.sockets[0].getsockname()[:2])

    def note(self, stored: Iterable[str]) -> None:
        """Remember this moment."""
        self.notes.append((len(self.log), frozenset(stored)))

    def asked(self, host: str) -> Counter[str]:
        """How often each path of a host was requested."""
        return Counter(asked.path for asked in self.log if asked.host == host)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        try:
            while asked := await _read(reader):
                self.log.append(asked)
                paths = self._hosts.get(asked.host, {})
                await asyncio.sleep(self._delay_s)
                missing = reply("not here", status="404 Not Found")
                await (paths.get(asked.path.partition("?")[0]) or paths.get("*") or missing)(writer, asked)
                await writer.drain()
        except _NotHttp:
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            writer.close()
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            if not writer.is_closing():
                writer.transport.abort()

    async def _secret_served(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.secret_requests += 1
        writer.close()


class _NotHttp(Exception):
    """The client began to speak TLS."""


class _Counting(asyncio.DatagramProtocol):
    def __init__(self, web: HostileWeb) -> None:
        self._web = web

    def datagram_received(self, data: bytes, address: tuple[str, int]) -> None:
        self._web.secret_requests += 1


async def _read(reader: asyncio.StreamReader) -> Asked | None:
    """The next request; None when the client is done, or does not speak HTTP."""
    with suppress(asyncio.IncompleteReadError, asyncio.LimitOverrunError, IndexError, ValueError):
        first = await reader.readexactly(1)
        if not first.isalpha():
            raise _NotHttp
        head = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        path = head[0].split(" ")[1]
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        await reader.readexactly(int(headers.get("content-length", 0)))
        return Asked(headers["host"].partition(":")[0], path, headers.get("user-agent", ""), time.monotonic())
    return None
