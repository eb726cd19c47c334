"""One file a kind of model client, and the table of them.

Belongs here: from a registry's entry to the client that asks it. Adding a client is adding a file, a row here, and its
name to the registry's `client` field. Does not belong here: what any client does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from diffbench_assets.models.clients.baseline import Baseline, BaselineClient
from diffbench_assets.models.clients.chat import ChatClient
from diffbench_assets.models.clients.client import Client
from diffbench_assets.models.clients.image_edit import ImageEditClient
from diffbench_assets.models.registry import BaselineModel, Endpoint
from diffbench_assets.models.retry import DEFAULT_POLICY, RetryPolicy

CLIENTS: Final[Mapping[str, Callable[[Any, RetryPolicy, Mapping[str, Baseline]], Client]]] = {
    "chat": lambda model, policy, _: ChatClient(model, policy),
    "image_edit": lambda model, policy, _: ImageEditClient(model, policy),
    "baseline": lambda model, _, baselines: BaselineClient(model, baselines),
}


def client_of(
    model: Endpoint | BaselineModel,
    policy: RetryPolicy = DEFAULT_POLICY,
    baselines: Mapping[str, Baseline] = MappingProxyType({}),
) -> Client:
    """The client that asks `model`. Raises KeyProblem, and ValueError for a baseline that is not among `baselines`."""
    return CLIENTS[model.client](model, policy, baselines)
