"""The realness audit: does a copy of a page look as real as its original (DiffSpot §3.6)?

Belongs here: asking judges about single pictures, and their scores as rows. Does not belong here: what the scores say
about copies (`statistics/realness.py`), or making copies.

A judge sees one picture at a time and is not told that there are two kinds. Names of items say nothing either, and all
pictures come in one shuffled order.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.outcomes import unscored_reason
from diffbench_assets.models.progress import Progress
from diffbench_assets.models.prompting.json_reply import Unparseable, read_as
from diffbench_assets.models.prompting.templates import render, template_sha256
from diffbench_assets.models.registry import Endpoint
from diffbench_assets.models.requests import PNG_SIGNATURE, Call
from diffbench_assets.models.run import Run, raise_if_stopped
from diffbench_assets.seeds import digest

Row = dict[str, Any]

Side = Literal["original", "copy"]
SIDES: Final[tuple[Side, Side]] = ("original", "copy")
LOWEST, HIGHEST = 1, 5

_TEMPLATE: Final = "corpus/realness.j2"


@dataclass(frozen=True)
class AuditPair:
    """A page's two pictures as PNG bytes, of one size."""

    page_id: str
    original: bytes = field(repr=False)
    copy: bytes = field(repr=False)


class _Judgement(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    reasoning: str
    score: int = Field(ge=LOWEST, le=HIGHEST)


def audit_sample(richness: Mapping[str, str], n: int, seed: int) -> list[str]:
    """At most `n` pages of `richness` (page id → rich, standard or minimal), ordered by id and drawn by `seed`.

    Each richness gets an equal part as far as it has pages; the others share what it leaves.
    """
    kinds = sorted(set(richness.values()))
    drawn = [
        sorted((page for page in richness if richness[page] == kind), key=lambda page: digest("audit", seed, page))
        for kind in kinds
    ]
    turns = (page for turn in zip_longest(*drawn) for page in turn if page is not None)
    return sorted(islice(turns, n))


def realness_sha256() -> str:
    """Version of the question: hash of its template."""
    return template_sha256(_TEMPLATE)


def audit_calls(pairs: Iterable[AuditPair], seed: int) -> list[Call]:
    """Two calls a page, one for each side, in an order shuffled by `seed`; pages that are added move no others.

    Raises ValueError when a page stands twice, or its pictures differ in size, which would tell them apart.
    """
    pairs = list(pairs)
    _check(pairs)
    question = render(_TEMPLATE)
    schema = reply_schema()
    calls = [
        Call(_item_id(pair.page_id, side, seed), (getattr(pair, side), question), response_schema=schema)
        for pair in pairs
        for side in SIDES
    ]
    return sorted(calls, key=lambda call: call.item_id)


def audit(
    endpoint: Endpoint,
    pairs: Sequence[AuditPair],
    journal: Journal,
    *,
    seed: int = 0,
    budget: Budget | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> list[Row]:
    """One row for each page and side, ordered by page id and side: item_id, page_id, side, judge, judge_prompt_sha256,
    score (1 to 5, or None), outcome, unscored_reason, cost_usd.

    A reply that failed or cannot be read is an unscored row. Raises Stopped when the budget ended or call after call
    failed; what was answered is in the journal and not asked again.
    """
    calls = audit_calls(pairs, seed)
    run = Run(endpoint, calls, journal, budget=budget, on_progress=on_progress, total=len(calls))
    replies = {reply.item_id: reply.row() for reply in run}
    raise_if_stopped(run)
    version = realness_sha256()
    page_ids = sorted(pair.page_id for pair in pairs)

    def rows() -> Iterator[Row]:
        for page_id in page_ids:
            for side in SIDES:
                item_id = _item_id(page_id, side, seed)
                score, unscored = _score(replies[item_id])
                yield {
                    "item_id": item_id,
                    "page_id": page_id,
                    "side": side,
                    "judge": endpoint.id,
                    "judge_prompt_sha256": version,
                    "score": score,
                    "outcome": replies[item_id]["outcome"],
                    "unscored_reason": unscored,
                    "cost_usd": replies[item_id]["cost_usd"],
                }

    return list(rows())


def reply_schema() -> dict[str, Any]:
    """JSON schema of the reply, for endpoints that obey one."""
    return _Judgement.model_json_schema()


def parse_score(reply: str) -> int:
    """The score in a reply: one JSON object with reasoning and a whole number, a markdown fence around it tolerated.

    Raises Unparseable for anything else; a number in words, in quotes or beside another is not guessed at.
    """
    return read_as(_Judgement, reply).score


def _score(reply: Row) -> tuple[int | None, str | None]:
    """(score, None), or (None, why there is none)."""
    if reason := unscored_reason(reply):
        return None, reason
    try:
        return parse_score(reply["text"]), None
    except Unparseable as error:
        return None, f"judge: {error}"


def _item_id(page_id: str, side: Side, seed: int) -> str:
    """An id that tells neither page nor side; in the order of these ids nobody can tell what comes next."""
    return digest("realness", seed, page_id, side)


def _check(pairs: Sequence[AuditPair]) -> None:
    seen: set[str] = set()
    for pair in pairs:
        if pair.page_id in seen:
            raise ValueError(f"page {pair.page_id}: stands twice in the audit; give each page once")
        seen.add(pair.page_id)
        sizes = [_size(png, pair.page_id, side) for png, side in ((pair.original, "original"), (pair.copy, "copy"))]
        if sizes[0] != sizes[1]:
            raise ValueError(
                f"page {pair.page_id}: its original is {sizes[0][0]}x{sizes[0][1]} and its copy {sizes[1][0]}x"
                f"{sizes[1][1]}; a judge could tell them apart by size, so capture both at one size"
            )


def _size(png: bytes, page_id: str, side: str) -> tuple[int, int]:
    if png[:8] != PNG_SIGNATURE or len(png) < 24:
        raise ValueError(f"page {page_id}: its {side} is not a PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height
