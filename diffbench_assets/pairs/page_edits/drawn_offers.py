"""Changes of a drawn thing, by category: where it is, how it is turned, its state, color, presence, kind, size, count
and text.

Belongs here: which edits make which claim true. Does not belong here: whether there is room for them (`page.js`),
phrases for things (`drawing.py`).

A thing varies along one axis only where two could be taken for one another (its color or its lightness; its kind, its
size or its number of parts): so no claim about it is false merely in name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias, TypeVar

import numpy as np

from diffbench_assets.pages.art import COLORS, KINDS, Kind, Look
from diffbench_assets.pages.scenes.compose import fits
from diffbench_assets.pages.scenes.page import drawing as markup
from diffbench_assets.pages.scenes.places import STANDING
from diffbench_assets.pairs.color_words import apart
from diffbench_assets.pairs.colors import css_color, shades
from diffbench_assets.pairs.edits import Edit
from diffbench_assets.pairs.grammar import Claim
from diffbench_assets.pairs.page_edits.drawing import Drawing, Drawn
from diffbench_assets.pairs.page_edits.ocr import variants
from diffbench_assets.pairs.page_edits.offers import Offer

DrawnOffers: TypeAlias = Callable[[Drawn, Drawing, np.random.Generator], Iterator[Offer]]
_T = TypeVar("_T")

DISTANCES: Final = (60, 85, 115, 150, 190, 230)
"""CSS px of a move."""
TURNS: Final = (25, 30, 35, 40, 45)
"""Degrees."""
SIZES: Final = (("larger", 1, (1.25, 1.35, 1.45)), ("smaller", -1, (0.62, 0.7, 0.78)))
"""Claim, direction, and the factors of size."""
RUNGS: Final = (2, 3)
"""Steps on the ladder of shades that make a color lighter or darker."""
ALTERNATIVES: Final = 2
"""At most so many other values of one thing: more would make it the subject of most claims."""

ENOUGH: Final = 2
"""Things of a scene that a sort of change must be possible for: a question says something of several."""

_MOVES: Final = (("moved_left", -1, 0), ("moved_right", 1, 0), ("moved_up", 0, -1), ("moved_down", 0, 1))
_LOOKALIKES: Final = (
    "OQD0CGU", "IL1JT7", "B83RP69", "EFB3", "S58", "Z27", "UVYW", "MNHW", "KXHR", "5639", "AR4", "1T7", "VY",
)  # fmt: skip


def position(thing: Drawn, drawing: Drawing, dice: np.random.Generator) -> Iterator[Offer]:
    """One move each way, by a distance of its own, to where its zone still wants it."""
    name = drawing.subject(thing, color=True, place=False)
    if name is None:
        return
    left, top, width, height = thing.box
    for claim, right, down in _MOVES:
        for distance in _some(DISTANCES, dice, len(DISTANCES)):
            x, y = left + right * distance, top + down * distance
            if fits((x, y, x + width, y + height), thing.zone) and _free(thing, drawing, (x, y, width, height)):
                to = f"{thing.x + right * distance:g}px {thing.y + down * distance:g}px"
                edit = Edit(thing.selector, "style", "translate", to)
                sign = right + down
                yield _offer(thing, Claim(name, claim), (edit,), "", to, sign, distance, "px")
                break


def motion(thing: Drawn, drawing: Drawing, dice: np.random.Generator) -> Iterator[Offer]:
    """Another state where the thing has states, else a turn each way where turns show."""
    name = drawing.subject(thing, color=True, place=True)
    if name is None:
        return
    if thing.kind.turns:
        degrees = int(dice.choice(TURNS))
        for claim, sign in (("turned_clockwise", 1), ("turned_counterclockwise", -1)):
            before, to = f"{thing.angle:g}deg", f"{thing.angle + sign * degrees:g}deg"
            edit = Edit(thing.selector, "style", "rotate", to)
            yield _offer(thing, Claim(name, claim), (edit,), before, to, sign, degrees, "degrees")
    now = thing.look.state
    for state in _some([state for state in thing.kind.states if state != now], dice):
        edit = _redrawn(thing, replace(thing.look, state=state))
        yield _offer(thing, Claim(name, "state", now, state), (edit,), now, state)


def regional_color(thing: Drawn, drawing: Drawing, dice: np.random.Generator) -> Iterator[Offer]:
    """Other colors of the thing or of the part that is colored, or a lighter and a darker one."""
    name = drawing.subject(thing, color=False, place=True)
    if name is None or not thing.word:
        return
    named = f"the {thing.kind.part} of {name}" if thing.kind.part else name
    if dice.integers(2):
        for word in _some([word for word in thing.kind.colors if apart(thing.word, word)], dice):
            to = css_color(COLORS[word])
            claim = Claim(named, "recolored", thing.word, word)
            yield _offer(thing, claim, (Edit(thing.selector, "style", "color", to),), thing.color, to)
        return
    at, rungs = shades(thing.color)
    for claim_name, sign in (("lighter", -1), ("darker", 1)):
        steps = int(dice.choice(RUNGS))
        if 0 <= at + sign * steps < len(rungs):
            to = rungs[at + sign * steps]
            edit = Edit(thing.selector, "style", "color", to)
            yield _offer(thing, Claim(named, claim_name), (edit,), thing.color, to, sign, steps, "steps")


def appearance(thing: Drawn, drawing: Drawing, dice: np.random.Generator) -> Iterator[Offer]:
    """The thing is gone, and its place is empty."""
    name = drawing.subject(thing, color=True, place=True)
    if name is not None:
        edit = Edit(thing.selector, "style", "visibility", "hidden")
        yield _offer(thing, Claim(name, "disappeared"), (edit,), "visible", "hidden", -1, 1)


def ocr(thing: Drawn, drawing: Drawing, dice: np.random.Generator) -> Iterator[Offer]:
    """One change of each kind that the text allows, which nobody overlooks for its likeness."""
    name, label, text = drawing.subject(thing, color=True, place=True), thing.kind.label, thing.look.text
    if name is None or label is None:
        return
    named = f"the {label.part} of {name}" if label.part else name
    words = {word for other in drawing.things for word in other.look.text.split() if word.isalpha()}
    for kind, changed in variants(text, words, (), dice):
        if not _lookalike(text, changed):
            edit = Edit(f"{thing.selector} text", "text", kind, changed, 0)
            yield _offer(thing, Claim(named, "reads", text, changed), (edit,), text, changed, 0, 1, kind)


def kinds(thing: Drawn, drawing: Drawing, dice: np.random.Generator) -> Iterator[Offer]:
    kind = thing.kind
    name = drawing.subject(thing, color=True, place=True, group=True) if kind.group else None
    present = [other.kind.name for other in drawing.things]
    # A second thing of either kind could leave a phrase for it without a sense in one of the images.
    if name is None or present.count(kind.name) > 1:
        return
    others = [other for other in KINDS.values() if other.group == kind.group and other.name not in present]
    for other in _some([other for other in others if not thing.word or thing.word in other.colors], dice):
        look = _same_look(other, thing.look)
        scale = thing.scale * sum(other.px) / sum(kind.px)
        edits = (_redrawn(thing, look, other), *_standing(thing, other, scale))
        yield _offer(
            thing, Claim(name, "replaced", kind.article_noun, other.article_noun), edits, kind.noun, other.noun
        )


def sizes(thing: Drawn, drawing: Drawing, dice: np.random.Generator) -> Iterator[Offer]:
    name = drawing.subject(thing, color=True, place=True)
    if name is None:
        return
    left, top, width, height = thing.box
    for claim, sign, factors in SIZES:
        for factor in _some(factors, dice, len(factors)):
            rise = (factor - 1) * height * (1 if thing.zone.rest in STANDING else 0.5)
            box = (left - (factor - 1) * width / 2, top - rise, factor * width, factor * height)
            if _free(thing, drawing, box):
                before, after = f"{thing.scale:g}", f"{thing.scale * factor:.4g}"
                edits = _standing(thing, thing.kind, float(after))
                yield _offer(thing, Claim(name, claim), edits, before, after, sign, factor, "times")
                break


def counts(thing: Drawn, drawing: Drawing, dice: np.random.Generator) -> Iterator[Offer]:
    counted, name, now = thing.kind.counted, drawing.subject(thing, color=True, place=True), thing.look.count
    if name is None or counted is None:
        return
    near = [count for count in range(counted.low, counted.high + 1) if 0 < abs(count - now) <= 2]
    for count in _some(near, dice):
        before, after = (f"{number} {counted.parts}" for number in (now, count))
        edit = _redrawn(thing, replace(thing.look, count=count))
        sign = 1 if count > now else -1
        claim = Claim(name, "count", before, after)
        yield _offer(thing, claim, (edit,), before, after, sign, abs(count - now), "parts")


CATEGORIES: Final[Mapping[str, Sequence[DrawnOffers]]] = {
    "position": (position,),
    "motion": (motion,),
    "regional_color": (regional_color,),
    "appearance": (appearance,),
    "substitution": (kinds, counts, sizes),
    "ocr": (ocr,),
}
"""What each category offers for a thing; a scene is asked about one of several, so that none is true more often."""


def offers(category: str, drawing: Drawing, dice: np.random.Generator) -> list[Offer]:
    """All that can be done to the things of a scene in a category: of one sort, which enough of its things have."""
    for sort in _some(CATEGORIES[category], dice, len(CATEGORIES[category])):
        made = [offer for thing in drawing.things for offer in sort(thing, drawing, dice)]
        if len({offer.thing.phrase for offer in made}) >= ENOUGH:
            return made
    return []


def _offer(
    thing: Drawn,
    claim: Claim,
    edits: Sequence[Edit],
    before: str,
    after: str,
    direction: int = 0,
    magnitude: float = 1.0,
    unit: str = "",
) -> Offer:
    """An offer whose thing needs room where it comes to be; the property is what the claim is about."""
    before = before or f"{thing.x:g}px {thing.y:g}px"
    return Offer(thing, claim, tuple(edits), claim.axis, before, after, direction, magnitude, unit, roams=True)


def _redrawn(thing: Drawn, look: Look, kind: Kind | None = None) -> Edit:
    """The drawing of another look, and of another kind where given, in the place of the thing's."""
    content = markup(kind or thing.kind, look, thing.zone.rest)
    return Edit(f"{thing.selector} > g", "content", value=content)


def _standing(thing: Drawn, kind: Kind, scale: float) -> tuple[Edit, Edit]:
    """The thing in another size, or another kind in its place: what stands keeps its foot where it is."""
    foot = thing.kind.bounds[3] * thing.scale - kind.bounds[3] * scale if thing.zone.rest in STANDING else 0.0
    return (
        Edit(thing.selector, "style", "scale", f"{scale:.4g}"),
        Edit(thing.selector, "style", "translate", f"{thing.x:g}px {thing.y + foot:.5g}px"),
    )


def _same_look(kind: Kind, look: Look) -> Look:
    """The look of another kind that is most like this one."""
    state = look.state if look.state in kind.states else kind.states[0] if kind.states else ""
    count = min(max(look.count, kind.counted.low), kind.counted.high) if kind.counted else 0
    pattern = look.pattern if look.pattern in kind.patterns else ""
    return Look(state, count, look.text if kind.label else "", pattern)


def _free(thing: Drawn, drawing: Drawing, box: tuple[float, float, float, float]) -> bool:
    """Whether no other thing is where the box is; the page itself is asked again when the move is tried."""
    left, top, width, height = box
    return not any(
        left < x + w + 5 and x < left + width + 5 and top < y + h + 5 and y < top + height + 5
        for x, y, w, h in (other.box for other in drawing.things if other.id != thing.id)
    )


def _some(values: Sequence[_T] | Collection[_T], dice: np.random.Generator, most: int = ALTERNATIVES) -> list[_T]:
    listed = list(values)
    return [listed[place] for place in dice.permutation(len(listed))[:most]]


def _lookalike(one: str, other: str) -> bool:
    """Whether a changed text differs only in characters that are easily taken for each other."""
    changed = [(a, b) for a, b in zip(one, other, strict=False) if a != b]
    return len(one) == len(other) and all(any(a in like and b in like for like in _LOOKALIKES) for a, b in changed)
