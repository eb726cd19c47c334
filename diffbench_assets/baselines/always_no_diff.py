"""The baseline that never sees anything: what a score is worth without looking."""

from __future__ import annotations

from diffbench_assets.baselines import parts as call
from diffbench_assets.baselines.parts import Parts
from diffbench_assets.protocols.open_ended.prompt import NO_DIFFERENCE


def open_ended(parts: Parts) -> str:
    """The agreed sentence for "no difference", whatever the images show."""
    return NO_DIFFERENCE


def multiple_choice(parts: Parts) -> str:
    """The letter of the fixed statement that nothing differs. Raises ValueError when the question lacks it."""
    label = call.no_difference(call.options(parts))
    if label is None:
        raise ValueError("no option of the question is the fixed statement that nothing differs")
    return label
