"""The number that is true decides: how close one answer is to it, and whether two are the same."""

from __future__ import annotations

from typing import Any

from diffbench_assets.protocols.asking import Row
from diffbench_assets.protocols.judging import Judge, Subject
from diffbench_assets_tests.protocols.toy import protocol


class Closeness(Judge):
    def version(self) -> str:
        return "1" * 64

    def verdict(self, subject: Subject, truth: Any, reply: str) -> Row:
        said = [protocol.number(str(response["text"])) for response in subject.responses]
        if None in said:
            return {"unscored_reason": "no number"}
        if len(said) == 2:
            return {"reversible": float(said[0] == said[1])}
        closeness = 1 / (1 + abs((said[0] or 0.0) - truth))
        return {"verdict": "correct" if closeness == 1 else "wrong", "closeness": closeness}


JUDGE = Closeness()
