"""What came back: the outcome of a call, and the row that tells of it.

Belongs here: the shape of an answer and of a reply. Does not belong here: how a response body becomes an answer
(`clients/`), and what an answer means.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from diffbench_assets.models.prompting.thoughts import spoken
from diffbench_assets.models.prompting.unanswered import unanswered

Outcome = Literal["completed", "truncated", "empty", "refused", "error"]
FINISHED: frozenset[Outcome] = frozenset({"completed", "truncated", "empty", "refused"})
"""Outcomes that were paid for and are kept; an error is asked again by the next run."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished call as the journal keeps it. `latency_s` is of the last attempt; `cost_usd` None without a price.

    `thought` is what was thought aloud, which is no part of `text` (see `heard`). `image` holds the bytes of an image
    that answers, as they came; only clients that ask for one set it.
    """

    outcome: Outcome
    text: str | None
    finish_reason: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cost_usd: float | None = None
    latency_s: float | None = None
    attempts: int = 0
    error: str | None = None
    model_reported: str | None = None
    system_fingerprint: str | None = None
    thought: str | None = None
    image: bytes | None = field(default=None, repr=False)

    def row(self) -> dict[str, Any]:
        """As a dict, without the image; names are those of the `responses` table."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "image"}


def heard(answer: Answer) -> Answer:
    """`answer` without the thoughts in its text, and with the outcome of what is left.

    A text that held thoughts goes into `thought` as it came, after reasoning that came apart. A completed answer that
    is all thought, or says nothing, has the outcome that `unanswered` names. Hearing again changes nothing.
    """
    if answer.text is None:
        return answer
    text = spoken(answer.text).answer
    if text != answer.text:
        answer = replace(answer, thought="\n\n".join(filter(None, (answer.thought, answer.text))))
    outcome = unanswered(text) if answer.outcome == "completed" else None
    return replace(answer, text=text or None, outcome=outcome or answer.outcome)


@dataclass(frozen=True, slots=True)
class Reply(Answer):
    """One row of `responses`: an answer and what it answers. `cached`: it came from the journal, nothing was sent."""

    item_id: str = ""
    repeat: int = 0
    request_sha256: str = ""
    image_sha256: str | None = None
    image_size: str | None = None
    image_detail: str | None = None
    cached: bool = False
