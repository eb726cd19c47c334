"""The client of chat completions: the request's body, and the strict reading of a completion.

Belongs here: the format of OpenAI-compatible `POST {endpoint}/chat/completions`, both ways. Does not belong here:
retries and limits (`endpoint.py`), HTTP (`lanes.py`), and what an answer means.

Images travel as the PNG bytes given, never decoded or encoded anew. The body is joined from JSON fragments with the
base64 text between them, so that no JSON encoder ever walks through an image; pybase64 encodes sixty times faster than
the standard library, which would spend a quarter of the whole client's time on it. A response is hostile: every field
is checked, cut and cleaned before anything else sees it.
"""

from __future__ import annotations

import json
from typing import Any

import pybase64

from diffbench_assets.models.clients.endpoint import EndpointClient, cost
from diffbench_assets.models.failures import Failure, excerpt, parse_json, reported_failure
from diffbench_assets.models.keys import Key
from diffbench_assets.models.registry import Endpoint, Price
from diffbench_assets.models.replies import Answer, Outcome
from diffbench_assets.models.requests import Call, Request, identity_of, prepare
from diffbench_assets.models.retry import RetryPolicy

LARGEST_BODY = 8 * 1024 * 1024
"""Bytes of a response that are read at most; 16,384 tokens of text are below 0.5 MB."""

TRUNCATED_REASONS = frozenset({"length", "max_tokens"})
REFUSED_REASONS = frozenset({"content_filter", "refusal", "safety", "prohibited_content", "blocklist", "spii"})
FAILED_REASONS = frozenset({"error", "malformed_response"})
LARGEST_COUNT = 2**53
LONGEST_NAME = 200


class ChatClient(EndpointClient):
    """Asks a chat model for words."""

    first_guess_output_tokens = 500

    def __init__(self, endpoint: Endpoint, policy: RetryPolicy) -> None:
        super().__init__(endpoint, policy)
        if not endpoint.usd_per_million_tokens:
            self.unpriced = "a budget in dollars needs usd_per_million_tokens in the registry"

    def prepare(self, call: Call) -> Request:
        return prepare_chat(self.endpoint, call)

    async def attempt(self, request: Request) -> Answer:
        url = f"{self.endpoint.endpoint}/chat/completions"
        body = await self._lanes.exchange("POST", url, LARGEST_BODY, build_body(self.endpoint, request))
        return read_completion(body, self._key, self.endpoint.usd_per_million_tokens)


def prepare_chat(endpoint: Endpoint, call: Call) -> Request:
    """`call` made ready for the model behind `endpoint`."""
    model = {
        "id": endpoint.id,
        "sent": endpoint.sent_model,
        "snapshot": endpoint.snapshot,
        "sampling": endpoint.sampling.body(call.sampling),
    }
    detail, schema = endpoint.image_detail, _schema(endpoint, call)
    return prepare(call, lambda content: identity_of(call, model, content, detail, schema), detail)


def build_body(endpoint: Endpoint, request: Request) -> bytes:
    """The JSON body of `request`, as bytes."""
    call = request.call
    settings = {"model": endpoint.sent_model} | endpoint.sampling.body(call.sampling)
    if schema := _schema(endpoint, call):
        settings["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": schema},
        }
    head = json.dumps(settings)[:-1].encode() + b', "messages": ['
    if call.system is not None:
        head += json.dumps({"role": "system", "content": call.system}).encode() + b", "
    head += b'{"role": "user", "content": '
    if not call.shows_images:
        text = "".join(part for part in call.parts if isinstance(part, str))
        return head + json.dumps(text).encode() + b"}]}"
    return b"".join([head, *_content(request), b"}]}"])


def _schema(endpoint: Endpoint, call: Call) -> dict[str, Any] | None:
    return dict(call.response_schema) if call.response_schema is not None and endpoint.json_schema else None


def _content(request: Request) -> list[bytes]:
    detail = f', "detail": "{request.image_detail}"' if request.image_detail else ""
    after_image = f'"{detail}}}}}'.encode()
    pieces: list[bytes] = []
    for part in request.call.parts:
        pieces.append(b", " if pieces else b"[")
        if isinstance(part, str):
            pieces.append(b'{"type": "text", "text": ' + json.dumps(part).encode() + b"}")
        else:
            pieces.append(b'{"type": "image_url", "image_url": {"url": "data:image/png;base64,')
            pieces.append(pybase64.b64encode(part))
            pieces.append(after_image)
    return [*pieces, b"]"]


def read_completion(body: bytes, key: Key, price: Price | None) -> Answer:
    """Read the body of a 200 response. Raises Failure when it is no completion, or reports an error."""
    document = parse_json(body)
    if document is None:
        raise Failure("transient", f"answer is not JSON: {excerpt(body, key)}")
    if isinstance(document, dict) and document.get("error"):
        raise reported_failure(document["error"], key)
    choices = document.get("choices") if isinstance(document, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(document, dict) or not isinstance(choice, dict) or not isinstance(message, dict):
        raise Failure("fatal", f"answer is no chat completion: {excerpt(body, key)}")
    if choice.get("error"):
        raise reported_failure(choice["error"], key)

    reason = _name(choice.get("finish_reason"), key)
    if reason and reason.lower() in FAILED_REASONS:
        raise Failure("transient", f"the endpoint gave up: finish_reason {reason}")
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
