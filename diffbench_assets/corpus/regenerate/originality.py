"""Whether a page repeats another one's words, names or addresses.

Belongs here: what counts as kept. Does not belong here: whether a page is well-formed (`check.py`), or personal data
that is not the original's (`corpus/filters/pii.py`).

Thresholds are this project's own: the paper says that nothing licensed is kept, not how that is seen to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from selectolax.lexbor import LexborHTMLParser

from diffbench_assets.corpus.filters.pii import emails
from diffbench_assets.corpus.hosts import registered_domain
from diffbench_assets.corpus.regenerate.text import WORD, pieces, tokens, weight
from diffbench_assets.pages import dom

RUN: Final = 6 * WORD
"""Words in a row from which text is kept text: six, or twelve characters of Chinese. Numbers do not count."""

PIECE: Final = 5 * WORD
"""A whole heading, paragraph or label is kept text from five words on."""

SHORTEST_NAME: Final = 4
"""Characters of a name in Latin letters that is looked for; shorter ones stand in other words by chance."""

_MAX_NAME_TOKENS: Final = 6
_NAMES: Final = 'meta[property="og:site_name"],meta[name="application-name"],meta[name="apple-mobile-web-app-title"]'
_DIGITS: Final = re.compile(r"(?<![\w.])\+?\(?\d(?:[ ().\-/\u00a0\u2010-\u2013]{0,3}\d){6,14}(?!\w)")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_AMOUNT: Final = re.compile(r"\d{1,3}(?:[. ]\d{3})+")

Kept = Literal["kept_text", "kept_name", "kept_contact"]


@dataclass(frozen=True)
class Original:
    """What of a page must not come back."""

    runs: frozenset[str]
    whole: frozenset[str]
    names: frozenset[str]
    emails: frozenset[str]
    phones: frozenset[str]

    @classmethod
    def of(cls, html: str, host: str) -> Original:
        """Read a page that was found at `host`. Raises PageUnusable when it nests too deeply to be parsed."""
        tree = dom.parse(html)
        texts = pieces(tree)
        listed = [tokens(text) for text in texts]
        return cls(
            runs=frozenset(run for words in listed for run in _runs(words)),
            whole=frozenset(_joined(words) for words in listed if _weight(words) >= PIECE),
            names=frozenset(_names(tree, texts, host)),
            emails=frozenset(_emails(tree, texts)),
            phones=frozenset(_phones(texts)),
        )

    def kept_in(self, tree: LexborHTMLParser, more: Iterable[str] = ()) -> Kept | None:
        """What of the original stands in a page, or None. `more` are texts that its own text does not show."""
        texts = [*pieces(tree), *more]
        if not self.emails.isdisjoint(_emails(tree, texts)) or not self.phones.isdisjoint(_phones(texts)):
            return "kept_contact"
        listed = [tokens(text) for text in texts]
        if self.names and any(self._names_in(words) for words in listed):
            return "kept_name"
        if any(_joined(words) in self.whole or not self.runs.isdisjoint(_runs(words)) for words in listed):
            return "kept_text"
        return None

    def _names_in(self, words: list[str]) -> bool:
        return any(
            "".join(words[start:end]) in self.names
            for start in range(len(words))
            for end in range(start + 1, min(len(words), start + _MAX_NAME_TOKENS) + 1)
        )


def _joined(words: list[str]) -> str:
    return " ".join(words)


def _weight(words: list[str]) -> int:
    return sum(map(weight, words))


def _runs(words: list[str]) -> Iterator[str]:
    """The shortest run of at least RUN from each word on, where there is one."""
    weights = [weight(word) for word in words]
    end = held = 0
    for start in range(len(words)):
        while held < RUN and end < len(words):
            held += weights[end]
            end += 1
        if held < RUN:
            return
        if weights[start]:
            yield _joined(words[start:end])
        held -= weights[start]


def _names(tree: LexborHTMLParser, texts: list[str], host: str) -> Iterator[str]:
    """How the site calls itself, words joined, unless the page uses the name as a common word, in small letters."""
    stated = [node.attributes.get("content") or "" for node in tree.css(_NAMES)]
    label = registered_domain(host.removeprefix("www.")).partition(".")[0] if host else ""
    for name in (*stated, label):
        words = tokens(name[:200])
        joined = "".join(words)
        shortest = SHORTEST_NAME if joined.isascii() else 2
        if len(words) <= _MAX_NAME_TOKENS and len(joined) >= shortest and not joined.isnumeric():
            alone = re.compile(rf"(?<![\w.@/-]){re.escape(joined)}(?![\w@-]|\.\w)")
            if len(words) > 1 or not any(map(alone.search, texts)):
                yield joined


def _emails(tree: LexborHTMLParser, texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        if "@" in text or "(at)" in text or "[at]" in text:
            yield from emails(text)
    for node in tree.css("a[href]"):
        scheme, _, address = (node.attributes.get("href") or "").strip().partition(":")
        if scheme.lower() == "mailto":
            yield from emails(address.partition("?")[0])


def _phones(texts: Iterable[str]) -> Iterator[str]:
    """The last nine digits of what may be phone numbers: with or without a country's code they are the same."""
    for text in texts:
        for match in _DIGITS.finditer(text):
            groups = re.findall(r"\d+", match[0])
            dated = any(map(_YEAR.fullmatch, groups)) and all(len(g) < 3 or _YEAR.fullmatch(g) for g in groups)
            counted = 2 * len(groups) > len("".join(groups)) + 1  # a row of page numbers, say
            if not dated and not counted and not _AMOUNT.fullmatch(match[0]):
                yield "".join(groups)[-9:]
