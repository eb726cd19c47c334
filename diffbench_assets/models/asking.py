"""How a run of calls ended, in words.

Belongs here: the error that says what to do when a run stopped early. Does not belong here: what is asked, sending
(`run.py`).
"""

from __future__ import annotations

from typing import Any

from diffbench_assets.models.run import Run

Row = dict[str, Any]


class Stopped(RuntimeError):
    """A run ended before every call was asked; what was finished is kept and will not be asked again."""


def raise_if_stopped(run: Run) -> None:
    """Raises Stopped, saying what to do, when `run` ended early."""
    if run.stopped_by_budget:
        raise Stopped(f"{run.model.id}: the budget is used up ({run.progress.line()}); raise it and run again to go on")
    if run.stopped_by_errors:
        raise Stopped(
            f"{run.model.id}: call after call failed ({run.progress.line()}); "
            f"`diffbench models check {run.model.id}` says what is wrong"
        )
