"""False statements written by a multimodal model: asking for them and reading what comes back (VDiff-Bench §3.3, A.4).

Belongs here: the request, its replies read strictly, and the walk from pairs to raw rows to statements. Does not belong
here: which statements are good enough (`filters.py`), programmatic ones, or which of them a question uses.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.progress import Progress
from diffbench_assets.models.prompting.fencing import answer_fence, inert_text
from diffbench_assets.models.prompting.json_reply import Unparseable, read_as
from diffbench_assets.models.prompting.templates import render, template_sha256
from diffbench_assets.models.registry import EndpointModel
from diffbench_assets.models.requests import Call
from diffbench_assets.models.run import Run, raise_if_stopped
from diffbench_assets.protocols.multiple_choice.filters import filter_statements

_TEMPLATE: Final = "multiple_choice/false_statements.j2"

FEWEST, MOST = 2, 6
"""False statements of a pair (VDiff-Bench A.4)."""

MOST_POSSIBLE: Final = 5
"""True differences that the model may name beside the known ones (VDiff-Bench A.4)."""

Strategy = Literal["end_object", "start_object", "attribute", "other_change"]
STRATEGIES: Final[Mapping[Strategy, str]] = {
    "end_object": "keep the thing that changed, but let it end as, or at, another thing that is in the images",
    "start_object": "tell the same change of another thing that is in the images, if possible one close by",
    "attribute": "keep the thing and the kind of change, but give another color, direction, number, material or shape",
    "other_change": "tell another kind of change (place, color, size, wording, light, …) of a thing in the images",
}
"""The four ways to depart from the truth (VDiff-Bench A.4), as the model is told them."""

assert tuple(STRATEGIES) == get_args(Strategy)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Written(_Strict):
    text: str
    strategy: Strategy


class _Reply(_Strict):
    statements: list[_Written] = Field(min_length=FEWEST, max_length=MOST)
    possible_truths: list[str] = Field(max_length=MOST_POSSIBLE)


@dataclass(frozen=True)
class Proposed:
    """One reply, read: (text, strategy) of each false statement, and true differences that may have been missed."""

    statements: tuple[tuple[str, Strategy], ...]
    possible_truths: tuple[str, ...]


@dataclass(frozen=True)
class ShownPair:
    """A pair as its question shows it: PNG bytes of image A and B, and what truly differs in image B, in words."""

    pair_id: str
    image_a: bytes = field(repr=False)
    image_b: bytes = field(repr=False)
    truths: tuple[str, ...]
    category: str


@dataclass(frozen=True)
class FalseStatement:
    """A statement that passed the filters. `origin` is the model's id; `flagged`: it may be true."""

    pair_id: str
    text: str
    strategy: str
    origin: str
    flagged: bool


def reply_schema() -> dict[str, Any]:
    """JSON schema of the reply, for endpoints that obey one."""
    return _Reply.model_json_schema()


def false_statements_sha256() -> str:
    """Version of the request: hash of its template."""
    return template_sha256(_TEMPLATE)


def false_statement_call(
    item_id: str, before_png: bytes, after_png: bytes, truths: Sequence[str], category: str
) -> Call:
    """The request for false statements about one pair, image A (`before_png`) first.

    `truths` are the true statements in the wording the question will use; they may hold text of a page and are fenced
    as data. Raises ValueError when there is none: nothing can be false in the way of nothing.
    """
    if not truths:
        raise ValueError(f"item {item_id}: a pair without a true difference has no false statements")
    listed = inert_text(json.dumps(list(truths), ensure_ascii=False, indent=1))
    prompt = render(
        _TEMPLATE,
        category=inert_text(category.replace("_", " ")),
        truths=listed,
        fence=answer_fence(listed),
        strategies=tuple(STRATEGIES.items()),
        fewest=FEWEST,
        most=MOST,
        most_possible=MOST_POSSIBLE,
    )
    return Call(item_id, (before_png, after_png, prompt), response_schema=reply_schema())


def parse_reply(text: str) -> Proposed:
    """What a reply proposes.

    It must be one JSON object (a markdown fence around it is tolerated, nothing else) with exactly the fields of
    `reply_schema`. Raises Unparseable for anything else: nothing is guessed, mended or read in part.
    """
    reply = read_as(_Reply, text)
    return Proposed(tuple((item.text, item.strategy) for item in reply.statements), tuple(reply.possible_truths))


def propose(
    endpoint: EndpointModel,
    pairs: Iterable[ShownPair],
    journal: Journal,
    budget: Budget | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> list[dict[str, Any]]:
    """Raw rows, one a pair and in the order of `pairs`: pair_id, model and the columns of `Reply.row`.

    Pairs are read as they are asked, so few images are in memory. Raises Stopped when the budget ends or the endpoint
    keeps failing; what was answered is in the journal and not asked again.
    """
    order: list[str] = []

    def calls() -> Iterable[Call]:
        for pair in pairs:
            order.append(pair.pair_id)
            yield false_statement_call(pair.pair_id, pair.image_a, pair.image_b, pair.truths, pair.category)

    run = Run(endpoint, calls(), journal, budget=budget, on_progress=on_progress)
    replies = {reply.item_id: reply for reply in run}
    raise_if_stopped(run)
    return [{**replies[pair_id].row(), "pair_id": pair_id, "model": endpoint.id} for pair_id in order]


def read_proposals(
    rows: Iterable[Mapping[str, Any]],
    truths: Mapping[str, Sequence[str]],
    visible: Mapping[str, Collection[str]],
) -> tuple[list[FalseStatement], Counter[str]]:
    """The statements that pass the filters, and counts of what became of everything.

    `truths` are a pair's true statements as they were asked with; `visible` words or phrases known to fit its images.
    What several models wrote about a pair is taken in turns and filtered together, so that no two of its statements
    say the same. Counts: `kept`, `flagged` (among the kept), `reply_<outcome>` and `reply_unparseable` of replies
    without statements, and `dropped_<rule>` by the rules of filters.ORDER.
    """
    counts: Counter[str] = Counter()
    by_pair: dict[str, list[tuple[str, Proposed]]] = {}
    for row in rows:
        if row["outcome"] != "completed":
            counts[f"reply_{row['outcome']}"] += 1
            continue
        try:
            by_pair.setdefault(row["pair_id"], []).append((row["model"], parse_reply(row["text"])))
        except Unparseable:
            counts["reply_unparseable"] += 1
    statements: list[FalseStatement] = []
    for pair_id, replies in by_pair.items():
        of_models = ([(model, *statement) for statement in proposed.statements] for model, proposed in replies)
        in_turns = [each for turn in zip_longest(*of_models) for each in turn if each]
        origin: dict[str, str] = {}
        for model, text, _ in in_turns:
            origin.setdefault(text.strip(), model)
        suspects = [text for _, proposed in replies for text in proposed.possible_truths]
        proposed = [(text, strategy) for _, text, strategy in in_turns]
        found = filter_statements(proposed, truths[pair_id], visible.get(pair_id, ()), suspects)
        counts.update(f"dropped_{rule}" for _, rule in found.dropped)
        counts["kept"] += len(found.kept)
        counts["flagged"] += sum(kept.flagged for kept in found.kept)
        statements += [FalseStatement(pair_id, k.text, k.strategy, origin[k.text], k.flagged) for k in found.kept]
    return statements, counts
