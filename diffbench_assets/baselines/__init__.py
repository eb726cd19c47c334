"""Embedded comparators: answers that need no model.

Belongs here: pure functions from what a model would be shown to its answer, in the format asked for. Does not belong
here: the record, the answer key, judges, endpoints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from diffbench_assets.baselines import always_no_diff, guesses, pixel_diff
from diffbench_assets.baselines.parts import Parts
from diffbench_assets.baselines.text_only import text_only

Answer = Callable[[Parts], str]

BASELINES: Final[Mapping[str, Mapping[str, Answer]]] = {
    "always_no_diff": {
        "open_ended": always_no_diff.open_ended,
        "multiple_choice": always_no_diff.multiple_choice,
    },
    "random_choice": {"multiple_choice": guesses.random_choice},
    "informed_guess": {"multiple_choice": guesses.informed_guess},
    "text_only": {"multiple_choice": text_only},
    "pixel_diff": {
        "open_ended": pixel_diff.open_ended,
        "multiple_choice": pixel_diff.multiple_choice,
    },
}
"""Baseline → protocol → answer from the parts of a call: PNG bytes and prompt text, in the order they are shown."""
