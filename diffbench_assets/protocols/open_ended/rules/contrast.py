"""Statements that set the first screenshot against the second.

Belongs here: finding what is said of the one and of the other ("from A to B", "A → B", labels, "B instead of A").
Does not belong here: what the two states mean.
"""

from __future__ import annotations

import re
from functools import lru_cache

from diffbench_assets.protocols.open_ended.rules.lexicon import AFTER, BEFORE, MASK

Spans = tuple[tuple[int, int], tuple[int, int]]
"""(start, end) of what is said of the first screenshot, and of the second."""

TIME = re.compile(rf"(?<![\w-])(?:(?P<before>{BEFORE})|(?P<after>{AFTER}))(?![\w-])")
_FROM_TO = re.compile(r"(?<!\w)from (?P<a>.{1,120}?) (?:(?:in)?to|towards?) (?P<b>.{1,160})$")
_RUNS = re.compile(
    r"\b(?:gradient|blend(?:s|ing)?|rang(?:es|ing)|runs?|running|transition(?:s|ing)?|fad(?:es"
    r"|ing)|goes|visible|away|apart|far)\s*$"
)
_BECAME = re.compile(
    r"(?P<a>.{1,160}?)\s(?:is now|are now|now (?:reads?|says?|shows?)|became|becomes|turned into|(?:was |were "
    r"|is |has been |have been )?(?:changed|updated|replaced|substituted|renamed|edited|corrected|altered|switched)"
    r" (?:in)?(?:to|by|with)(?: read| say)?)\s(?P<b>.{1,160})$"
)
_ARROW = re.compile(r"(?P<a>[^→;:(]{1,160})→(?P<b>[^→;]{1,160})")
_LABELS = re.compile(
    rf"(?<![\w-])(?:{BEFORE})\s*[:=–-]\s*(?P<a>.{{1,300}}?)[;,.(]?\s*(?<![\w-])(?:{AFTER}"
    rf"|after)\s*[:=–-]\s*(?P<b>.{{1,300}})"
)
_INSTEAD = re.compile(
    r"(?P<b>.{1,160}?)(?:,? instead of |,? rather than |[(,;–—-] ?(?:it |they )?(?:was|were"
    r"|had been|before|originally) |,? where (?:it|there|they) (?:showed|said|read|was|had) "
    r"|,? where (?:earlier|before|previously|formerly) (?:it |they |there )?"
    r"|,? \(?(?:it |they )?(?:used to be|previously|formerly|up from"
    r"|down from) )(?P<a>.{1,160})$"
)
_BUT_NOW = re.compile(
    r"\b(?:was|were|had|used to be|used to|changed from|from|formerly|previously|once)\s(?P<a>.{1,160}?)"
    r"(?:;|,|\band\b|\bbut\b|→|\bwhile\b|\bwhereas\b).{0,60}?\b(?:is|are|now|after|became|has|have)\b(?P<b>.{0,160})$"
)
_LEADS = re.compile(r"(?:^|[,;:.–—-])\W*(?:in|on|the|\s)*$")
_ENDS = re.compile(r"\W*(?:$|[,;.)])")


def sets_apart(text: str) -> bool:
    """True when two unequal states stand side by side: a table row, labels, an arrow, two quotations or numbers."""
    contrast = contrasted(text)
    if contrast is None or says_equal(text, contrast):
        return False
    shown = all(re.search(rf"[{MASK}\d]", text[start:end]) for start, end in contrast)
    return shown or bool(_LABELS.search(text) or _ARROW.search(text))


@lru_cache(maxsize=4096)
def contrasted(text: str) -> Spans | None:
    """Spans of what is said of the first and of the second screenshot, when a statement sets one against the other."""
    for pattern in (_LABELS, _FROM_TO, _ARROW, _BUT_NOW, _INSTEAD):
        match = pattern.search(text)
        if match and not (pattern is _FROM_TO and _RUNS.search(text[: match.start()])):
            return match.span("a"), match.span("b")
    if (match := _BECAME.search(text)) and all(re.search(rf"[{MASK}\d]", match[side]) for side in ("a", "b")):
        return match.span("a"), match.span("b")
    times = list(TIME.finditer(text))
    for one, two in zip(times, times[1:], strict=False):
        if one.lastgroup == two.lastgroup or two.start() - one.end() <= 3:
            continue
        # "in image 1 it is A, in image 2 B", or "A in image 1, B in image 2"
        if _LEADS.search(text[: one.start()]) or not _ENDS.match(text[two.end() :]):
            first, second = (one.end(), two.start()), (two.end(), len(text))
        else:
            first, second = (0, one.start()), (one.end(), two.start())
        return (first, second) if one.lastgroup == "before" else (second, first)
    return None


def says_equal(text: str, contrast: Spans) -> bool:
    """True when both screenshots are said to look the same way; what is quoted may still differ."""
    one, two = (re.sub(r"\W+", " ", text[start:end]).strip() for start, end in contrast)
    return one == two and MASK not in text[slice(*contrast[0])] and bool(one)
