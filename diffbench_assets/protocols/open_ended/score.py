"""From a response and a judge's verdict to a row of the verdicts table.

Belongs here: the row. Does not belong here: judging, metrics, and which responses may be scored (`outcomes.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diffbench_assets.models.outcomes import unscored_reason
from diffbench_assets.protocols.open_ended.verdict import Verdict, unscored


def unscored_response(response: Mapping[str, Any]) -> Verdict | None:
    """The unscored verdict of a response that may not be judged, or None when a judge should be asked."""
    reason = unscored_reason(response)
    return unscored(reason) if reason else None


def verdict_row(
    response: Mapping[str, Any], judge: str, judge_prompt_sha256: str, verdict: Verdict | None
) -> dict[str, Any]:
    """One row of `schemas.VERDICTS`. The response's outcome comes before whatever a judge may have said.

    Raises ValueError when a completed response comes without a verdict.
    """
    verdict = unscored_response(response) or verdict
    if verdict is None:
        raise ValueError(f"response {response['item_id']!r} is completed but has no verdict of judge {judge!r}")
    return {
        "item_id": response["item_id"],
        "pair_id": response["pair_id"],
        "model": response["model"],
        "cell": response["cell"],
        "judge": judge,
        "judge_prompt_sha256": judge_prompt_sha256,
        "verdict": verdict.verdict,
        "matched": verdict.matched,
        "hallucinations": list(verdict.hallucinations),
        "reasoning": verdict.reasoning,
        "unscored_reason": verdict.unscored_reason,
        "choice": None,
        "error_kind": None,
    }
