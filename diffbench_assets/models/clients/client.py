"""What any client can do, whatever it talks to.

Belongs here: the protocol that a run relies on. Does not belong here: any kind of client.
"""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self

from diffbench_assets.models.replies import Answer
from diffbench_assets.models.requests import Call, Request


class Client(Protocol):
    """Asks one model. An async context manager, used from one event loop."""

    @property
    def name(self) -> str:
        """The id of the model."""

    @property
    def concurrency(self) -> int:
        """How many calls are asked at once, at most."""

    @property
    def free(self) -> bool:
        """Whether answers cost nothing and are made anew each time, rather than kept and counted."""

    @property
    def unpriced(self) -> str | None:
        """Why dollars cannot be counted and what to do, or None when they can."""

    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None: ...

    def prepare(self, call: Call) -> Request:
        """`call` with its fingerprint. Raises ValueError, naming the item, when this client cannot ask it."""

    def estimated_cost(self, request: Request) -> float:
        """US dollars that `request` will cost if its answer is of average length; 0 where they are not counted."""

    def spent(self, request: Request, answer: Answer) -> float:
        """US dollars to count for `answer`: its cost, or an estimate when the endpoint reported no usage."""

    async def attempt(self, request: Request) -> Answer:
        """The answer to one attempt, without limits. Raises Failure."""

    async def ask(self, request: Request) -> Answer:
        """The answer after as many attempts as it takes; a failed call has outcome `error`."""
