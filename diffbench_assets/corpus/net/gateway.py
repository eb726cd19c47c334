"""The gateway: a forward proxy on loopback that decides where a request may go.

Belongs here: checking names and addresses, connecting, passing bytes on under limits, and counting. Does not belong
here: which addresses are public, and anything that reads content.

A name is resolved here, once for each connection, and the connection goes to exactly the address that was checked: a
name that answers differently the next time gains nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import struct
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType

from diffbench_assets.corpus.net.addresses import Address, is_public
from diffbench_assets.corpus.net.heads import BadHead, Request, read_request, read_response

REFUSED_HEADER = "X-Diffbench-Refused"
FAILED_HEADER = "X-Diffbench-Failed"

Resolve = Callable[[str], Awaitable[Sequence[str]]]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Dial = Callable[[str, int], Awaitable[Streams]]

_CHUNK = 64 * 1024
_ADDRESSES_TRIED = 4
# getaddrinfo blocks; the loop's own pool has as few threads as the machine has cores.
_lookups = ThreadPoolExecutor(32, thread_name_prefix="resolve")


async def system_resolver(host: str) -> list[str]:
    """Addresses of `host` as the system's resolver gives them. Raises OSError."""
    loop = asyncio.get_running_loop()
    found = await loop.run_in_executor(
        _lookups, lambda: socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    )
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


async def dial(address: str, port: int) -> Streams:
    """A connection to `address`, which is never a name."""
    return await asyncio.open_connection(address, port, limit=_CHUNK)


@dataclass(frozen=True)
class Limits:
    """Seconds and bytes of one connection."""

    connect_s: float = 10.0
    """For looking the name up, and again for connecting."""
    idle_s: float = 30.0
    """Without a byte in either direction."""
    total_s: float = 300.0
    head_bytes: int = 64 * 1024


class Refused(Exception):
    """The gateway will not, or cannot, reach the target."""

    def __init__(self, reason: str, status: int = 403) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status


class Gateway:
    """An HTTP and CONNECT proxy on 127.0.0.1, at `url` while it is open as an async context manager.

    `resolve` gives the addresses of a name (OSError when there are none); a target is refused when any of them is not
    `allowed`. `ports` are the ports that may be reached. `max_bytes` is the most that one response, or one tunnel, may
    bring; the connection is then reset, as on every limit, so that a part never looks like a whole. `dial` opens the
    connection to a checked address.

    What was refused answers 403 with its reason in `X-Diffbench-Refused` (`address`, `port`, `itself`,
    `not_a_proxy_request`, `bad_request`), what failed 502 or 504 with `X-Diffbench-Failed` (`unresolved`,
    `unreachable`, `timeout`, `header_too_large`, `bad_response`). The reason is also the reason phrase, which is all
    that a client of CONNECT sees. No server can write these headers into a plain HTTP response. Counted: `refused` and
    `failed` by reason (`failed` has `too_large` too), `requests` and `bytes` received by host.
    """

    def __init__(
        self,
        resolve: Resolve = system_resolver,
        allowed: Callable[[Address], bool] = is_public,
        max_bytes: int = 64 * 1024 * 1024,
        *,
        ports: Collection[int] = frozenset({80, 443}),
        limits: Limits = Limits(),  # noqa: B008 - immutable
        dial: Dial = dial,
    ) -> None:
        self.refused: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.bytes: Counter[str] = Counter()
        self.requests: Counter[str] = Counter()
        self._resolve = resolve
        self._allowed = allowed
        self._max_bytes = max_bytes
        self._ports = ports
        self._limits = limits
        self._dial = dial
        self._serving: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """Address to give to a browser or HTTP client."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def open_connections(self) -> int:
        """Clients being served now."""
        return len(self._serving)

    async def __aenter__(self) -> Gateway:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=_CHUNK, backlog=1024)
        self._port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._server.close()
        while self._serving:
            for task in self._serving:
                task.cancel()
            await asyncio.gather(*self._serving, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        try:
            await self._answer_and_finish((reader, writer))
        except (OSError, asyncio.CancelledError):
            # Cancelled means that the gateway closes; raised further, asyncio's streams would report it as an error.
            _reset(writer)
        finally:
            writer.transport.abort()
            self._serving.discard(task)

    async def _answer_and_finish(self, client: Streams) -> None:
        try:
            await self._answer(client)
        except Refused as refused:
            (self.refused if refused.status == 403 else self.failed)[refused.reason] += 1
            client[1].write(_turned_away(refused))
        await self._finish(client)

    async def _answer(self, client: Streams) -> None:
        try:
            async with asyncio.timeout(self._limits.idle_s):
                request = await read_request(client[0], self._limits.head_bytes)
        except TimeoutError:
            return
        except BadHead as bad:
            raise Refused(bad.reason if bad.reason != "bad_response" else "bad_request") from None
        if request is None:
            return
        server = await self._connect(request.host, request.port)
        self.requests[request.host] += 1
        try:
            await self._exchange(request, client, server)
        finally:
            server[1].transport.abort()

    async def _connect(self, host: str, port: int) -> Streams:
        """A connection to one checked address of `host`. Raises Refused."""
        if port not in self._ports:
            raise Refused("port")
        addresses = await self._addresses(host)
        if not all(self._allowed(address) for address in addresses):
            raise Refused("address")
        if port == self._port and any(address.is_loopback or address.is_unspecified for address in addresses):
            raise Refused("itself")
        tried = addresses[:_ADDRESSES_TRIED]
        failure = "unreachable"
        for address in tried:
            try:
                async with asyncio.timeout(self._limits.connect_s / len(tried)):
                    return await self._dial(str(address), port)
            except TimeoutError:
                failure = "timeout"
            except OSError:
                failure = "unreachable"
        raise Refused(failure, 504 if failure == "timeout" else 502)

    async def _addresses(self, host: str) -> list[Address]:
        with suppress(ValueError):
            return [ipaddress.ip_address(host)]
        try:
            async with asyncio.timeout(self._limits.connect_s):
                names = await self._resolve(host)
            addresses = [ipaddress.ip_address(name) for name in names]
        except TimeoutError:
            raise Refused("timeout", 504) from None
        except (OSError, ValueError):
            addresses = []
        if not addresses:
            raise Refused("unresolved", 502)
        return addresses

    async def _exchange(self, request: Request, client: Streams, server: Streams) -> None:
        """Pass bytes both ways until one side ends. Raises Refused while the client has seen nothing yet."""
        answered = request.tunnel
        limits = self._limits
        end = asyncio.get_running_loop().time() + limits.total_s

        def alive() -> None:
            clock.reschedule(min(end, asyncio.get_running_loop().time() + limits.idle_s))

        async def upwards() -> None:
            server[1].write(request.head)
            while data := await client[0].read(_CHUNK):
                alive()
                server[1].write(data)
                await server[1].drain()

        async def downwards() -> None:
            nonlocal answered
            if request.tunnel:
                client[1].write(b"HTTP/1.1 200 Connected\r\n\r\n")
            else:
                head = await read_response(server[0], limits.head_bytes)
                answered = True
                client[1].write(head)
            received = 0
            while data := await server[0].read(_CHUNK):
                alive()
                received += len(data)
                self.bytes[request.host] += len(data)
                if received > self._max_bytes:
                    self.failed["too_large"] += 1
                    raise ConnectionAbortedError
                client[1].write(data)
                await client[1].drain()

        try:
            async with asyncio.timeout(limits.idle_s) as clock:
                await _until_one_ends(upwards(), downwards())
        except (TimeoutError, BadHead) as failure:
            reason = failure.reason if isinstance(failure, BadHead) else "timeout"
            if not answered:
                raise Refused(reason, 504 if reason == "timeout" else 502) from None
            self.failed[reason] += 1
            raise ConnectionAbortedError from None
        except OSError:
            if not answered:
                raise Refused("unreachable", 502) from None
            raise

    async def _finish(self, client: Streams) -> None:
        """End the answer and wait until the client has taken it and hung up.

        Closing with something unread would reset the connection, and the answer could be lost on its last metre.
        """
        reader, writer = client
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(self._limits.idle_s):
                writer.write_eof()
                while await reader.read(_CHUNK):
                    pass


async def _until_one_ends(*pipes: Coroutine[None, None, None]) -> None:
    """Run the pipes until the first ends, stop the others, and raise what it raised."""
    tasks = [asyncio.create_task(pipe) for pipe in pipes]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


def _turned_away(refused: Refused) -> bytes:
    header = REFUSED_HEADER if refused.status == 403 else FAILED_HEADER
    lines = [f"HTTP/1.1 {refused.status} {refused.reason}", f"{header}: {refused.reason}"]
    return "\r\n".join([*lines, "Content-Length: 0", "Connection: close", "", ""]).encode()


def _reset(writer: asyncio.StreamWriter) -> None:
    """Make the coming close a reset, so that the client cannot take a part for the whole."""
    with suppress(OSError):
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
