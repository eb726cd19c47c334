"""Descriptions in a model's words, for display only: the truth stays in the record and its template sentence.

Belongs here: asking for them. Does not belong here: the request's wording (`protocols/open_ended/describe.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diffbench_assets.models.journal import Journal
from diffbench_assets.models.registry import EndpointModel
from diffbench_assets.models.requests import Call
from diffbench_assets.models.run import Run
from diffbench_assets.pairs.css.polish_prompt import polish_messages

LONGEST = 400


def polished(model: EndpointModel, pairs: Sequence[Mapping[str, Any]], journal: Journal) -> dict[str, str]:
    """Pair id → description, for every pair with a difference; a failed call keeps the template sentence."""
    calls = [
        Call(pair["pair_id"], ("\n\n".join(message["content"] for message in polish_messages(pair["description"])),))
        for pair in pairs
        if pair["differences"]
    ]
    found = {pair["pair_id"]: pair["description"] for pair in pairs}
    for reply in Run(model, calls, journal, total=len(calls)):
        text = " ".join((reply.text or "").split())
        if reply.outcome == "completed" and 0 < len(text) <= LONGEST:
            found[reply.item_id] = text
    return found
