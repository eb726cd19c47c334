"""What a page is labelled with: one of 15 domains, one of 4 visual styles, and how sure the labeller is.

Belongs here: the label sets and the shape of an answer. Does not belong here: who labels (`llm.py`, `classifier.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from diffbench_assets.pages.generator import DOMAINS, STYLES

LABELS: Final[Mapping[str, tuple[str, ...]]] = {"domain": DOMAINS, "style": STYLES}
"""The two questions and their possible answers (DiffSpot §2.1: 15 domains, 4 styles)."""


@dataclass(frozen=True)
class PageLabels:
    """`domain` and `style` are None when the labeller is not sure enough; probabilities are of every possible label."""

    domain: str | None
    style: str | None
    probabilities: Mapping[str, Mapping[str, float]]
    labeller: str
    votes: int | None = None

    def as_json(self) -> str:
        """The column `label_probabilities`: both distributions to 4 places, who labelled, and how many votes."""
        rounded = {
            question: {label: round(float(share[label]), 4) for label in LABELS[question] if label in share}
            for question, share in self.probabilities.items()
        }
        by = {"labeller": self.labeller} | ({"votes": self.votes} if self.votes is not None else {})
        return json.dumps(rounded | by, separators=(",", ":"))


def surest(share: Mapping[str, float], threshold: float) -> str | None:
    """The most probable label; None below `threshold` or where two are equally probable."""
    ordered = sorted(share.items(), key=lambda item: (-item[1], item[0]))
    if not ordered or ordered[0][1] < threshold or (len(ordered) > 1 and ordered[0][1] == ordered[1][1]):
        return None
    return ordered[0][0]
