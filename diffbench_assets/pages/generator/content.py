"""The words of a page: banks of one language and domain, drawn and filled in.

Belongs here: reading `content/<language>.yaml`, dealing lines without repeats, filling slots. Does not belong here:
the words themselves or any markup. Text leaves here unescaped; the templates escape it.

A bank line may hold `[this|that]` (one is drawn), `{slot}` (city, person, topic, brand, item) and `#` (a digit).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from diffbench_assets.pages.dice import Dice

FOLDER = Path(__file__).parent / "content"
LANGUAGES: tuple[str, ...] = ("en", "zh", "ko", "ar", "th", "hi")
RIGHT_TO_LEFT: frozenset[str] = frozenset({"ar"})

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_CHOICE = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")
_DIGIT = re.compile(r"#")


@dataclass(frozen=True)
class Entry:
    """A line with a second one that explains it."""

    title: str
    text: str


@dataclass(frozen=True)
class Person:
    """An invented person; `initials` fit an avatar."""

    name: str
    initials: str
    role: str


@cache
def bank(language: str) -> dict[str, Any]:
    """All words of a language: `common` and one mapping per domain. Base loader: every scalar stays text."""
    with (FOLDER / f"{language}.yaml").open(encoding="utf-8") as file:
        return yaml.load(file, Loader=_LOADER)


class Copy:
    """Words of one page. Each bank is a shuffled deck, dealt again only when it is used up."""

    def __init__(self, language: str, domain: str, dice: Dice) -> None:
        words = bank(language)
        self._common: dict[str, Any] = words["common"]
        self._domain: dict[str, Any] = words[domain]
        self._dice = dice
        self._decks: dict[str, list[Any]] = {}
        self.language = language
        self.ui: dict[str, str] = self._common["ui"]
        self.brand: str = dice.one(self._domain["brands"])
        self.nav: list[str] = self._domain["nav"]
        self.topics: list[str] = self._domain["topics"]

    def line(self, name: str) -> str:
        """One line of a bank."""
        return self._fill(self._deal(name))

    def lines(self, name: str, count: int) -> list[str]:
        """`count` lines of a bank."""
        return [self.line(name) for _ in range(count)]

    def entry(self, name: str) -> Entry:
        """One titled line of a bank."""
        title, text = self._deal(name)
        return Entry(self._fill(title), self._fill(text))

    def entries(self, name: str, count: int) -> list[Entry]:
        """`count` titled lines of a bank."""
        return [self.entry(name) for _ in range(count)]

    def person(self) -> Person:
        """An invented person with a role."""
        name = self._deal("people")
        return Person(name, _initials(name), self._deal("roles"))

    def people(self, count: int) -> list[Person]:
        """`count` invented persons."""
        return [self.person() for _ in range(count)]

    def figure(self) -> str:
        """The number that belongs to an item: a price, a length, a reading time."""
        return self._fill(self._dice.one(self._domain["figures"]))

    def heading(self, kind: str) -> str:
        """A section's heading, by kind of section."""
        return self._fill(self._dice.one(self._common["headings"][kind]))

    def money(self, amount: int) -> str:
        """A whole amount, in the language's currency and a scale usual for it."""
        return self._common["money"].format(amount=f"{amount * int(self._common['money_scale']):,}")

    def date(self) -> str:
        """A day of the year as this language writes it."""
        return self._common["date"].format(day=self._dice.number(1, 28), month=self._dice.one(self._common["months"]))

    def month(self) -> str:
        """A month with a year."""
        return self._common["month_title"].format(month=self._dice.one(self._common["months"]))

    def time(self) -> str:
        """A time of day."""
        return f"{self._dice.number(8, 19):02d}:{self._dice.pick('00', '15', '30', '45')}"

    @property
    def months(self) -> list[str]:
        """Short month names, January first."""
        return self._common["months"]

    @property
    def weekdays(self) -> list[str]:
        """Short names of the days, Monday first."""
        return self._common["weekdays"]

    def _deal(self, name: str) -> Any:
        deck = self._decks.get(name)
        if not deck:
            entries = self._domain.get(name) or self._common[name]
            deck = self._dice.shuffled(list(entries.items()) if isinstance(entries, dict) else entries)
            self._decks[name] = deck
        return deck.pop()

    def _fill(self, line: str) -> str:
        line = _CHOICE.sub(lambda match: self._dice.one(match[1].split("|")), line)
        line = _SLOT.sub(lambda match: self._slot(match[1]), line)
        first = True

        def digit(match: re.Match[str]) -> str:
            nonlocal first
            leading = first or not line[match.start() - 1].isdigit() and line[match.start() - 1] not in "#.,:"
            first = False
            return str(self._dice.number(2 if leading else 0, 9))

        return _DIGIT.sub(digit, line)

    def _slot(self, name: str) -> str:
        if name == "brand":
            return self.brand
        if name == "person":
            return self.person().name
        if name == "city":
            return self._deal("cities")
        if name == "topic":
            return self._dice.one(self.topics)
        if name == "item":
            return self.entry("items").title
        raise KeyError(f"unknown slot {{{name}}} in the {self.language} bank; use city, person, topic, brand or item")


def _initials(name: str) -> str:
    """Two capitals of a Latin name; otherwise the first letter with the marks that belong to it."""
    words = name.split()
    if name[0].isascii():
        return "".join(word[0] for word in words[:2]).upper()
    length = 1
    while length < len(name) and unicodedata.category(name[length]) in ("Mn", "Mc"):
        length += 1
    return name[:length]
