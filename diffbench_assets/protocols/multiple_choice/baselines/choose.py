"""The option that the pixels support best.

Belongs here: how much each thing an option says is borne out by measurements. Does not belong here: measuring
(`whole.py`, `thing.py`, `measure.py`, `text_lines.py`), reading words (`reading.py`), drawing between equals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from diffbench_assets.baselines.pixel_diff import text_lines
from diffbench_assets.baselines.pixel_diff.images import Pixels, common, differing, pixels
from diffbench_assets.baselines.pixel_diff.measure import Change, measure
from diffbench_assets.baselines.pixel_diff.palette import NAMES, lab
from diffbench_assets.baselines.pixel_diff.regions import Region
from diffbench_assets.baselines.pixel_diff.thing import Thing, measure_thing
from diffbench_assets.baselines.pixel_diff.whole import Whole, measure_whole
from diffbench_assets.protocols.multiple_choice.baselines.reading import Reading, color, read

CERTAIN = 100.0
"""For what pixels prove: that nothing differs, or that something does."""
WEIGHTS = {"axis": 2.0, "place": 1.5, "color": 0.8, "values": 1.0}
"""A direction that is measured decides first, then the place."""
WHOLE = frozenset(("grain", "resolution", "detail", "pattern", "brightness", "light_x", "light_y", "tint"))
CSS = frozenset(("weight", "text_size", "letters", "lines", "solidity", "border", "corners"))
INK = frozenset(("weight", "solidity", "border"))
"""More of these stands out more from the ground."""
LARGEST = 60_000
"""Pixels of the largest region whose CSS effect is measured."""
NEAR = 40.0
"""Distance in Lab within which a color may be called by a name."""
MANY = 0.3
"""Share of differing pixels from which faint differences no longer count as places of change, and their least size."""
FAINT = 24


@dataclass(slots=True)
class Evidence:
    """Two images of one size that differ somewhere, measured as far as it was asked."""

    one: Pixels
    two: Pixels
    _whole: Whole | None = None
    _thing: Thing | None = None
    _mask: NDArray[np.bool_] | None = None
    _effect: dict[str, float] | None = None

    @property
    def whole(self) -> Whole:
        self._whole = self._whole or measure_whole(self.one, self.two)
        return self._whole

    @property
    def mask(self) -> NDArray[np.bool_]:
        """(height, width): where the images differ."""
        if self._mask is None:
            self._mask = differing(self.one, self.two)
            if self._mask.mean() > MANY:
                clear = np.abs(self.one.astype(np.int16) - self.two).max(axis=2) > FAINT
                self._mask = clear if clear.any() else self._mask
        return self._mask

    @property
    def thing(self) -> Thing:
        self._thing = self._thing or measure_thing(self.one, self.two, self.mask)
        return self._thing

    @property
    def effect(self) -> dict[str, float]:
        """CSS axis → signed value, from the one account that explains the change best; empty for a large region."""
        if self._effect is None:
            rows, columns = np.flatnonzero(self.mask.any(axis=1)), np.flatnonzero(self.mask.any(axis=0))
            region = Region(
                int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1, int(self.mask.sum())
            )
            small = region.width * region.height <= LARGEST
            self._effect = _effect(measure(self.one, self.two, region)) if small else {}
        return self._effect


def choose(one_png: bytes, two_png: bytes, options: Mapping[str, str]) -> list[str]:
    """The letters that are supported best: one, or several that nothing tells apart.

    Raises PIL.UnidentifiedImageError when the bytes are no image.
    """
    one, two = pixels(one_png), pixels(two_png)
    equal = np.array_equal(one, two)
    one, two = common(one, two)
    readings = {label: read(text) for label, text in options.items()}
    if equal or np.array_equal(one, two):
        scores = {label: CERTAIN * (reading.same == equal) for label, reading in readings.items()}
    else:
        evidence = Evidence(one, two)
        scores = {label: -CERTAIN if said.same else support(said, evidence) for label, said in readings.items()}
    best = max(scores.values())
    return [label for label, score in scores.items() if score > best - 1e-6]


def support(said: Reading, evidence: Evidence) -> float:
    """How well what is said is borne out; below zero when the pixels speak against it."""
    axis = WEIGHTS["axis"] * max(-1.0, min(1.0, _axis(said, evidence)))
    if said.axis in WHOLE:
        return axis
    score = axis + WEIGHTS["place"] * _place(said, evidence.thing)
    if said.color:
        seen = max(_named(said.color, colors) for colors in evidence.thing.colors)
        score += WEIGHTS["color"] * (min(1.0, 4 * seen) * 2 - 1)
    if said.before:
        score += WEIGHTS["values"] * _values(said, evidence)
    return score


def _axis(said: Reading, evidence: Evidence) -> float:
    if said.axis in WHOLE:
        return said.sign * _of_whole(said, evidence.whole)
    if said.axis in CSS:
        return said.sign * evidence.effect.get(said.axis, evidence.thing.presence if said.axis in INK else 0.0)
    thing = evidence.thing
    if said.axis in ("horizontal", "vertical"):
        exact = evidence.effect.get(said.axis)
        if exact is not None:
            return said.sign * exact
        return said.sign * 4 * (thing.right if said.axis == "horizontal" else thing.down)
    measured = {
        "rotation": thing.turn,
        "presence": 2 * thing.presence,
        "size": 2 * thing.size,
        "lightness": thing.lightness,
    }
    return said.sign * measured.get(said.axis, 0.0)


def _of_whole(said: Reading, whole: Whole) -> float:
    if said.axis == "tint":
        return float(np.dot(said.tint, whole.tint)) / 1.5
    return {
        "grain": whole.grain,
        "resolution": whole.resolution,
        "detail": whole.detail,
        "pattern": whole.pattern,
        "brightness": whole.brightness,
        "light_x": whole.light[0],
        "light_y": whole.light[1],
    }[said.axis]


def _effect(change: Change) -> dict[str, float]:
    sign = float(change.sign)
    moved = float(np.hypot(change.dx, change.dy))
    return {
        "moved": {"horizontal": change.dx / max(1.0, moved), "vertical": change.dy / max(1.0, moved)},
        "corners": {"corners": sign},
        "frame": {"border": sign},
        "faded": {"solidity": sign},
        "scaled": {"text_size": sign},
        "spread": {"letters": sign},
        "leading": {"lines": sign},
        "stroke": {"weight": sign},
    }.get(change.kind, {})


def _place(said: Reading, thing: Thing) -> float:
    """1 when the thing is in the third of the image that is named, along both axes; falls to -1 with distance."""
    if said.place == (None, None):
        return 0.0
    column, row = said.place
    return max(-1.0, max(1 - 6 * (_outside(x, column) + _outside(y, row)) for x, y in thing.spots))


def _outside(share: float, third: int | None) -> float:
    """Distance from a third of the way, 0 inside."""
    return 0.0 if third is None else max(0.0, third / 3 - share, share - (third + 1) / 3)


def _values(said: Reading, evidence: Evidence) -> float:
    if said.axis == "text":
        return text_lines.supports(evidence.one, evidence.two, evidence.mask, said.before, said.after)
    if said.axis == "hue":
        old, new = evidence.thing.changed
        before, after = color(said.before), color(said.after)
        return _named(before, old) + _named(after, new) - _named(after, old) - _named(before, new)
    return 0.0


def _named(name: str, colors: NDArray[np.float64]) -> float:
    """Share of `colors`, (n, 3) Lab, that `name` fits, near ones counting in part."""
    if not len(colors):
        return 0.0
    apart = np.sqrt(((colors - lab(np.array(NAMES[name], dtype=np.float64))) ** 2).sum(axis=1))
    return float(np.exp(-((apart / NEAR) ** 2)).mean())
