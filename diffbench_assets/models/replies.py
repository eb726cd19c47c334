"""What came back: the outcome of a call, and the strict reading of a chat completion.

Belongs here: the shape of a reply row and how a response body becomes one. Does not belong here: HTTP, retries, and
what an answer means. A body is hostile: every field is checked, cut and cleaned before anything else sees it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from diffbench_assets.models.keys import Key
from diffbench_assets.models.registry import Price

Outcome = Literal["completed", "truncated", "empty", "refused", "error"]
FINISHED: frozenset[Outcome] = frozenset({"completed", "truncated", "empty", "refused"})
"""Outcomes that were paid for and are kept; an error is asked again by the next run."""

TRUNCATED_REASONS = frozenset({"length", "max_tokens"})
REFUSED_REASONS = frozenset({"content_filter", "refusal", "safety", "prohibited_content", "blocklist", "spii"})
FAILED_REASONS = frozenset({"error", "malformed_response"})
LARGEST_COUNT = 2**53
LONGEST_NAME = 200
LONGEST_ERROR = 500


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished call as the journal keeps it. `latency_s` is of the last attempt; `cost_usd` None without a price."""

    outcome: Outcome
    text: str | None
    finish_reason: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cost_usd: float | None = None
    latency_s: float | None = None
    attempts: int = 0
    error: str | None = None
    model_reported: str | None = None
    system_fingerprint: str | None = None

    def row(self) -> dict[str, Any]:
        """As a dict; names are those of the `responses` table."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class Reply(Answer):
    """One row of `responses`: an answer and what it answers. `cached`: it came from the journal, nothing was sent."""

    item_id: str = ""
    repeat: int = 0
    request_sha256: str = ""
    image_sha256: str | None = None
    image_size: str | None = None
    image_detail: str | None = None
    cached: bool = False


class BadReply(Exception):
    """A body that is no chat completion. `status`: what the endpoint itself called it, when it put an error there."""

    def __init__(self, message: str, *, transient: bool, status: int | None = None) -> None:
        super().__init__(message)
        self.transient = transient
        self.status = status


def read_completion(body: bytes, key: Key, price: Price | None) -> Answer:
    """Read the body of a 200 response. Raises BadReply with a scrubbed message."""
    document = parse_json(body)
    if document is None:
        raise BadReply(f"answer is not JSON: {excerpt(body, key)}", transient=True)
    if isinstance(document, dict) and document.get("error"):
        raise _reported_error(document["error"], key)
    choices = document.get("choices") if isinstance(document, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(document, dict) or not isinstance(choice, dict) or not isinstance(message, dict):
        raise BadReply(f"answer is no chat completion: {excerpt(body, key)}", transient=False)
    if choice.get("error"):
        raise _reported_error(choice["error"], key)

    reason = _name(choice.get("finish_reason"), key)
    if reason and reason.lower() in FAILED_REASONS:
        raise BadReply(f"the endpoint gave up: finish_reason {reason}", transient=True)
    text = _clean(_text(message.get("content")), key)
    refusal = _clean(_text(message.get("refusal")), key)
    usage = document.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    details = usage.get("completion_tokens_details")
    input_tokens, output_tokens = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    return Answer(
        outcome=_outcome(text, refusal, (reason or "").lower()),
        text=text or refusal or None,
        finish_reason=reason,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        reasoning_tokens=_count(details.get("reasoning_tokens")) if isinstance(details, dict) else None,
        cost_usd=cost(price, input_tokens, output_tokens),
        model_reported=_name(document.get("model"), key),
        system_fingerprint=_name(document.get("system_fingerprint"), key),
    )


def cost(price: Price | None, input_tokens: int | None, output_tokens: int | None) -> float | None:
    """US dollars, or None when the price or a count is unknown."""
    if price is None or input_tokens is None or output_tokens is None:
        return None
    return (input_tokens * price.input + output_tokens * price.output) / 1e6


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


def error_message(body: bytes, key: Key) -> tuple[str, str]:
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


def _reported_error(error: object, key: Key) -> BadReply:
    # OpenRouter reports upstream failures this way, under status 200.
    code = error.get("code") if isinstance(error, dict) else None
    status = code if type(code) is int and 400 <= code < 600 else None
    message, _ = _described(error, key)
    return BadReply(f"the endpoint reported: {message or 'no message'}", transient=status is None, status=status)


def _outcome(text: str | None, refusal: str | None, reason: str) -> Outcome:
    if refusal or reason in REFUSED_REASONS:
        return "refused"
    if reason in TRUNCATED_REASONS:
        return "truncated"
    return "completed" if text and text.strip() else "empty"


def _text(content: object) -> str | None:
    """Content is a string, or a list of parts of which those of type text count."""
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
        return "".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else None


def _clean(text: str | None, key: Key) -> str | None:
    """Without lone surrogates, which no file can hold, and without the key, should the server echo it."""
    return None if text is None else key.scrub(text.encode("utf-8", "replace").decode("utf-8"))


def _name(value: object, key: Key) -> str | None:
    cleaned = _clean(value, key) if isinstance(value, str) else None
    return cleaned[:LONGEST_NAME] if cleaned else None


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < LARGEST_COUNT else None
