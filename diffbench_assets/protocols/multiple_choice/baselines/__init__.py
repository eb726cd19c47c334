"""Embedded comparators of multiple choice: letters that need no model.

Belongs here: from what a model would be shown to its answer, in the format asked for. Does not belong here: the answer
key, endpoints, measuring pixels (`baselines/pixel_diff`).
"""

from __future__ import annotations

from typing import Final

from diffbench_assets.baselines.parts import Parts, draw, images
from diffbench_assets.protocols.multiple_choice.baselines.choose import choose
from diffbench_assets.protocols.multiple_choice.baselines.guesses import always_no_diff, informed_guess, random_choice
from diffbench_assets.protocols.multiple_choice.baselines.options import options
from diffbench_assets.protocols.multiple_choice.baselines.text_only import text_only


def pixel_diff(parts: Parts) -> str:
    """The letter of the option that the pixels support best; ties are drawn."""
    return draw(choose(*images(parts), options(parts)), "pixel_diff", parts)


BASELINES: Final = {
    "always_no_diff": always_no_diff,
    "random_choice": random_choice,
    "informed_guess": informed_guess,
    "text_only": text_only,
    "pixel_diff": pixel_diff,
}
