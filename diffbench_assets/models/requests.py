"""What is asked, and what tells one request from another.

Belongs here: a call, the fingerprint of its content, and what is recorded of its images. Does not belong here: bodies
(`clients/`), and wording.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

FINGERPRINT_VERSION = 1
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHARACTERS_PER_TOKEN = 4
PIXELS_PER_TOKEN = 750
"""Anthropic's published rule for image tokens; others charge about as much. Only a first estimate for rate limits."""


@dataclass(frozen=True, slots=True)
class Call:
    """One question to a model.

    `parts` are prompt texts (str) and images (PNG bytes) in the order in which the model reads them; `system` is said
    before them, in the system's role. `repeat` tells repetitions of one question apart: each is asked.
    `response_schema` is the JSON schema the answer should follow, sent only to endpoints that obey one. `sampling` is
    what the question needs of temperature, max_tokens and other body fields in place of the model's own; a parameter
    that the registry says a model does not take (null) is left out all the same.
    """

    item_id: str
    parts: tuple[str | bytes, ...] = field(repr=False)
    repeat: int = 0
    response_schema: Mapping[str, Any] | None = field(default=None, repr=False)
    system: str | None = field(default=None, repr=False)
    sampling: Mapping[str, Any] | None = field(default=None, repr=False)

    @property
    def shows_images(self) -> bool:
        return any(isinstance(part, bytes) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Request:
    """A call made ready for one model: what identifies it, and what its row records about the images sent."""

    call: Call
    request_sha256: str
    image_sha256: str | None
    image_size: str | None
    image_detail: str | None
    estimated_tokens: int


Content = list[list[str]]
"""Parts of a call as ["text", the text] or ["image", its SHA-256]."""


def prepare(call: Call, identity: Callable[[Content], Mapping[str, Any]], image_detail: str | None = None) -> Request:
    """`call` with its fingerprint: SHA-256 over `identity` of its content, as canonical JSON.

    An identity holds all that can change an answer and nothing else: never the host, the key, concurrency, limits,
    prices or timeouts. Raises ValueError naming the item when an image is not a PNG.
    """
    digests: list[str] = []
    sizes: list[str] = []
    content: Content = []
    tokens = len(call.system or "") // CHARACTERS_PER_TOKEN
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
    canonical = json.dumps(identity(content), sort_keys=True, separators=(",", ":")).encode()
    return Request(
        call=call,
        request_sha256=hashlib.sha256(canonical).hexdigest(),
        image_sha256=" ".join(digests) or None,
        image_size=" ".join(sizes) or None,
        image_detail=image_detail if digests else None,
        estimated_tokens=tokens,
    )


def identity_of(
    call: Call,
    model: Mapping[str, Any],
    content: Content,
    image_detail: str | None = None,
    schema: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The identity of a question in words: `model` is what tells the model that answers from others."""
    identity = {
        "version": FINGERPRINT_VERSION,
        "model": model,
        "image_detail": image_detail if call.shows_images else None,
        "schema": schema,
        "repeat": call.repeat,
        "content": content,
    }
    return identity if call.system is None else identity | {"system": call.system}
