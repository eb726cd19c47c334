"""Which visual effects report a recorded difference, by the rule in its operator's row (`pairs/css/operators`).

Belongs here: from a recorded difference and the effects of one statement to fits, against or unrelated. Does
not belong here: which effects an operator accepts (its row), words (`lexicon.py`), elements, text (`wording.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final

from diffbench_assets.pairs.css.operators import OPERATORS
from diffbench_assets.pairs.css.operators.base import JudgeRule
from diffbench_assets.pairs.css.operators.layout import SPREADS
from diffbench_assets.protocols.open_ended.rules.colors import css_tones, hues_clash
from diffbench_assets.protocols.open_ended.rules.effects import Effect


class Fit(Enum):
    """How one effect stands to the recorded difference."""

    YES = "tells the change"
    AGAINST = "tells the opposite"
    NO = "tells something else"


RULES: Final[Mapping[str, JudgeRule]] = {name: operator.judge for name, operator in OPERATORS.items()}


def rule_of(difference: Mapping[str, Any]) -> JudgeRule:
    """The rule of the difference's operator; one that accepts nothing for any other kind."""
    return RULES.get(difference["kind"], JudgeRule())


def fit(difference: Mapping[str, Any], effect: Effect) -> Fit:
    """How `effect`, said of the right element, stands to `difference` (any kind but one that rewrites text)."""
    rule = rule_of(difference)
    if effect.kind in ("x", "y"):
        if difference.get("shift") and effect.aspect != "leading":
            return _along(_signs(difference["shift"]), effect)
        if rule.moves:
            return _along(movement(difference), effect)
    if rule.spreads:
        return _justified(difference, effect)
    if rule.any_direction and _of_light(effect):
        return Fit.YES
    if rule.hues and (answer := _hued(difference, effect)) is not None:
        return answer
    sign = -effect.sign if effect.aspect == "transparency" else effect.sign
    aspect = "opacity" if effect.aspect == "transparency" else effect.aspect
    if "thick" in {kind for row in rule.tells for kind in row.kinds} and aspect == "border":
        ends = [str(difference[side]) in ("0", "0px") for side in ("before", "after")]
        if effect.kind == "presence" and not any(ends):
            return Fit.NO
        if effect.kind == "thick" and effect.state and ends[0]:
            return Fit.YES  # where there was no border, "has a thin border" tells the change
    for row in rule.tells:
        if effect.kind in row.kinds and aspect in row.aspects and sign:
            return Fit.YES if sign == difference["direction"] or not difference["direction"] else Fit.AGAINST
    return Fit.NO


def _of_light(effect: Effect) -> bool:
    """Whether it is about light and dark, which a fade shows as either."""
    if effect.kind == "shade":
        return effect.aspect != "weight"
    return effect.kind == "change" and effect.aspect in ("color", "opacity", "contrast") and not effect.state


def _hued(difference: Mapping[str, Any], effect: Effect) -> Fit | None:
    """What a named color decides: one that the color after is not, or one that says which way the shade went."""
    actual = css_tones(str(difference["after"] or ""))
    clash = effect.tone is not None and bool(actual) and all(hues_clash(effect.tone, tone) for tone in actual)
    if clash:
        return Fit.NO
    if effect.kind == "hue" and effect.tone is not None and actual:
        old = css_tones(str(difference["before"] or ""))
        step = (
            effect.tone.lightness - max(old, key=lambda tone: abs(tone.lightness - actual[-1].lightness)).lightness
            if old
            else 0
        )
        if old and hues_clash(old[-1], actual[-1]):
            return Fit.YES  # another color altogether, and it is named
        sign = effect.sign or (step < -8) - (step > 8)
        return Fit.YES if sign == difference["direction"] else Fit.NO
    return None


def _along(ways: Mapping[str, int], effect: Effect) -> Fit:
    if effect.kind not in ways:
        return Fit.NO
    return Fit.YES if effect.sign == ways[effect.kind] else Fit.AGAINST


def _signs(shift: Mapping[str, int]) -> dict[str, int]:
    """{axis: sign} of a move that the pixels show, whatever made it."""
    return {axis: (step > 0) - (step < 0) for axis, step in shift.items() if step}


def movement(difference: Mapping[str, Any]) -> dict[str, int]:
    """{axis: sign} of where the contents went: x +1 right, y +1 down; both axes when the property has no side."""
    name, way = str(difference["property"] or "").lower(), int(difference["direction"] or 0)
    for axis, sides in (("x", ("left", "right", "x")), ("y", ("top", "bottom", "y"))):
        for side, sign in zip(sides, (1, -1, 1), strict=True):
            if re.fullmatch(rf"(?:(?:margin|padding|inset|translate)-)?{side}", name):
                return {axis: way * sign}
    if name.startswith(("translate", "transform")):
        old, new = (_lengths(str(difference[side] or "")) for side in ("before", "after"))
        moved = {axis: (b > a) - (b < a) for axis, a, b in zip(("x", "y"), old, new, strict=True) if a != b}
        return moved or {"x": way, "y": way}
    return {"x": way, "y": way}


def _lengths(value: str) -> tuple[float, float]:
    """x and y shift of a translate value, or of the last two numbers of a matrix()."""
    numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", value)]
    if "matrix" in value and len(numbers) == 6:
        numbers = numbers[4:]
    if "translatey" in value.lower():
        numbers = [0.0, *numbers]
    x, y = (*numbers, 0.0, 0.0)[:2]
    return x, y


_ENDS: Final[Mapping[str, tuple[str, str]]] = {
    "right": ("left", "right"),
    "left": ("right", "left"),
    "down": ("top", "bottom"),
    "up": ("bottom", "top"),
}
"""Where the main axis of a container starts and ends, by the way it runs."""
_GATHERED: Final = {"start": "its start", "center": "its middle", "end": "its end"}
_ORDER: Final = {"left": 0, "top": 0, "center": 1, "right": 2, "bottom": 2}
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufefc]")


def _axis(difference: Mapping[str, Any]) -> str:
    """Which way the main axis runs; in a record that does not say, as the target's script does."""
    text = str(difference["target"].get("text") or "")
    return difference.get("axis") or ("left" if _RIGHT_TO_LEFT.search(text) else "right")


def _side(value: object, axis: str) -> str:
    words = SPREADS.get(str(value).lower(), "")
    return _placed(next((side for side, word in _GATHERED.items() if word in words), "spread"), axis)


def _placed(side: str, axis: str) -> str:
    """`start` and `end` as the side of the screen that they are."""
    start, end = _ENDS[axis]
    return {"start": start, "end": end}.get(side, side)


def _justified(difference: Mapping[str, Any], effect: Effect) -> Fit:
    axis = _axis(difference)
    old, new = _side(difference["before"], axis), _side(difference["after"], axis)
    if effect.kind in ("align", "where"):
        said = _said_side(effect.after)
        if said is None:
            return Fit.NO
        return Fit.YES if _placed(said, axis) == (old if effect.after.startswith("not ") else new) else Fit.AGAINST
    if effect.kind == ("y" if axis in ("down", "up") else "x"):
        if old in _ORDER and new in _ORDER:
            way = 1 if _ORDER[new] > _ORDER[old] else -1
        elif new != "center" and new in _ORDER:
            way = _ORDER[new] - 1
        else:
            return Fit.NO
        return Fit.YES if effect.sign == way else Fit.AGAINST
    if (
        (effect.kind in ("spread", "near") or (effect.kind, effect.aspect) == ("amount", "space"))
        and effect.aspect in ("", "space", "width", *(["height"] if axis in ("down", "up") else []))
        and "spread" in (old, new)
        and effect.sign
    ):
        return Fit.YES if (effect.sign > 0) == (new == "spread") else Fit.AGAINST
    return Fit.NO


def _said_side(words: str) -> str | None:
    if re.search(
        r"opposite|both|either|full|whole|entire|available|even|distributed|span"
        r"|justified(?<!left-justified)(?<!right-justified)",
        words,
    ):
        return "spread"
    if "off-cent" in words:
        return None
    sides = (
        ("center", r"cent|middle"),
        ("left", r"left"),
        ("right", r"right"),
        ("top", r"\btop\b|upper"),
        ("bottom", r"bottom|lower"),
        ("start", r"start"),
        ("end", r"end"),
    )
    return next((side for side, pattern in sides if re.search(pattern, words)), None)


def decide(difference: Mapping[str, Any], found: Sequence[Effect]) -> tuple[Fit, Effect | None]:
    """The fit of all effects of one statement together.

    Words for a change outweigh words for how something is; of equal weight, one that tells the opposite decides, but
    that a color is darker and less vivid is no contradiction.
    """
    for weight in (False, True):
        fits = [(fit(difference, effect), effect) for effect in found if effect.state is weight]
        yes = [effect for answer, effect in fits if answer is Fit.YES]
        against = [effect for answer, effect in fits if answer is Fit.AGAINST]
        if against and not (yes and all(effect.kind == "vivid" for effect in against)):
            return Fit.AGAINST, against[0]
        if yes:
            return Fit.YES, yes[0]
    return Fit.NO, None
