"""How fast and how much may be asked: rate limits, adaptive concurrency, budget.

Belongs here: the arithmetic of limits, apart from HTTP. Does not belong here: retries of one call (`retry.py`).
Everything here is used from one event loop; only `Budget` may be shared by runs that follow one another.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

BURST_S = 1.0
"""A bucket holds what one second brings, so that no minute sees more than 61 seconds' worth."""


class TokenBucket:
    """Allows `per_minute` units a minute, in the order of asking; `None` allows everything.

    A reservation may run the bucket into debt, so one larger than the bucket passes too, and later ones wait longer.
    """

    def __init__(self, per_minute: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = None if per_minute is None else per_minute / 60
        self._clock = clock
        self._capacity = max(1.0, (self._rate or 0) * BURST_S)
        self._level = self._capacity
        self._then = clock()

    def reserve(self, units: float) -> float:
        """Take `units`; returns the seconds to wait before using them."""
        if self._rate is None:
            return 0.0
        now = self._clock()
        self._level = min(self._capacity, self._level + (now - self._then) * self._rate)
        self._then = now
        self._level -= units
        return max(0.0, -self._level / self._rate)

    def correct(self, units: float) -> None:
        """Take `units` more (or, below zero, give some back), now that the true number is known."""
        self._level -= units


class AdaptiveLimit:
    """How many requests may be in flight: additive increase on success, halved when the endpoint says "too many"."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.limit = float(most)
        self.active = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._cut_at = float("-inf")

    async def acquire(self) -> None:
        """Wait for a place."""
        if self.active < int(self.limit) and not self._waiting:
            self.active += 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled():
                self._waiting.remove(place)
            else:
                self.release()
            raise

    def release(self) -> None:
        """Give a place back."""
        self.active -= 1
        self._admit()

    def succeeded(self) -> None:
        """One more place for each round of successes, up to `most`."""
        self.limit = min(float(self.most), self.limit + 1 / self.limit)
        self._admit()

    def throttled(self, sent_at: float, now: float) -> None:
        """Halve, once for all requests that were already on their way when it was last halved."""
        if sent_at >= self._cut_at:
            self.limit = max(1.0, self.limit / 2)
            self._cut_at = now

    def _admit(self) -> None:
        while self._waiting and self.active < int(self.limit):
            place = self._waiting.popleft()
            self.active += 1
            place.set_result(None)


class Pace:
    """When the next request may leave: requests and tokens per minute, and pauses that the endpoint asked for."""

    def __init__(self, requests_per_minute: float | None, tokens_per_minute: float | None) -> None:
        self._requests = TokenBucket(requests_per_minute)
        self.tokens = TokenBucket(tokens_per_minute)
        self._resume_at = 0.0

    async def turn(self, tokens: float) -> None:
        """Wait until a request of about `tokens` tokens may leave."""
        delay = max(self._requests.reserve(1), self.tokens.reserve(tokens))
        if delay:
            await asyncio.sleep(delay)
        while (pause := self._resume_at - time.monotonic()) > 0:
            await asyncio.sleep(pause)

    def pause(self, seconds: float) -> None:
        """Nothing leaves for `seconds`: a Retry-After speaks for the key, not for one request."""
        self._resume_at = max(self._resume_at, time.monotonic() + seconds)


@dataclass
class Budget:
    """What may be spent, in US dollars and in calls; None for no limit. Retries of a call are not counted as calls.

    A call is admitted while everything spent, everything in flight (at its estimate) and its own estimate fit. A
    reply dearer than its estimate can exceed the budget, by no more than what was in flight.
    """

    usd: float | None = None
    calls: int | None = None
    spent_usd: float = 0.0
    asked: int = 0
    in_flight_usd: float = 0.0
    exhausted: bool = False

    def admit(self, estimate_usd: float) -> Literal["yes", "wait", "no"]:
        """Whether one more call may be sent; "no" is final.

        "wait": calls in flight may turn out cheap enough, so ask again when one of them has ended.
        """
        if self.exhausted or (self.calls is not None and self.asked >= self.calls):
            self.exhausted = True
            return "no"
        if self.usd is not None and self.spent_usd + self.in_flight_usd + estimate_usd > self.usd:
            if self.in_flight_usd > 0 and self.spent_usd + estimate_usd <= self.usd:
                return "wait"
            self.exhausted = True
            return "no"
        self.asked += 1
        self.in_flight_usd += estimate_usd
        return "yes"

    def settle(self, estimate_usd: float, spent_usd: float) -> None:
        """A call that was admitted at `estimate_usd` has ended and cost `spent_usd`."""
        self.in_flight_usd = max(0.0, self.in_flight_usd - estimate_usd)
        self.spent_usd += spent_usd
