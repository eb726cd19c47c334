"""What went wrong with one request, said once for every kind of client.

Belongs here: the table of what a status, an error code or a broken connection means, and the one sentence that a user
reads of it, scrubbed. Does not belong here: what is tried again and when (`retry.py`), and answers.
"""

from __future__ import annotations

import json
import re
import socket
import ssl
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, Literal

from diffbench_assets.models.keys import Key
from diffbench_assets.models.prompting.json_reply import without_preamble

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


_NAMED: Final = """
    refusal refused safety safety_error content_filter content_filtered content_filtering content_filter_error
    content_policy content_policy_violation content_moderation content_blocked moderation moderation_blocked moderated
    flagged blocked blocklist spii sensitive sensitive_content sensitive_content_detected
    input_text_sensitive_content_detected input_image_sensitive_content_detected output_text_sensitive_content_detected
    prohibited_content image_safety image_prohibited_content recitation image_recitation data_inspection_failed
    invalid_prompt guardrail_intervened responsible_ai_policy_violation risk_control censorship_blocked
"""
REFUSALS: Final = frozenset(_NAMED.split())
"""Finish reasons and error codes by which providers say that moderation stood in the way, as `plain` writes them."""

_MODERATED: Final = re.compile(
    r"^(?!.*\b(?:account|organi[sz]ation|api key|billing)\b)(?:"
    r".*\b(?:is|was|were|been|got) flagged\b|.*\bflagged (?:as|by|for)\b|.*\bmoderat(?:ion|ed)\b|.*\bnsfw\b"
    r"|.*\bcontent[ _-](?:management|safety|inspection|filter\w*|polic\w+)"
    r"|.*\b(?:usage|acceptable use|responsible ai) (?:polic\w+|guidelines?)"
    r"|.*\bsafety (?:system|filter|check|polic|guideline|guardrail|reason)|.*\bhigh risk\b"
    r"|.*\b(?:inappropriate|sensitive|unsafe|harmful|prohibited|objectionable)\b(?: \w+)? (?:content|information"
    r"|material|words?|topics?|images?|text|prompt|input|data)\b|.*(?:敏感|违规|不安全|内容审核))",
    re.IGNORECASE | re.DOTALL,
)
"""Messages that say so; those about an account or a key are about the account."""

MEANINGS: Final = (
    # An account without credit says 429 too; waiting does not help it.
    Meaning("fatal", codes=frozenset({"insufficient_quota", "billing_hard_limit_reached"})),
    Meaning("refused", {400, 403, 422, 451}, REFUSALS),
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


def kind_of(status: int, codes: frozenset[str] = frozenset()) -> Kind:
    """What an answer with this HTTP status and these error codes is."""
    for row in MEANINGS:
        if (not row.statuses or status in row.statuses) and (not row.codes or codes & row.codes):
            return row.kind
    return "fatal"


def plain(name: str) -> str:
    """A code or a finish reason as all providers might write it: `data_inspection_failed` for DataInspectionFailed, and
    nothing of what follows a colon."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.partition(":")[0])
    return re.sub(r"[\W_]+", "_", words).strip("_").lower()


def moderated(document: object) -> bool:
    """Whether a filter's results anywhere in a JSON document say that something was filtered."""
    todo = [document]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            if any(value.get(name) is True for name in ("filtered", "flagged", "input_sensitive", "output_sensitive")):
                return True
            if value.get("flagged_input") or value.get("block_reason") or value.get("blockReason"):
                return True
            todo += value.values()
        elif isinstance(value, list):
            todo += value
    return False


def failure_of(status: int, body: bytes, key: Key, retry_after_s: float | None) -> Failure:
    """The failure that an answer with a status other than 200 reports."""
    message, codes = _error_message(body, key)
    if 300 <= status < 400:
        message = "the endpoint redirects elsewhere; write its final address in the registry"
    text = f"HTTP {status}: {message or 'no message'}"
    return Failure(kind_of(status, codes), text, status=status, retry_after_s=retry_after_s)


def reported_failure(error: object, key: Key) -> Failure:
    """The failure that stands in a body of status 200, which is how OpenRouter passes on those of its upstreams."""
    code = error.get("code") if isinstance(error, dict) else None
    status = code if type(code) is int and 400 <= code < 600 else None
    message, codes = _described(error, key)
    kind = kind_of(status, codes) if status else "refused" if codes & REFUSALS else "transient"
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
    """The document, or None when `body` is not JSON (too deep, not UTF-8 and half a document included).

    A byte order mark and comments before it, by which providers keep a connection alive, are no part of it.
    """
    try:
        return json.loads(without_preamble(body.decode("utf-8")))
    except (ValueError, RecursionError):
        return None


def excerpt(body: bytes, key: Key) -> str:
    """The start of a body on one line, scrubbed, without what a terminal would obey.

    Cut last: a cut key would no longer be recognised.
    """
    shown = "".join(c if c.isprintable() else " " for c in body.decode("utf-8", "replace"))
    text = " ".join(shown.split())
    return key.scrub_error(text)[:LONGEST_ERROR]


def _error_message(body: bytes, key: Key) -> tuple[str, frozenset[str]]:
    """(message, codes) of an error body in the shapes that endpoints use; the start of the body otherwise."""
    document = parse_json(body)
    if isinstance(document, list) and document:  # Gemini's
        document = document[0]
    error = document.get("error", document) if isinstance(document, dict) else None
    message, codes = _described(error, key)
    return message or excerpt(body, key), codes


def _described(error: object, key: Key) -> tuple[str, frozenset[str]]:
    """Whatever tells of moderation counts as the code `content_filter`."""
    fields = error if isinstance(error, dict) else {"message": error}
    said = fields.get("message") or fields.get("detail")
    text = excerpt(said.encode("utf-8", "replace"), key) if isinstance(said, str) else ""
    codes = {plain(code) for code in map(fields.get, ("code", "type", "status")) if isinstance(code, str)}
    if _MODERATED.match(text) or moderated(fields):
        codes.add("content_filter")
    return text, frozenset(codes)


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
