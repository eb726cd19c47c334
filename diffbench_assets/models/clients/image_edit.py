"""The client of image edits: one image and one prompt in, one edited image out.

Belongs here: the format of `POST {endpoint}/images/edits`, both ways. Does not belong here: what is asked for, and
whether an edit is good: bytes are handed on as they came. Of the endpoint's sampling parameters only `extra` is sent,
since the others are those of chat.

A response is hostile: an image that it names by URL is fetched from the endpoint's own origin only.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

from diffbench_assets.models.clients.endpoint import EndpointClient
from diffbench_assets.models.failures import Failure, excerpt, parse_json
from diffbench_assets.models.registry import Endpoint
from diffbench_assets.models.replies import Answer
from diffbench_assets.models.requests import Call, Content, Request, prepare
from diffbench_assets.models.retry import RetryPolicy, retrying

FINGERPRINT_VERSION = 1
LARGEST_BODY = 64 * 1024 * 1024
"""Bytes of a response that are read at most; a 4096x4096 PNG as base64 stays below it."""


class ImageEditClient(EndpointClient):
    """Asks an image model for an edit; a call has two parts, an image and a prompt.

    An answer that holds no image was paid for all the same: its outcome is `empty`, and `error` says what was wrong.
    """

    first_guess_output_tokens = 0
    unpriced = "a budget for image edits is a number of calls, not dollars"

    def __init__(self, endpoint: Endpoint, policy: RetryPolicy) -> None:
        super().__init__(endpoint, policy)
        self._url = f"{endpoint.endpoint}/images/edits"
        self._names_format = True

    def prepare(self, call: Call) -> Request:
        def identity(content: Content) -> Mapping[str, Any]:
            if [kind for kind, _ in content] != ["image", "text"]:
                raise ValueError(f"item {call.item_id}: an edit is asked with one image and then one prompt")
            return {
                "version": FINGERPRINT_VERSION,
                "model": [self.endpoint.id, self.endpoint.sent_model, self.endpoint.snapshot],
                "parameters": self.endpoint.sampling.extra,
                "image": content[0][1],
                "prompt": content[1][1],
            }

        return prepare(call, identity)

    def refused(self, failure: Failure) -> Answer:
        return Answer("refused", text=None, error=str(failure))

    async def attempt(self, request: Request) -> Answer:
        names_format = self._names_format
        kind, body = self._multipart(request.call, names_format)
        try:
            content = await self._lanes.exchange("POST", self._url, LARGEST_BODY, body, {"Content-Type": kind})
        except Failure as failure:
            if failure.status != 400 or not names_format or "response_format" not in str(failure):
                raise
            # Endpoints that always answer with base64 refuse the field that asks for it.
            self._names_format = False
            return await self.attempt(request)
        return await self._read(content)

    def _multipart(self, call: Call, names_format: bool) -> tuple[str, bytes]:
        image, prompt = call.parts
        extra = {
            name: value if isinstance(value, str) else json.dumps(value)
            for name, value in self.endpoint.sampling.extra.items()
        }
        fields = {"model": self.endpoint.sent_model, "prompt": prompt, "n": "1", **extra}
        if names_format:
            fields["response_format"] = "b64_json"
        files = {"image": ("image.png", image, "image/png")}
        request = httpx.Request("POST", self._url, data=fields, files=files)
        return request.headers["Content-Type"], request.read()

    async def _read(self, content: bytes) -> Answer:
        """The image of a 200 response. Raises Failure when the body is no answer to an edit at all."""
        document = parse_json(content)
        if document is None:
            raise Failure("transient", f"answer is not JSON: {excerpt(content, self._key)}")
        data = document.get("data") if isinstance(document, dict) else None
        first: Any = data[0] if isinstance(data, list) and data else None
        if not isinstance(first, dict):
            raise Failure("fatal", f"answer holds no edited image: {excerpt(content, self._key)}")
        if isinstance(encoded := first.get("b64_json"), str):
            try:
                return Answer("completed", text=None, image=base64.b64decode(encoded, validate=True))
            except (binascii.Error, ValueError):
                return _no_image("the answer's image is not base64")
        if isinstance(url := first.get("url"), str):
            return await self._fetch(url)
        return _no_image("the answer has neither b64_json nor url")

    async def _fetch(self, url: str) -> Answer:
        """The image at `url`. Its retries are its own: the edit is paid for, so only the download is tried again."""
        try:
            target = urljoin(self._url, url)
            same = _origin(target) == _origin(self._url)
        except ValueError:
            same = False
        if not same:
            return _no_image("the answer names an image on another host, which is not fetched")

        async def download() -> bytes:
            return await self._lanes.exchange("GET", target, LARGEST_BODY, headers={"Accept": "image/*"})

        try:
            image: bytes = await retrying(self._policy)(download)
        except Failure as failure:
            raise Failure("fatal", f"the edited image cannot be downloaded: {failure}") from None
        return Answer("completed", text=None, image=image)


def _no_image(reason: str) -> Answer:
    return Answer("empty", text=None, error=reason)


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
