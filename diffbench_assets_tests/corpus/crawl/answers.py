"""What a server of the hostile web can answer: pages, redirects, and streams that do not end well.

Belongs here: answers as functions of a connection. Does not belong here: which host gives which (`traps.py`).
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

PIXEL: Final = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c63f8cfc0f01f0005000180a0e1d6a50000000049454e44ae426082"
)
Answer = Callable[[asyncio.StreamWriter, "Asked"], Awaitable[None]]


@dataclass(frozen=True)
class Asked:
    """A request as the server saw it."""

    host: str
    path: str
    agent: str
    at: float


def reply(body: bytes | str, kind: str = "text/html; charset=utf-8", status: str = "200 OK", extra: str = "") -> Answer:
    """A plain answer."""
    data = body.encode() if isinstance(body, str) else body

    async def answer(writer: asyncio.StreamWriter, asked: Asked) -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\n{extra}\r\n"
        writer.write(head.encode() + data)

    return answer


def redirect(to: Callable[[str], str] | str, status: str = "302 Found") -> Answer:
    """An answer that sends the visitor on; `to` may depend on the path asked for."""

    async def answer(writer: asyncio.StreamWriter, asked: Asked) -> None:
        target = to if isinstance(to, str) else to(asked.path)
        writer.write(f"HTTP/1.1 {status}\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n".encode())

    return answer


def endless(kind: str, chunk: bytes, pause_s: float = 0.0, head: bytes = b"", extra: str = "") -> Answer:
    """An answer that never ends."""

    async def answer(writer: asyncio.StreamWriter, asked: Asked) -> None:
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n{extra}\r\n".encode() + head)
        while True:
            writer.write(chunk)
            await writer.drain()
            await asyncio.sleep(pause_s)

    return answer


async def huge_headers(writer: asyncio.StreamWriter, asked: Asked) -> None:
    """Five million bytes of headers before the first byte of the page."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n")
    for number in range(500):
        writer.write(b"X-%d: %s\r\n" % (number, b"x" * 10_000))
        await writer.drain()
    writer.write(b"Content-Length: 2\r\n\r\nhi")


async def cut_short(writer: asyncio.StreamWriter, asked: Asked) -> None:
    """Promises more than it sends."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n<h1>Half a")
    await writer.drain()
    writer.close()


async def silent(writer: asyncio.StreamWriter, asked: Asked) -> None:
    """Never answers."""
    await asyncio.sleep(3600)


def bomb() -> tuple[bytes, bytes]:
    """(start, block) of a gzip stream that unpacks to as much as anyone reads: ten times a thousand million and on."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    start = packer.compress(b"<h1>Bomb</h1>") + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(1_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    return start, block


def gzip_bomb() -> Answer:
    """Ten thousand million bytes in ten million."""
    start, block = bomb()

    async def answer(writer: asyncio.StreamWriter, asked: Asked) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + start)
        for _ in range(10_000):
            writer.write(block)
            await writer.drain()

    return answer


def image_of_size(width: int, height: int) -> bytes:
    """A one-bit PNG that is small to send and huge to hold."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes((1, 0, 0, 0, 0))
    rows = bytes(1 + (width + 7) // 8) * height
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def script(code: str, body: str = "<h1>A page</h1><p>with words</p>") -> Answer:
    """A page with a script at its end."""
    return reply(f"<!doctype html><title>t</title><body>{body}<script>{code}</script>")
