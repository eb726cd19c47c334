"""From a response and the answer key to a row of the verdicts table.

Belongs here: the row, and the name of each kind of error. Does not belong here: reading the answer (`parse.py`),
which responses may be scored (`protocols/outcomes.py`), metrics.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from diffbench_assets.models.outcomes import unscored_reason
from diffbench_assets.protocols.multiple_choice.parse import INVALID, parse_choice, parser_sha256
from diffbench_assets.protocols.multiple_choice.prompt import LABELS

EXACT: Final = "exact"
"""Stands where a judge's id stands: the answer key decides."""


def verdict_row(response: Mapping[str, Any], question: Mapping[str, Any]) -> dict[str, Any]:
    """One row of `schemas.VERDICTS` from a row of `schemas.RESPONSES` and its row of `schemas.QUESTIONS`.

    An answer that states no option is wrong, of error kind `invalid` (VDiff-Bench, table 3: invalid outputs count as
    incorrect). Raises ValueError when the response answers another question.
    """
    if response["item_id"] != question["question_id"]:
        raise ValueError(f"response {response['item_id']!r} does not answer question {question['question_id']!r}")
    reason = unscored_reason(response)
    choice = None
    if reason is None:
        choice = parse_choice(response["text"], {label: question["options"][label] for label in LABELS})
    error = error_kind(choice, question["answer"], question["no_difference_label"]) if choice else None
    return {
        "item_id": response["item_id"],
        "pair_id": response["pair_id"],
        "model": response["model"],
        "cell": response["cell"],
        "judge": EXACT,
        "judge_prompt_sha256": parser_sha256(),
        "verdict": None if choice is None else "wrong" if error else "correct",
        "choice": choice,
        "error_kind": error,
        "matched": "",
        "hallucinations": [],
        "reasoning": "",
        "unscored_reason": reason,
    }


def error_kind(choice: str, answer: str, no_difference: str) -> str | None:
    """What went wrong when `choice` was given where `answer` is right; None when it is right.

    `no_difference` is the letter of the option that says nothing differs. missed_change: chosen though something does.
    competing_change: a false statement was chosen instead of the true one. false_alarm: a statement was chosen though
    nothing differs. invalid: no option was chosen.
    """
    if choice == answer:
        return None
    if choice == INVALID:
        return INVALID
    if answer == no_difference:
        return "false_alarm"
    return "missed_change" if choice == no_difference else "competing_change"
