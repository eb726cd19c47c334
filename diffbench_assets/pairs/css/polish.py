"""Descriptions in a model's words, for display only: the truth stays in the record and its template sentence.

Belongs here: asking for them, and turning down what says something else. Does not belong here: template descriptions.
Judges see the record beside the description, so a polished sentence can never change what is true.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from diffbench_assets.models.journal import Journal
from diffbench_assets.models.prompting.fencing import answer_fence, inert_text
from diffbench_assets.models.prompting.templates import render, template_sha256
from diffbench_assets.models.registry import EndpointModel
from diffbench_assets.models.requests import Call
from diffbench_assets.models.run import Run
from diffbench_assets.pairs.grammar import Claim

TEMPERATURE: Final = 0.7
"""DiffSpot §2.4."""

LONGEST: Final = 400

_TEMPLATE: Final = "css/describe.j2"
_QUOTED: Final = re.compile(r'[“"„«]([^“”"„«»]*)[”"“»]')
_WORD: Final = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)?")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_DENIALS: Final = frozenset(
    {"not", "no", "never", "neither", "nor", "without", "unchanged", "same", "isn't", "doesn't", "hasn't", "cannot"}
)


def polish_version() -> dict[str, Any]:
    """What decides a polished sentence, beside the model and the template sentence."""
    return {"prompt": template_sha256(_TEMPLATE), "temperature": TEMPERATURE}


def polished(
    model: EndpointModel, pairs: Sequence[Mapping[str, Any]], journal: Journal
) -> tuple[dict[str, str], Counter[str]]:
    """Pair id → description of every pair that differs and whose new sentence keeps the meaning; what became of all.

    The others keep their template sentence. Counts: `polished`, the outcomes of failed calls, and the reasons for which
    a sentence was turned down (`objection`).
    """
    by_id = {pair["pair_id"]: pair for pair in pairs if pair["differences"]}
    calls = [
        Call(pair_id, (polish_prompt(pair["description"]),), sampling={"temperature": TEMPERATURE})
        for pair_id, pair in by_id.items()
    ]
    found: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for reply in Run(model, calls, journal, total=len(calls)):
        text, pair = " ".join((reply.text or "").split()), by_id[reply.item_id]
        claims = [Claim(**each["claim"]) for each in pair["differences"] if each["claim"]]
        reason = objection(pair["description"], text, claims) if reply.outcome == "completed" else reply.outcome
        counts[reason or "polished"] += 1
        if not reason:
            found[reply.item_id] = text
    return found, counts


def polish_prompt(description: str) -> str:
    """What the model is asked: `description` as one plain sentence; page text in it is fenced as data."""
    inert = inert_text(description)
    return render(_TEMPLATE, description=inert, fence=answer_fence(inert))


def objection(description: str, text: str, claims: Sequence[Claim]) -> str:
    """Why `text` may not stand in for `description`, of which `claims` are true; empty when it may.

    Words cannot prove that the meaning is kept; these rules turn down what shows that it is not: another quoted text or
    number, a denial, or the words of a claim's reverse.
    """
    if not 0 < len(text) <= LONGEST:
        return "length"
    if set(_QUOTED.findall(description)) != set(_QUOTED.findall(text)):
        return "quoted_text"
    if set(_NUMBER.findall(_unquoted(text))) - set(_NUMBER.findall(_unquoted(description))):
        return "number"
    new = _words(text) - _words(description)
    if new & _DENIALS:
        return "denial"
    if any(new & set(_telling(claim)) or _swapped(claim, text) for claim in claims):
        return "reversed"
    return ""


def _telling(claim: Claim) -> Iterator[str]:
    """Words that the reverse of a claim has and the claim has not."""
    yield from _words(claim.reversed().predicate) - _words(claim.predicate)


def _swapped(claim: Claim, text: str) -> bool:
    """Whether the values stand in the order of the reverse: “red instead of blue” where it became blue."""
    if not claim.valued:
        return False
    before, after = (re.escape(value.casefold()) for value in (claim.before, claim.after))
    plain = re.sub(r"[“”\"„«»]", "", text.casefold())
    return (
        re.search(rf"\b{before}\b,? (?:instead of|rather than) {after}\b|\bfrom {after}\b.* to {before}\b", plain)
        is not None
    )


def _words(text: str) -> set[str]:
    return {word.casefold().replace("’", "'") for word in _WORD.findall(_unquoted(text))}


def _unquoted(text: str) -> str:
    return _QUOTED.sub(" ", text)
