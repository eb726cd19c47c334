"""What every judge returns, whatever kind of judge it is.

Belongs here: the verdict and the rule that an open-ended pair has at most one difference. Does not belong
here: how a judge comes to its verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

Difference = Mapping[str, Any]
"""One row of `schemas.DIFFERENCE`."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judge's finding on one answer.

    verdict: correct or wrong for a pair with a difference; None for a no_diff pair and for an unscored item.
    matched: the words of the answer that name the true difference; empty unless correct.
    hallucinations: each claimed difference that is not true.
    unscored_reason: why there is no finding; None when there is one.
    """

    verdict: Literal["correct", "wrong"] | None
    matched: str = ""
    hallucinations: tuple[str, ...] = ()
    reasoning: str = ""
    unscored_reason: str | None = None

    def columns(self) -> dict[str, Any]:
        """As columns of `schemas.VERDICTS`."""
        return asdict(self) | {"hallucinations": list(self.hallucinations)}


def unscored(reason: str) -> Verdict:
    """A verdict that counts neither for nor against the model."""
    return Verdict(verdict=None, unscored_reason=reason)


def only_difference(differences: Sequence[Difference] | None) -> Difference | None:
    """The pair's one difference, or None for a no_diff pair. Raises ValueError for more than one."""
    if not differences:
        return None
    if len(differences) > 1:
        kinds = ", ".join(str(difference["kind"]) for difference in differences)
        raise ValueError(
            f"open_ended takes pairs with one difference, got {len(differences)} ({kinds}): use difference_list"
        )
    return differences[0]
