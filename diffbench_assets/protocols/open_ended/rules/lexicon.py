"""The tables of `lexicon.txt`, compiled: words of visual change, what they can be about, names of elements.

Belongs here: reading the tables, and words that place a statement in one of the screenshots. Does not belong here: how
words combine (`effects.py`), what an operator accepts (its row in `pairs/css/operators`).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

_FILE: Final = Path(__file__).parent / "lexicon.txt"
_STANDS_FOR: Final = {
    "{MOVED}": r"(?:mov|shift|nudg|push|slid|displac|reposition|relocat|offset|translat|dropp|jump|lowered|rais|drift"
    r"|pull|plac|position|locat|sit|align|go|gone|brought|tilt|hang|slip)\w*",
    "{GAP}": r"(?:(?!not|instead|rather|than|from|since|because|so\b)[\w%~]+[ ,]+){0,9}?",
}


MASK: Final = "\ue000"
"""Stands for every character inside quotation marks, so that quoted page text is never read as a claim."""

QUOTES: Final = re.compile(
    r"\"([^\"\n]{1,300})\"|“([^”\n]{1,300})”|„([^“”\n]{1,300})[“”]|«([^»\n]{1,300})»|「([^」\n]{1,300})」"
    r"|『([^』\n]{1,300})』|`([^`\n]{1,300})`|‘([^’\n]{1,300})’(?!\w)|(?<!\w)'([^'\n]{1,300})'(?!\w)"
)


class Word(NamedTuple):
    """One row of words. `state` words describe how something is and claim a change only in company."""

    kind: str
    sign: int
    pattern: re.Pattern[str]
    state: bool


def table(section: str, text: str = _FILE.read_text()) -> list[tuple[str, str]]:
    """(name, alternatives) of each row of a section."""
    body = text.split(f"\n[{section}]\n", 1)[1].split("\n[", 1)[0]
    lines = [line for line in body.split("\n") if line.strip() and not line.startswith("#")]
    rows = re.split(r"\n(?!\s)|\s;\s", "\n".join(lines))
    found = (re.sub(r"\s+", " ", row).partition(": ") for row in rows)
    return [(name, re.sub(r" ?\| ?", "|", alternatives)) for name, _, alternatives in found]


def _pattern(alternatives: str) -> re.Pattern[str]:
    for name, meaning in _STANDS_FOR.items():
        alternatives = alternatives.replace(name, meaning)
    return re.compile(rf"(?<![\w-])(?:{alternatives})(?![\w])")


def _word(name: str, alternatives: str) -> Word:
    kind, sign, *state = name.split()
    return Word(kind, int(sign), _pattern(alternatives), bool(state))


WORDS: Final = tuple(_word(*row) for row in table("words"))
ASPECTS: Final = tuple((name, _pattern(alternatives)) for name, alternatives in table("aspects"))
ROLES: Final = {name: re.compile(rf"(?<![\w-])(?:{names})(?![\w-])") for name, names in table("roles")}

ANY_WORD: Final = re.compile("|".join(word.pattern.pattern for word in WORDS if word.kind != "where"))
"""Any word that claims an effect; a place alone does not."""

SCALES: Final[dict[str, list[tuple[re.Pattern[str], float]]]] = {}
for _name, _alternatives in table("scales"):
    _kind, _value = _name.split()
    SCALES.setdefault(_kind, []).append((re.compile(rf"(?<![\w-])(?:{_alternatives})(?!\w)"), float(_value)))

_SHOT = r"(?:image|screenshot|picture|version|state|one|shot|page|view|frame|capture)"
BEFORE: Final = (
    rf"(?:in |on )?(?:the )?(?:before|first|original|initial|earlier|previous|prior|old|left-hand|1st)[ -]{_SHOT}"
    r"|(?:image|screenshot|picture|version|img) ?(?:1|a|one|#1)|in the (?:first|original|initial)"
    r"(?=\W*$|[,;.)]| (?:it|they)\b)"
    r"|at first|before|previously|originally|initially|formerly|earlier(?! (?:on|in) the (?:line|row))"
    r"|used to be|used to"
)
AFTER: Final = (
    r"(?:in |on )?(?:the )?(?:after|second|modified|changed|edited|later|latter|updated|new|2nd|right-hand"
    rf"|other)[ -]{_SHOT}"
    r"|(?:image|screenshot|picture|version|img) ?(?:2|b|two|#2)|in the (?:second|new|latter)"
    r"(?=\W*$|[,;.)]| (?:it|they)\b)"
    r"|after(?= *[:=,.]|$)|afterwards|now|currently|at present|presently"
)
"""Words that place a statement in the first or the second screenshot."""


def spellings() -> frozenset[str]:
    """Every word that the tables spell out."""
    rows = [row for name in ("words", "aspects", "roles", "scales", "plain", "turners") for row in table(name)]
    phrases = {phrase for _, alternatives in rows for phrase in _spelt_out(alternatives)}
    return frozenset(word for phrase in phrases for word in re.findall(r"(?<![a-z_])[a-z]+(?![a-z_])", phrase))


def _spelt_out(pattern: str) -> set[str]:
    """What a pattern of letters, optional parts and alternatives may stand for; what else it holds is left out."""
    pattern = re.sub(r"\(\?(?:<?[!=])[^()]*(?:\([^()]*\)[^()]*)*\)|\\[db]|\{\w+\}", " ", pattern)
    pattern = re.sub(r"\\w[*+]?", "_", pattern)
    while (group := re.search(r"\((?:\?:)?([^()]*)\)(\?|\{[\d,]+\}\??)?|\[([^\]]*)\](\?)?", pattern)) is not None:
        options = group[1].split("|") if group[1] is not None else [*group[3]]
        options += [""] if group[2] or group[4] else []
        start = max(pattern.rfind("|", 0, group.start()), pattern.rfind("(", 0, group.start()), -1) + 1
        ends = [at for at in (pattern.find("|", group.end()), pattern.find(")", group.end())) if at >= 0]
        end = min(ends, default=len(pattern))
        head, tail = pattern[start : group.start()], pattern[group.end() : end]
        pattern = pattern[:start] + "|".join(head + option + tail for option in options) + pattern[end:]
    found = set()
    for phrase in pattern.split("|"):
        found |= {re.sub(r"\w\?", "", phrase), phrase.replace("?", "")}
    return found
