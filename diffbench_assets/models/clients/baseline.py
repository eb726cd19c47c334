"""The client of embedded baselines: no network, no cost, the same answer each time.

Belongs here: an embedded function in the place of a model. Does not belong here: what it answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

from diffbench_assets.models.registry import BaselineModel
from diffbench_assets.models.replies import Answer
from diffbench_assets.models.requests import Call, Request, identity_of, prepare

Baseline = Callable[[Call], str]
"""From what a model would be shown to its answer."""


class BaselineClient:
    """Answers by the function among `baselines` that the model names, one call after the other.

    Raises ValueError when it is not among them.
    """

    concurrency = 1
    free = True
    unpriced = None

    def __init__(self, model: BaselineModel, baselines: Mapping[str, Baseline]) -> None:
        if model.baseline not in baselines:
            raise ValueError(f"{model.id}: there is no embedded baseline {model.baseline!r} for this protocol")
        self.name = model.id
        self._identity = {"id": model.id, "baseline": model.baseline}
        self._answer = baselines[model.baseline]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        return None

    def prepare(self, call: Call) -> Request:
        """As of Client."""
        return prepare(call, lambda content: identity_of(call, self._identity, content))

    def estimated_cost(self, request: Request) -> float:
        """Nothing."""
        return 0.0

    def spent(self, request: Request, answer: Answer) -> float:
        """Nothing."""
        return 0.0

    async def ask(self, request: Request) -> Answer:
        """As of Client."""
        return await self.attempt(request)

    async def attempt(self, request: Request) -> Answer:
        """As of Client."""
        text = self._answer(request.call)
        return Answer("completed" if text.strip() else "empty", text, cost_usd=0.0)
