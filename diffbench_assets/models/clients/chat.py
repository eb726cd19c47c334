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
from collections.abc import Mapping
from typing import Any, Final

import pybase64

from diffbench_assets.models.clients.endpoint import EndpointClient, cost
from diffbench_assets.models.failures import (
    REFUSALS,
    Failure,
    excerpt,
    moderated,
    parse_json,
    plain,
    reported_failure,
)
from diffbench_assets.models.keys import Key
from diffbench_assets.models.registry import Endpoint, Price
from diffbench_assets.models.replies import Answer, Outcome, heard
from diffbench_assets.models.requests import Call, Request, identity_of, prepare
from diffbench_assets.models.retry import RetryPolicy

LARGEST_BODY = 8 * 1024 * 1024
"""Bytes of a response that are read at most; 16,384 tokens of text are below 0.5 MB."""

_ENDINGS: Final[Mapping[Outcome, str]] = {
    "completed": "stop stop_sequence stop_token eos eos_token end_of_text end_turn complete completed "
    "tool_calls tool_use function_call",
    "truncated": "length max_length max_tokens max_new_tokens max_output_tokens max_completion_tokens token_limit "
    "model_length context_length context_length_exceeded context_window_exceeded model_context_window_exceeded "
    "repetition",
}
FINISH_REASONS: Final[Mapping[str, Outcome]] = {
    reason: outcome for outcome, reasons in _ENDINGS.items() for reason in reasons.split()
} | dict.fromkeys(REFUSALS, "refused")
"""Outcomes of the known finish reasons, as `plain` writes them. Any other, and none, is an interruption: an error."""

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
    document = _object(document)
    choices = document.get("choices")
    choice = _object(choices[0] if isinstance(choices, list) and choices else None)
    if error := document.get("error") or choice.get("error"):
        raise reported_failure(error, key)
    message = _object(choice.get("message"))
    text, refusal, *apart = (
        _clean(_text(message.get(name)), key) for name in ("content", "refusal", "reasoning_content", "reasoning")
    )
    reason = _name(choice.get("finish_reason"), key)
    outcome = FINISH_REASONS.get(plain(reason or ""), "error")
    if refusal or (not (text or "").strip() and moderated(document)):
        outcome = "refused"
    if outcome != "refused" and not message:
        raise Failure("fatal", f"answer is no chat completion: {excerpt(body, key)}")
    if outcome == "error":
        raise Failure("transient", f"the answer was interrupted: finish_reason {reason}")
    input_tokens, output_tokens, reasoning_tokens = _tokens(_object(document.get("usage")))
    return heard(
        Answer(
            outcome=outcome,
            text=text or refusal or "",
            finish_reason=reason,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            reasoning_tokens=reasoning_tokens,
            cost_usd=cost(price, input_tokens, output_tokens),
            model_reported=_name(document.get("model"), key),
            system_fingerprint=_name(document.get("system_fingerprint"), key),
            thought=next(filter(None, apart), None),
        )
    )


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _tokens(usage: Mapping[str, Any]) -> tuple[int | None, int | None, int | None]:
    """Tokens of input, output and reasoning. Output holds reasoning also where only the total tells of it."""
    read, written, total = (_count(usage.get(f"{name}_tokens")) for name in ("prompt", "completion", "total"))
    reasoning = _count(_object(usage.get("completion_tokens_details")).get("reasoning_tokens"))
    if read is not None and written is not None and total is not None and total > read + written:
        outside = total - read - written
        written += outside if reasoning is None else min(outside, reasoning)
    return read, written, reasoning


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
