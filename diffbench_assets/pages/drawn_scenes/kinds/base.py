"""What a kind of thing is, and the table of all kinds.

Belongs here: the row of the table and the decorator that fills it. Does not belong here: any one kind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from diffbench_assets.pages.drawn_scenes.model import Thing
from diffbench_assets.pages.drawn_scenes.pen import Pen, text_width

Draw = Callable[[Pen, Thing], None]


@dataclass(frozen=True)
class Counted:
    """Parts that can be counted, between `low` and `high` of them."""

    parts: str
    low: int
    high: int

    def words(self, count: int) -> str:
        return f"{count} {self.parts}"


@dataclass(frozen=True)
class Label:
    """Text on a thing. In `templates` # stands for a digit and @ for a letter.

    `width` and `em` are in units of the thing. `part` names what bears the text, when that is not the thing itself.
    """

    templates: tuple[str, ...]
    width: float
    em: float
    part: str = ""
    serif: bool = False

    def fits(self, text: str) -> bool:
        """Whether the text stays on its surface."""
        return text_width(text, self.em, serif=self.serif) <= self.width


@dataclass(frozen=True)
class Kind:
    """A row of the table. `width` × `height` units hold its outlines; `px` is the usual range of `Thing.size`.

    `colors` are the ones it can have; `part` is what they color, when not the whole thing, and `colored` how a phrase
    says so. Kinds of one `group` may replace each other; `also` are further names that a person could call it by.
    `states` complete the phrase "it is …".
    """

    name: str
    noun: str
    draw: Draw
    width: float
    height: float
    px: tuple[int, int]
    colors: tuple[str, ...] = ()
    part: str = ""
    colored: str = ""
    group: str = ""
    also: tuple[str, ...] = ()
    turnable: bool = False
    states: tuple[str, ...] = ()
    counted: Counted | None = None
    label: Label | None = None
    patterns: tuple[str, ...] = ()

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
        return f"{'an' if self.noun[0] in 'aeiou' and not self.noun.startswith('u') else 'a'} {self.noun}"


KINDS: Final[dict[str, Kind]] = {}
"""Every kind, by name; the modules beside this one fill it."""


def kind(noun: str, width: float, height: float, px: tuple[int, int], **fields: Any) -> Callable[[Draw], Draw]:
    """Enter the decorated function into the table as the drawing of this kind."""

    def enter(draw: Draw) -> Draw:
        name = draw.__name__
        KINDS[name] = Kind(name, noun, draw, width, height, px, **fields)
        return draw

    return enter
