"""Labels by a language model: the request, the strict reading of a reply, and votes (DiffSpot appendix F).

Belongs here: the messages, the parse, counting votes. Does not belong here: outlines (`outline.py`), sending
(`evaluation/run.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from diffbench_assets.corpus.labels.labels import LABELS, PageLabels, surest
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.progress import Progress
from diffbench_assets.models.prompting.fencing import answer_fence, inert_text
from diffbench_assets.models.prompting.json_reply import Unparseable, json_value
from diffbench_assets.models.prompting.templates import render, template_sha256
from diffbench_assets.models.registry import EndpointModel
from diffbench_assets.models.requests import Call
from diffbench_assets.models.run import Run, raise_if_stopped

TEMPERATURE: Final = 0.3
"""DiffSpot appendix F. Above zero, so that votes tell how sure the model is."""
DEFAULT_VOTES: Final = 5
MAJORITY: Final = 0.5
"""A label needs more than this share of the valid votes."""

LABEL_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {question: {"type": "string", "enum": list(labels)} for question, labels in LABELS.items()},
    "required": list(LABELS),
    "additionalProperties": False,
}
"""The reply, for endpoints that can enforce a schema; `parse_labels` enforces it for all."""


def label_messages(outline: str) -> list[dict[str, str]]:
    """Chat messages asking for the labels of the page that `outline` describes; its words are fenced as data."""
    inert = inert_text(outline)
    return [{"role": "user", "content": render("corpus/label.j2", outline=inert, fence=answer_fence(inert))}]


def label_sha256() -> str:
    """Version of the request: hash of its template."""
    return template_sha256("corpus/label.j2")


def parse_labels(reply: str) -> dict[str, str]:
    """The labels in a reply: one JSON object with exactly `domain` and `style`, each one of its enum.

    A markdown fence around the object is tolerated. Raises Unparseable for anything else: never a guess.
    """
    fields = json_value(reply)
    if not isinstance(fields, dict) or set(fields) != set(LABELS):
        raise Unparseable(f"needs the fields {' and '.join(LABELS)} and no others")
    for question, label in fields.items():
        if label not in LABELS[question]:
            raise Unparseable(f"{question} is none of the labels")
    return fields


def count_votes(replies: Iterable[str | None], labeller: str) -> PageLabels:
    """The labels that more than half of the valid replies name, and each label's share of them.

    A reply that cannot be read (None for a failed call) is no vote.
    """
    valid: list[dict[str, str]] = []
    for reply in replies:
        try:
            valid.append(parse_labels(reply or ""))
        except Unparseable:
            continue
    shares = {
        question: {label: count / len(valid) for label, count in Counter(vote[question] for vote in valid).items()}
        for question in LABELS
    }
    full = {question: {label: shares[question].get(label, 0.0) for label in LABELS[question]} for question in LABELS}
    chosen = {
        question: label if (label := surest(share, MAJORITY)) and share[label] > MAJORITY else None
        for question, share in full.items()
    }
    return PageLabels(chosen["domain"], chosen["style"], full, labeller, len(valid))


def ask_labels(
    model: EndpointModel,
    outlines: Mapping[str, str],
    journal: Journal,
    votes: int = DEFAULT_VOTES,
    budget: Budget | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> dict[str, PageLabels]:
    """Page id → labels, each page asked about `votes` times at TEMPERATURE.

    Finished calls are in the journal and are never paid for twice. Raises Stopped when the budget ends or the endpoint
    keeps failing, ValueError when `votes` is not positive.
    """
    if votes < 1:
        raise ValueError(f"votes must be 1 or more, got {votes}")
    warm = model.model_copy(update={"sampling": model.sampling.model_copy(update={"temperature": TEMPERATURE})})

    def calls() -> Iterator[Call]:
        for page_id, outline in outlines.items():
            text = "\n\n".join(message["content"] for message in label_messages(outline))
            for repeat in range(votes):
                yield Call(page_id, (text,), repeat=repeat, response_schema=LABEL_SCHEMA)

    replies: dict[str, dict[int, str | None]] = {page_id: {} for page_id in outlines}
    run = Run(warm, calls(), journal, budget=budget, total=len(outlines) * votes, on_progress=on_progress)
    for reply in run:
        replies[reply.item_id][reply.repeat] = reply.text if reply.outcome == "completed" else None
    raise_if_stopped(run)
    return {page_id: count_votes(given.values(), model.id) for page_id, given in replies.items()}
