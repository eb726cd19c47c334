"""A model that sees the images says how close one answer is, and whether two say the same."""

from __future__ import annotations

import json
from typing import Any

from diffbench_assets.protocols.asking import Image, Question, Row
from diffbench_assets.protocols.judging import ModelJudge, Subject

SCHEMA = {"type": "object", "properties": {"score": {"type": "number"}}, "required": ["score"]}


class Model(ModelJudge):
    def version(self) -> str:
        return "2" * 64

    def question(self, subject: Subject, truth: Any) -> Question:
        said = " / ".join(str(response["text"]) for response in subject.responses)
        task = "Do both answers say the same?" if len(subject.responses) == 2 else f"How close is this to {truth}?"
        shown = (Image.BEFORE, Image.AFTER)
        return Question((*shown, f"{task} {said}"), "You judge numbers.", {"temperature": 0.0}, SCHEMA)

    def verdict(self, subject: Subject, truth: Any, reply: str) -> Row:
        try:
            score = float(json.loads(reply)["score"])
        except (ValueError, KeyError, TypeError):
            return {"unscored_reason": "judge: no score"}
        return {"closeness" if len(subject.responses) == 1 else "reversible": score}


JUDGE = Model()
