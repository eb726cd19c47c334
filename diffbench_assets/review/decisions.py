"""What a reviewer decides about options, kept in the lake.

Belongs here: which options there are to decide about, checks of a decision, and saving it. Does not belong here: HTTP
(`server.py`), or what the questions' build makes of reviews.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

from diffbench_assets.errors import UserError
from diffbench_assets.lake import Lake
from diffbench_assets.models.registry import SLUG
from diffbench_assets.schemas import REVIEWS
from diffbench_assets.seeds import digest

DECISIONS: Final = ("accept", "rewrite", "discard")
LONGEST_NAME: Final = 100
LONGEST_OPTION: Final = 400

Row = dict[str, Any]
Key = tuple[str, str]
"""(question_id, option_sha256)"""


class BadDecision(ValueError):
    """A decision that cannot be taken; the message says why."""


def option_sha256(text: str) -> str:
    """Hash by which a review names the text that its reviewer saw."""
    return sha256(text.encode()).hexdigest()


def check_reviewer(name: str) -> str:
    """`name`, which becomes a folder of the lake. Raises UserError."""
    if not re.fullmatch(SLUG, name) or len(name) > LONGEST_NAME:
        raise UserError(f"reviewer {name[:LONGEST_NAME]!r}: a name may hold only a-z, 0-9, dot, underscore and hyphen")
    return name


class Decisions:
    """One reviewer's decisions about the questions of a suite, in `<suite>/reviews/reviewer=<name>`.

    `questions` are as the page shows them: question_id, and options with text, sha256 and whether they are fixed.

    Every change reads the file anew and writes it whole before it returns, so that a reload, a second tab or a kill
    loses nothing. Decisions about options that are no longer asked stay in the file.
    """

    def __init__(self, lake: Lake, suite: str, reviewer: str, questions: Sequence[Mapping[str, Any]]) -> None:
        self.reviewer = check_reviewer(reviewer)
        self._lake = lake
        self._table = REVIEWS.of(suite)
        self._partition = {"reviewer": self.reviewer}
        self._options = {
            (question["question_id"], option["sha256"]): (option["text"], [o["text"] for o in question["options"]])
            for question in questions
            for option in question["options"]
            if not option["fixed"]
        }
        self._writing = threading.Lock()
        self._undo: list[dict[Key, Row | None]] = [
            {_key(row): None} for row in sorted(self.rows(), key=lambda row: row["reviewed_at"])
        ]

    def rows(self) -> list[Row]:
        """Everything this reviewer decided, rows of schemas.REVIEWS in the order of their keys."""
        if not self._lake.exists(self._table, self._partition):
            return []
        return self._lake.read(self._table, self._partition, REVIEWS.names).to_pylist()

    def decide(self, choices: Sequence[Mapping[str, Any]]) -> list[Row]:
        """Takes all of `choices` or none, as one step of undo, and returns their rows.

        Each holds question_id, option_sha256, decision and, to rewrite, rewritten. Raises BadDecision.
        """
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        new = [self._row(choice, now) for choice in choices]
        if not new:
            raise BadDecision("there is nothing to decide")
        with self._writing:
            rows = {_key(row): row for row in self.rows()}
            before = {_key(row): rows.get(_key(row)) for row in new}
            self._write(rows | {_key(row): row for row in new})
            self._undo.append(before)
        return new

    def undo(self) -> list[Key]:
        """Takes the latest step back, also one of an earlier sitting, and returns the options that it was about."""
        with self._writing:
            if not self._undo:
                return []
            step = self._undo[-1]
            rows = {_key(row): row for row in self.rows() if _key(row) not in step}
            self._write(rows | {key: row for key, row in step.items() if row})
            self._undo.pop()
        return list(step)

    def _write(self, rows: Mapping[Key, Row]) -> None:
        kept = [rows[key] for key in sorted(rows)]
        self._lake.write(self._table, kept, self._partition, fingerprint=digest(json.dumps(kept)))

    def _row(self, choice: Mapping[str, Any], now: str) -> Row:
        key = (str(choice.get("question_id")), str(choice.get("option_sha256")))
        decision, rewritten = choice.get("decision"), choice.get("rewritten")
        if key not in self._options:
            raise BadDecision("there is no such option: the questions were built anew; start the review again")
        if decision not in DECISIONS:
            raise BadDecision(f"a decision is one of {', '.join(DECISIONS)}")
        text, options = self._options[key]
        if (decision == "rewrite") != (rewritten is not None):
            raise BadDecision("new wording goes with the decision rewrite, and only with it")
        if decision == "rewrite":
            rewritten = _wording(rewritten, text, options)
        return {
            "question_id": key[0],
            "option_sha256": key[1],
            "text": text,
            "reviewer": self.reviewer,
            "decision": decision,
            "rewritten": rewritten,
            "reviewed_at": now,
        }


def _key(row: Mapping[str, Any]) -> Key:
    return row["question_id"], row["option_sha256"]


def _wording(new: object, old: str, options: Sequence[str]) -> str:
    if not isinstance(new, str) or not (text := new.strip()):
        raise BadDecision("the new wording is empty")
    if len(text) > LONGEST_OPTION:
        raise BadDecision(f"the new wording is longer than {LONGEST_OPTION} characters")
    if not text.isprintable():
        raise BadDecision("the new wording must be one line of visible characters")
    if text == old:
        raise BadDecision("the new wording is the old one: accept it, or change it")
    if text in options:
        raise BadDecision("another option of this question reads the same")
    return text
