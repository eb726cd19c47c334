"""Sentences in other languages and in bad spelling, as the English that the rules read.

Belongs here: telling the language of a sentence, and putting the words of `glossary.txt` and of the lexicon in the
place of foreign and misspelt ones; quotations stay as they are. A word that is in neither is left alone, so that what
is not understood is not taken for something else. Does not belong here: what a word means (`lexicon.txt`).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from diffbench_assets.protocols.open_ended.rules.lexicon import QUOTES, spellings, table

_LANGUAGES: Final = ("de", "es", "fr", "zh")
_ENGLISH: Final = spellings()
_LONG: Final = tuple(sorted(word for word in _ENGLISH if len(word) > 3))
_STEMMED: Final = re.compile("|".join(words for name in ("turners", "plain") for _, words in table(name)))
_TYPED: Final = {"teh": "the", "txt": "text", "thier": "their", "becuase": "because"}
_WORD: Final = re.compile(r"(?<![\w'’])[a-z][a-z]+(?![\w'’])")
_LETTERS: Final = re.compile(r"[^\W\d_]+'?")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_COMPARED: Final = re.compile(r"(?<!more )\b(large|small|thick|thin|wide|narrow|dark|light)\b")
_VOWELS: Final = str.maketrans("aeiou", "-----")


class _Language(NamedTuple):
    pattern: re.Pattern[str]
    english: tuple[str, ...]


def _rows() -> dict[str, list[tuple[str, str]]]:
    entries: dict[str, list[tuple[str, str]]] = {name: [] for name in _LANGUAGES}
    for line in (Path(__file__).parent / "glossary.txt").read_text().splitlines():
        if not line.startswith("#"):
            english, *columns = line.split(" | ")
            for name, column in zip(_LANGUAGES, columns, strict=True):
                entries[name] += [(word.strip(), english.strip()) for word in column.split(", ") if word.strip() != "-"]
    return entries


def _compiled() -> dict[str, _Language]:
    found = {}
    for name, words in _rows().items():
        ranked = sorted(dict(reversed(words)).items(), key=lambda entry: -len(entry[0]))
        start = "" if name == "zh" else r"(?<![\w-])"
        sought = "|".join(f"({_sought(word, name)})" for word, _ in ranked)
        found[name] = _Language(re.compile(f"{start}(?:{sought})"), tuple(english for _, english in ranked))
    return found


def _sought(word: str, language: str) -> str:
    edge = "" if language == "zh" or word.endswith("'") else r"(?![\w-])"
    return re.escape(word).replace(r"\*", r"\w*") + edge


_GLOSSARY: Final = _compiled()


_VOCABULARY: Final = {
    language: {word for entry, _ in rows for word in entry.split()} for language, rows in _rows().items()
}
_STEMS: Final = {
    language: tuple(word[:-1] for word in words if word.endswith("*")) for language, words in _VOCABULARY.items()
}
_FOREIGN: Final = {word for language in _LANGUAGES[:3] for word in _VOCABULARY[language]} - _ENGLISH


def foreign(word: str) -> bool:
    """Whether `word` (lower case) is one of another language that the glossary has."""
    return word in _FOREIGN or re.match(r"(?:[cdjlmnst]|qu)'", word) is not None


@lru_cache(maxsize=4096)
def in_english(text: str, keep: tuple[str, ...] = ()) -> str:
    """`text` (lower case) with foreign words glossed and misspellings mended; quotations and `keep` are kept."""
    kept = "".join("|" + re.escape(words) for words in sorted(keep, key=len, reverse=True) if words)
    pieces, last = [], 0
    for match in re.finditer(QUOTES.pattern + kept, text):
        pieces += [text[last : match.start()], match[0]]
        last = match.end()
    pieces.append(text[last:])
    said = " ".join(pieces[::2])
    language = _language(said)
    if language:
        mend = lambda piece: _glossed(piece, language)  # noqa: E731
    elif all(word in _ENGLISH for word in _WORD.findall(said)):
        return text
    else:
        mend = _mended
    mended = "".join(piece if number % 2 else mend(piece) for number, piece in enumerate(pieces))
    return re.sub(r"\s+(?=[,.;:!?)\s])|(?<=\()\s+", "", mended).strip()


def _language(said: str) -> str:
    """The language most of whose words `said` has; "" for English."""
    words = _LETTERS.findall(said)
    if any("\u4e00" <= char <= "\u9fff" for char in said) and len(_HAN.findall(said)) > len(_WORD.findall(said)):
        return "zh"
    best, most = "", sum(word in _ENGLISH for word in words)
    for name in _LANGUAGES[:3] if most < len(words) else ():
        hits = sum(word in _VOCABULARY[name] or word.startswith(_STEMS[name]) for word in words)
        if hits > most:
            best, most = name, hits
    return best


def _glossed(piece: str, language: str) -> str:
    pattern, english = _GLOSSARY[language]
    piece = unicodedata.normalize("NFC", piece)
    space = " " if language == "zh" else ""
    glossed = pattern.sub(lambda match: f"{space}{english[(match.lastindex or 1) - 1]} ", piece)
    if language == "zh" and " than " in glossed:
        glossed = re.sub(r"( than +\w+)(.*)", r"\2 \1", _COMPARED.sub(r"more \1", glossed))
    return glossed


def _mended(piece: str) -> str:
    """An English stretch with its misspellings mended; parts of it between commas and colons may be foreign."""
    parts = re.split(r"(?<=[,:;(–—])", piece)
    return "".join(
        _glossed(part, language) if (language := _language(part)) else _WORD.sub(_spelt, part) for part in parts
    )


def _spelt(match: re.Match[str]) -> str:
    """A word that nobody spells so as the one that it is a slip away from.

    A slip keeps the first letter. It is a letter too many or too few, two swapped, or in a long word another vowel: any
    other letter makes another word.
    """
    word = match.group(0)
    if (
        word in _ENGLISH
        or _STEMMED.fullmatch(word)
        or word in _TYPED
        or len(word) < 4
        or re.sub(r"(?:s|e?d|ing)$", "", word) in _ENGLISH
    ):
        return _TYPED.get(word, word)
    for near, _, _ in process.extract(word, _LONG, scorer=OSA.distance, score_cutoff=1, limit=4):
        swapped = len(near) == len(word) and sorted(near) == sorted(word)
        vowel = len(word) > 6 and near.translate(_VOWELS) == word.translate(_VOWELS)
        doubled = re.sub(r"(.)\1", r"\1", near) == re.sub(r"(.)\1", r"\1", word)
        if near[0] == word[0] and (swapped or vowel or doubled or len(near) != len(word) > 5):
            return near
    return word
