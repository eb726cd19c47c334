"""Claims: statements that one thing differs between image A and image B, as data, and the one grammar that words them.

Belongs here: what can be said of a pair, how it reads, and which statements exclude one another. Pair makers say with
claims what they changed and what else they could have changed; descriptions and multiple choice word them. True and
false statements come out of the same grammar, so that wording tells nobody which is which. Does not belong here: what a
thing is called (`naming.py`), choosing false statements, or anything a model writes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final, Literal

Dimension = Literal[
    "object", "attribute", "action_pose", "spatial", "composition", "text_symbol", "background", "camera_view",
    "image_property", "expression",
]  # fmt: skip
"""What a difference is about (DiffCap-Bench): several may apply to one."""


@dataclass(frozen=True)
class Change:
    """A kind of change. `axis` is what varies: two claims about one subject on one axis cannot both be true.

    `predicate` follows the subject; it may hold {before} and {after}, and then the claim carries both values.
    """

    predicate: str
    axis: str
    opposite: str

    @property
    def valued(self) -> bool:
        return "{after}" in self.predicate


def _both(axis: str, one: tuple[str, str], other: tuple[str, str]) -> dict[str, Change]:
    (name, predicate), (opposite, opposite_predicate) = one, other
    return {name: Change(predicate, axis, opposite), opposite: Change(opposite_predicate, axis, name)}


def _valued(name: str, predicate: str, axis: str = "") -> dict[str, Change]:
    return {name: Change(predicate, axis or name, name)}


CHANGES: Final[Mapping[str, Change]] = {
    # fmt: off
    # Place, pose and state
    **_both("horizontal", ("moved_left", "is further to the left"), ("moved_right", "is further to the right")),
    **_both("vertical", ("moved_up", "is higher up"), ("moved_down", "is further down")),
    **_both(
        "rotation",
        ("turned_clockwise", "is turned clockwise"),
        ("turned_counterclockwise", "is turned counterclockwise"),
    ),
    **_valued("state", "is {after} instead of {before}"),
    # Color of one thing, and of the whole image
    **_valued("recolored", "is {after} instead of {before}", "hue"),
    **_both("lightness", ("lighter", "has a lighter color"), ("darker", "has a darker color")),
    **_both("red_cyan", ("tinted_red", "has a more reddish tint"), ("tinted_cyan", "has a more cyan tint")),
    **_both(
        "green_magenta", ("tinted_green", "has a more greenish tint"), ("tinted_magenta", "has a more magenta tint")
    ),
    **_both("blue_yellow", ("tinted_blue", "has a more bluish tint"), ("tinted_yellow", "has a more yellowish tint")),
    # Presence, kind, size, count
    **_both("presence", ("appeared", "has been added"), ("disappeared", "has been removed")),
    **_valued("replaced", "is {after} instead of {before}", "kind"),
    **_both("size", ("larger", "is larger"), ("smaller", "is smaller")),
    **_valued("count", "has {after} instead of {before}"),
    # Words
    **_valued("reads", "reads “{after}” instead of “{before}”", "text"),
    # Low-level properties of the whole image
    **_both("grain", ("grainier", "is grainier"), ("cleaner", "is less grainy")),
    **_both("resolution", ("coarser", "has a lower resolution"), ("finer", "has a higher resolution")),
    **_both(
        "smoothness",
        ("smoother", "has softer surface detail"),
        ("rougher", "has crisper surface detail"),
    ),
    **_both("pattern", ("woven", "has gained a fine woven pattern"), ("unwoven", "has lost a fine woven pattern")),
    **_both("brightness", ("brighter", "is brighter throughout"), ("dimmer", "is dimmer throughout")),
    **_both(
        "light_side",
        ("lit_left", "is brighter on its left side and dimmer on its right side"),
        ("lit_right", "is brighter on its right side and dimmer on its left side"),
    ),
    **_both(
        "light_height",
        ("lit_top", "is brighter at its top and dimmer at its bottom"),
        ("lit_bottom", "is brighter at its bottom and dimmer at its top"),
    ),
    # CSS properties
    **_both("weight", ("bolder", "has bolder strokes"), ("thinner", "has lighter strokes")),
    **_both("text_size", ("larger_text", "has larger text"), ("smaller_text", "has smaller text")),
    **_both(
        "letters",
        ("wider_letters", "has its letters further apart"),
        ("tighter_letters", "has its letters closer together"),
    ),
    **_both("lines", ("wider_lines", "has taller lines of text"), ("tighter_lines", "has shorter lines of text")),
    **_both("solidity", ("more_solid", "is more solid"), ("more_transparent", "is more see-through")),
    **_both(
        "gradient",
        ("lighter_gradient", "has a gradient that is lighter at one end"),
        ("darker_gradient", "has a gradient that is darker at one end"),
    ),
    **_both("padding", ("more_padding", "has more space inside"), ("less_padding", "has less space inside")),
    **_valued("spread", "has its content {after} instead of {before}"),
    **_both("border", ("thicker_border", "has a thicker border"), ("thinner_border", "has a thinner border")),
    **_both("corners", ("rounder", "has rounder corners"), ("sharper", "has sharper corners")),
    # fmt: on
}

ENTANGLED: Final = frozenset(
    frozenset(axes)
    for axes in (
        ("hue", "lightness"), ("hue", "solidity"), ("lightness", "solidity"), ("hue", "gradient"),
        ("lightness", "gradient"), ("hue", "state"), ("count", "presence"), ("kind", "presence"), ("padding", "size"),
        ("text_size", "size"), ("text_size", "lines"), ("grain", "smoothness"), ("resolution", "smoothness"),
        ("horizontal", "spread"), ("size", "horizontal"), ("size", "vertical"), ("padding", "spread"),
        ("brightness", "smoothness"), ("brightness", "red_cyan"), ("brightness", "green_magenta"),
        ("brightness", "blue_yellow"),
    )
)  # fmt: skip
"""Axes of one subject on which one change may be described as another: such a statement is not checkably false."""

TINTS: Final = ("tinted_red", "tinted_yellow", "tinted_green", "tinted_cyan", "tinted_blue", "tinted_magenta")
"""Around the color circle, 60 degrees apart: a tint may pass for its neighbours and for no other."""

WHOLE_IMAGE: Final = "the image"
"""Subject of claims about everything at once."""

QUOTED: Final = 30
"""Most characters of a thing's text that a subject quotes."""

VALUE: Final = 40
"""Most characters of a text that a claim quotes as a value."""

UNWORDED: Final = "looks different"
"""Predicate of a difference that the grammar has no certain words for."""

PHRASINGS: Final = ("{subject} {predicate} in image B.", "In image B, {subject} {predicate}.")
"""Ways to word any claim; all options of a question use the same one."""


@dataclass(frozen=True, order=True)
class Claim:
    """`subject` differs in image B by `change`.

    `subject` is a noun phrase with its article that fits one thing in the image only, for example "the red ring at the
    top left". `before` and `after` are words, and empty unless the change is valued.
    Raises ValueError for a change that is not in CHANGES, or values that do not fit it.
    """

    subject: str
    change: str
    before: str = ""
    after: str = ""

    def __post_init__(self) -> None:
        if self.change not in CHANGES:
            raise ValueError(f"unknown change {self.change!r}; changes are {', '.join(CHANGES)}")
        if CHANGES[self.change].valued != bool(self.before and self.after) or self.valued and self.before == self.after:
            raise ValueError(f"{self.change} of {self.subject}: values {self.before!r}, {self.after!r} do not fit it")

    @property
    def valued(self) -> bool:
        return CHANGES[self.change].valued

    @property
    def axis(self) -> str:
        return CHANGES[self.change].axis

    @property
    def predicate(self) -> str:
        """What follows the subject: `has bolder strokes`."""
        return CHANGES[self.change].predicate.format(before=self.before, after=self.after)

    def reversed(self) -> Claim:
        """What is true when the images are shown in the other order."""
        return replace(self, change=CHANGES[self.change].opposite, before=self.after, after=self.before)

    def words(self, phrasing: int = 0) -> str:
        """The claim as one sentence."""
        return _sentence(PHRASINGS[phrasing].format(subject=self.subject, predicate=self.predicate))

    def as_dict(self) -> dict[str, str]:
        """Plain values for JSON; `Claim(**values)` reads them back."""
        return asdict(self)


def describe(subject: str, claims: Sequence[Claim], values: str = "") -> str:
    """One sentence of a difference: all that is claimed of `subject`, and the values that it was made with, if any."""
    told = " and ".join(claim.predicate for claim in claims) or UNWORDED
    return _sentence(f"{subject} {told}{f' ({values})' if values else ''}.")


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def excludes(truth: Claim, other: Claim) -> bool:
    """Whether `other` is certainly false of a pair in which only `truth` differs.

    Claims of another subject are: only one thing changed. (Subjects that contain one another are for the pair maker to
    keep apart.) Of the same subject, another value or direction on the same axis is false; another axis is, unless the
    two are entangled.
    """
    if truth == other:
        return False
    if truth.change in TINTS and other.change in TINTS:
        apart = abs(TINTS.index(truth.change) - TINTS.index(other.change))
        return min(apart, len(TINTS) - apart) > 1
    if truth.subject != other.subject or truth.axis == other.axis:
        return True
    return frozenset((truth.axis, other.axis)) not in ENTANGLED


def quoted(text: str, most: int = QUOTED) -> str:
    """The start of `text` as it can be quoted: on one line, of readable characters, cut between words."""
    readable = "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs", "Cn") or c.isspace())
    line = " ".join(readable.translate({ord(mark): None for mark in "“”"}).split())
    if not any(c.isalnum() for c in line):
        return ""
    if len(line) <= most:
        return line
    cut = line[: most + 1].rpartition(" ")[0]
    return f"{(cut if len(cut) > most // 2 else line[:most]).rstrip(' ,.;:-')}…"


def excerpts(before: str, after: str, most: int = VALUE) -> tuple[str, str] | None:
    """The stretch of both texts, of equal length and at most `most` characters, in which they differ.

    None when they do not, or not in a way that can be quoted.
    """
    places = [i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b]
    if len(before) != len(after) or not places:
        return None
    start = 0
    if len(before) > most:
        start = max(0, min(places[0] - most // 4, len(before) - most))
        # Between words, when the change leaves room for it.
        word = before.rfind(" ", start, places[0]) + 1
        start = word if 0 < start < word else start
    cut = slice(start, start + most)
    shown = tuple(" ".join(text[cut].replace("“", "").replace("”", "").split()) for text in (before, after))
    return (shown[0], shown[1]) if shown[0] and shown[1] and shown[0] != shown[1] else None
