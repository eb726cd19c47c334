"""An LLM judge's reply, read strictly.

Belongs here: from raw reply text to a Verdict, or to an unscored one with its reason. A reply that cannot be
read says nothing about the model, so it is never "wrong" and never "no difference". Does not belong here:
asking the judge.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from diffbench_assets.models.prompting.json_reply import Unparseable, json_value
from diffbench_assets.protocols.open_ended.verdict import Verdict, unscored

FIELDS = ("reasoning", "verdict", "matched", "hallucinations")
_ELISION = re.compile(r"\[?(?:…|\.{3,})\]?")


def parse_reply(reply: str, answer: str, has_difference: bool) -> Verdict:
    """The verdict in a judge's `reply` about `answer`.

    The reply must be one JSON object (a markdown fence around it is tolerated, nothing else) with exactly the
    fields of FIELDS. `correct` needs a quote in `matched` that stands in the answer; letter case, spacing,
    punctuation and markdown do not count, and `…` may stand for words left out. Anything else is unscored.
    """
    try:
        fields = _fields(json_value(reply))
        return _verdict(fields, answer, has_difference)
    except Unparseable as error:
        return unscored(f"judge: {error}")


def _fields(reply: Any) -> dict[str, Any]:
    if not isinstance(reply, dict):
        raise Unparseable(f"a JSON {type(reply).__name__}, not an object")
    if missing := [name for name in FIELDS if name not in reply]:
        raise Unparseable(f"missing field {', '.join(missing)}")
    if unknown := sorted(set(reply) - set(FIELDS)):
        raise Unparseable(f"unknown field {', '.join(unknown)[:80]}")
    for name in ("reasoning", "matched"):
        if not isinstance(reply[name], str):
            raise Unparseable(f"{name} is not text")
    claims = reply["hallucinations"]
    if not isinstance(claims, list) or not all(isinstance(claim, str) and claim.strip() for claim in claims):
        raise Unparseable("hallucinations is not a list of non-empty texts")
    return reply


def _verdict(fields: dict[str, Any], answer: str, has_difference: bool) -> Verdict:
    verdict, matched = fields["verdict"], fields["matched"].strip()
    if verdict is not None and verdict not in ("correct", "wrong"):
        raise Unparseable(f"unknown verdict {str(verdict)[:40]!r}")
    if has_difference and verdict is None:
        raise Unparseable("verdict is null although there is a difference")
    if not has_difference and verdict is not None:
        raise Unparseable(f"verdict is {verdict} although there is no difference")
    if verdict == "correct" and not quoted_in(matched, answer):
        raise Unparseable("quote not in answer")
    return Verdict(
        verdict=verdict,
        matched=matched if verdict == "correct" else "",
        hallucinations=tuple(claim.strip() for claim in fields["hallucinations"]),
        reasoning=fields["reasoning"],
    )


def quoted_in(quote: str, answer: str) -> bool:
    """True when the letters and digits of `quote` stand in `answer`, in order; `…` may skip words."""
    pieces = [piece for piece in map(_bare, _ELISION.split(quote)) if piece]
    text, start = _bare(answer), 0
    for piece in pieces:
        found = text.find(piece, start)
        if found < 0:
            return False
        start = found + len(piece)
    return bool(pieces)


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
