"""Asking a model about cells of a suite: items of any protocol to response rows, cell by cell.

Belongs here: what every protocol has in common. Does not belong here: what is asked (`protocols/`),
sending (`run.py`), or reading and writing tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from diffbench_assets.models.clients.baseline import Baseline
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.progress import Progress
from diffbench_assets.models.registry import Model
from diffbench_assets.models.requests import Call
from diffbench_assets.models.run import Run, raise_if_stopped

Row = dict[str, Any]


@dataclass(frozen=True)
class Item:
    """One question about one pair; `order` is forward when the model sees the pair's before image first."""

    item_id: str
    pair_id: str
    order: str = "forward"


def answers(model: Model, baselines: Mapping[str, Baseline]) -> bool:
    """Whether `model` can be asked in the protocol that `baselines` answer: with words, or as one of these."""
    return model.baseline in baselines if model.client == "baseline" else model.client == "chat"


def ask(
    model: Model,
    protocol: str,
    cells: Mapping[str, Sequence[Item]],
    calls_of: Callable[[str], Iterable[Call]],
    baselines: Mapping[str, Baseline],
    journal: Journal | None,
    budget: Budget | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Iterator[tuple[str, list[Row]]]:
    """Response rows of each cell as soon as its last answer is there.

    `cells` maps a cell to its items in stored order; `calls_of` gives a cell's calls with images, read as they are
    asked; `baselines` are the embedded ones that answer this protocol. Raises Stopped, after the finished cells, when
    the budget ends or the endpoint keeps failing.
    """
    place = {item.item_id: (cell, item) for cell, items in cells.items() for item in items}
    run = Run(
        model,
        (call for cell in cells for call in calls_of(cell)),
        journal,
        budget=budget,
        total=len(place),
        on_progress=on_progress,
        baselines=baselines,
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
