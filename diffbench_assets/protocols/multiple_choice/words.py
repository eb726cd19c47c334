"""A cleaned answer as a row of words with their roles.

Belongs here: where a word begins and ends, in any script, and whether "A" is a letter or an article. Does not belong
here: the words themselves (`phrases.py`), and what they say together (`parse.py`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from diffbench_assets.protocols.multiple_choice import phrases as say
from diffbench_assets.protocols.multiple_choice.plain import AMBIGUOUS, LETTERS, MARKED, QUOTED, SPACELESS

LETTER, TEXT = "L", "T"
"""Roles of a letter, and of an option's text."""


def _known(pattern: str) -> str:
    """The words in which `pattern` is found, the longest first."""
    known = (re.escape(word) for word in say.ROLES if re.search(pattern, word))
    return "|".join(sorted(known, key=len, reverse=True))


_TOKEN: Final = re.compile(
    r"(?P<none>\b(?i:(?:none|neither|all|both)\s+of\s+(?:the\s+(?:above|options|statements|choices|answers|four)|these|them))\b)"
    rf"|(?P<letter>(?<!{LETTERS})(?<!{LETTERS}[.'-])(?:[A-HJ-Za-d]|[{MARKED}])(?!{LETTERS})(?!['.+#%°-]{LETTERS})(?![+#%°]))"
    rf"|(?P<text>[{QUOTED}{AMBIGUOUS}])"
    rf"|\b(?P<phrase>(?i:{_known(' ')}))\b"
    rf"|(?P<run>(?=[{SPACELESS}])(?:{_known(f'^[{SPACELESS}]')}|.))"
    rf"|(?P<word>{LETTERS}+(?:['.-]{LETTERS}+)*)"
    r"|(?P<point>[\n.!?;:,)=&/-])"
)
_POINTS: Final = {"!": ".", ";": ".", ")": ",", ":": say.LINK, "=": say.LINK, "&": say.AND, "/": say.OR}
_CONTRACTED: Final = re.compile(r"\b(it|that|this|answer|option|choice|c)(?:'s\b|'(?=est\b))", re.IGNORECASE)
_FORCED: Final = re.compile(
    r"\bif\s+(?:(?:i|we|you)\s+(?:had|have|must|need|were)\s+(?:to\s+)?\w+|(?:forced|pressed|anything)\b)",
    re.IGNORECASE,
)
"""No condition: "if I had to choose"."""
_ELIDED: Final = re.compile(r"^(?:l|d|j|n|s|m|qu|dell|all|nell|un|quell)'")
_NOT_ENGLISH: Final = frozenset({"ist", "est", "es", "é", "è"})
"""Before an "A" that is therefore no article."""
_AFTER_A_LETTER: Final = frozenset(
    ",.?\n-" + TEXT + say.AFTER + say.AND + say.OR + say.REASON + say.SO + say.BUT + say.NOT + say.NOR
)
"""Roles of what may follow a letter that could be a word: "a", "E", "O"."""
_AFTER_A: Final = _AFTER_A_LETTER | set(LETTER + say.IT + say.OF + say.LINK + say.TRULY + say.VERB)
"""The same for "A"; what else follows makes it an article."""


class Word(NamedTuple):
    """`name`: of a letter A to Z, of an option's text A to D, or "" for none or several of them. `stops`: a clause ends
    here, whatever follows."""

    role: str
    text: str
    name: str = ""
    stops: bool = False


def words(text: str) -> list[Word]:
    """The words of a cleaned answer (`plain.cleaned`), in order. What has no say is left out."""
    text = _CONTRACTED.sub(lambda found: found[1] + ("e " if found[1] in "cC" else " is"), _FORCED.sub(" ", text))
    matches = list(_TOKEN.finditer(re.sub(r"\b(vs)\.", r"\1", text, flags=re.IGNORECASE)))
    found: list[Word] = []
    for at in reversed(range(len(matches))):
        follows = found[-1] if found else Word("\n", "")
        before = matches[at - 1][0] if at else ""
        found.append(_word(str(matches[at].lastgroup), matches[at][0], before, follows))
    return found[::-1]


def _word(kind: str, text: str, before: str, follows: Word) -> Word:
    if kind == "point":
        return Word(_POINTS.get(text, text), text)
    if kind == "none":
        return Word(LETTER, text)
    opens = follows.text[:1].isupper() and follows.role not in LETTER + say.LINK + say.VERB + say.TRULY
    if kind == "text":
        return Word(TEXT, text, "" if text == AMBIGUOUS else "ABCD"[QUOTED.index(text)], opens)
    if kind == "letter" and text in MARKED:
        return Word(LETTER, text, chr(65 + MARKED.index(text)), opens)
    if kind == "letter" and (
        text not in "AEIOUYa"
        or text == "A"
        and (
            _role(before.casefold()) == say.NAME
            or before.casefold() in _NOT_ENGLISH
            or follows.role in _AFTER_A
            or follows.text >= "\u0e00"
        )
        or follows.role in _AFTER_A_LETTER
        or follows.text == ":"
    ):
        return Word(LETTER, text, text.upper())
    return Word(_role(text.casefold()), text)


@lru_cache(4096)
def _role(word: str) -> str:
    known = say.ROLES.get(word) or say.ROLES.get(_ELIDED.sub("", word))
    return known or (say.NOT if word.endswith("n't") else say.UNKNOWN)


def texts_as_letters(found: list[Word]) -> list[Word]:
    """The same words, of which options' texts are the letters: but for those that a letter labels."""
    instead: list[Word] = []
    labels = False
    for word in found:
        if word.role == TEXT:
            instead.append(word._replace(role=say.UNKNOWN if labels else LETTER))
        elif word.role == LETTER:
            instead.append(word._replace(role=say.GLUE, name=""))
        else:
            instead.append(word)
        labels = word.role == LETTER or labels and word.text in ".:)-,"
    return instead
