"""The verdict of the `rules` judge.

Belongs here: which statements are claims, and the verdict from them. Does not belong here: reading words,
elements or effects, which have their own modules.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from diffbench_assets.pairs.css.operators import OPERATORS
from diffbench_assets.pairs.css.operators.layout import SPREADS
from diffbench_assets.protocols.open_ended.rules import speech, wording
from diffbench_assets.protocols.open_ended.rules.colors import NAMES
from diffbench_assets.protocols.open_ended.rules.contrast import TIME, contrasted, sets_apart
from diffbench_assets.protocols.open_ended.rules.effects import Effect, effects
from diffbench_assets.protocols.open_ended.rules.elements import Naming, bare, mentions, naming
from diffbench_assets.protocols.open_ended.rules.lexicon import BEFORE, MASK
from diffbench_assets.protocols.open_ended.rules.operators import RULES, Fit, decide, rule_of
from diffbench_assets.protocols.open_ended.rules.places import at_box
from diffbench_assets.protocols.open_ended.rules.statements import Statement, plain, statements
from diffbench_assets.protocols.open_ended.verdict import Difference, Verdict, unscored

LONGEST_ANSWER = 100_000
"""Characters; the protocol's 16,384 output tokens (DiffSpot, evaluation) do not reach this."""


_PREDICATE = re.compile(
    r"[:–—→]|\b(?:is|are|was|were|has|have|had|looks?|appears?|seems?|becomes?|became|shows?|with|uses?|displayed|set"
    r"|drawn|made|now|longer|turned|got|gets|lost|to|instead|from|went|new|in|received|given)\b"
)
"""What comes before a word that is said of the element, rather than part of its name ("the small icon")."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """A statement of a difference. firm: nothing stands over it that may turn it."""

    statement: Statement
    effects: tuple[Effect, ...]
    firm: bool


def judge(difference: Difference | None, answer: str) -> Verdict:
    """Verdict on `answer` for a pair with `difference`, or for a no_diff pair when it is None.

    An answer longer than LONGEST_ANSWER is unscored.
    """
    if len(answer) > LONGEST_ANSWER:
        return unscored(f"rules: answer of {len(answer)} characters, over {LONGEST_ANSWER}")
    target = difference["target"] if difference else {}
    sides = [difference[side] for side in ("before", "after") if difference["kind"] == "text"] if difference else []
    claims = _claims(answer, tuple(plain(str(words)) for words in (target.get("text"), *sides) if words))
    if difference is None:
        false = _distinct(claim.statement.quote for claim in claims)
        return Verdict(None, "", false, f"no difference; {len(false)} claimed")
    matched, why, false_claims = "", "", []
    misses: list[str] = []
    for claim in claims:
        named, answer_fit, shown = _compare(difference, claim)
        if named.strength > 0 and answer_fit is Fit.YES and claim.firm:
            if not matched:
                matched, why = claim.statement.quote, f"element: {named.how}; {difference['kind']}: {shown}"
            continue
        false_claims.append(claim.statement.quote)
        if named.strength > 0:
            said = "not asserted" if answer_fit is Fit.YES else answer_fit.value
            misses[: 0 if answer_fit is Fit.AGAINST else len(misses)] = [f"element: {named.how}; {said}"]
    false = _distinct(false_claims)
    if matched and not any(miss.endswith(Fit.AGAINST.value) for miss in misses):
        return Verdict("correct", matched, false, why)
    return Verdict("wrong", "", false, misses[0] if misses else f"no claim names the element ({len(claims)} claims)")


def _compare(difference: Mapping[str, Any], claim: _Claim) -> tuple[Naming, Fit, str]:
    said, target = claim.statement, difference["target"]
    operator = OPERATORS.get(difference["kind"])
    if operator is None or not operator.rewrites:
        named = naming(said.text, said.masked, said.context, said.parents, target, beside=rule_of(difference).beside)
        if (here := at_box(said.text, difference.get("box"))) is not None:
            named = Naming(3, "its pixel coordinates") if here else Naming(-1, "other pixel coordinates")
        answer_fit, effect = decide(difference, claim.effects)
        return named, answer_fit, f"{answer_fit.value} ({effect.words!r})" if effect else answer_fit.value
    before, after = str(difference["before"] or ""), str(difference["after"] or "")
    answer_fit, words = wording.read(said.text, before, after)
    named = naming(said.text, said.masked, said.context, said.parents, target, (before, after))
    if answer_fit is not Fit.NO and (len(bare(words)) > 1 or named.strength > 0):
        # The changed words themselves are the surest name of the element, whatever it is called.
        named = Naming(3, f"has the changed words {words[:40]!r}")
    return named, answer_fit, f"{answer_fit.value} ({words!r})" if words else answer_fit.value


def _claims(answer: str, shown: tuple[str, ...]) -> list[_Claim]:
    """The statements that claim a concrete difference and are not taken back; `shown` are the element's words."""
    found: list[_Claim] = []
    spoken = statements(answer, shown)
    denied = any(speech.denies_all(said.masked) for said in spoken)
    for place, said in enumerate(spoken):
        told = _said_of_it(effects(said.masked), said.masked)
        alone = place == 0 or spoken[place - 1].item != said.item
        if _empty(said, effects(said.masked)) and speech.takes_back(
            said.masked, said.heading, not alone or not said.listed
        ):
            gone = bool(speech.turned(said.masked)) or speech.same(said.masked)
            found = _without(found, None if alone else said.item, gone)
            continue
        if speech.corrects(said.masked) or speech.denies_all(said.masked):
            found = []
        alike = speech.same(said.masked)
        if alike or _turned(said) or said.question:
            continue
        if denied and not said.listed and not speech.marks_change(said.masked):
            continue  # beside "both are the same", prose that marks no change describes the page
        if _changes(said, told):
            found.append(_Claim(said, told, not _governed(said, told, shown)))
    return found


def _empty(said: Statement, told: tuple[Effect, ...]) -> bool:
    """True for a statement that tells no effect and names nothing on the page."""
    effect = any(effect.kind not in ("change", "where", "other") for effect in told)
    times = {match.lastgroup for match in TIME.finditer(said.masked)}
    told_of = effect or MASK in said.masked or times == {"before"}
    return not told_of and not mentions(re.sub(_SHOTS, " ", said.masked))


_SHOTS = (
    r"\b(?:images?|pictures?|screenshots?|items?|bullets?|entry|entries|points?|lists?|copy|line|name|note)\b(?: \d)?"
)


def _without(found: list[_Claim], item: int | None, gone: bool) -> list[_Claim]:
    """The claims less those made in `item` (None: anywhere): gone altogether, or no longer firm."""
    kept = [claim for claim in found if item not in (None, claim.statement.item)]
    return kept if gone else [replace(claim, firm=claim.firm and claim in kept) for claim in found]


_IN_FIRST = re.compile(rf"\W*(?:{BEFORE}),")
_IN_SECOND = re.compile(r"\b(?:was|were|had|did|used|second|after|later|image 2|changed|modified|different)\b")
_ABSENT = re.compile(r"\b(?:absent|missing|without)\b")
_HAD_NOT = re.compile(r"(?:[:→]|\b(?:from|was|were|had|have|has|with)\b) ?((?:no|not|without|none|\w+n't)\b)(?! the\b)")
"""What was not there in one of the screenshots, which sets it apart from the other."""


def _turned(said: Statement) -> bool:
    """True when a word in the statement, its sentence or what stands over it turns the claim."""
    contrast = contrasted(said.masked) or ()
    if _IN_FIRST.match(said.masked) and not _IN_SECOND.search(said.masked):
        return True
    apart = [match.span(1) for match in _HAD_NOT.finditer(said.masked)]
    spare = tuple(span for span in apart if any(start <= span[0] < end for start, end in contrast))
    whole = speech.turned(said.whole, denials=False)
    over = any(speech.turned(text) or _ABSENT.search(text) for text in said.over)
    return over or bool(speech.turned(said.masked, spare) or whole)


def _governed(said: Statement, told: tuple[Effect, ...], shown: tuple[str, ...]) -> bool:
    """True when words that nothing accounts for stand over the claim: before its effect, or over the whole item."""
    starts = [effect.start for effect in told if effect.kind not in ("change", "where")]
    starts = starts or [effect.start for effect in told] or [len(said.masked)]
    text = " ".join(shown)
    words = set(re.findall(r"\w+", text))

    def named(match: re.Match[str]) -> str:
        own = match[0] in words or not match[0].isascii() and match[0] in text
        return MASK * len(match[0]) if own else match[0]

    tail = re.sub(r"\([^()]*\)?", " ", said.masked[min(starts) :])
    if re.search(r"[\u0370-\u1fff\u2e80-\udfff]", re.sub(r"\w+", named, tail)):
        return True
    return any(speech.governed(re.sub(r"\w+", named, over)) for over in (said.masked[: min(starts)], *said.over))


def _said_of_it(told: tuple[Effect, ...], masked: str) -> tuple[Effect, ...]:
    """Without states that only help to name the element, as in "the rounded button moved"."""
    return tuple(
        effect
        for effect in told
        if not effect.state or effect.kind in ("change", "where") or _PREDICATE.search(masked[: effect.start])
    )


def _changes(said: Statement, told: tuple[Effect, ...]) -> bool:
    """True when the statement says that something changed, and not only how something looks.

    In a list of differences every entry reports one, so there a state is a claim too.
    """
    kinds = {effect.kind for effect in told}
    if any(not effect.state for effect in told) or kinds == {"change", "where"}:
        return True
    states = [effect for effect in told if effect.kind not in ("change", "where")]
    if states and (said.listed or "change" in kinds):
        return True
    return sets_apart(said.masked)


def _distinct(quotes: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(quotes))


def rules_sha256() -> str:
    """Version of the rules: hash over their modules and tables, and over what they take from the operators' tables."""
    digest = hashlib.sha256(repr((RULES, SPREADS, NAMES)).encode())
    for path in sorted(path for path in Path(__file__).parent.iterdir() if path.suffix in (".py", ".txt")):
        body = path.read_bytes()
        digest.update(f"{path.name}\0{len(body)}\0".encode() + body)
    return digest.hexdigest()
