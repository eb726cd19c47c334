"""What the tests of editing share."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path
from typing import Any

from diffbench_assets.models.clients.image_edit import ImageEditClient
from diffbench_assets.models.journal import ImageJournal
from diffbench_assets.models.registry import EndpointModel
from diffbench_assets.models.requests import Call
from diffbench_assets.models.retry import DEFAULT_POLICY, RetryPolicy
from diffbench_assets.pairs.photographs.crops import Pixels, encode
from diffbench_assets.pairs.photographs.editor import EditAnswer, ImageEditor
from diffbench_assets.pairs.photographs.ocr import RapidReader, Text

IMPATIENT = RetryPolicy(
    transient_attempts=3, rate_limit_attempts=6, first_wait_s=0.005, longest_wait_s=0.02, longest_retry_after_s=0.3
)


def endpoint(url: str, **fields: Any) -> EndpointModel:
    """An edit model behind `url`, four requests at once."""
    entry = {"id": "painter", "endpoint": url, "concurrency": 4, "timeout_s": 5}
    return EndpointModel.model_validate(entry | fields)


def request_sha256(model: EndpointModel, image: bytes, prompt: str) -> str:
    """The fingerprint of an edit."""
    return ImageEditClient(model, DEFAULT_POLICY).prepare(Call("edit", (image, prompt))).request_sha256


def ask(
    url: str,
    *requests: tuple[bytes, str],
    journal: Path | None = None,
    fields: dict[str, Any] | None = None,
    **more: Any,
) -> list[EditAnswer]:
    """Edits of all `requests`, asked side by side."""

    async def all_of_them(kept: ImageJournal | None) -> list[EditAnswer]:
        options = {"policy": IMPATIENT} | more
        async with ImageEditor(endpoint(url, **(fields or {})), kept, **options) as editor:
            return await asyncio.gather(*(editor.edit(*request) for request in requests))

    if journal is None:
        return asyncio.run(all_of_them(None))
    with ImageJournal(journal) as kept:
        return asyncio.run(all_of_them(kept))


@cache
def _engine() -> RapidReader:
    return RapidReader()


_read: dict[bytes, list[Text]] = {}


class RememberingReader:
    """The real OCR engine, which reads each image once for all tests of a process."""

    def read(self, pixels: Pixels) -> list[Text]:
        data = encode(pixels)
        if data not in _read:
            _read[data] = _engine().read(pixels)
        return _read[data]
