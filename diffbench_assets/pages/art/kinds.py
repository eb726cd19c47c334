"""The kinds of things that can be drawn, read from `things/*.yaml`.

Belongs here: the row of that table and reading it. Does not belong here: any one kind, the notation of drawings
(`notation.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any, Final

import yaml

from diffbench_assets.pages.art import notation
from diffbench_assets.pages.art.palette import BRIGHT


@dataclass(frozen=True)
class Counted:
    """Parts that can be counted, between `low` and `high` of them."""

    parts: str
    low: int
    high: int


@dataclass(frozen=True)
class Label:
    """Text on a thing, of `em` units: in `templates` # stands for a digit and @ for a letter.

    `width` units hold it. `part` names what bears the text, when that is not the thing itself.
    """

    templates: tuple[str, ...]
    width: float
    em: float
    part: str = ""


@dataclass(frozen=True)
class Look:
    """What varies about a drawing beside its color."""

    state: str = ""
    count: int = 0
    text: str = ""
    pattern: str = ""


@dataclass(frozen=True)
class Kind:
    """A row of the table. `px` is the usual number of pixels of 100 units of its `drawing`.

    `colors` are the ones it can have; `part` is what they color, when not the whole thing, and `colored` how a phrase
    says so. Kinds of one `group` may replace each other; `also` are further names that a person could call it by.
    `states` complete the phrase "it is …".
    """

    name: str
    noun: str
    drawing: str
    px: tuple[int, int]
    colors: tuple[str, ...] = ()
    part: str = ""
    colored: str = ""
    group: str = ""
    also: tuple[str, ...] = ()
    turns: bool = False
    states: tuple[str, ...] = ()
    counted: Counted | None = None
    label: Label | None = None
    patterns: tuple[str, ...] = ()

    def svg(self, look: Look = Look()) -> str:
        """The SVG elements of the thing, in units around (0, 0), in the current color."""
        state = self.states.index(look.state) if look.state else 0
        em = self.label.em if self.label else 0
        return notation.svg(self.drawing, state, look.count, look.text, em, look.pattern)

    @cached_property
    def bounds(self) -> notation.Bounds:
        """The box of the drawing in all its states, in units: left, top, right, bottom."""
        return notation.bounds(self.drawing)

    def in_color(self, noun: str, color: str) -> str:
        """The noun with its color, for example "red car" or "house with the red roof"."""
        default = "{noun} with the {color} {part}" if self.part else "{color} {noun}"
        return (self.colored or default).format(noun=noun, color=color, part=self.part)

    def called(self, noun: str) -> bool:
        """Whether a person could call this kind so: "sign" fits a street sign."""
        return any(name == noun or name.endswith(f" {noun}") for name in (self.noun, self.group, *self.also))

    @property
    def article_noun(self) -> str:
        """The noun with "a" or "an"."""
        return f"{'an' if self.noun[0] in 'aeio' else 'a'} {self.noun}"


def _kind(name: str, row: Mapping[str, Any]) -> Kind:
    low, high = row["px"].split("-")
    counted = None
    if "counted" in row:
        parts, _, span = row["counted"].rpartition(" ")
        counted = Counted(parts, *map(int, span.split("-")))
    label = Label(_list(row, "texts"), row["room"], row["em"], row.get("bears", "")) if "texts" in row else None
    return Kind(
        name,
        row.get("noun", name),
        row["draw"],
        (int(low), int(high)),
        tuple(row.get("colors", "").replace("bright", " ".join(BRIGHT)).split()),
        row.get("part", ""),
        row.get("colored", ""),
        row.get("group", ""),
        _list(row, "also"),
        row.get("turns", False),
        _list(row, "states"),
        counted,
        label,
        tuple("" if pattern == "plain" else pattern for pattern in row.get("patterns", "").split()),
    )


def _list(row: Mapping[str, Any], name: str) -> tuple[str, ...]:
    return tuple(row[name].split(" / ")) if name in row else ()


def _read() -> dict[str, Kind]:
    kinds: dict[str, Kind] = {}
    for theme in sorted(files(__package__).joinpath("things").iterdir(), key=lambda path: path.name):
        for name, row in yaml.safe_load(theme.read_text("utf-8")).items():
            kinds[name] = _kind(name, row)
    return kinds


KINDS: Final[Mapping[str, Kind]] = _read()
"""Every kind, by name."""
