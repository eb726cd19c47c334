"""Asking a model to polish a pair's description, for display only.

Belongs here: the messages. Does not belong here: template descriptions, sending. Judges see the record beside
the description, so a polished sentence can never change what is true.
"""

from __future__ import annotations

from diffbench_assets.models.prompting.fencing import answer_fence, inert_text
from diffbench_assets.models.prompting.templates import render


def polish_messages(description: str) -> list[dict[str, str]]:
    """Chat messages asking for `description` as one plain sentence; page text in it is fenced as data."""
    inert = inert_text(description)
    prompt = render("open_ended/describe.j2", description=inert, fence=answer_fence(inert))
    return [{"role": "user", "content": prompt}]
