"""Asking a model: items of any protocol to response rows, group by group.

Belongs here: what a question is, and what asking has in common for every protocol. Does not belong here: what is asked
(`protocols/NAME/`), sending (`models/`), or writing tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from diffbench_assets.lake import Lake, LakeError
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.progress import Progress
from diffbench_assets.models.registry import Model
from diffbench_assets.models.replies import Reply
from diffbench_assets.models.requests import Call
from diffbench_assets.models.run import Run, raise_if_stopped
from diffbench_assets.schemas import Table

Row = dict[str, Any]
Baseline = Callable[[tuple[str | bytes, ...]], str]
"""An embedded baseline: from the parts of a call (PNG bytes and text, in the order they are shown) to its answer."""


class Image(Enum):
    """The place of one of the pair's images in a question; the value is its column of `schemas.PAIRS`."""

    BEFORE = "image_before"
    AFTER = "image_after"


@dataclass(frozen=True, slots=True)
class Question:
    """Texts and images in the order in which they are read, after what is said in the system's role.

    `response_schema` is the JSON schema that a reply should follow; `sampling` what the question needs of temperature
    and other parameters, in place of the model's own.
    """

    parts: tuple[str | Image, ...]
    system: str | None = None
    sampling: Mapping[str, Any] | None = None
    response_schema: Mapping[str, Any] | None = None

    @property
    def order(self) -> str:
        """backward when the after image is shown first, else forward."""
        shown = [part for part in self.parts if isinstance(part, Image)]
        return "backward" if shown and shown[0] is Image.AFTER else "forward"

    def call(self, item_id: str, repeat: int, images: Mapping[Image, bytes]) -> Call:
        parts = tuple(images[part] if isinstance(part, Image) else part for part in self.parts)
        return Call(item_id, parts, repeat, self.response_schema, self.system, self.sampling)


@dataclass(frozen=True, slots=True)
class Item:
    """A question about a pair. `repeat` counts how often the same question was put before."""

    item_id: str
    pair_id: str
    question: Question
    repeat: int = 0

    def identity(self) -> list[Any]:
        """All that can change an answer but the images, as JSON values."""
        parts = [part.name if isinstance(part, Image) else ["text", part] for part in self.question.parts]
        said = (self.question.system, self.question.sampling, self.question.response_schema)
        return [self.item_id, self.pair_id, self.repeat, parts, *said]


def item_id(pair_id: str, protocol: str, order: str = "forward", repeat: int = 0) -> str:
    """Id of the question about a pair where a protocol has one for each order and repeat."""
    return f"{pair_id}:{protocol}:{order}:{repeat}"


def calls(lake: Lake, pairs: Table, cell: str, items: Iterable[Item]) -> Iterator[Call]:
    """A call for each item of a cell. Images are read as they are asked for, those of a pair once.

    Raises LakeError when an item is about a pair that is not there.
    """
    waiting: dict[str, list[Item]] = {}
    for item in items:
        waiting.setdefault(item.pair_id, []).append(item)
    if not any(isinstance(part, Image) for of in waiting.values() for item in of for part in item.question.parts):
        yield from (item.question.call(item.item_id, item.repeat, {}) for of in waiting.values() for item in of)
        return
    for row in lake.iter_partition(pairs, {"cell": cell}, ("pair_id", *(side.value for side in Image))):
        images = {side: row[side.value]["bytes"] for side in Image}
        for item in waiting.pop(row["pair_id"], ()):
            yield item.question.call(item.item_id, item.repeat, images)
    if waiting:
        raise LakeError(
            f"{pairs.name} {cell} has no pair {next(iter(waiting))} any more: make what is asked about it again"
        )


def ask(
    model: Model,
    protocol: str,
    groups: Mapping[str, Sequence[Item]],
    calls_of: Callable[[str], Iterable[Call]],
    baselines: Mapping[str, Baseline],
    journal: Journal | None,
    budget: Budget | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Iterator[tuple[str, list[Row]]]:
    """Response rows of each group of items, without their cell, as soon as its last answer is there.

    `groups` holds items in stored order; `calls_of` gives a group's calls; `baselines` are those of the protocol.
    Raises Stopped, after the finished groups, when the budget ends or the endpoint keeps failing.
    """
    run = Run(
        model,
        (call for group in groups for call in calls_of(group)),
        journal,
        budget=budget,
        total=sum(map(len, groups.values())),
        on_progress=on_progress,
        baselines={name: _on_parts(answer) for name, answer in baselines.items()},
    )
    for group, replies in grouped(run, groups):
        yield (
            group,
            [
                {
                    **reply.row(),
                    "pair_id": item.pair_id,
                    "model": model.id,
                    "protocol": protocol,
                    "order": item.question.order,
                }
                for item, reply in zip(groups[group], replies, strict=True)
            ],
        )


def grouped(run: Run, groups: Mapping[str, Sequence[Item]]) -> Iterator[tuple[str, list[Reply]]]:
    """Replies to the items of each group, in their order, as soon as the last one of a group is there.

    Raises Stopped, after the finished groups, when `run` ended early.
    """
    place = {item.item_id: group for group, items in groups.items() for item in items}
    found: dict[str, dict[str, Reply]] = {group: {} for group in groups}
    yield from ((group, []) for group, items in groups.items() if not items)
    for reply in run:
        of = found[group := place[reply.item_id]]
        of[reply.item_id] = reply
        if len(of) == len(groups[group]):
            yield group, [of[item.item_id] for item in groups[group]]
            del found[group]
    raise_if_stopped(run)


def answers(model: Model, baselines: Mapping[str, Baseline]) -> bool:
    """Whether `model` can be asked in the protocol that `baselines` answer: with words, or as one of these."""
    return model.baseline in baselines if model.client == "baseline" else model.client == "chat"


def _on_parts(answer: Baseline) -> Callable[[Call], str]:
    return lambda call: answer(call.parts)
