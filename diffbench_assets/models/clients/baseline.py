"""The client of embedded baselines: no network, no cost, the same answer each time.

Belongs here: an embedded function in the place of a model. Does not belong here: what it answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from diffbench_assets.models.clients.client import Client
from diffbench_assets.models.registry import BaselineModel
from diffbench_assets.models.replies import Answer
from diffbench_assets.models.requests import Call, Request, identity_of, prepare

Baseline = Callable[[Call], str]
"""From what a model would be shown to its answer."""


class BaselineClient(Client):
    """Answers by the function among `baselines` that the model names, one call after the other.

    Raises ValueError when it is not among them.
    """

    concurrency = 1
    free = True

    def __init__(self, model: BaselineModel, baselines: Mapping[str, Baseline]) -> None:
        if model.baseline not in baselines:
            raise ValueError(f"{model.id}: there is no embedded baseline {model.baseline!r} for this protocol")
        self.name = model.id
        self._identity = {"id": model.id, "baseline": model.baseline}
        self._answer = baselines[model.baseline]

    def prepare(self, call: Call) -> Request:
        return prepare(call, lambda content: identity_of(call, self._identity, content))

    async def ask(self, request: Request) -> Answer:
        return await self.attempt(request)

    async def attempt(self, request: Request) -> Answer:
        text = self._answer(request.call)
        return Answer("completed" if text.strip() else "empty", text, cost_usd=0.0)
