"""The baseline that never sees anything: what a score is worth without looking."""

from __future__ import annotations

from diffbench_assets.protocols.open_ended.prompt import NO_DIFFERENCE


def always_no_diff(before_png: bytes, after_png: bytes) -> str:
    """The agreed sentence for "no difference", whatever the images show."""
    return NO_DIFFERENCE
