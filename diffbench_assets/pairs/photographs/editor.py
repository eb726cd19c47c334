"""Edits of photographs by an image model: pixels in, pixels out.

Belongs here: what became of an edit, whatever came back. Does not belong here: what is asked for, whether an edit is
good (`check.py`), and asking (`models/`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, Self

from diffbench_assets.models.caller import Caller
from diffbench_assets.models.clients import client_of
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.registry import Endpoint
from diffbench_assets.models.replies import Outcome
from diffbench_assets.models.requests import Call
from diffbench_assets.models.retry import DEFAULT_POLICY, RetryPolicy
from diffbench_assets.pairs.photographs.crops import BadImage, Pixels, Size, decode, fit, size_of

_WITHOUT_IMAGE: dict[Outcome, Literal["refused", "failed", "bad_image"]] = {"refused": "refused", "error": "failed"}
"""What any other outcome is called: there is an answer, but no image in it."""


@dataclass(frozen=True, slots=True)
class EditAnswer:
    """What became of one request.

    `pixels` has the size of the image that was sent, and stands with outcome `edited` only; `resized_from` is the size
    in which it came when that was another. `reason` says why there is none: an image that is not one (`bad_image`), no
    answer (`failed`), or a budget or a run of failures that stopped before asking (`not_asked`).
    """

    outcome: Literal["edited", "refused", "bad_image", "failed", "not_asked"]
    request_sha256: str | None
    pixels: Pixels | None = field(default=None, repr=False)
    resized_from: Size | None = None
    reason: str | None = None
    attempts: int = 0
    cached: bool = False


class ImageEditor:
    """Asks one endpoint for edits. An async context manager, used from one event loop.

    What `Caller` says of journal, budget and giving up holds; the budget counts requests. Raises KeyProblem when the
    endpoint's key is not set.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        journal: Journal | None = None,
        *,
        budget: Budget | None = None,
        policy: RetryPolicy = DEFAULT_POLICY,
    ) -> None:
        self.endpoint = endpoint.model_copy(update={"client": "image_edit"})
        self._budget = budget
        self._caller = Caller(client_of(self.endpoint, policy), journal, budget)

    async def __aenter__(self) -> Self:
        await self._caller.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._caller.__aexit__(*error)

    async def edit(self, image: bytes, prompt: str) -> EditAnswer:
        """`image` (PNG bytes) edited as `prompt` says. Raises BadImage when `image` itself is none, and StoreError."""
        size = size_of(decode(image))
        reply = await self._caller.ask(Call("edit", (image, prompt)))
        if reply is None:
            return EditAnswer("not_asked", None, reason=self._stopped())
        edit = EditAnswer("bad_image", reply.request_sha256, attempts=reply.attempts, cached=reply.cached)
        if reply.image is None:
            return replace(edit, outcome=_WITHOUT_IMAGE.get(reply.outcome, "bad_image"), reason=reply.error)
        try:
            pixels, resized_from = fit(reply.image, size)
        except BadImage as bad:
            return replace(edit, reason=str(bad))
        return replace(edit, outcome="edited", pixels=pixels, resized_from=resized_from)

    def _stopped(self) -> str:
        if self._caller.stopped_by_errors or self._budget is None:
            return "request after request failed; see the first reasons"
        return f"the budget of {self._budget.calls} calls is used up"
