"""Why a page could not be had, in one word.

Belongs here: the words, and how errors of Chromium and answers of the gateway become one. Does not belong here: limits
(`limits.py`) and what is done about a failure (`crawler.py`).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from diffbench_assets.corpus.net.gateway import FAILED_HEADER, REFUSED_HEADER

REFUSED: Final = REFUSED_HEADER.lower()
FAILED: Final = FAILED_HEADER.lower()

RETRIED: Final = frozenset({"unreachable", "timeout", "incomplete", "try_again", "unresponsive"})
"""Failures that may be of the moment: the network's, the server's, or that of a neighbour which took the machine."""

_NET_ERRORS: Final = (
    ("TOO_MANY_REDIRECTS", "redirects"),
    ("UNSAFE_REDIRECT|DISALLOWED_URL_SCHEME|UNKNOWN_URL_SCHEME|FILE_NOT_FOUND|ACCESS_DENIED", "refused_scheme"),
    ("UNSAFE_PORT", "refused_port"),
    ("CERT_|SSL_", "tls"),
    ("INVALID_HTTP_RESPONSE|RESPONSE_HEADERS|CONTENT_DECODING|INVALID_CHUNKED|INVALID_REDIRECT", "bad_response"),
    ("CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED", "incomplete"),
    ("TIMED_OUT", "timeout"),
    ("NAME_NOT_RESOLVED", "unresolved"),
    ("ABORTED", "no_content"),
)
_TUNNEL_ANSWER: Final = re.compile(rb"HTTP/1\.[01] (\d{3}) ?([a-z_]*)")
_TUNNEL_QUESTION_S: Final = 15.0


class Failed(Exception):
    """There is no page; `reason` is what its row says (`timeout`, `too_large`, `refused_address`, …)."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class BrowserLost(Exception):
    """The browser died or hangs; which of the pages it had open is to blame is not known."""


def of_net_error(text: str) -> str:
    """The failure behind Chromium's `net::ERR_…`; `unreachable` when it has no word of its own."""
    return next((reason for pattern, reason in _NET_ERRORS if re.search(pattern, text)), "unreachable")


def of_answer(status: int, mime_type: str, headers: Mapping[str, str]) -> str | None:
    """The failure in the answer for a document, the gateway's own answers included; None when there is a page.

    `headers` have lower-case names.
    """
    if REFUSED in headers:
        return f"refused_{headers[REFUSED]}"
    if FAILED in headers:
        return _of_gateway(headers[FAILED])
    if status in (429, 503):
        return "try_again"
    if status >= 400:
        return "http_error"
    return None if mime_type in ("text/html", "application/xhtml+xml") else "not_html"


async def why_no_tunnel(gateway_url: str, url: str) -> str:
    """Why the gateway made no connection for an https address, which Chromium hides: asked again, without a request.

    `unreachable` when the gateway connects this time, or does not answer.
    """
    target, gateway = urlsplit(url), urlsplit(gateway_url)
    place = f"{target.hostname}:{target.port or 443}"
    with suppress(OSError, TimeoutError, ValueError):
        async with asyncio.timeout(_TUNNEL_QUESTION_S):
            reader, writer = await asyncio.open_connection(gateway.hostname, gateway.port)
            try:
                writer.write(f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n\r\n".encode("ascii"))
                answer = _TUNNEL_ANSWER.match(await reader.readline())
            finally:
                writer.transport.abort()
        if answer:
            status, reason = int(answer[1]), answer[2].decode()
            return f"refused_{reason}" if status == 403 else _of_gateway(reason)
    return "unreachable"


def _of_gateway(reason: str) -> str:
    if reason in ("timeout", "unresolved"):
        return reason
    return "bad_response" if reason in ("header_too_large", "bad_response") else "unreachable"
