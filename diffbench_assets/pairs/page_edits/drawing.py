"""What a loaded scene offers to change: its things, and phrases that fit one of them and no other.

Belongs here: reading a scene page, calling its things. Does not belong here: changing them (`drawn_offers.py`), other
pages (`loaded.py`).

A page only says which kinds of the art library stand where; what they are called and which color they have is told from
the library and from the rendered page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from diffbench_assets.browser.gate import Box
from diffbench_assets.browser.render import Tab
from diffbench_assets.pages.art import KINDS, Kind, Look
from diffbench_assets.pages.scenes import PLACES
from diffbench_assets.pages.scenes.places import Zone
from diffbench_assets.pairs.color_words import apart, color_word
from diffbench_assets.pairs.naming import location

CLEAR: Final = 85
"""CSS px by which a thing must be further left, right, up or down than the next to be called the outermost."""

_ENDS: Final = (("leftmost", 0, -1), ("rightmost", 0, 1), ("topmost", 1, -1), ("lowest", 1, 1))


@dataclass(frozen=True)
class Drawn:
    """A thing of a loaded scene. `color` is its CSS color and `word` what anybody calls it; both empty without one.

    Its (0, 0) stands at (x, y), `scale` CSS px are one unit, it is turned by `angle` degrees clockwise.
    """

    id: str
    kind: Kind
    zone: Zone
    look: Look
    color: str
    word: str
    x: float
    y: float
    angle: float
    scale: float
    box: Box
    label: Box | None

    @property
    def selector(self) -> str:
        return f"#{self.id}"

    @property
    def phrase(self) -> str:
        """Its id: phrases for it depend on what changes."""
        return self.id

    @property
    def target(self) -> dict[str, str]:
        """The `target` of a difference."""
        return {"tag": "g", "role": self.kind.noun, "text": self.look.text, "location": location(self.box)}

    @property
    def text_room(self) -> Box:
        """The surface around its text."""
        if self.label is None or self.kind.label is None:
            raise ValueError(f"{self.id} bears no text")
        left, top, width, height = self.label
        room = self.kind.label.width * self.scale
        return left + (width - room) / 2, top, room, height

    def found_at(self, box: Box) -> bool:
        """Always: no phrase for it names a place that an offered change leaves."""
        return True

    @property
    def center(self) -> tuple[float, float]:
        left, top, width, height = self.box
        return left + width / 2, top + height / 2


@dataclass(frozen=True)
class Drawing:
    """The things of a loaded scene."""

    things: Sequence[Drawn]

    def subject(self, thing: Drawn, *, color: bool, place: bool, group: bool = False) -> str | None:
        """A phrase with its article for one thing, or None when none is certain.

        It is a noun when one thing could be called so, else the noun with a color that no other such thing comes near,
        else the noun with the place at the end of a row that is clear to see. `color` and `place` allow words for them:
        they must not be what changes. `group` names the thing by its group, so that the phrase still fits when another
        kind of the group stands there.
        """
        noun = thing.kind.group if group else thing.kind.noun
        alike = [other for other in self.things if other.kind.called(noun) and other.id != thing.id]
        if not alike:
            return f"the {noun}"
        shared = not group or all(kind.part == thing.kind.part for kind in KINDS.values() if kind.group == noun)
        if color and thing.word and shared and all(other.word and apart(thing.word, other.word) for other in alike):
            return f"the {thing.kind.in_color(noun, thing.word)}"
        if place:
            for word, axis, sign in _ENDS:
                if all(sign * (thing.center[axis] - other.center[axis]) >= CLEAR for other in alike):
                    return f"the {word} {noun}"
        return None


async def read_drawing(tab: Tab) -> Drawing:
    """The scene in `tab`. Raises ValueError for things or places that the library does not have."""
    await tab.snapshot()
    return Drawing([_drawn(row) for row in await tab.call("semantic.drawing")])


def _drawn(row: dict[str, Any]) -> Drawn:
    try:
        kind, zone = KINDS[row["kind"]], PLACES[row["place"]].zones[row["zone"]]
    except KeyError as error:
        raise ValueError(f"not a scene of this version: {error} is unknown") from error
    x, y = ([float(part.removesuffix("px")) for part in row["translate"].split()] + [0.0])[:2]
    color = row["color"] if kind.colors else ""
    return Drawn(
        row["id"],
        kind,
        zone,
        Look(row["state"], row["count"], row["text"], row["pattern"]),
        color,
        color_word(color) or "" if color else "",
        x,
        y,
        float(row["rotate"].removesuffix("deg")) if row["rotate"] != "none" else 0.0,
        float(row["scale"].split()[0]),
        tuple(row["box"]),
        tuple(row["label"]) if row["label"] else None,
    )
