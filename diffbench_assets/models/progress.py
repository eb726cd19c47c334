"""How far a run is: rate, cost so far, time left.

Belongs here: counting and showing. Does not belong here: deciding anything by it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from diffbench_assets.bars import LogLines, bar
from diffbench_assets.models.replies import Outcome, Reply


@dataclass
class Progress:
    """Counts of one run. `total` is the number of calls, when it is known; `cost_usd` is what this run spent."""

    total: int | None = None
    done: int = 0
    cached: int = 0
    cost_usd: float = 0.0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    started_at: float = field(default_factory=time.monotonic)

    def count(self, reply: Reply) -> None:
        """Take one reply into account."""
        self.done += 1
        self.outcomes[reply.outcome] += 1
        if reply.cached:
            self.cached += 1
        else:
            self.cost_usd += reply.cost_usd or 0.0

    @property
    def rate(self) -> float:
        """Calls sent and answered per second; what came from the journal does not count."""
        return (self.done - self.cached) / max(time.monotonic() - self.started_at, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the end at the present rate; None while it cannot be told."""
        if self.total is None or not self.rate:
            return None
        return (self.total - self.done) / self.rate

    def line(self) -> str:
        """The whole state in one line for a log."""
        left = self.seconds_left
        return ", ".join(
            [
                f"{self.done:,}" + ("" if self.total is None else f" of {self.total:,}") + " answered",
                *([f"{self.cached:,} from the journal"] if self.cached else []),
                *([f"{self.outcomes['error']:,} failed"] if self.outcomes["error"] else []),
                f"{self.rate:.1f}/s",
                f"${self.cost_usd:.2f} so far",
                *([] if left is None else [f"{_duration(left)} left"]),
            ]
        )


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[Progress], None]]:
    """A bar on a terminal, lines in a log; yields the function to call after each reply."""
    log = LogLines()
    with bar(title, unit="call") as shown:

        def show(progress: Progress) -> None:
            if shown.disable:
                return log.tell(lambda: f"{title}: {progress.line()}")
            shown.total = progress.total
            shown.set_postfix_str(f"${progress.cost_usd:.2f}, {progress.outcomes['error']} failed", refresh=False)
            shown.update(progress.done - shown.n)

        yield show


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"
