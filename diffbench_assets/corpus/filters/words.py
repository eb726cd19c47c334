"""Pages for adults, told by their words.

Belongs here: reading `words.txt` and finding its words. Does not belong here: the words themselves.

A word counts only where it stands alone: Scunthorpe, Essex, cocktails and analysis are nobody's business. What has an
everyday or medical sense as well is weak: only several different ones together make a page one for adults.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from diffbench_assets.corpus.filters.page import FilteredPage, Finding

MIN_WEAK_WORDS: Final = 4
"""Different weak words of one language that together count as much as a strong one."""
_TOKEN: Final = re.compile(r"[^\W_]+")
_UNSPACED: Final = frozenset({"ja", "zh", "th"})
_ADULT_RATING: Final = re.compile(r"adult|mature|RTA-5042-1996-1400-1577-RTA", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WordList:
    """The words of one language as two patterns."""

    language: str
    strong: re.Pattern[str]
    weak: re.Pattern[str]
    starts: tuple[str, ...]
    unspaced: bool

    def may_stand_in(self, text: str, tokens: Iterable[str]) -> bool:
        """Whether it is worth searching: trying every word at every letter costs a hundred times more."""
        if self.unspaced:
            return any(start in text for start in self.starts)
        return any(token.startswith(self.starts) for token in tokens)


@cache
def word_lists() -> tuple[WordList, ...]:
    """The lists of `words.txt`."""
    lines = (Path(__file__).parent / "words.txt").read_text(encoding="utf-8").splitlines()
    lists = []
    for line in lines:
        if not line.startswith("#"):
            language, _, words = line.partition(":")
            strong, _, weak = words.partition("|")
            lists.append(_word_list(language, strong.split(), weak.split()))
    return tuple(lists)


def _word_list(language: str, strong: list[str], weak: list[str]) -> WordList:
    unspaced = language in _UNSPACED
    folded = [_folded(word) for word in strong + weak]
    starts = sorted({word if unspaced else _TOKEN.findall(word)[0] for word in folded})
    return WordList(language, _pattern(strong, unspaced), _pattern(weak, unspaced), tuple(starts), unspaced)


def _pattern(words: list[str], unspaced: bool) -> re.Pattern[str]:
    # Longest first: an alternative that is the start of another would hide it.
    parts = [_one(word, unspaced) for word in sorted(map(_folded, words), key=lambda word: (-len(word), word))]
    return re.compile("|".join(parts))


def _one(word: str, unspaced: bool) -> str:
    stem = re.escape(word.removesuffix("*")).replace("_", r"[\s_-]+")
    if unspaced:
        return stem
    return rf"(?<![\w@./-]){stem}" + ("" if word.endswith("*") else r"(?![\w@]|\.\w)")


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def adult_words(page: FilteredPage) -> list[Finding]:
    """How many adult words of which language the page's title and text hold, when these make it one for adults.

    One strong word suffices, or MIN_WEAK_WORDS different weak ones of one language. A page that labels itself as for
    adults (the RTA label, a rating meta element) is taken at its word.
    """
    text = _folded(f"{page.title} {page.text}")
    tokens = set(_TOKEN.findall(text))
    found = []
    for words in word_lists():
        if not words.may_stand_in(text, tokens):
            continue
        strong = words.strong.findall(text)
        weak = words.weak.findall(text)
        if strong or len(set(weak)) >= MIN_WEAK_WORDS:
            found.append(Finding(words.language, len(strong) + len(weak)))
    rating = page.tree.css_first("meta[name='rating' i]")
    if rating is not None and _ADULT_RATING.search(rating.attributes.get("content") or ""):
        found.append(Finding("rating"))
    return found
