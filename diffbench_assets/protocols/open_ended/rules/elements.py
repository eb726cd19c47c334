"""Whether a statement names the changed element.

Belongs here: matching by words found on the page, by role (`roles.py`) and by place (`places.py`). Does not belong
here: what is said of the element. Principle: a reader finds an element by its words first, then by what it is and
where it is; a thing mentioned only to say where another thing stands is not the subject.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from rapidfuzz import fuzz

from diffbench_assets.protocols.open_ended.rules import speech
from diffbench_assets.protocols.open_ended.rules.lexicon import MASK, ROLES
from diffbench_assets.protocols.open_ended.rules.places import place_fits
from diffbench_assets.protocols.open_ended.rules.roles import (
    GENERIC_ROLES,
    MANY,
    WITH_WORDS,
    WITHOUT_WORDS,
    target_roles,
)
from diffbench_assets.protocols.open_ended.rules.statements import mask, quotations

_PART = re.compile(
    r"(?:text|label|border|outline|frame|ring|corners?|radius|background|colou?r|font|letters?|characters?|lines?"
    r"|padding|content|contents|edges?|opacity|shade|weight|size|spacing|gap"
    r"|side|end|part|bottom|top|left|right|strokes?|lettering|gradient|rounding|placeholder|width|height|bar|fill"
    r"|tint|tracking|kerning|leading|space|room|controls|items|buttons|links)$"
)
_LANDMARK = re.compile(
    r"(?:\bbeside|\bnext to|\bbelow|\babove|\bunder|\bunderneath|\bbeneath|\bnear|\badjacent to"
    r"|\bopposite|\bfrom|\baligned with|\bbetween|\bafter|\bbefore|\bover|\baround|\bcloser to|\bnearer to"
    r"|\bagainst|\bbeyond)"
    r"\s+(?:(?:the|its|their|a|an|this|that|first|second|section|main|page)\s+){0,3}(?:\w+\s+){0,1}[\"“'‘«「`]?$"
)
_BESIDE = re.compile(
    r"\b(?:the|an?) ((?:[\w-]+ ){1,3})(?:beside|next to|below|above|under|underneath|beneath|adjacent to|opposite)"
    r" (?:the )?[\"“'‘«「`]?$"
)
"""Something else, told by what it stands next to."""
_EDGE = re.compile(r"\b(?:line|border|divider|separator|rule|gap|space|bar|edge|room|margin)s?\b")
_INSIDE = re.compile(
    r"(?:\bin|\bon|\binside|\bwithin|\bat|\bacross|\binto)\s+(?:(?:the|its|their|a|an|this|that"
    r"|page|main|top|bottom|left|right|first|second|third)\s+){0,4}(?:\w+\s+){0,1}$"
)


_SAYS = re.compile(r"\b(?:is|are|was|were|has|have|had|looks?|appears?|seems?|now|became|moved|sits|got|gets|turned)\b")
_QUOTED_BEFORE = re.compile(rf"[\"“'‘«「`]?{MASK}+[\"”'’»」`]\s*$")
_OTHERS = re.compile(
    r"\b(?:(?:every|any)thing|nothing) else\b|\b(?:the rest|all (?:the )?others?"
    r"|(?<!each )(?:the )?(?<!each )others?\b)"
)


@dataclass(frozen=True, slots=True)
class Naming:
    """strength 3 by words on the page, 2 by role and place, 1 by role alone, 0 not named, -1 another element named."""

    strength: int
    how: str


def bare(text: str) -> str:
    """Letters and digits of `text`, compatibility forms folded, lower case, nothing else."""
    return "".join(
        char
        for char in unicodedata.normalize("NFKC", text).casefold()
        if char.isalnum() or unicodedata.category(char)[0] == "M"
    )


def same_words(said: str, shown: str) -> bool:
    """True when `said` quotes `shown`: equal, one the opening or a long part of the other, or a copying slip away."""
    one, two = bare(said), bare(shown)
    if not one or not two:
        return said.strip() == shown.strip()
    if one == two:
        return True
    short, long = sorted((one, two), key=len)
    wide = any(ord(char) > 0x2E7F for char in short)
    if long.startswith(short) and len(short) >= (2 if wide else 3):
        return len(short) >= 4 or wide or long == short
    if len(short) >= 6 and short in long and len(short) * 2 >= len(long):
        return True
    return len(short) >= 8 and not _digits_differ(one, two) and fuzz.ratio(one, two) >= 88


def _digits_differ(one: str, two: str) -> bool:
    return re.findall(r"\d+", one) != re.findall(r"\d+", two)


def words_of(target: Mapping[str, str | None]) -> str:
    return (target.get("text") or "").strip()


def naming(
    text: str,
    masked: str,
    context: tuple[str, ...],
    parents: tuple[str, ...],
    target: Mapping[str, str | None],
    also: tuple[str, ...] = (),
    beside: bool = False,
) -> Naming:
    """How a statement names `target`: by itself, or, when it names nothing, through the texts around it.

    `also` holds further words the element shows (its text before and after). `context` and `parents`, which the
    statement details, are nearest first. `beside`: the change also shows on what stands next to the
    element, so "the line below X" names X.
    """
    own = _named(text, masked, " ".join((*context, *parents)), target, also, beside)
    if own.strength > 2 or own.how == "other words":
        return own
    if any(_named(outer, mask(outer), "", target, also, beside).how == "other words" for outer in parents):
        return Naming(-1, "other words above")
    if own.strength > 0:
        return own
    if _OTHERS.search(masked):
        return Naming(-1, "everything else")
    part_only = own.strength == 0 or bool(_PART.search(own.how))
    if part_only:
        for around in (*context, *parents):
            outer = _named(around, mask(around), "", target, also, beside)
            if outer.strength > 0:
                return Naming(outer.strength, outer.how)
            if outer.strength < 0 and own.strength == 0:
                return outer
    return own


def _named(
    text: str, masked: str, around: str, target: Mapping[str, str | None], also: tuple[str, ...], beside: bool
) -> Naming:
    shown = tuple(words for words in (words_of(target), *also) if words)
    roles = target_roles(target.get("tag") or "", (target.get("role") or "").lower(), bool(words_of(target)))
    named = mentions(masked)
    subjects = {role for role, place in named if place == "subject"}
    quotes = quotations(text)
    hits = [(start, end, said) for start, end, said in quotes if any(same_words(said, words) for words in shown)]
    for start, end, said in hits:
        other = _BESIDE.search(text[:start])
        if other and not _EDGE.search(other[1]) and any(names.search(other[1]) for names in ROLES.values()):
            continue
        if not beside and _LANDMARK.search(text[:start]) and (other or (subjects and not subjects & roles)):
            continue
        shortened = all(bare(said) != bare(words) for words in shown)
        labels = {role for role, pattern in ROLES.items() if pattern.match(text[end:].lstrip(" ,")[:24])}
        if shortened and labels and not labels & roles and len(said.split()) < 2:
            continue
        return Naming(3, f"quotes {said!r}")
    for words in shown:
        place = _literal(words, masked)
        if place >= 0 and not (not beside and _LANDMARK.search(masked[:place]) and subjects and not subjects & roles):
            return Naming(3, f"has the words {words[:40]!r}")
    if quotes and not hits:
        return Naming(-1, "other words")
    if _shares_words(masked, shown):
        return Naming(2, "has words of its text")
    return _by_role(named, subjects, roles, masked, around, target)


def _by_role(
    said: list[tuple[str, str]],
    subjects: set[str],
    roles: frozenset[str],
    masked: str,
    around: str,
    target: Mapping[str, str | None],
) -> Naming:
    chosen = subjects or {role for role, place in said if place == "inside"} or {role for role, _ in said}
    own_role = (target.get("role") or "").lower()
    literal = own_role not in GENERIC_ROLES and re.search(rf"(?<!\w){re.escape(own_role)}s?(?!\w)", masked) is not None
    if not chosen and not literal:
        return Naming(0, "")
    location = (target.get("location") or "").lower()
    subject = _SAYS.split(masked, maxsplit=1)[0]
    fits = place_fits(subject, location)
    if fits is None:
        fits = place_fits(masked, location)
    if fits is None:
        fits = place_fits(around, location)
    if speech.names_otherwise(subject, " ".join((words_of(target), own_role)).lower()):
        return Naming(-1, "another name")
    if literal or chosen & roles:
        if fits is False:
            return Naming(-1, "another place")
        if fits:
            return Naming(2, "right kind of element in the right place")
        once = roles not in (WITH_WORDS, WITHOUT_WORDS) and roles - MANY or literal and own_role not in MANY
        return Naming(1 if once else 0, "the only such element" if once else "")
    return Naming(-1, " ".join(sorted(chosen)))


def mentions(masked: str) -> list[tuple[str, str]]:
    """(role, place) of each role named; place is subject, inside ("in the footer") or landmark ("below the title")."""
    found = []
    for role, pattern in ROLES.items():
        for match in pattern.finditer(masked):
            lead = masked[max(0, match.start() - 60) : match.start()]
            if _LANDMARK.search(_QUOTED_BEFORE.sub("", lead)):
                place = "landmark"
            elif _INSIDE.search(lead) or _REGION.match(masked[match.end() :]):
                place = "inside"
            elif re.search(
                r"\b(?:some|several|various|an?|any|of an|certain|few)\s+(?:\w+\s+)?$", lead
            ) and not re.search(r"\bhas an?\s+(?:\w+\s+)?$", lead):
                place = "indefinite"
            else:
                place = "subject"
            found.append((role, place))
    return [mention for mention in found if mention[1] != "indefinite"]


_REGION = re.compile(r"[^:\"“«]{0,30}: .")
"""What follows the name of a part of the page that only says where to look: "Header, top right: …"."""


def _literal(words: str, masked: str) -> int:
    """Where the page's words stand unquoted in a statement, or their first four, else -1."""
    sought = re.sub(r"\s+", " ", words).strip().lower()
    for attempt in (sought, " ".join(sought.split()[:4]) if len(sought.split()) > 4 else ""):
        if len(bare(attempt)) < (1 if any(ord(c) > 0x2E7F for c in attempt) or not attempt.isalpha() else 3):
            continue
        pattern = re.escape(attempt).replace("\\ ", "[ -]")
        match = re.search(rf"(?<!\w){pattern}(?!\w)" if attempt.isascii() else pattern, masked)
        listed = match and re.search(r"\([^()]*$", masked[: match.start()])
        if match and (listed or attempt not in _COMMON):
            return match.start()
    return -1


_COMMON = frozenset(
    ["new", "now", "home", "more", "less", "bold", "text", "link", "open", "old", "top", "sale", "menu"]
)
"""Short words that occur in descriptions anyway; they name an element only when quoted."""


def _shares_words(masked: str, shown: tuple[str, ...]) -> bool:
    """True when two or more long words of the element's text stand in the statement, side by side or most of them."""
    said = set(re.findall(r"\w{4,}", masked))
    for words in shown:
        long = [word for word in re.findall(r"\w{4,}", words.lower())]
        shared = [word for word in long if word in said]
        if len(shared) >= 2 and (len(shared) * 2 >= len(long) or " ".join(shared[-2:]) in masked):
            return True
    return False
