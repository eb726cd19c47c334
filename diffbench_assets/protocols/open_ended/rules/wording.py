"""The text operator: does a statement tell which characters were replaced?

Belongs here: comparing what a statement quotes with the recorded text before and after. Does not belong here:
other operators. Principle: the new reading, or exactly the replaced part, shows that the change was read;
old and new in the wrong order, or other words in their place, show that it was not.
"""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from typing import NamedTuple

from diffbench_assets.protocols.open_ended.rules.contrast import contrasted
from diffbench_assets.protocols.open_ended.rules.operators import Fit
from diffbench_assets.protocols.open_ended.rules.statements import mask, quotations

_SPELLING = re.compile(
    r"\b(?:typos?|mis-?spell\w*|mis-?spelt|garbled|scrambled|gibberish|nonsens\w*|jumbled"
    r"|corrupted|spelling (?:error|mistake))\b"
)
_MENDED = re.compile(r"\b(?:fixed|corrected|repaired|restored|mended)\b")


class Part(NamedTuple):
    """A stretch that was replaced: its text before and after, at three widths."""

    old: frozenset[str]
    new: frozenset[str]


def replaced(before: str, after: str) -> Part:
    """What a viewer may name as the changed part: whole texts, changed words, changed characters."""
    before, after = _fold(before), _fold(after)
    old, new = {before}, {after}
    one, two = before.split(), after.split()
    for tag, a0, a1, b0, b1 in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if tag != "equal":
            old |= {" ".join(one[a0:a1]), *one[a0:a1]}
            new |= {" ".join(two[b0:b1]), *two[b0:b1]}
    for tag, a0, a1, b0, b1 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            old.add(before[a0:a1])
            new.add(after[b0:b1])
    trimmed = lambda words: frozenset(word.strip(" .,;:!?()₹$€£¥") for word in words) - {""}  # noqa: E731
    return Part(trimmed(old), trimmed(new))


def read(text: str, before: str, after: str) -> tuple[Fit, str]:
    """How a statement (lower case) stands to the replacement of `before` by `after`, and the words that show it."""
    part = replaced(before, after)
    olds, news = part.old - part.new, part.new - part.old
    contrast = contrasted(mask(text))
    spans = (
        {"before": [text[slice(*contrast[0])]], "after": [text[slice(*contrast[1])]]}
        if contrast
        else {"before": [], "after": []}
    )
    quoted = [_fold(said) for _, _, said in quotations(text)]
    if contrast:
        first, second = (_fold(spans[side][0]) for side in ("before", "after"))
        if _fold(after) in first and _fold(before) in second:
            return Fit.AGAINST, _fold(after)
        old_seen, new_seen = (_seen(olds, spans["before"][0]), _seen(news, spans["after"][0]))
        if _seen(news, spans["before"][0]) and _seen(olds, spans["after"][0]) and not old_seen:
            return Fit.AGAINST, _seen(olds, spans["after"][0])
        if new_seen and (old_seen or len(new_seen) > 1 or _seen(olds, text)):
            return Fit.YES, max(new_seen, old_seen, key=len)
    whole = [said for said in quoted if any(_reads(said, word) for word in news if len(word) > 1)]
    whole = whole or [word for word in news if len(word) > 3 and _seen({word}, text)]
    if whole:
        order = _in_order(text, olds, news) and not (_MENDED.search(text) and not contrast)
        return (Fit.YES, whole[0]) if order else (Fit.AGAINST, whole[0])
    if (
        len(quoted) < 2
        and _SPELLING.search(text)
        and (said := next((q for q in quoted if any(_reads(q, word) for word in olds)), ""))
    ):
        return Fit.YES, said
    return Fit.NO, ""


def _in_order(text: str, olds: frozenset[str], news: frozenset[str]) -> bool:
    """False when the new reading is said to come first: "from NEW to OLD", "OLD instead of NEW"."""
    new_at = max((text.find(word) for word in news if len(word) > 1), default=-1)
    old_at = max((text.find(word) for word in olds if len(word) > 1), default=-1)
    if new_at < 0 or old_at < 0:
        return True
    between = text[min(new_at, old_at) : max(new_at, old_at)]
    if new_at < old_at and _SPELLING.search(between):
        return False
    swapped = re.search(
        r"instead of|rather than|\bwas\b|used to|previously|formerly|\bnot\b|replac(?:es|ed"
        r"|ing) (?!by|with)|originally",
        between,
    )
    backward = re.search(r"(?:replaced|substituted) (?:by|with)|\bto\b|became|→|now|turned into|is\b", between)
    if new_at < old_at:
        return bool(swapped) or not backward
    return not swapped or bool(backward)


def _reads(said: str, word: str) -> bool:
    """True when a quotation contains the word as a word, or is a close opening of a longer text."""
    return said == word or bool(_seen({word}, said)) or (len(said) >= 6 and word.startswith(said))


def _seen(words: frozenset[str] | set[str], text: str) -> str:
    """The longest of `words` that stands in `text` as a word of its own (or anywhere, in scripts without spaces)."""
    folded = _fold(text)
    for word in sorted(words, key=lambda w: (-len(w), w)):
        pattern = rf"(?<!\w){re.escape(word)}(?!\w)" if word.isascii() else re.escape(word)
        if re.search(pattern, folded):
            return word
    return ""


def _fold(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).strip().lower()
