"""What went wrong with one request, said once for every kind of client.

Belongs here: the table of what a status, an error code or a broken connection means, and the one sentence that a user
reads of it, scrubbed. Does not belong here: what is tried again and when (`retry.py`), and answers.
"""

from __future__ import annotations

import json
import socket
import ssl
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, Literal

from diffbench_assets.models.keys import Key

Kind = Literal["rate_limit", "transient", "fatal", "refused"]
"""`refused` is an answer of a kind: the endpoint will not let the model see this call."""

LONGEST_ERROR: Final = 500


class Failure(Exception):
    """One attempt failed. `kind` decides what follows; the message is scrubbed already."""

    def __init__(
        self, kind: Kind, message: str, *, status: int | None = None, retry_after_s: float | None = None
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = status
        self.retry_after_s = retry_after_s


@dataclass(frozen=True)
class Meaning:
    """A row: the kind of failures with one of `statuses` and one of `codes`; empty for any."""

    kind: Kind
    statuses: Collection[int] = ()
    codes: frozenset[str] = frozenset()


MEANINGS: Final = (
    # An account without credit says 429 too; waiting does not help it.
    Meaning("fatal", codes=frozenset({"insufficient_quota", "billing_hard_limit_reached"})),
    # How Azure and OpenAI name a prompt, or an image, that they will not answer.
    Meaning("refused", {400}, frozenset({"content_filter", "content_policy_violation", "moderation_blocked"})),
    Meaning("rate_limit", {429}),
    Meaning("transient", {408, 409, 425, *range(500, 1000)}),
)
"""The first row that fits; a status that no row names is fatal."""

BROKEN_CONNECTIONS: Final[tuple[tuple[type[BaseException], str], ...]] = (
    (ssl.SSLError, "TLS failed: {reason}"),
    (ConnectionRefusedError, "connection refused: nothing listens at the endpoint's host and port"),
    (socket.gaierror, "host not found: the name of the endpoint's host does not resolve"),
)
"""What lies at the bottom of an error of the HTTP client, and how it is said. All may pass."""


def kind_of(status: int, code: str = "") -> Kind:
    """What an answer with this HTTP status and error code is."""
    for row in MEANINGS:
        if (not row.statuses or status in row.statuses) and (not row.codes or code in row.codes):
            return row.kind
    return "fatal"


def failure_of(status: int, body: bytes, key: Key, retry_after_s: float | None) -> Failure:
    """The failure that an answer with a status other than 200 reports."""
    message, code = _error_message(body, key)
    if 300 <= status < 400:
        message = "the endpoint redirects elsewhere; write its final address in the registry"
    text = f"HTTP {status}: {message or 'no message'}"
    return Failure(kind_of(status, code), text, status=status, retry_after_s=retry_after_s)


def reported_failure(error: object, key: Key) -> Failure:
    """The failure that stands in a body of status 200, which is how OpenRouter passes on those of its upstreams."""
    code = error.get("code") if isinstance(error, dict) else None
    status = code if type(code) is int and 400 <= code < 600 else None
    message, _ = _described(error, key)
    kind = kind_of(status) if status else "transient"
    return Failure(kind, f"the endpoint reported: {message or 'no message'}", status=status)


def broken_connection(error: BaseException, key: Key) -> Failure:
    """The failure of a request that got no whole answer, by the error at the bottom of the chain."""
    said = [
        sentence.format(reason=getattr(cause, "reason", None) or getattr(cause, "strerror", None) or "no reason given")
        for cause in _causes(error)
        for kind, sentence in BROKEN_CONNECTIONS
        if isinstance(cause, kind)
    ]
    message = said[0] if said else f"connection failed: {error or type(error).__name__}"
    return Failure("transient", excerpt(message.encode(), key))


def parse_json(body: bytes) -> Any:
    """The document, or None when `body` is not JSON (too deep, not UTF-8 and half a document included)."""
    try:
        return json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def excerpt(body: bytes, key: Key) -> str:
    """The start of a body on one line, scrubbed. Cut last: a cut key would no longer be recognised."""
    text = " ".join(body.decode("utf-8", "replace").split())
    return key.scrub_error(text)[:LONGEST_ERROR]


def _error_message(body: bytes, key: Key) -> tuple[str, str]:
    """(message, code) of an error body in the shapes that endpoints use; the start of the body otherwise."""
    document = parse_json(body)
    error = document.get("error", document) if isinstance(document, dict) else None
    message, code = _described(error, key)
    return message or excerpt(body, key), code


def _described(error: object, key: Key) -> tuple[str, str]:
    if not isinstance(error, dict):
        return (excerpt(error.encode("utf-8", "replace"), key), "") if isinstance(error, str) else ("", "")
    message = error.get("message") or error.get("detail")
    code = error.get("code") or error.get("type")
    text = excerpt(message.encode("utf-8", "replace"), key) if isinstance(message, str) else ""
    return text, code if isinstance(code, str) else ""


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    todo = [error]
    while todo:
        cause = todo.pop()
        if cause in found:
            continue
        found.append(cause)
        todo += [inner for inner in (cause.__cause__, cause.__context__) if inner is not None]
        if isinstance(cause, BaseExceptionGroup):
            todo += cause.exceptions
    return found
