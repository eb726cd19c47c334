"""What calls would take, before any is sent.

Belongs here: counting calls that no journal answers, their tokens and their price. Does not belong here: asking.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from diffbench_assets.models.clients import client_of
from diffbench_assets.models.clients.chat import ChatClient
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.registry import EndpointModel
from diffbench_assets.models.requests import Call


@dataclass(frozen=True)
class Estimate:
    """Calls in all, those not answered yet, their input tokens, and their price: None without one in the registry."""

    calls: int
    left: int
    input_tokens: int
    usd: float | None

    def line(self) -> str:
        price = "no price in its registry" if self.usd is None else f"about ${self.usd:.2f}"
        return (
            f"{self.left:,} of {self.calls:,} calls left, about {self.input_tokens:,} input tokens, {price} "
            f"(at {ChatClient.first_guess_output_tokens} output tokens a call)"
        )


def estimate(model: EndpointModel, calls: Iterable[Call], journal: Journal | None) -> Estimate:
    """What `calls` to `model` would take; `journal` knows what was answered before. Raises KeyProblem."""
    client, left, tokens, usd = client_of(model), 0, 0, 0.0
    total = 0
    for call in calls:
        total += 1
        request = client.prepare(call)
        if journal is None or journal.get(request.request_sha256) is None:
            left, tokens, usd = left + 1, tokens + request.estimated_tokens, usd + client.estimated_cost(request)
    return Estimate(total, left, tokens, None if client.unpriced else usd)
