"""What is tried again, how often and when.

Belongs here: Retry-After, and tenacity's strategies. Does not belong here: HTTP, and kinds of failure (`failures.py`).
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from tenacity import AsyncRetrying, RetryCallState, stop_never

from diffbench_assets.models.failures import Failure, Kind


@dataclass(frozen=True)
class RetryPolicy:
    """Attempts and waits, in seconds.

    Being told "too many requests" says nothing about the call, so those answers do not use up the few attempts that
    broken ones get; they have a cap of their own.
    """

    transient_attempts: int = 5
    rate_limit_attempts: int = 20
    first_wait_s: float = 0.5
    longest_wait_s: float = 30.0
    longest_retry_after_s: float = 120.0


DEFAULT_POLICY: Final = RetryPolicy()


@dataclass
class Attempts:
    """tenacity's `retry` and `wait` for one call."""

    policy: RetryPolicy
    failed: Counter[Kind] = field(default_factory=Counter)

    def again(self, state: RetryCallState) -> bool:
        """Count the failure, if it was one; true while its kind has attempts left."""
        error = state.outcome.exception() if state.outcome else None
        if not isinstance(error, Failure):
            return False
        self.failed[error.kind] += 1
        most = {"rate_limit": self.policy.rate_limit_attempts, "transient": self.policy.transient_attempts}
        return self.failed[error.kind] < most.get(error.kind, 1)

    def wait(self, state: RetryCallState) -> float:
        """Seconds: what the endpoint asked for, or exponential with jitter."""
        error = state.outcome.exception() if state.outcome else None
        assert isinstance(error, Failure)
        if error.retry_after_s is not None:
            return error.retry_after_s * random.uniform(1.0, 1.1)
        doubled = self.policy.first_wait_s * 2.0 ** min(self.failed[error.kind] - 1, 30)
        return random.uniform(0.5, 1.0) * min(self.policy.longest_wait_s, doubled)


def retrying(policy: RetryPolicy) -> AsyncRetrying:
    """Calls an attempt until it returns, or raises the Failure that ended it."""
    attempts = Attempts(policy)
    return AsyncRetrying(retry=attempts.again, wait=attempts.wait, stop=stop_never)


def retry_after(header: str | None, now: datetime, cap_s: float) -> float | None:
    """Seconds of a Retry-After header (a number or an HTTP date), at most `cap_s`; None without a usable one."""
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            then = parsedate_to_datetime(header)
        except (ValueError, OverflowError):  # A year or an offset that no integer holds overflows.
            return None
        seconds = (then.replace(tzinfo=then.tzinfo or UTC) - now).total_seconds()
    # A comparison that NaN fails.
    return min(max(seconds, 0.0), cap_s) if seconds == seconds else None
