"""From a call to the bytes of a request and its fingerprint.

Belongs here: what is asked (`Call`), what identifies it, and the body. Does not belong here: sending it, and wording.

Images travel as the PNG bytes given, never decoded or encoded anew. The body is joined from JSON fragments with the
base64 text between them, so that no JSON encoder ever walks through an image; pybase64 encodes sixty times faster than
the standard library, which would spend a quarter of the whole client's time on it.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pybase64

from diffbench_assets.models.registry import BaselineModel, Endpoint, Model

FINGERPRINT_VERSION = 1
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHARACTERS_PER_TOKEN = 4
PIXELS_PER_TOKEN = 750
"""Anthropic's published rule for image tokens; others charge about as much. Only a first estimate for rate limits."""


@dataclass(frozen=True, slots=True)
class Call:
    """One question to a model.

    `parts` are prompt texts (str) and images (PNG bytes) in the order in which the model reads them. `repeat` tells
    repetitions of one question apart: each is asked. `response_schema` is the JSON schema the answer should follow,
    sent only to endpoints that obey one.
    """

    item_id: str
    parts: tuple[str | bytes, ...] = field(repr=False)
    repeat: int = 0
    response_schema: Mapping[str, Any] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Request:
    """A call made ready for one model: what identifies it, and what its row records about the images sent."""

    call: Call
    request_sha256: str
    image_sha256: str | None
    image_size: str | None
    image_detail: str | None
    estimated_tokens: int


def prepare(model: Model | Endpoint, call: Call) -> Request:
    """Fingerprint `call` for `model`.

    The fingerprint covers the image bytes, the prompt, the model's id, sent name and snapshot, every sampling
    parameter, the image detail, the schema and the repeat; not the host, the key, concurrency, limits, prices or
    timeouts, which cannot change an answer. Raises ValueError naming the item when an image is not a PNG.
    """
    digests: list[str] = []
    sizes: list[str] = []
    content: list[list[str]] = []
    tokens = 0
    for part in call.parts:
        if isinstance(part, str):
            content.append(["text", part])
            tokens += len(part) // CHARACTERS_PER_TOKEN
            continue
        if len(part) < 24 or part[:8] != PNG_SIGNATURE or part[12:16] != b"IHDR":
            raise ValueError(f"item {call.item_id}: image {len(digests) + 1} is not a PNG; send the pair's PNG bytes")
        width, height = struct.unpack(">II", part[16:24])
        digest = hashlib.sha256(part).hexdigest()
        digests.append(digest)
        sizes.append(f"{width}x{height}")
        content.append(["image", digest])
        tokens += width * height // PIXELS_PER_TOKEN
    detail = model.image_detail if digests and isinstance(model, Endpoint) else None
    identity = {
        "version": FINGERPRINT_VERSION,
        "model": _identity(model),
        "image_detail": detail,
        "schema": _schema(model, call),
        "repeat": call.repeat,
        "content": content,
    }
    canonical = json.dumps(identity, sort_keys=True, separators=(",", ":")).encode()
    return Request(
        call=call,
        request_sha256=hashlib.sha256(canonical).hexdigest(),
        image_sha256=" ".join(digests) or None,
        image_size=" ".join(sizes) or None,
        image_detail=detail,
        estimated_tokens=tokens,
    )


def _identity(model: Model | Endpoint) -> dict[str, Any]:
    if isinstance(model, BaselineModel):
        return {"id": model.id, "baseline": model.baseline}
    return {
        "id": model.id,
        "sent": model.sent_model,
        "snapshot": model.snapshot,
        "sampling": model.sampling.body(),
    }


def _schema(model: Model | Endpoint, call: Call) -> dict[str, Any] | None:
    if call.response_schema is None or not isinstance(model, Endpoint) or not model.json_schema:
        return None
    return dict(call.response_schema)


def build_body(endpoint: Endpoint, request: Request) -> bytes:
    """The JSON body of `request`, as bytes."""
    settings = {"model": endpoint.sent_model} | endpoint.sampling.body()
    if schema := _schema(endpoint, request.call):
        settings["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": schema},
        }
    head = json.dumps(settings)[:-1].encode() + b', "messages": [{"role": "user", "content": '
    if request.image_sha256 is None:
        text = "".join(part for part in request.call.parts if isinstance(part, str))
        return head + json.dumps(text).encode() + b"}]}"
    return b"".join([head, *_content(request), b"}]}"])


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
