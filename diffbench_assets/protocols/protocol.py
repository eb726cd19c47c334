"""What the asset factory needs to know of a protocol: one row each.

Belongs here: the table. Adding a protocol is adding a row. Does not belong here: how any of it works.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from diffbench_assets.baselines import BASELINES, Answer
from diffbench_assets.lake import Lake
from diffbench_assets.models.asking import Item
from diffbench_assets.models.clients.baseline import Baseline
from diffbench_assets.models.requests import Call
from diffbench_assets.protocols.multiple_choice import protocol as multiple_choice
from diffbench_assets.protocols.multiple_choice.prompt import question_sha256 as choice_sha256
from diffbench_assets.protocols.open_ended import protocol as open_ended
from diffbench_assets.protocols.open_ended.prompt import question_sha256
from diffbench_assets.suites import MULTIPLE_CHOICE, OPEN_ENDED, Suite


@dataclass(frozen=True)
class Protocol:
    """How a suite's items come about. `asks` is the table that one partition of responses answers."""

    name: str
    asks: Callable[[Suite], str]
    items: Callable[[Lake, Suite, str], list[Item]]
    calls: Callable[[Lake, Suite, str], Iterator[Call]]
    question_sha256: Callable[[], str]


PROTOCOLS: Final[dict[str, Protocol]] = {
    protocol.name: protocol
    for protocol in (
        Protocol(OPEN_ENDED, lambda suite: suite.pairs, open_ended.items, open_ended.calls, question_sha256),
        Protocol(
            MULTIPLE_CHOICE,
            lambda suite: suite.table("questions"),
            multiple_choice.items,
            multiple_choice.calls,
            choice_sha256,
        ),
    )
}


def baselines_of(protocol: str) -> Mapping[str, Baseline]:
    """The embedded baselines that answer a protocol, by name."""

    def on_parts(answer: Answer) -> Baseline:
        return lambda call: answer(call.parts)

    return {name: on_parts(by[protocol]) for name, by in BASELINES.items() if protocol in by}


def protocol_of(suite: Suite) -> Protocol:
    """The protocol a suite is asked in."""
    return PROTOCOLS[suite.protocol]
