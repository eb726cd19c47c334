"""The image-edit client: one image and one prompt in, one edited image out, whatever the network does in between.

Belongs here: `POST {endpoint}/images/edits`, which failures are which, and what is kept. Does not belong here: what is
asked for, and whether an edit is good. The registry's `Endpoint` says where, with which key and how fast; of its
sampling parameters only `extra` is sent, since the others are those of chat.

A body is hostile: it is read up to a limit, redirects are not followed, and an image that is named by URL is fetched
from the endpoint's own origin only.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import json
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Literal, get_args
from urllib.parse import urljoin, urlsplit

import httpx
from tenacity import AsyncRetrying, stop_never

from diffbench_assets.models.clients.chat import QUOTA_CODES, REFUSAL_CODES, TRANSIENT_STATUSES, connection_problem
from diffbench_assets.models.clients.image_journal import EditJournal, Kept
from diffbench_assets.models.keys import read_key
from diffbench_assets.models.lanes import Lanes
from diffbench_assets.models.limits import AdaptiveLimit, Budget, Pace
from diffbench_assets.models.registry import Endpoint
from diffbench_assets.models.replies import error_message, excerpt, parse_json
from diffbench_assets.models.retry import Attempts, Failure, Kind, RetryPolicy, retry_after
from diffbench_assets.models.run import MOST_FAILED_IN_A_ROW
from diffbench_assets.pairs.photographs.crops import BadImage, Pixels, Size, decode, fit, size_of

FINGERPRINT_VERSION = 1
LARGEST_BODY = 64 * 1024 * 1024
"""Bytes of a response that are read at most; a 4096x4096 PNG as base64 stays below it."""

IMAGE_REFUSAL_CODES = REFUSAL_CODES | {"moderation_blocked"}

Outcome = Literal["edited", "refused", "bad_image", "failed", "not_asked"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True, slots=True)
class Edit:
    """What became of one request.

    `pixels` has the size of the image that was sent, and stands with outcome `edited` only; `resized_from` is the size
    in which it came when that was another. `reason` says why there is none: an image that is not one (`bad_image`), no
    answer (`failed`), or a budget or a run of failures that stopped before asking (`not_asked`).
    """

    outcome: Outcome
    request_sha256: str
    pixels: Pixels | None = field(default=None, repr=False)
    resized_from: Size | None = None
    reason: str | None = None
    attempts: int = 0
    cached: bool = False


class _GivenUp(Exception):
    """The endpoint is down, or refuses everything."""


class ImageEditor:
    """Asks one endpoint for edits. An async context manager, used from one event loop at a time.

    Answers are in `journal` before they are returned, and what is there is not asked again. `budget` counts requests
    (without their retries); prices of chat tokens do not apply. Raises KeyProblem when the endpoint's key is not set.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        journal: EditJournal | None = None,
        *,
        budget: Budget | None = None,
        policy: RetryPolicy | None = None,
    ) -> None:
        if budget and budget.usd is not None:
            raise ValueError(f"{endpoint.id}: a budget for image edits is a number of calls, not dollars")
        self.endpoint = endpoint
        self._journal = journal
        self._budget = budget or Budget()
        self._policy = policy or RetryPolicy()
        self._key = read_key(endpoint)
        self._url = f"{endpoint.endpoint}/images/edits"
        self._names_format = True
        self._failed_in_a_row = 0
        self._in_flight: dict[str, asyncio.Task[Kept | Edit]] = {}

    async def __aenter__(self) -> ImageEditor:
        self._lanes = Lanes(self.endpoint, self._key)
        self._limit = AdaptiveLimit(self.endpoint.concurrency)
        self._pace = Pace(self.endpoint.requests_per_minute, None)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        unfinished = list(self._in_flight.values())
        for task in unfinished:
            task.cancel()
        await asyncio.gather(*unfinished, return_exceptions=True)
        await self._lanes.aclose()

    def fingerprint(self, image: bytes, prompt: str) -> str:
        """SHA-256 over image bytes, prompt, model and parameters: whatever can change the answer, and nothing else."""
        identity = {
            "version": FINGERPRINT_VERSION,
            "model": [self.endpoint.id, self.endpoint.sent_model, self.endpoint.snapshot],
            "parameters": self.endpoint.sampling.extra,
            "image": hashlib.sha256(image).hexdigest(),
            "prompt": prompt,
        }
        return hashlib.sha256(json.dumps(identity, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    async def edit(self, image: bytes, prompt: str) -> Edit:
        """`image` (PNG bytes) edited as `prompt` says. Equal requests are sent once, also side by side.

        Raises BadImage when `image` itself is none, and JournalError.
        """
        size = size_of(decode(image))
        request = self.fingerprint(image, prompt)
        kept = self._journal.get(request) if self._journal else None
        if kept is not None:
            return replace(_read(kept, request, size), cached=True)
        task = self._in_flight.get(request)
        if task is None:
            task = self._in_flight[request] = asyncio.create_task(self._ask(request, image, prompt))
            task.add_done_callback(lambda _: self._in_flight.pop(request, None))
        answer = await asyncio.shield(task)
        return answer if isinstance(answer, Edit) else _read(answer, request, size)

    async def _ask(self, request: str, image: bytes, prompt: str) -> Kept | Edit:
        """What came back for good, or the edit that says why nothing did."""
        if self._budget.admit(0.0) == "no":
            return Edit("not_asked", request, reason=f"the budget of {self._budget.calls} calls is used up")
        attempts = Attempts(self._policy)
        sent = 0

        async def attempt() -> Kept:
            nonlocal sent
            await self._limit.acquire()
            try:
                if self._failed_in_a_row >= max(MOST_FAILED_IN_A_ROW, 3 * self.endpoint.concurrency):
                    raise _GivenUp
                await self._pace.turn(0.0)
                sent += 1
                return await self._send(image, prompt)
            finally:
                self._limit.release()

        try:
            kept: Kept = await AsyncRetrying(retry=attempts.again, wait=attempts.wait, stop=stop_never)(attempt)
        except _GivenUp:
            return Edit("not_asked", request, reason="request after request failed; see the first reasons")
        except Failure as failure:
            if failure.kind != "refused":
                self._failed_in_a_row += 1
                return Edit("failed", request, reason=str(failure), attempts=sent)
            kept = Kept("refused", reason=str(failure))
        self._failed_in_a_row = 0
        kept = replace(kept, attempts=sent)
        if self._journal:
            self._journal.put(request, kept)
        return kept

    async def _send(self, image: bytes, prompt: str) -> Kept:
        sent_at = asyncio.get_running_loop().time()
        named_format = self._names_format
        kind, body = self._multipart(image, prompt, named_format)
        status, headers, content = await self._exchange("POST", self._url, {"Content-Type": kind}, body)
        if status == 400 and named_format and "response_format" in error_message(content, self._key)[0]:
            # Endpoints that always answer with base64 refuse the field that asks for it.
            self._names_format = False
            return await self._send(image, prompt)
        if status != 200:
            failure = self._failure(status, headers, content)
            if failure.kind == "rate_limit":
                self._limit.throttled(sent_at, asyncio.get_running_loop().time())
                self._pace.pause(failure.retry_after_s or 0.0)
            raise failure
        kept = await self._image(content)
        self._limit.succeeded()
        return kept

    def _multipart(self, image: bytes, prompt: str, names_format: bool) -> tuple[str, bytes]:
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

    async def _exchange(
        self, method: str, url: str, headers: dict[str, str], body: bytes | None = None
    ) -> tuple[int, httpx.Headers, bytes]:
        """Status, headers and the whole body. Raises Failure."""
        limit_s = self.endpoint.timeout_s
        try:
            async with (
                asyncio.timeout(limit_s),
                self._lanes.lane() as http,
                http.stream(method, url, headers=headers, content=body) as response,
            ):
                content = bytearray()
                async for chunk in response.aiter_raw():
                    content += chunk
                    if len(content) > LARGEST_BODY:
                        raise Failure("fatal", f"answer is larger than {LARGEST_BODY >> 20} MB")
                if response.headers.get("content-encoding", "identity").lower() != "identity":
                    raise Failure("fatal", "answer is compressed, which was not asked for")
                return response.status_code, response.headers, bytes(content)
        except (TimeoutError, httpx.TimeoutException):
            raise Failure("transient", f"no full answer within the time limit of {limit_s:g} s") from None
        except httpx.HTTPError as error:
            raise Failure("transient", excerpt(connection_problem(error).encode(), self._key)) from None

    def _failure(self, status: int, headers: httpx.Headers, content: bytes) -> Failure:
        message, code = error_message(content, self._key)
        text = f"HTTP {status}: {message or 'no message'}"
        if 300 <= status < 400:
            text = f"HTTP {status}: the endpoint redirects elsewhere; write its final address in the registry"
        kind: Kind = "fatal"
        if status == 400 and code in IMAGE_REFUSAL_CODES:
            kind = "refused"
        elif status == 429 and code not in QUOTA_CODES:
            kind = "rate_limit"
        elif status >= 500 or status in TRANSIENT_STATUSES:
            kind = "transient"
        wait = retry_after(headers.get("retry-after"), datetime.now(UTC), self._policy.longest_retry_after_s)
        return Failure(kind, text, status=status, retry_after_s=wait)

    async def _image(self, content: bytes) -> Kept:
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
                return Kept("image", base64.b64decode(encoded, validate=True))
            except (binascii.Error, ValueError):
                return Kept("no_image", reason="the answer's image is not base64")
        if isinstance(url := first.get("url"), str):
            return await self._fetch(url)
        return Kept("no_image", reason="the answer has neither b64_json nor url")

    async def _fetch(self, url: str) -> Kept:
        """The image at `url`. Its retries are its own: the edit is paid for, so only the download is tried again."""
        try:
            target = urljoin(self._url, url)
            same = _origin(target) == _origin(self._url)
        except ValueError:
            same = False
        if not same:
            return Kept("no_image", reason="the answer names an image on another host, which is not fetched")
        attempts = Attempts(self._policy)

        async def download() -> bytes:
            status, headers, content = await self._exchange("GET", target, {"Accept": "image/*"})
            if status != 200:
                raise self._failure(status, headers, content)
            return content

        try:
            image: bytes = await AsyncRetrying(retry=attempts.again, wait=attempts.wait, stop=stop_never)(download)
        except Failure as failure:
            raise Failure("fatal", f"the edited image cannot be downloaded: {failure}") from None
        return Kept("image", image)


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def _read(kept: Kept, request: str, size: Size) -> Edit:
    if kept.came == "refused":
        return Edit("refused", request, reason=kept.reason, attempts=kept.attempts)
    if kept.came == "no_image":
        return Edit("bad_image", request, reason=kept.reason, attempts=kept.attempts)
    try:
        pixels, resized_from = fit(kept.image, size)
    except BadImage as bad:
        return Edit("bad_image", request, reason=str(bad), attempts=kept.attempts)
    return Edit("edited", request, pixels, resized_from, attempts=kept.attempts)
