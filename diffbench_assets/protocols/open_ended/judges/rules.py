"""The deterministic judge: it reads claims, elements, properties and directions out of an answer."""

from __future__ import annotations

from typing import Any

from diffbench_assets.protocols.asking import Row
from diffbench_assets.protocols.judging import Judge, Subject
from diffbench_assets.protocols.open_ended.rules.judge import judge, rules_sha256


class Rules(Judge):
    def version(self) -> str:
        return rules_sha256()

    def verdict(self, subject: Subject, truth: Any, reply: str) -> Row:
        return judge(truth, subject.text).columns()


JUDGE = Rules()
