"""What any client can do, whatever it talks to.

Belongs here: the protocol that a run relies on. Does not belong here: any kind of client.
"""

from __future__ import annotations

from typing import Protocol, Self

from diffbench_assets.models.replies import Answer
from diffbench_assets.models.requests import Call, Request


class Client(Protocol):
    """Asks one model. An async context manager, used from one event loop."""

    name: str
    """The id of the model."""
    concurrency: int
    """How many calls are asked at once, at most."""
    free: bool = False
    """Whether answers cost nothing and are made anew each time, rather than kept and counted."""
    unpriced: str | None = None
    """Why dollars cannot be counted and what to do, or None when they can."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        return None

    def prepare(self, call: Call) -> Request:
        """`call` with its fingerprint. Raises ValueError, naming the item, when this client cannot ask it."""

    def estimated_cost(self, request: Request) -> float:
        """US dollars that `request` will cost if its answer is of average length; 0 where they are not counted."""
        return 0.0

    def spent(self, request: Request, answer: Answer) -> float:
        """US dollars to count for `answer`: its cost, or an estimate when the endpoint reported no usage."""
        return 0.0

    async def attempt(self, request: Request) -> Answer:
        """The answer to one attempt, without limits. Raises Failure."""

    async def ask(self, request: Request) -> Answer:
        """The answer after as many attempts as it takes; a failed call has outcome `error`."""
