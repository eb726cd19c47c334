"""Whether a statement asserts what it says: what stands over a claim, what turns it, and what takes it back.

A claim counts only in an assertive clause. So every word over it, up to the word for the change, has to be accounted
for: as the name of an element, a place, a thing on the page, or a word that can turn nothing (`plain` in the lexicon);
and no word that turns claims (`turners`) may stand in its sentence, but where a phrase uses it up ("no longer").
Belongs here: speech acts. Does not belong here: what is claimed, of what.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from diffbench_assets.protocols.open_ended.rules.colors import named_tones
from diffbench_assets.protocols.open_ended.rules.gloss import foreign
from diffbench_assets.protocols.open_ended.rules.lexicon import AFTER, ASPECTS, BEFORE, MASK, ROLES, WORDS, table

_PLAIN: Final = {name: re.compile(words) for name, words in table("plain")}
_LEADS: Final = ("articles", "joining", "places", "degree", "things")
_FOLLOWS: Final = ("places", "being", "seeing", "degree", "things")
"""Plain words that the name of a thing may follow, and those that may follow it."""
_TURNERS: Final = {name: re.compile(rf"(?<![\w-])(?:{words})(?![\w-])") for name, words in table("turners")}
_TURNER: Final = re.compile("|".join(pattern.pattern for pattern in _TURNERS.values()))
_NO_DENIAL: Final = re.compile("|".join(pattern.pattern for name, pattern in _TURNERS.items() if name != "denied"))
_OR: Final = re.compile(r"(?<![\w-])(\w+)(?: \w+ing)?\W{1,3}or (?:an? |the |its )?(\w+)")
_ANYTHING: Final = re.compile(r"(?:text|mark|element|thing|area|part|word|label|icon|symbol)s?$")
_DEGREE: Final = re.compile(r"(?:\d|one|two|three|few|so|pixel|slight|subtl|tiny)")
_ACTS: Final = {
    name: re.compile(patterns.replace("{BEFORE}", BEFORE).replace("{AFTER}", AFTER)) for name, patterns in table("acts")
}
_TOKEN: Final = re.compile(rf"{MASK}+|\w[\w'’.%-]*|[^\w\s]")
_OPENS: Final = frozenset(",:;–—-([→|/\"“'‘«「`*#>•&+")
_KNOWN: Final = re.compile(
    "|".join(
        pattern.pattern
        for pattern in (*(word.pattern for word in WORDS), *(aspect for _, aspect in ASPECTS), *ROLES.values())
    )
)
_PAGE_SCRIPT: Final = re.compile(r"[\u0370-\U0001ffff]")
"""Letters that English is not written in: words from the page, when they are not words over a claim."""
_WHERE: Final = re.compile("in|on|at|under|above|below|beside|behind|inside|within|near|between|across|of|over|next")


@lru_cache(maxsize=4096)
def same(masked: str) -> bool:
    """True when the statement says that something looks alike in both screenshots."""
    return bool(_ACTS["same"].search(masked)) and not _ACTS["not same"].search(masked)


def denies_all(masked: str) -> bool:
    """True for the claim that the screenshots as a whole do not differ."""
    return (
        bool(_ACTS["all"].search(masked))
        and not _ACTS["rest"].search(masked)
        and (same(masked) or bool(re.search(r"\b(?:no|not|any|nothing|zero)\b|n't\b", masked)))
    )


def marks_change(masked: str) -> bool:
    """True when the statement sets one screenshot against the other in so many words, or weighs the change."""
    return bool(_ACTS["cue"].search(masked))


@lru_cache(maxsize=4096)
def turned(text: str, spare: tuple[tuple[int, int], ...] = (), denials: bool = True) -> str:
    """The first word of `text` that turns a claim, "" when none does; what `spare` covers is used up by a contrast."""
    spent = [match.span() for match in _ACTS["used up"].finditer(text)] + [*spare]
    for match in (_TURNER if denials else _NO_DENIAL).finditer(text):
        if any(start <= match.start() and match.end() <= end for start, end in spent):
            continue
        if not any(start <= match.start() and match.end() <= end for start, end in _holding(text)):
            return match.group(0)
    if _ACTS["backward"].search(text):
        return "backward"
    for match in _OR.finditer(text):
        if not _alike(match.group(1), match.group(2)):
            return "or"
    return "or" if re.search(rf"^\W{{0,9}}or\b|{MASK}\W{{1,4}}or\b|\bor\W{{1,4}}{MASK}", text) else ""


@lru_cache(maxsize=1024)
def _holding(text: str) -> tuple[tuple[int, int], ...]:
    """Spans of words for changes that hold a turning word themselves: "barely visible", "opposite ends", "says"."""
    return tuple(
        match.span()
        for word in WORDS
        if word.kind != "change"
        for match in word.pattern.finditer(text)
        if word.kind != "text" or re.match(rf"\W{{0,3}}{MASK}", text[match.end() :])
    )


def _alike(one: str, other: str) -> bool:
    """Whether "one or other" only looks for a word: two names of a kind of element or aspect, or two sizes."""
    if any(words.match(one) and words.match(other) for words in (_DEGREE, _ANYTHING)):
        return True
    patterns = (*ROLES.values(), *(pattern for _, pattern in ASPECTS))
    return any(pattern.fullmatch(one) and pattern.fullmatch(other) for pattern in patterns)


@lru_cache(maxsize=4096)
def governed(text: str) -> str:
    """The first word of `text`, which stands over a claim, that nothing accounts for; "" when there is none.

    Words that nothing accounts for may name a thing on the page, where they are led in and followed as a noun is.
    """
    text = re.sub(r"\([^()]*\)?", " ", text)
    known = [match.span() for match in _KNOWN.finditer(text)] + [(start, end) for start, end, _ in named_tones(text)]
    tokens = [(token := match.group(0), _sort(token, match.start(), known)) for match in _TOKEN.finditer(text)]
    at = 0
    while at < len(tokens):
        end = at
        while end < len(tokens) and tokens[end][1] == "unknown":
            end += 1
        if end > at and not _names(tokens, at, end):
            return " ".join(token for token, _ in tokens[at:end])
        at = max(end, at + 1)
    return ""


def names_otherwise(text: str, words: str) -> bool:
    """True when `text` calls a thing by a name that is not among the target's `words`: in parentheses, or in letters of
    a language that no answer is read in."""
    known = [match.span() for match in _KNOWN.finditer(text)]
    aside = [match.span() for match in re.finditer(r"\([^()]*\)?", text)]
    for match in _TOKEN.finditer(text):
        token, at = match.group(0), match.start()
        foreign = bool(_PAGE_SCRIPT.match(token)) and token[0].isalpha() and token[0] != MASK
        inside = token[0].isalnum() and any(start < at < end for start, end in aside)
        if (foreign or inside and _sort(token, at, known) in ("unknown", "opens")) and token.rstrip(".") not in words:
            return True
    return False


def _sort(token: str, at: int, known: list[tuple[int, int]]) -> str:
    """What sort of word it is: known (of a change or a thing on a page), opens, closes, unknown, or a plain one."""
    if token in ("a", "an", "the"):
        return "articles"
    if any(start <= at < end for start, end in known) or token[0] == MASK:
        return "known"
    if not token[0].isalpha():
        return "closes" if token in ").]!?…%" else "opens" if token in _OPENS or token[0].isdigit() else "known"
    word = re.sub(r"['’]s?$|\.+$", "", token)
    return next((name for name, pattern in _PLAIN.items() if pattern.fullmatch(word)), "unknown")


def _names(tokens: list[tuple[str, str]], at: int, end: int) -> bool:
    """Whether the unknown words from `at` to `end` are the name of a thing."""
    run = [token for token, _ in tokens[at:end]]
    if len(run) > 4 or any(re.search(r"(?:ed|ly)$|[\u0370-\U0001ffff]", word) or foreign(word) for word in run):
        return False
    if at and not any(sort == "known" for _, sort in tokens[:at]):
        # An opening phrase tells a place, or else on what terms the rest is said.
        leads = [token for token, sort in tokens[:at] if sort == "places" or token in ("for", "with", "by", "to")]
        if leads and (not _WHERE.fullmatch(leads[-1]) or tokens[at - 1][0] in ("a", "an", leads[-1])):
            return False
    led = at == 0 or tokens[at - 1][1] in ("known", "opens", "closes", *_LEADS)
    if end == len(tokens):
        return led
    word, sort = tokens[end]
    if word in ("that", "-") or word == ":" and not any(sort == "known" for _, sort in tokens[:at]):
        return False
    if at == 0 and (word == "," or sort == "places" and not _WHERE.fullmatch(word)):
        return False
    if at == 0 and len(run) == 1 and (word in "\"“„'«" or word[0] == MASK):
        return False
    return led and sort in ("known", "opens", "closes", *_FOLLOWS)


def takes_back(masked: str, heading: bool, within: bool) -> bool:
    """True for a statement without content of its own that does not let what was said before stand.

    `within`: it goes on in the paragraph or list item that the claim is made in. There it has to say something about
    differences in words that are all accounted for; elsewhere a word has to turn it.
    """
    if heading or _ACTS["rest"].search(masked) or _ACTS["closing"].search(masked):
        return False
    if turned(masked) or same(masked):
        return True
    return within and (bool(governed(masked)) or not _ACTS["about"].search(masked))


def corrects(masked: str) -> bool:
    """True when the statement says that something said before was wrong."""
    return bool(_TURNERS["taken back"].search(_ACTS["used up"].sub(" ", masked)))
