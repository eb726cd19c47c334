"""How far long work is: a bar on a terminal, a line now and then in a log, nothing where quiet was asked for.

Belongs here: whether and how progress is shown. Does not belong here: counting it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final

from tqdm import tqdm

QUIET: Final[ContextVar[bool]] = ContextVar("quiet", default=False)
BRIEF: Final[ContextVar[bool]] = ContextVar("brief", default=False)
"""Whether bars go away when their work is done."""

LINE_EVERY_S: Final = 30.0


def bar(what: str, total: int | None = None, unit: str = "") -> tqdm[Any]:
    """A bar with rate and time left, on a terminal alone; to be closed."""
    hidden = True if QUIET.get() else None
    return tqdm(
        desc=what, total=total, unit=unit, dynamic_ncols=True, mininterval=0.5, disable=hidden, leave=not BRIEF.get()
    )


class LogLines:
    """Tells a log how work goes: at most a line every LINE_EVERY_S seconds, none of work that is shorter."""

    def __init__(self) -> None:
        self._told = time.monotonic()

    def tell(self, line: Callable[[], str]) -> None:
        """Writes the line that `line` gives to stderr, if it is time."""
        if not QUIET.get() and time.monotonic() - self._told >= LINE_EVERY_S:
            self._told = time.monotonic()
            print(line(), file=sys.stderr, flush=True)
