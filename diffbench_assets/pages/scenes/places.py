"""The places where scenes are set, read from `places.yaml`.

Belongs here: the rows of that table and reading it. Does not belong here: what a place looks like (`backdrops.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

import yaml

from diffbench_assets.pages.scenes.tones import mix

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in CSS px."""
Mood = Mapping[str, str]
"""Colors of a backdrop, by what has them."""

STANDING: Final = ("ground", "shelf")
"""Rests on which the box of a zone holds a thing's foot; on the others it holds the whole thing."""
NIGHT: Final = "#182048"


@dataclass(frozen=True)
class Zone:
    """Where things of the `cast` can be, from `low` to `high` of them; sizes change from `far` to `near`."""

    name: str
    rest: str
    box: Box
    low: int
    high: int
    cast: tuple[str, ...]
    far: float
    near: float


@dataclass(frozen=True)
class Place:
    """A backdrop that can be drawn in several moods. `nouns` names what it shows."""

    name: str
    moods: Mapping[str, Mood]
    zones: Mapping[str, Zone]
    nouns: tuple[str, ...]


def _zone(name: str, row: Mapping[str, Any]) -> Zone:
    left, top, right, bottom = (float(number) for number in row["box"].split())
    low, high = row["things"].split("-")
    far, near = row["scale"].split()
    cast = tuple(row["cast"].split(" / "))
    return Zone(name, row["rest"], (left, top, right, bottom), int(low), int(high), cast, float(far), float(near))


def _place(name: str, row: Mapping[str, Any], skies: Mapping[str, Mapping[str, str]]) -> Place:
    moods = row.get("moods") or {sky: _under(skies[sky], row["colors"]) for sky in row["skies"].split()}
    zones = {zone: _zone(zone, fields) for zone, fields in row["zones"].items()}
    return Place(name, moods, zones, tuple(row["nouns"].split(" / ")))


def _under(sky: Mapping[str, str], colors: Mapping[str, str]) -> Mood:
    """The colors of the land in the light of a sky."""
    dim = float(sky.get("dim", 0))
    return {**sky, **{name: mix(color, NIGHT, dim) for name, color in colors.items()}}


def _read() -> dict[str, Place]:
    table = yaml.safe_load(files(__package__).joinpath("places.yaml").read_text("utf-8"))
    return {name: _place(name, row, table["skies"]) for name, row in table["places"].items()}


PLACES: Final[Mapping[str, Place]] = _read()
"""Every place, by name."""
