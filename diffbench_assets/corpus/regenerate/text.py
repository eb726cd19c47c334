"""The words of a page: which text reads as one piece, and in which writing.

Belongs here: pieces of text, tokens, writing systems. Does not belong here: what they are compared for.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

MAX_TEXT: Final = 500_000
"""Characters of a page's text that are read."""


def words(*lines: str) -> frozenset[str]:
    """The words of `lines` as a set."""
    return frozenset(" ".join(lines).split())


FLOWING: Final = words(
    "a abbr b bdi bdo big br cite code data del dfn em font i ins kbd mark nobr q s samp small span strike strong",
    "sub sup time tt u var wbr",
)
"""Elements whose text continues that around them."""

UNSEEN: Final = words("script style template noscript head title object iframe noembed noframes")
"""Elements whose text is not drawn on the page."""

SPOKEN: Final = words("alt title placeholder aria-label value label content")
"""Attributes that hold words."""
_SPOKEN_META: Final = 'meta[name="description" i],meta[property^="og:" i]'


def pieces(tree: LexborHTMLParser) -> list[str]:
    """The texts of a page, one for each block or link of a row of links, in document order, then those of attributes.

    Text of inline elements continues the text around it. A link, though, is a piece of its own unless it stands among
    words: the labels of a menu are no sentence. Reads at most MAX_TEXT characters.
    """
    found: dict[int, list[str]] = {}
    owner: dict[int, int | None] = {}
    worded: dict[int, bool] = {}
    left = MAX_TEXT
    for node in tree.root.traverse(include_text=True) if tree.root is not None else ():
        parent = node.parent
        above = owner.get(parent.mem_id) if parent is not None else node.mem_id
        if node.is_text_node:
            text = node.text_content or ""
            if above is not None and left > 0:
                found.setdefault(above, []).append(text[:left])
                left -= len(text)
        elif node.is_element_node:
            tag = (node.tag or "").lower()
            if tag in UNSEEN or (above is None and parent is not None and parent.tag != "html"):
                owner[node.mem_id] = None
            elif tag == "br" or (tag in FLOWING and (tag != "a" or _stands_among_words(parent, worded))):
                owner[node.mem_id] = above
                if tag == "br" and above is not None:
                    found.setdefault(above, []).append(" ")
            else:
                owner[node.mem_id] = node.mem_id
    texts = (" ".join("".join(parts).split()) for parts in found.values())
    return [text for text in (*texts, *_spoken(tree, left)) if text]


def _stands_among_words(parent: LexborNode | None, known: dict[int, bool]) -> bool:
    if parent is None:
        return False
    if parent.mem_id not in known:
        texts = (child.text_content or "" for child in parent.iter(include_text=True) if child.is_text_node)
        known[parent.mem_id] = any(any(map(str.isalnum, text)) for text in texts)
    return known[parent.mem_id]


def _spoken(tree: LexborHTMLParser, left: int) -> Iterator[str]:
    """The title, and what attributes say that may hold words, shown or not."""
    technical = {node.mem_id for node in tree.css("meta")} - {node.mem_id for node in tree.css(_SPOKEN_META)}
    for node in tree.root.traverse(include_text=False) if tree.root is not None else ():
        said = [node.text()] if node.tag == "title" else []
        if node.mem_id not in technical:
            said += [value or "" for name, value in node.attributes.items() if _may_hold_words(name.lower())]
        for text in said:
            if left <= 0:
                return
            yield " ".join(text[:left].split())
            left -= len(text)


def _may_hold_words(name: str) -> bool:
    return name in SPOKEN or name.startswith(("data-", "aria-"))


# Written without spaces, so that a character stands where other writing has half a word.
_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_TOKEN: Final = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}_])\w)+")
_ONE_CHARACTER: Final = re.compile(rf"[{_UNSPACED}]")
WORD: Final = 2
"""Weight of a word; a character of writing without spaces weighs 1, a number nothing."""


def tokens(text: str) -> list[str]:
    """Words in one spelling, whatever case and width; single characters of writing that has no spaces."""
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())


def weight(token: str) -> int:
    """How much of a sentence a token is, in half words."""
    return 0 if token.isnumeric() else 1 if _ONE_CHARACTER.match(token) else WORD


_SYSTEMS: Final = {
    "LATIN": "Latin", "CYRILLIC": "Cyrillic", "GREEK": "Greek", "ARABIC": "Arabic", "HEBREW": "Hebrew",
    "CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean", "THAI": "Thai",
    "DEVANAGARI": "Devanagari", "BENGALI": "Bengali", "TAMIL": "Tamil", "TELUGU": "Telugu", "GEORGIAN": "Georgian",
    "ARMENIAN": "Armenian", "ETHIOPIC": "Ethiopic", "KHMER": "Khmer", "LAO": "Lao", "MYANMAR": "Burmese",
}  # fmt: skip
_KANA_SHARE: Final = 0.05
"""Of the letters: Japanese mixes its own letters into Chinese ones."""


@lru_cache(maxsize=1 << 15)
def _system(letter: str) -> str:
    return _SYSTEMS.get(unicodedata.name(letter, "").partition(" ")[0], "other")


def writing(text: str) -> str | None:
    """The writing system of most letters, `other` when it has no name here; None where there are no letters."""
    counts = Counter(map(_system, filter(str.isalpha, unicodedata.normalize("NFKC", text))))
    if not counts:
        return None
    if counts["Japanese"] >= _KANA_SHARE * counts.total():
        counts["Japanese"] += counts["Chinese"]
    return max(counts, key=lambda name: (counts[name], name))
