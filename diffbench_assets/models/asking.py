"""Asking a model about cells of a suite: items of any protocol to response rows, cell by cell.

Belongs here: what every protocol has in common. Does not belong here: what is asked (`open_ended.py`,
`multiple_choice.py`), sending (`run.py`), or reading and writing tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from diffbench_assets.baselines import BASELINES
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.progress import Progress
from diffbench_assets.models.registry import BaselineModel, Model
from diffbench_assets.models.requests import Call
from diffbench_assets.models.run import Run

Row = dict[str, Any]


class Stopped(RuntimeError):
    """A run ended before every call was asked; what was finished is kept and will not be asked again."""


@dataclass(frozen=True)
class Item:
    """One question about one pair; `order` is forward when the model sees the pair's before image first."""

    item_id: str
    pair_id: str
    order: str = "forward"


def answers(model: Model, protocol: str) -> bool:
    """Whether `model` can be asked in this protocol: an embedded baseline may know only some."""
    return not isinstance(model, BaselineModel) or protocol in BASELINES[model.baseline]


def ask(
    model: Model,
    protocol: str,
    cells: Mapping[str, Sequence[Item]],
    calls_of: Callable[[str], Iterable[Call]],
    journal: Journal | None,
    budget: Budget | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Iterator[tuple[str, list[Row]]]:
    """Response rows of each cell as soon as its last answer is there.

    `cells` maps a cell to its items in stored order; `calls_of` gives a cell's calls with images, read as they are
    asked. Raises Stopped, after the finished cells, when the budget ends or the endpoint keeps failing.
    """
    place = {item.item_id: (cell, item) for cell, items in cells.items() for item in items}
    run = Run(
        model,
        (call for cell in cells for call in calls_of(cell)),
        journal,
        budget=budget,
        total=len(place),
        on_progress=on_progress,
        baselines=_baselines(protocol),
    )
    replies: dict[str, dict[str, Row]] = {cell: {} for cell in cells}
    for cell in [cell for cell, items in cells.items() if not items]:
        yield cell, []
    for reply in run:
        cell, item = place[reply.item_id]
        replies[cell][item.item_id] = {
            **reply.row(),
            "pair_id": item.pair_id,
            "model": model.id,
            "cell": cell,
            "protocol": protocol,
            "order": item.order,
        }
        if len(replies[cell]) == len(cells[cell]):
            yield cell, [replies[cell][item.item_id] for item in cells[cell]]
    raise_if_stopped(run)


def _baselines(protocol: str) -> dict[str, Callable[[Call], str]]:
    def on_parts(answer: Callable[[tuple[str | bytes, ...]], str]) -> Callable[[Call], str]:
        return lambda call: answer(call.parts)

    return {name: on_parts(by[protocol]) for name, by in BASELINES.items() if protocol in by}


def raise_if_stopped(run: Run) -> None:
    """Raises Stopped, saying what to do, when `run` ended early."""
    if run.stopped_by_budget:
        raise Stopped(f"{run.model.id}: the budget is used up ({run.progress.line()}); raise it and run again to go on")
    if run.stopped_by_errors:
        raise Stopped(
            f"{run.model.id}: call after call failed ({run.progress.line()}); "
            f"`diffbench models check {run.model.id}` says what is wrong"
        )
