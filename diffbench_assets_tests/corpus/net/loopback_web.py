"""A web of made-up names on loopback, with a log of every request that reached it.

Real HTTP over real sockets, in a thread of its own. Every name ends up at one server, which looks at the Host header;
what it answers is decided by `behave`. `gateway` opens the one way to it: names resolve to loopback and port 80 leads
to the server's port.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any

from diffbench_assets.corpus.net.gateway import Gateway, Streams
from diffbench_assets.corpus.net.gateway import dial as plain_dial


@dataclass(frozen=True)
class Asked:
    """One request as it arrived, `at` by the monotonic clock; `ended` when its answer was out."""

    host: str
    path: str
    method: str
    headers: dict[str, str]
    body: bytes = field(repr=False, default=b"")
    nth: int = 1
    at: float = field(default_factory=time.monotonic)

    @property
    def url(self) -> str:
        return f"http://{self.host}{self.path}"


@dataclass(frozen=True)
class Answer:
    """What goes back. `stream` replaces the body by pieces without a length, `pause_s` apart."""

    body: bytes | str = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    stream: Iterable[bytes] | None = None
    pause_s: float = 0.0
    raw: bytes | None = None
    hang_up: bool = False


NOT_FOUND = Answer("nothing here", 404)


def moved(to: str, status: int = 302) -> Answer:
    return Answer("", status, {"Location": to})


def pages(answers: dict[str, Answer | str | bytes]) -> Callable[[Asked], Answer]:
    """Behaviour from a table by `host/path`; what is not in it is 404."""

    def behave(asked: Asked) -> Answer:
        answer = answers.get(asked.host + asked.path, NOT_FOUND)
        return answer if isinstance(answer, Answer) else Answer(answer)

    return behave


class LoopbackWeb:
    """The server; a context manager. With `tls` it speaks TLS on a second port, where port 443 leads."""

    def __init__(self, behave: Callable[[Asked], Answer], tls: ssl.SSLContext | None = None) -> None:
        self._behave = behave
        self._tls = tls
        self.log: list[Asked] = []
        self.spans: list[tuple[str, float, float]] = []
        self.answered = 0
        self.port = 0
        self.tls_port: int | None = None
        self._counts: Counter[str] = Counter()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._ready = threading.Event()

    def __enter__(self) -> LoopbackWeb:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *exc: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def gateway(self, **options: Any) -> Gateway:
        """A gateway through which every made-up name leads here."""
        return open_gateway(self.port, self.tls_port, **options)

    @property
    def urls(self) -> list[str]:
        return [asked.url for asked in self.log]

    def _run(self) -> None:
        self._loop.run_until_complete(self._main())

    async def _main(self) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1024)
        self.port = server.sockets[0].getsockname()[1]
        if self._tls:
            secure = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)
            self.tls_port = secure.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while await self._one(reader, writer):
                pass
        writer.transport.abort()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = head[0].split(" ")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        host = headers["host"].partition(":")[0]
        self._counts[host + path] += 1
        asked = Asked(host, path, method, headers, body, self._counts[host + path])
        self.log.append(asked)
        answer = self._behave(asked)
        await asyncio.sleep(answer.delay_s)
        if not answer.hang_up:
            async for piece in _pieces(answer):
                writer.write(piece)
                await writer.drain()
        self.spans.append((host, asked.at, time.monotonic()))
        self.answered += 1
        writer_stays = answer.stream is None and answer.raw is None and not answer.hang_up
        if not writer_stays:
            writer.close()
            await writer.wait_closed()
        return writer_stays and headers.get("connection", "").lower() != "close"


async def _pieces(answer: Answer) -> AsyncIterator[bytes]:
    body = answer.body.encode() if isinstance(answer.body, str) else answer.body
    headers = dict(answer.headers)
    if answer.raw is not None:
        yield answer.raw
        return
    if answer.stream is None:
        headers["Content-Length"] = str(len(body))
    lines = [f"HTTP/1.1 {answer.status} X", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    yield "\r\n".join(lines).encode("latin-1")
    for piece in [body] if answer.stream is None else answer.stream:
        yield piece
        await asyncio.sleep(answer.pause_s)


STAND_IN = "127.7.7.7"
"""What made-up names resolve to; literal loopback addresses stay forbidden, as in earnest."""


async def to_loopback(host: str) -> list[str]:
    """Every name of the reserved top-level domains of RFC 2606 is known; no other name is."""
    if not host.endswith((".test", ".example")):
        raise OSError("no such name")
    return [STAND_IN]


def open_gateway(port: int, tls_port: int | None = None, **options: Any) -> Gateway:
    """A gateway that leads from port 80 to `port` on loopback and from 443 to `tls_port`."""

    async def dial(address: str, wanted: int) -> Streams:
        assert address == STAND_IN, f"only made-up names may be reached in tests, not {address}"
        leads = {80: port, 443: tls_port}.get(wanted, wanted)
        if leads is None:
            raise ConnectionRefusedError
        return await plain_dial("127.0.0.1", leads)

    return Gateway(**{"resolve": to_loopback, "allowed": ip_address(STAND_IN).__eq__, "dial": dial, **options})
