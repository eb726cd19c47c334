"""Embedded comparators of the open-ended protocol: answers that need no model.

Belongs here: from what a model would be shown to its answer, in the format asked for. Does not belong here: the record,
judges, endpoints, measuring pixels (`baselines/pixel_diff`).
"""

from __future__ import annotations

from typing import Final

from diffbench_assets.baselines.parts import Parts, images
from diffbench_assets.protocols.open_ended.baselines.describe import describe
from diffbench_assets.protocols.open_ended.prompt import NO_DIFFERENCE


def always_no_diff(parts: Parts) -> str:
    """The agreed sentence for "no difference", whatever the images show: what a score is worth without looking."""
    return NO_DIFFERENCE


def pixel_diff(parts: Parts) -> str:
    """One line per changed region; the agreed sentence when no pixel differs."""
    return describe(*images(parts))


BASELINES: Final = {"always_no_diff": always_no_diff, "pixel_diff": pixel_diff}
