"""What a loaded page offers to change: its visible things, each with a name that no other thing has.

Belongs here: reading the page, and calling things so that a reader of the screenshot finds the one that is meant. Does
not belong here: changing them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from diffbench_assets.browser.gate import Box, Pixels
from diffbench_assets.browser.render import VIEWPORT, Tab
from diffbench_assets.pairs.css.filters import filter_element
from diffbench_assets.pairs.css.operators.base import Element
from diffbench_assets.pairs.css.search import parse_elements
from diffbench_assets.pairs.edits import Edit
from diffbench_assets.pairs.grammar import QUOTED
from diffbench_assets.pairs.grammar import quoted as quote
from diffbench_assets.pairs.naming import location, plain_noun, subject

LEAST_SIDE: Final = 8
"""Least width and height in CSS px of a thing that a question is about."""

LARGEST_SHARE: Final = 0.25
"""Largest part of the viewport that a thing covers: a larger one is the page rather than a thing on it."""

DRAWING_SIDE: Final = 72
"""Width in CSS px from which a vector drawing is no icon any more."""

_KIN: Final[Mapping[str, tuple[str, str]]] = {
    "svg": ("icon", "icons"),
    "img": ("image", "images"),
    "li": ("list item", "list items"),
    "a": ("link", "links"),
    "button": ("button", "buttons"),
}
_TELLING: Final = frozenset(
    ("icon", "image", "drawing", "box", "shape", "button", "link", "input", "dropdown", "checkbox", "radio button",
     "slider", "progress bar", "switch")
)  # fmt: skip
"""Nouns that say what to look for without a text to read."""

_INPUTS: Final[Mapping[str, str]] = {
    "checkbox": "checkbox",
    "radio": "radio button",
    "range": "slider",
    "submit": "button",
    "button": "button",
    "reset": "button",
}


@dataclass(frozen=True)
class Details:
    """What `page.js` tells of an element beside its snapshot.

    `shown` is its first line of text as displayed; where it has none, `beside` is that of its nearest surrounding.
    `on`: checked or open. `gauge` is how far a bar is filled on its `span` of values, `kin` how many children of one
    kind and size it has, `drawing` what decides the look of an image or svg. `pictured`: its look is decided by more
    than that. `glyph`: its font draws symbols. `untransformed`: no CSS transform of its own.
    """

    shown: str
    beside: str
    painted: bool
    type: str
    on: bool
    gauge: float | None
    span: tuple[float, float]
    kin: int
    kin_tag: str
    kin_painted: bool
    drawing: str
    pictured: bool
    glyph: bool
    transform: str
    untransformed: bool
    inline: bool
    contents: bool


@dataclass(frozen=True)
class Thing:
    """A visible element, or the group of an element's children, and the phrase that means it and nothing else."""

    phrase: str
    noun: str
    place: str
    element: Element
    details: Details

    @property
    def selector(self) -> str:
        return self.element.selector

    @property
    def text_room(self) -> Box:
        """Where its first own text can be seen."""
        return self.element.own[0].visible

    def found_at(self, box: Box) -> bool:
        """Whether the place of its phrase is still that of the box."""
        return location(box) == self.place

    @property
    def target(self) -> dict[str, str]:
        """The `target` of a difference."""
        element = self.element
        return {"tag": element.tag, "role": element.role, "text": self.details.shown[:60], "location": self.place}


@dataclass(frozen=True)
class LoadedPage:
    """A loaded page: `things` and `groups` may be changed; `elements` are all that can be seen, with their details."""

    things: Sequence[Thing]
    groups: Sequence[Thing]
    elements: Sequence[tuple[Element, Details]]
    pixels: Pixels

    def inside(self, thing: Thing) -> Iterator[Element]:
        """The element of `thing` and the visible elements in it."""
        for element, _ in self.elements:
            if element.selector == thing.selector or element.selector.startswith(f"{thing.selector} > "):
                yield element


async def read_page(tab: Tab, pixels: Pixels, missing_glyphs: str) -> LoadedPage:
    """The page in `tab`, whose capture has `pixels`."""
    elements = parse_elements(await tab.snapshot())
    rows = await tab.call("semantic.details", [element.selector for element in elements])
    known = [(element, Details(**row)) for element, row in zip(elements, rows, strict=True)]
    return LoadedPage(
        _named(
            [_thing(*each) for each in known if _fits(*each, missing_glyphs) and _shows(pixels, each[0])],
            _others(known, missing_glyphs),
        ),
        _named([_group(*each) for each in known if _fits_group(*each, missing_glyphs)], []),
        known,
        pixels,
    )


def as_json(edits: Sequence[Edit]) -> list[dict[str, Any]]:
    """Edits as `page.js` and records take them."""
    return [vars(edit) for edit in edits]


def _nameable(element: Element, details: Details) -> bool:
    """Whether a person would call it a thing: it has a role, own text, a drawing, a state or paint, unlike wrappers."""
    marks = (element.role, element.own, details.drawing, details.painted, details.gauge is not None)
    return any(marks) and not details.contents


def _fits(element: Element, details: Details, missing_glyphs: str) -> bool:
    x, y, width, height = element.box
    return (
        _nameable(element, details)
        and filter_element(element, missing_glyphs) is None
        and element.hits >= 3
        and min(width, height) >= LEAST_SIDE
        and y + height <= VIEWPORT[1]
        and width * height <= LARGEST_SHARE * VIEWPORT[0] * VIEWPORT[1]
    )


def _shows(pixels: Pixels, element: Element) -> bool:
    """Whether anything is to be seen in its box or at its edge; what an element paints may be the color around it."""
    x, y, width, height = (int(value) for value in element.box)
    around = pixels[max(0, y - 2) : y + height + 2, max(0, x - 2) : x + width + 2]
    return bool((around != around.flat[0]).any())


def _others(known: Sequence[tuple[Element, Details]], missing_glyphs: str) -> list[Thing]:
    """What can be seen and named but not changed: nothing may be called like it either."""
    return [_thing(*each) for each in known if _nameable(*each) and not _fits(*each, missing_glyphs)]


def _fits_group(element: Element, details: Details, missing_glyphs: str) -> bool:
    return (
        details.kin > 0
        and (details.kin_tag in _KIN or details.kin_painted)
        and filter_element(element, missing_glyphs) is None
        and element.hits >= 1
    )


def _noun(element: Element, details: Details) -> str:
    if details.type in _INPUTS:
        return _INPUTS[details.type]
    if details.gauge is not None:
        return "progress bar"
    if element.tag == "details":
        return "panel"
    if element.tag == "svg" and element.box[2] >= DRAWING_SIDE:
        return "drawing"
    if details.glyph and not element.children:
        return "icon"
    noun = plain_noun(element.tag, element.role, details.shown)
    if noun == "paragraph" and len(details.shown) <= QUOTED:
        return "text"
    if noun in ("text", "box", "shape"):
        if details.painted:
            return "badge" if details.shown and element.box[3] <= 40 else "box"
        return "text" if details.shown else "shape"
    return noun


def kin_words(details: Details) -> tuple[str, str]:
    """Singular and plural of what a group consists of."""
    return _KIN.get(details.kin_tag, ("box", "boxes"))


def _thing(element: Element, details: Details) -> Thing:
    noun, where = _noun(element, details), location(element.box)
    text = "" if noun in ("icon", "image", "drawing") else details.shown
    return Thing(subject(noun, text, where), noun, where, element, details)


def _group(element: Element, details: Details) -> Thing:
    noun, where = f"group of {kin_words(details)[1]}", location(element.box)
    start = f"beginning with “{quote(details.shown)}”" if quote(details.shown) else ""
    return Thing(subject(f"{noun} {start}".strip(), "", where), noun, where, element, details)


def _named(things: Sequence[Thing], others: Sequence[Thing]) -> list[Thing]:
    """The things whose phrase no other thing and none of `others` has."""
    everything = [*things, *others]
    alike = Counter((thing.noun, thing.place) for thing in everything)
    called = {id(thing): _called(thing, alike[thing.noun, thing.place] == 1) for thing in everything}
    times = Counter(called.values())
    return [replace(thing, phrase=phrase) for thing in things if (phrase := called[id(thing)]) and times[phrase] == 1]


def _called(thing: Thing, alone: bool) -> str:
    """By its own text; without one by its noun where no other is there, or by the text around it. Empty: by nothing."""
    if "“" in thing.phrase:
        return thing.phrase
    if thing.noun not in _TELLING and not thing.noun.startswith("group of"):
        return ""
    if alone:
        return thing.phrase
    near = quote(thing.details.beside)
    return subject(f"{thing.noun} beside “{near}”", "", thing.place) if near else ""
