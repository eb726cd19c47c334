"""A chat completions server on loopback that can be as rude as a test wants.

Real HTTP over a real socket, in a thread of its own. What it answers is decided by a `behave` function of the request
and of how often its item was asked before; what it was asked stands in `log`. The prompt names its item as `item=<id>`.
Also runs alone, for benchmarks: `python -m diffbench_assets_tests.models.chat_server --latency 0.05`.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import functools
import hashlib
import json
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

ITEM = re.compile(rb"item=([\w.-]+)")
HEAD_END = b"\r\n\r\n"


@dataclass(frozen=True)
class Asked:
    """One request as it arrived, `at` by the monotonic clock. `nth` counts from 1 how often this item was asked."""

    item: str
    nth: int
    headers: dict[str, str]
    body: bytes = field(repr=False)
    at: float = field(default_factory=time.monotonic)

    @functools.cached_property
    def document(self) -> dict[str, Any]:
        return json.loads(self.body)

    @property
    def content(self) -> Any:
        return self.document["messages"][0]["content"]

    @property
    def text(self) -> str:
        """The prompt, without its images."""
        parts = [{"type": "text", "text": self.content}] if isinstance(self.content, str) else self.content
        return "\n".join(part["text"] for part in parts if part["type"] == "text")

    @property
    def images(self) -> list[bytes]:
        urls = [part["image_url"]["url"] for part in self.content if part["type"] == "image_url"]
        return [base64.b64decode(url.removeprefix("data:image/png;base64,"), validate=True) for url in urls]


@dataclass(frozen=True)
class Answer:
    """What goes back. `send`: bytes of the body after which the connection is cut; `hang`: nothing is sent at all."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    send: int | None = None
    hang: bool = False


Behaviour = Callable[[Asked], Answer]


def completion(text: str | None = "No visible change.", finish_reason: str = "stop", **more: Any) -> Answer:
    """A well-formed answer; `more` overrides fields of the document, `message` those of the message."""
    message = {"role": "assistant", "content": text} | more.pop("message", {})
    document = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "loopback",
        "system_fingerprint": "fp_loopback",
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100},
    } | more
    return Answer(json.dumps(document).encode(), headers={"Content-Type": "application/json"})


def error(status: int, message: str, **headers: str) -> Answer:
    """An error body in OpenAI's shape."""
    return Answer(json.dumps({"error": {"message": message}}).encode(), status, headers)


class ChatServer:
    """A context manager; `url` is the endpoint to write into the registry."""

    def __init__(self, behave: Behaviour | None = None, *, keep_bodies: bool = True) -> None:
        self.behave = behave or (lambda asked: completion())
        self.log: list[Asked] = []
        self.answered: Counter[str] = Counter()
        self.in_flight = self.most_in_flight = 0
        self.bytes_read = 0
        self._keep_bodies = keep_bodies
        self._counts: Counter[str] = Counter()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> ChatServer:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def asked(self, item: str) -> int:
        """How often `item` was asked."""
        return self._counts[item]

    @property
    def counts(self) -> dict[str, int]:
        return dict(self._counts)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        start = self._loop.create_server(lambda: _Connection(self), "127.0.0.1", 0, backlog=1024)
        server = self._loop.run_until_complete(start)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    def take(self, headers: dict[str, str], body: bytes) -> Asked:
        found = ITEM.search(body)
        item = found[1].decode() if found else ""
        self._counts[item] += 1
        asked = Asked(item, self._counts[item], headers, body)
        self.log.append(asked if self._keep_bodies else Asked(item, asked.nth, {}, b""))
        return asked


class _Connection(asyncio.Protocol):
    """HTTP/1.1 with keep-alive: requests one after another, each with a Content-Length."""

    def __init__(self, server: ChatServer) -> None:
        self._server = server
        self._chunks: list[bytes] = []
        self._have = 0
        self._need: int | None = None
        self._headers: dict[str, str] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._server.bytes_read += len(data)
        self._chunks.append(data)
        self._have += len(data)
        if self._need is None:
            data = b"".join(self._chunks)
            head, found, _ = data.partition(HEAD_END)
            if not data[:1].isalpha():  # A TLS handshake, say.
                self._transport.write(b"HTTP/1.1 400 Bad Request" + HEAD_END)
                self._transport.close()
            if not found:
                return
            self._chunks = [data]
            lines = head.decode("latin-1").split("\r\n")[1:]
            self._headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            self._need = len(head) + len(HEAD_END) + int(self._headers.get("content-length", 0))
        if self._have < self._need:
            return
        message = b"".join(self._chunks)
        body = message[message.index(HEAD_END) + len(HEAD_END) :]
        self._chunks, self._have, self._need = [], 0, None
        asyncio.get_running_loop().create_task(self._answer(body))

    async def _answer(self, body: bytes) -> None:
        server = self._server
        asked = server.take(self._headers, body)
        server.in_flight += 1
        server.most_in_flight = max(server.most_in_flight, server.in_flight)
        try:
            answer = server.behave(asked)
            if answer.hang:
                await asyncio.sleep(3600)
            if answer.delay_s:
                await asyncio.sleep(answer.delay_s)
        finally:
            server.in_flight -= 1
        lines = [f"HTTP/1.1 {answer.status} Whatever", f"Content-Length: {len(answer.body)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in answer.headers.items()]
        self._transport.write("\r\n".join(lines).encode("latin-1") + HEAD_END + answer.body[: answer.send])
        if answer.send is not None:
            self._transport.close()
        elif not self._transport.is_closing():
            server.answered[asked.item] += 1


def main() -> None:
    """Serve until stdin ends; then print what was asked as one JSON object: item → [times, hash of its images]."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--hash-images", action="store_true", help="hash what arrives (slow)")
    options = parser.parse_args()
    reply = completion()
    hashes: dict[str, list[str]] = {}

    def behave(asked: Asked) -> Answer:
        if options.hash_images:
            hashes[asked.item] = [hashlib.sha256(image).hexdigest() for image in asked.images]
        return Answer(reply.body, headers=reply.headers, delay_s=options.latency)

    with ChatServer(behave, keep_bodies=False) as server:
        print(server.url, flush=True)
        sys.stdin.read()
    print(json.dumps({item: [times, hashes.get(item, [])] for item, times in server.counts.items()}))


if __name__ == "__main__":
    main()
