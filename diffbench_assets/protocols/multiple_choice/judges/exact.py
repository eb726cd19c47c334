"""The answer key: it reads the letter that an answer states, and names each kind of error."""

from __future__ import annotations

from typing import Any

from diffbench_assets.protocols.asking import Row
from diffbench_assets.protocols.judging import Judge, Subject
from diffbench_assets.protocols.multiple_choice.parse import INVALID, parse_choice, parser_sha256
from diffbench_assets.protocols.multiple_choice.prompt import LABELS


class Exact(Judge):
    listed = False

    def version(self) -> str:
        return parser_sha256()

    def verdict(self, subject: Subject, truth: Any, reply: str) -> Row:
        """`truth` is the question, a row of `tables.QUESTIONS`.

        An answer that states no option is wrong, of error kind `invalid` (VDiff-Bench, table 3: invalid outputs count
        as incorrect).
        """
        choice = parse_choice(subject.text, {label: truth["options"][label] for label in LABELS})
        error = error_kind(choice, truth["answer"], truth["no_difference_label"])
        return {"verdict": "wrong" if error else "correct", "choice": choice, "error_kind": error}


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


JUDGE = Exact()
