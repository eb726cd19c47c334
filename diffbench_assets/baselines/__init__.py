"""Embedded comparators: answers to the open-ended question that need no model.

Belongs here: pure functions from the two PNGs to an answer in the format asked for. They see what a model
sees and nothing else. Does not belong here: the record, judges, endpoints.
"""

from __future__ import annotations

from collections.abc import Callable

from diffbench_assets.baselines.always_no_diff import always_no_diff
from diffbench_assets.baselines.pixel_diff import pixel_diff

BASELINES: dict[str, Callable[[bytes, bytes], str]] = {
    "always_no_diff": always_no_diff,
    "pixel_diff": pixel_diff,
}
"""Model id → answer from (before_png, after_png)."""
