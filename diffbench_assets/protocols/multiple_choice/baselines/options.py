"""The options in the parts of a call. Does not belong here: answering."""

from __future__ import annotations

from diffbench_assets.baselines.parts import Parts
from diffbench_assets.protocols.multiple_choice.prompt import LABELS, NO_DIFFERENCE, options_of


def options(parts: Parts) -> dict[str, str]:
    """The options of a multiple-choice call by their letter. Raises ValueError when it asks no such question."""
    return options_of("\n".join(part for part in parts if isinstance(part, str)))


def no_difference(options: dict[str, str]) -> str | None:
    """The letter of the fixed statement that nothing differs, or None when no option is it."""
    return next((label for label in LABELS if options[label] == NO_DIFFERENCE), None)
