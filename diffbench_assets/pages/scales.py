"""Which class tokens are steps of one scale, and what each step means.

Belongs here: look-ups over `ladders.py`. Does not belong here: choosing a step (the operators do that) or compiling CSS
(`tailwind.py`), which only asks for the siblings of a token so that every step a class can be swapped to is defined in
the stored page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from diffbench_assets.pages.ladders import SCALES


@dataclass(frozen=True, slots=True)
class ScaleStep:
    """Where a class token stands: `prefix` names the scale, `index` the step on it (0 is the smallest)."""

    prefix: str
    index: int


def token(prefix: str, suffix: str) -> str:
    """The class token of a step: `token("rounded", "lg")` is `rounded-lg`, `token("border", "")` is `border`."""
    return f"{prefix}-{suffix}" if suffix else prefix


@cache
def _positions(version: int) -> dict[str, ScaleStep]:
    return {
        token(prefix, suffix): ScaleStep(prefix, index)
        for prefix, steps in SCALES[version].items()
        for index, (suffix, _) in enumerate(steps)
    }


def scale_step(class_token: str, version: int) -> ScaleStep | None:
    """The step a bare class token stands on, or None when it is on no scale. `version` is one of SCALES."""
    return _positions(version).get(class_token)


_SWAPPABLE = re.compile(r"(?P<sign>-?)(?P<name>[a-z][\w.-]*)(?P<modifier>/[\w.%-]+)?")


@cache
def siblings(class_token: str, version: int) -> tuple[str, ...]:
    """All tokens of the token's scale, in order, itself included; empty when the token is on no scale.

    A leading minus (`-top-4`) and an alpha modifier (`bg-blue-600/50`) are carried over to the siblings. Variant
    tokens (`hover:p-4`, `md:p-4`) are never swapped, so they have none.
    """
    match = _SWAPPABLE.fullmatch(class_token)
    step = scale_step(match["name"], version) if match else None
    if match is None or step is None:
        return ()
    modifier = match["modifier"] or ""
    return tuple(f"{match['sign']}{token(step.prefix, suffix)}{modifier}" for suffix, _ in SCALES[version][step.prefix])


@cache
def all_siblings(class_token: str) -> frozenset[str]:
    """The siblings of a token in any version."""
    return frozenset(other for version in SCALES for other in siblings(class_token, version))
