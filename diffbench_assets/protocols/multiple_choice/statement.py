"""What one English statement about two images says, as words: its subject, what is said of it, and the value before.

Belongs here: sentence forms, words brought to one spelling, and the words any statement may use. Does not belong here:
which statements are kept (`filters.py`). Reading is by words alone, without a language model, so that it is the same
every time; where it is unsure the filters drop rather than keep.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from diffbench_assets.pairs.grammar import CHANGES, PHRASINGS

_SUBJECT, _PREDICATE = "{subject}", "{predicate}"
_FORMS: Final = tuple(
    re.compile(re.escape(form).replace(re.escape(f"{_SUBJECT} {_PREDICATE}"), "(.+)"), re.IGNORECASE)
    for form in PHRASINGS
)
QUOTED: Final = re.compile(r'“([^“”]*)”|"([^"]*)"|„([^„“]*)“|«([^«»]*)»|‘([^‘’]*)’|(?<!\w)\'([^\']*)\'(?!\w)')
_TOKEN: Final = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*|[^\w\s“”]")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_VERBS: Final = _set(
    "is are was were has have had reads read appears appear looks look seems seem shows show becomes become became "
    "sits sit stands stand lies lie faces face points point"
)
_FILLERS: Final = _VERBS | _set(
    "a an the this that these those it its their his her there here of at in on to from by with for as than and or but "
    "while near next beside behind between under above below over into onto around against "
    "be been being now also further farther very slightly somewhat much noticeably clearly instead "
    "moved shifted relocated positioned placed located turned rotated changed color tint tone hue size "
    "throughout overall one which who whose same"
)
_ATTRIBUTE_FOLLOWS: Final = _set("is are was were been looks appears seems becomes became now")
_SAME: Final = {
    spelling: canonical
    for canonical, spellings in {
        "removed": "missing gone disappeared vanished absent deleted erased",
        "added": "appeared new inserted introduced",
        "larger": "bigger enlarged grown",
        "smaller": "shrunk shrunken tinier",
        "brighter": "lighter brightened lightened",
        "darker": "dimmer darkened dimmed",
        "left": "leftward leftwards",
        "right": "rightward rightwards",
        "higher": "up upward upwards upper",
        "down": "lower downward downwards",
        "counterclockwise": "anticlockwise counter-clockwise anti-clockwise",
        "grainier": "noisier grainy noisy",
        "smoother": "softer blurrier blurred blurry",
        "crisper": "sharper crisp sharpened",
        "rounder": "rounded",
        "bolder": "heavier",
        "gray": "grey greyish grayish",
        "red": "reddish redder",
        "green": "greenish greener",
        "blue": "bluish bluer",
        "yellow": "yellowish yellower",
        "color": "colour",
    }.items()
    for spelling in spellings.split()
}
_PHRASES: Final = tuple(
    (re.compile(pattern), word)
    for pattern, word in (
        (r"can no longer be seen", "is removed"),
        (r"no longer (?:visible|there|present|shown|seen|in view)", "removed"),
        (r"not (?:visible|there|present)(?: any ?more)?", "removed"),
        (r"less (?:grainy|noisy|noise|grain)", "cleaner"),
        (r"more (?:grainy|noisy|noise|grain)", "grainier"),
        (r"(?:increased|grown) in size", "larger"),
        (r"(?:decreased|shrunk) in size", "smaller"),
        (r"counter clockwise|anti clockwise", "counterclockwise"),
    )
)
_COMMON: Final = (
    "image picture photo scene page left right top bottom center middle corner edge side upper lower foreground "
    "background front back near far close red orange yellow green blue cyan magenta purple violet pink brown "
    "black white gray gold golden silver beige teal navy turquoise maroon olive tan cream dark light bright pale "
    "wooden metal plastic glass stone paper leather fabric striped dotted plain patterned round square triangular "
    "rectangular oval circular tall short wide narrow long thick thin large small big open closed empty full "
    "upright tilted upside one two three four five six seven eight nine ten several pair text word letter digit "
    "number border corner shadow outline brightness contrast saturation lighting light noise grain texture "
    "surface detail sharpness resolution quality direction angle height width shape pattern strokes warm cool "
    "warmer cooler clockwise blurry grainy smooth taller shorter wider narrower longer thicker thinner closer"
)


@dataclass(frozen=True)
class Statement:
    """Content words of one statement, quoted texts as “…” in their own spelling.

    `subject` is what it speaks of, `value` what it says of that, `former` the value it says was there before.
    `form` is the number of the phrasing in claims.PHRASINGS, None for another one.
    """

    form: int | None
    subject: frozenset[str]
    value: frozenset[str]
    former: frozenset[str]
    heads: frozenset[str]
    """Last words of its noun phrases."""
    quotes: frozenset[str]
    plain: str
    """Lower-case text without the form and with the quoted texts as “…” only: for patterns."""

    @property
    def words(self) -> frozenset[str]:
        return self.subject | self.value | self.former

    def says(self, other: Statement) -> bool:
        """Whether one of the two says all that the other does, so that they can only be true or false together."""
        return all(
            one <= two or two <= one
            for one, two in ((self.subject, other.subject), (self.value, other.value), (self.former, other.former))
        )

    def resembles(self, other: Statement) -> bool:
        """Whether they differ in one of subject, value and value before, or in none."""
        return (self.subject == other.subject) + (self.value == other.value) + (self.former == other.former) > 1


def read(text: str) -> Statement | None:
    """The statement in `text`; None when it has no subject or no verb."""
    core, form = _without_form(clean(text))
    tokens, quotes = _tokens(core)
    verb = next((i for i, token in enumerate(tokens) if token in _VERBS and _content(tokens[:i])), None)
    if verb is None:
        return None
    subject, predicate = tokens[:verb], tokens[verb + 1 :]
    value, former = _values(predicate)
    if not _content(value) and not _content(former):
        return None
    heads = frozenset(_heads(tokens))
    return Statement(form, _content(subject), _content(value), _content(former), heads, quotes, plain(core))


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Every word of `texts` but the most common, in one spelling, and every quoted text."""
    return frozenset().union(*(_content(_tokens(_without_form(clean(text))[0])[0]) for text in texts))


def clean(text: str) -> str:
    """`text` in Unicode's compatibility form, which has no “…” of one character, with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def plain(text: str) -> str:
    """`text` in lower case, its quoted texts as “…” only and some phrases as one word: for patterns."""
    lowered = QUOTED.sub(" “…” ", clean(text)).casefold()
    for pattern, word in _PHRASES:
        lowered = pattern.sub(word, lowered)
    return " ".join(lowered.split())


def _without_form(text: str) -> tuple[str, int | None]:
    for number, form in enumerate(_FORMS):
        if found := form.fullmatch(text):
            return found[1], number
    return text, None


def _tokens(text: str) -> tuple[list[str], frozenset[str]]:
    """(words, quoted texts and punctuation, each in one spelling; the quoted texts alone)."""
    found = QUOTED.finditer(text)
    quotes = [f"“{next(group for group in quote.groups() if group is not None).strip()}”" for quote in found]
    places = iter(quotes)  # Only `plain` writes “…”, once for each.
    tokens = [next(places) if token == "…" else _spelling(token) for token in _TOKEN.findall(plain(text))]
    return tokens, frozenset(quotes)


def _spelling(word: str) -> str:
    word = re.sub(r"(?<=\w)[’']s?$", "", word)
    word = _SAME.get(word, word)
    if word in _FILLERS or len(word) < 4 or word.endswith(("ss", "us", "is")) or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("ches", "shes", "xes", "sses")) else word[:-1]


def _is_content(token: str) -> bool:
    return token not in _FILLERS and (token.startswith("“") or token[0].isalnum())


def _content(tokens: Iterable[str]) -> frozenset[str]:
    return frozenset(filter(_is_content, tokens))


def _values(predicate: list[str]) -> tuple[list[str], list[str]]:
    """(value, value before) of a predicate: “B instead of A”, “from A to B”, or a value alone."""
    if "and" in predicate and {"brighter", "darker"} <= set(predicate):
        parts = " ".join(predicate).split(" and ")  # Light on one side says shade on the other.
        predicate = next(part for part in parts if "brighter" in part).split()
    for i, token in enumerate(predicate):
        if token == "instead" and predicate[i + 1 : i + 2] == ["of"]:
            return predicate[:i], predicate[i + 2 :]
        if token == "from" and "to" in predicate[i:]:
            to = predicate.index("to", i)
            return predicate[:i] + predicate[to + 1 :], predicate[i + 1 : to]
    return predicate, []


def _heads(tokens: list[str]) -> Iterator[str]:
    """The last word of each run of content words, unless it is one word that is said of something with no article."""
    run: list[str] = []
    before: tuple[str, str] = ("", "")
    for token in [*tokens, "."]:
        if _is_content(token) and not token.startswith("“"):
            run.append(token)
            continue
        is_attribute = before[1] in _ATTRIBUTE_FOLLOWS or before == ("instead", "of")
        if run[:1] in (["more"], ["less"]):
            run = run[1:]
        if run and not (len(run) == 1 and is_attribute):
            yield run[-1]
        before = ("" if run else before[1], token)
        run = []


COMMON: Final = words_of([_COMMON, *(change.predicate.format(before="", after="") for change in CHANGES.values())])
"""Words that any statement may use: places, colors, materials, numbers and what a claim can say."""
