"""What an operator is: a scale, places on a page where it applies, and three tiers of step sizes.

Belongs here: the shapes shared by the operator families and the one function that turns a place on a scale into the
three tiers. Does not belong here: any single operator (one module per family) or anything that touches a browser.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from diffbench_assets.pages import ladders, scales
from diffbench_assets.pairs.colors import alpha, css_color, rgb_bytes
from diffbench_assets.pairs.edits import Edit
from diffbench_assets.pairs.grammar import Dimension
from diffbench_assets.pairs.record import Mechanism, Mutation

TIERS = ("easy", "medium", "hard")


@dataclass(frozen=True)
class OwnText:
    """A non-blank text node of an element: its number among the child nodes, its data, and where it can be seen."""

    node: int
    text: str
    visible: tuple[float, float, float, float]


@dataclass(frozen=True)
class Element:
    """One visible element of a loaded page, as `page.js` saw it. Boxes are (x, y, width, height) in CSS px.

    `style` holds computed values with colours as sRGB. `visible` is the box cut to the viewport and to clipping
    ancestors; `hits` counts how many of five points of it belong to the element, `lines` the lines of its own text.
    """

    index: int
    selector: str
    tag: str
    role: str
    text: str
    classes: tuple[str, ...]
    box: tuple[float, float, float, float]
    visible: tuple[float, float, float, float]
    hits: int
    own: tuple[OwnText, ...]
    children: int
    style: dict[str, str]
    lines: int = 0

    def px(self, name: str) -> float:
        """A computed length in px; 0 for keywords such as normal and auto."""
        value = self.style[name]
        return float(value.removesuffix("px")) if value.endswith("px") else 0.0

    @property
    def painted(self) -> bool:
        """Whether the box itself shows: it has a fill or a border."""
        bordered = self.style["border-width"] != "0px" and alpha(self.style["border-top-color"]) > 0
        filled = alpha(self.style["background-color"]) > 0 or self.style["background-image"] != "none"
        return bordered or filled


@dataclass(frozen=True)
class Variant:
    """A place where an operator applies: a point on a scale.

    `values` are the CSS values of the scale in order and `at` is where the element stands on it. `edit` gives the edits
    that take it to another index; `expect` the computed values that prove the edits took effect; `axis` is that of the
    mutation.
    """

    property: str
    mechanism: Mechanism
    before: str
    at: int
    values: tuple[str, ...]
    edit: Callable[[int], tuple[Edit, ...]]
    expect: Callable[[int], tuple[str, ...] | None] = lambda index: None
    axis: str = ""


Says: TypeAlias = Callable[[str, str, int, tuple[float, float]], tuple[tuple[str, ...], ...]]
"""What an operator makes true of the image after: a change of the grammar, with its values where it has some.

From the value before and after, the direction, and how far the target's box moved (right, down). Several for a move
along both axes; none where no words are certain.
"""


@dataclass(frozen=True)
class Tells:
    """Words of these kinds, said about one of these aspects ("" when unsaid), tell the change along its scale."""

    kinds: tuple[str, ...]
    aspects: tuple[str, ...]


def tells(kinds: str, aspects: str) -> Tells:
    """From two lists of words; `unsaid` among the aspects is none."""
    return Tells(tuple(kinds.split()), tuple("" if word == "unsaid" else word for word in aspects.split()))


@dataclass(frozen=True)
class JudgeRule:
    """Which of an answer's words report the change, for judges that go by rules; kinds and aspects are theirs.

    `tells`: words that have to agree with the recorded direction. `moves`: words for a move have to agree with where
    the content went. `spreads`: words have to fit how the content is distributed. `hues`: a color that is named has to
    fit the color after. `any_direction`: words for lighter and darker count either way. `beside`: what stands beside
    the element may be named for it. The rule for an operator that rewrites text is to read the text.
    """

    tells: tuple[Tells, ...] = ()
    moves: bool = False
    spreads: bool = False
    hues: bool = False
    any_direction: bool = False
    beside: bool = False


@dataclass(frozen=True)
class Operator:
    """One of the 13 operators.

    `tiers` gives for each tier the smallest and largest size of the change in `unit`: scale steps, em, or characters
    (DiffSpot §2.2 and appendix "Per-operator parameter ranges"). `says` words the change and `judge` tells which
    answers report it; `dimensions` are those of the difference (DiffCap-Bench). `layout`: the change can move boxes.
    `shifts`: it shows only where some box or text moves. `silhouette`: it changes the outline that a shadow follows.
    `keeps_size`: a target whose box gets another size was changed in another way than the operator names. `rewrites`:
    it is the target's text that changes. `scales`: prefixes of the class scales that it swaps along. `plain`: whether
    the property shows as itself on an element; such elements are tried before others.
    """

    name: str
    family: str
    unit: str
    tiers: Mapping[str, tuple[float, float]]
    groups: Callable[[Operator, Element, random.Random], Iterator[dict[str, Planned]]]
    says: Says
    dimensions: tuple[Dimension, ...]
    judge: JudgeRule
    layout: bool = True
    shifts: bool = False
    silhouette: bool = False
    keeps_size: bool = False
    rewrites: bool = False
    scales: tuple[str, ...] = ()
    plain: Callable[[Element], bool] = lambda element: True

    def has_class(self, element: Element) -> bool:
        """Whether a class of the element stands on one of the operator's scales."""
        return any(
            (step := scales.scale_step(token, version)) is not None and step.prefix in self.scales
            for token in element.classes
            for version in ladders.SCALES
        )


def either(less: str, more: str) -> Says:
    """One change when the value shrinks along its scale, another when it grows."""
    return lambda before, after, direction, moved: ((more if direction > 0 else less,),)


@dataclass(frozen=True)
class Planned:
    """A mutation that may be tried on a live page, and the computed values that would prove it effective."""

    mutation: Mutation
    expect: tuple[str, ...] | None = None


def describe_element(element: Element) -> dict[str, str]:
    """Tag, role and the first 60 characters of the element's text."""
    return {"tag": element.tag, "role": element.role, "text": element.text[:60]}


def stepped(variants: Callable[[Element], Iterator[Variant]]) -> Callable[..., Iterator[dict[str, Planned]]]:
    """Groups of an operator whose tiers are numbers of scale steps: same target, same direction, growing distance."""

    def groups(operator: Operator, element: Element, dice: random.Random) -> Iterator[dict[str, Planned]]:
        for variant in variants(element):
            for direction in (1, -1):
                group = {}
                for tier, (least, most) in operator.tiers.items():
                    room = len(variant.values) - 1 - variant.at if direction > 0 else variant.at
                    if room < least:
                        continue
                    steps = dice.randint(int(least), int(min(most, room)))
                    to = variant.at + direction * steps
                    mutation = Mutation(
                        operator.name,
                        tier,
                        element.selector,
                        variant.mechanism,
                        variant.edit(to),
                        variant.property,
                        variant.before,
                        variant.values[to],
                        direction,
                        steps,
                        operator.unit,
                        describe_element(element),
                        variant.axis,
                    )
                    group[tier] = Planned(mutation, variant.expect(to))
                if group:
                    yield group

    return groups


def class_variants(
    element: Element, properties: dict[str, str], shows: Callable[[str, str], bool] | None = None
) -> Iterator[Variant]:
    """Variants from the element's own class tokens on the Tailwind scales that `properties` names.

    `properties` maps a scale's prefix to the CSS property it sets. Only a whole token counts, and only while the
    element shows its value (`shows(computed, step value)`, equality by default). Tokens with a variant (`hover:`,
    `sm:`) are on no scale, so they are left alone.
    """
    for version, table in ladders.SCALES.items():
        found = False
        for token in dict.fromkeys(element.classes):
            step = scales.scale_step(token, version)
            if step is None or step.prefix not in properties:
                continue
            suffixes, values = zip(*table[step.prefix], strict=True)
            shown = element.style[properties[step.prefix]]
            if (shows or same_value)(shown, values[step.index]):
                found = True
                yield _class_variant(element.selector, token, step, properties[step.prefix], shown, suffixes, values)
        if found:
            return


def _class_variant(
    selector: str,
    token: str,
    step: scales.ScaleStep,
    property: str,
    shown: str,
    suffixes: tuple[str, ...],
    values: tuple[str, ...],
) -> Variant:
    readable = tuple(css_color(value) if value.startswith("#") else value for value in values)
    return Variant(
        property=property,
        mechanism="class_swap",
        before=shown,
        at=step.index,
        values=readable,
        edit=lambda to: (Edit(selector, "class", token, scales.token(step.prefix, suffixes[to])),),
        expect=lambda to: (readable[to],),
    )


def inline_variant(
    element: Element, property: str, at: int, values: tuple[str, ...], extra: tuple[Edit, ...] = ()
) -> Variant:
    """A variant that overrides the element's `property` inline with another value of the scale."""
    return Variant(
        property=property,
        mechanism="inline",
        before=element.style[property],
        at=at,
        values=values,
        edit=lambda to: (*extra, Edit(element.selector, "style", property, values[to])),
        expect=lambda to: None,
    )


def nearest(value: float, scale: tuple[float, ...]) -> int:
    """Index of the scale value nearest to `value`; the smaller one on a tie."""
    return min(range(len(scale)), key=lambda i: (abs(scale[i] - value), i))


def same_value(a: str, b: str) -> bool:
    """Whether two computed values are equal: colours to 2 levels a channel, lengths to 0.02 px."""
    if a == b:
        return True
    left, right = rgb_bytes(a), rgb_bytes(b)
    if left and right:
        return all(abs(x - y) < 3 for x, y in zip(left, right, strict=True))
    try:
        return abs(float(a.removesuffix("px")) - float(b.removesuffix("px"))) < 0.02
    except ValueError:
        return False
