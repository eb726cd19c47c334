"""Descriptions in a model's words, for display only: the truth stays in the record and its template sentence.

Belongs here: asking for them. Does not belong here: template descriptions. Judges see the record beside the
description, so a polished sentence can never change what is true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diffbench_assets.models.journal import Journal
from diffbench_assets.models.prompting.fencing import answer_fence, inert_text
from diffbench_assets.models.prompting.templates import render
from diffbench_assets.models.registry import EndpointModel
from diffbench_assets.models.requests import Call
from diffbench_assets.models.run import Run

LONGEST = 400


def polished(model: EndpointModel, pairs: Sequence[Mapping[str, Any]], journal: Journal) -> dict[str, str]:
    """Pair id → description, for every pair with a difference; a failed call keeps the template sentence."""
    calls = [Call(pair["pair_id"], (polish_prompt(pair["description"]),)) for pair in pairs if pair["differences"]]
    found = {pair["pair_id"]: pair["description"] for pair in pairs}
    for reply in Run(model, calls, journal, total=len(calls)):
        text = " ".join((reply.text or "").split())
        if reply.outcome == "completed" and 0 < len(text) <= LONGEST:
            found[reply.item_id] = text
    return found


def polish_prompt(description: str) -> str:
    """What the model is asked: `description` as one plain sentence; page text in it is fenced as data."""
    inert = inert_text(description)
    return render("css/describe.j2", description=inert, fence=answer_fence(inert))
