"""Request and response heads on their way through the gateway.

Belongs here: reading a head under a size limit and writing it anew without what concerns one connection only. Does not
belong here: bodies (they pass untouched) and whether a request is allowed.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

OWN = b"x-diffbench-"
"""Start of the header names that only the gateway may write."""

_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}")
_METHOD = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}")
_STATUS = re.compile(rb"HTTP/1\.[01] ([1-5]\d\d)(?: .*)?")
_ONE_HOP = {
    b"connection", b"keep-alive", b"proxy-connection", b"proxy-authorization", b"proxy-authenticate", b"te", b"upgrade",
}  # fmt: skip


class BadHead(Exception):
    """No usable head came; `reason` is one word for the counts."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Request:
    """What a client wants: a tunnel to (host, port), or `head` sent there."""

    tunnel: bool
    host: str
    port: int
    head: bytes


async def read_request(reader: asyncio.StreamReader, max_bytes: int) -> Request | None:
    """The next request of a proxy client; None when it closed before sending one. Raises BadHead."""
    lines = await _read_lines(reader, max_bytes)
    if not lines:
        return None
    try:
        method, target, version = lines[0].decode("ascii").split(" ")
    except ValueError:
        raise BadHead("bad_request") from None
    if not _METHOD.fullmatch(method) or version not in ("HTTP/1.1", "HTTP/1.0"):
        raise BadHead("bad_request")
    if method == "CONNECT":
        host, port = _authority("//" + target, None)
        return Request(True, host, port, b"")
    if not target.lower().startswith("http://"):
        raise BadHead("not_a_proxy_request")
    host, port = _authority(target, 80)
    path = re.sub(r"^[^/?#]*", "", target[len("http://") :]).partition("#")[0]
    first = f"{method} {path if path.startswith('/') else '/' + path} HTTP/1.1".encode()
    named = f"[{host}]" if ":" in host else host
    own = [f"Host: {named}" + ("" if port == 80 else f":{port}"), "Connection: close"]
    kept = _without(lines[1:], {*_ONE_HOP, b"host"})
    return Request(False, host, port, b"\r\n".join([first, *map(str.encode, own), *kept, b"", b""]))


async def read_response(reader: asyncio.StreamReader, max_bytes: int) -> bytes:
    """The head of the final response, ready for the client. Raises BadHead."""
    while True:
        lines = await _read_lines(reader, max_bytes)
        status = _STATUS.fullmatch(lines[0]) if lines else None
        if status is None or status[1] == b"101":
            raise BadHead("bad_response")
        if not status[1].startswith(b"1"):
            return b"\r\n".join([lines[0], *_without(lines[1:], _ONE_HOP), b"Connection: close", b"", b""])


def _authority(url: str, default_port: int | None) -> tuple[str, int]:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or default_port
    except ValueError:
        raise BadHead("bad_request") from None
    if not port or not (_HOST.fullmatch(host) or ":" in host):
        raise BadHead("bad_request")
    return host, port


async def _read_lines(reader: asyncio.StreamReader, max_bytes: int) -> list[bytes]:
    """The lines of one head without their ends, continuation lines joined; empty when the stream ended before it."""
    lines: list[bytes] = []
    left = max_bytes
    while True:
        try:
            line = await reader.readline()
        except ValueError:
            raise BadHead("header_too_large") from None
        left -= len(line)
        if left < 0:
            raise BadHead("header_too_large")
        if not line.endswith(b"\n"):
            if lines:
                raise BadHead("bad_response")
            return []
        line = line.rstrip(b"\r\n")
        if b"\r" in line or b"\0" in line:
            raise BadHead("bad_response")
        if not line:
            if lines:
                return lines
            continue  # Empty lines before a head are ignored (RFC 9112, 2.2).
        if line[:1] in b" \t" and lines:
            lines[-1] += b" " + line.strip()
        else:
            lines.append(line)


def _without(headers: list[bytes], names: set[bytes]) -> list[bytes]:
    """Headers without the named ones, those that a Connection header names, and the gateway's own."""
    pairs = [(header.partition(b":")[0].strip().lower(), header) for header in headers]
    named = {
        word.strip().lower()
        for name, header in pairs
        if name == b"connection"
        for word in header.partition(b":")[2].split(b",")
    }
    # How a body is framed is never one connection's own matter here: bodies pass untouched.
    dropped = (names | named) - {b"content-length", b"transfer-encoding"}
    return [header for name, header in pairs if name and name not in dropped and not name.startswith(OWN)]
