"""What the tests of asking share: small pictures, calls and registry entries."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

from PIL import Image

from diffbench_assets.models.registry import EndpointModel
from diffbench_assets.models.replies import Reply
from diffbench_assets.models.requests import Call
from diffbench_assets.models.retry import RetryPolicy
from diffbench_assets.models.run import Run

IMPATIENT = RetryPolicy(
    transient_attempts=3, rate_limit_attempts=6, first_wait_s=0.005, longest_wait_s=0.02, longest_retry_after_s=0.2
)
PRICE = {"input": 2.0, "output": 10.0}


def png(colour: str, size: tuple[int, int] = (8, 6)) -> bytes:
    """A PNG of one colour."""
    data = io.BytesIO()
    Image.new("RGB", size, colour).save(data, "PNG")
    return data.getvalue()


BEFORE, AFTER = png("white"), png("black")


def pair_call(item: str, **more: Any) -> Call:
    """A call about two images, before first."""
    return Call(item, (f"item={item} What changed?", BEFORE, AFTER), **more)


def endpoint(url: str, **fields: Any) -> EndpointModel:
    """A model behind `url`, eight calls at once."""
    return EndpointModel.model_validate({"id": "loopback", "endpoint": url, "timeout_s": 5} | fields)


def ask(model: EndpointModel, calls: Iterable[Call], **options: Any) -> dict[str, Reply]:
    """All replies by item."""
    return {reply.item_id: reply for reply in Run(model, calls, **({"policy": IMPATIENT} | options))}
