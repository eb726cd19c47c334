"""The LLM judge: what it is told and what it may reply.

Belongs here: messages and reply schema for one answer. The judge sees the record, the description and the
answer, never the images. Does not belong here: sending messages, reading replies (`parse.py`).
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from diffbench_assets.models.prompting.fencing import answer_fence, inert_text
from diffbench_assets.models.prompting.templates import render, template_sha256
from diffbench_assets.pairs.css.operators import OPERATORS
from diffbench_assets.protocols.asking import Question, Row
from diffbench_assets.protocols.judging import ModelJudge, Subject
from diffbench_assets.protocols.open_ended.parse import FIELDS, parse_reply
from diffbench_assets.protocols.open_ended.verdict import Difference

_RECORD_FIELDS = (
    "kind",
    "target",
    "property",
    "before",
    "after",
    "direction",
    "magnitude",
    "magnitude_unit",
    "description",
    "box",
    "axis",
    "shift",
)


def judge_messages(difference: Difference | None, answer: str) -> tuple[str, str]:
    """What the judge is told in the system's role, and the case: `difference` (None for a no_diff pair) and `answer`.

    Raises ValueError when the difference's kind has no rule block.
    """
    if difference is not None and difference["kind"] not in OPERATORS:
        raise ValueError(f"no judge rule for kind {difference['kind']!r}; known: {', '.join(OPERATORS)}")
    rule = "no_diff" if difference is None else str(difference["kind"])
    record = None if difference is None else {name: difference.get(name) for name in _RECORD_FIELDS}
    record_text = "null" if record is None else json.dumps(record, ensure_ascii=False, indent=1)
    inert = inert_text(answer)
    fence = answer_fence(inert)
    direction = 0 if difference is None else difference["direction"] or 0
    system = render(
        "open_ended/judge_base.j2",
        rule=f"open_ended/rules/{rule}.j2",
        direction=direction,
        difference=record,
        fence=fence,
    )
    case = render("open_ended/judge_case.j2", record=inert_text(record_text), answer=inert, fence=fence)
    return system, case


def reply_schema(has_difference: bool) -> dict[str, Any]:
    """JSON schema of the reply, for endpoints that can enforce one. Reasoning comes first, before the verdict."""
    verdict = {"type": "string", "enum": ["correct", "wrong"]} if has_difference else {"type": "null"}
    return {
        "type": "object",
        "properties": {
            "reasoning": {"type": "string"},
            "verdict": verdict,
            "matched": {"type": "string"},
            "hallucinations": {"type": "array", "items": {"type": "string"}},
        },
        "required": list(FIELDS),
        "additionalProperties": False,
    }


def judge_sha256() -> str:
    """Version of the LLM judge: hash of its base, case and rule templates."""
    return hashlib.sha256(
        (template_sha256("open_ended/judge_*.j2") + template_sha256("open_ended/rules/*.j2")).encode()
    ).hexdigest()


class Model(ModelJudge):
    def version(self) -> str:
        return judge_sha256()

    def question(self, subject: Subject, truth: Any) -> Question:
        system, case = judge_messages(truth, subject.text)
        return Question((case,), system, response_schema=reply_schema(truth is not None))

    def verdict(self, subject: Subject, truth: Any, reply: str) -> Row:
        return parse_reply(reply, subject.text, truth is not None).columns()


JUDGE = Model()
