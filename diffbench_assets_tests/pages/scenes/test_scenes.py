"""Scenes: the same everywhere, full of different things, none of them hidden, none of them ambiguous to name."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from typing import Any

import numpy as np
import pytest

from diffbench_assets.browser.gate import Pixels
from diffbench_assets.pages.art import KINDS
from diffbench_assets.pages.dice import Dice
from diffbench_assets.pages.ingest import ingest
from diffbench_assets.pages.scenes import PLACES, scene_page
from diffbench_assets.pages.scenes.backdrops import BACKDROPS, HEIGHT, WIDTH
from diffbench_assets.pages.scenes.compose import Scene, compose, fits
from diffbench_assets.pages.scenes.page import STYLES
from diffbench_assets.pages.sources import ScenesSource
from diffbench_assets_tests.live import Live

MANY = [scene_page(0, index) for index in range(55)]
THINGS = (
    "() => [...document.querySelectorAll('g[data-kind]')].map((el) => { const r = el.getBoundingClientRect();"
    " return {id: el.id, kind: el.dataset.kind, box: [r.x, r.y, r.right, r.bottom]} })"
)


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return list(ingest(ScenesSource(name="scenes", kind="scenes", seed=3, count=len(PLACES))))


def scenes(count: int) -> list[Scene]:
    return [compose(place, Dice(f"test/{n}")) for n, place in zip(range(count), itertools.cycle(PLACES.values()))]


def touch(one: list[float], other: list[float], gap: float = 0) -> bool:
    return not (
        one[2] + gap <= other[0] or other[2] + gap <= one[0] or one[3] + gap <= other[1] or other[3] + gap <= one[1]
    )


def test_scenes_are_at_least_as_varied_as_ever() -> None:
    assert len(PLACES) >= 8 and sum(len(place.moods) for place in PLACES.values()) >= 26
    assert {page.place for page in MANY} == set(PLACES) and {page.style for page in MANY} == set(STYLES)
    assert len({(page.place, page.mood, page.style) for page in MANY}) >= 45
    cast = {name for place in PLACES.values() for zone in place.zones.values() for name in zone.cast}
    assert cast <= set(KINDS) and len(cast) >= 114
    assert len({thing.kind.name for scene in scenes(55) for thing in scene.things}) >= 114
    assert {name for name in BACKDROPS} == set(PLACES)


def test_scenes_are_full() -> None:
    numbers = [page.things for page in MANY]
    assert min(numbers) >= 11 and max(numbers) <= 34 and sum(numbers) / len(numbers) > 15
    for scene in scenes(22):
        changing = [thing.kind for thing in scene.things]
        assert sum(bool(kind.label) for kind in changing) >= 2
        assert sum(bool(kind.states) or kind.turns for kind in changing) >= 4


def test_the_seed_and_the_index_alone_decide_every_byte_also_in_another_process() -> None:
    code = (
        "from hashlib import sha256; from diffbench_assets.pages.scenes import scene_page;"
        "print(sha256(scene_page(4, 2).html.encode()).hexdigest())"
    )
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert sha256(scene_page(4, 2).html.encode()).hexdigest() == there
    assert scene_page(4, 2).html != scene_page(4, 3).html and scene_page(5, 2).html != scene_page(4, 2).html
    with pytest.raises(ValueError, match="0 or more"):
        scene_page(0, -1)


@pytest.mark.parametrize("number", range(len(PLACES)))
def test_every_thing_is_whole_and_seen_and_touches_none(number: int, rows: list[dict[str, Any]], live: Live) -> None:
    html = rows[number]["html"]
    things = live.ask(html, THINGS)
    ids = [thing["id"] for thing in things]
    assert len(set(ids)) == len(ids) and all(KINDS[thing["kind"]] for thing in things)
    for thing in things:
        left, top, right, bottom = thing["box"]
        assert left >= 0 and top >= 0 and right <= WIDTH and bottom <= HEIGHT, thing
    for one, other in itertools.combinations(things, 2):
        assert not touch(one["box"], other["box"]), (one, other)
    pixels = live.pixels(html)
    for thing in things:
        gone = html.replace("</style>", f"#{thing['id']}{{visibility:hidden}}</style>", 1)
        assert shown(pixels, live.pixels(gone)) >= 60, thing


def shown(one: Pixels, other: Pixels) -> int:
    """Pixels of which a channel differs by 24 levels or more."""
    channels = [np.ascontiguousarray(each).view(np.uint8).astype(np.int16).reshape(-1, 4) for each in (one, other)]
    return int((np.abs(channels[0] - channels[1]).max(axis=1) >= 24).sum())


def test_ingestion_keeps_every_scene_and_none_is_built_like_another(rows: list[dict[str, Any]]) -> None:
    assert [row["drop_reason"] for row in rows] == [None] * len(rows)
    assert len({row["structure_fingerprint"] for row in rows}) == len(rows)
    assert {row["domain"] for row in rows} == set(PLACES) and {row["language"] for row in rows} == {"en"}
    assert not any(row["missing_glyphs"] for row in rows)
    assert max(len(row["html"]) for row in rows) < 150_000


@pytest.mark.parametrize("name", PLACES)
def test_a_place_is_painted_from_edge_to_edge_in_every_mood(name: str, live: Live) -> None:
    found = set()
    for index in itertools.count(sorted(PLACES).index(name), len(PLACES)):
        page = scene_page(0, index)
        assert page.place == name
        if page.mood not in found:
            found.add(page.mood)
            bare = page.html.replace("body{margin:0}", "body{margin:0;background:rgb(1,2,3)}g[data-kind]{display:none}")
            pixels = live.pixels(bare)
            assert not (pixels == pixel(1, 2, 3)).any(), f"{name} in the mood {page.mood} leaves holes"
        if found == set(PLACES[name].moods):
            return


def pixel(*rgb: int) -> int:
    return int(np.array([*rgb, 255], np.uint8).view(np.uint32)[0])


def test_things_stand_hang_and_fly_where_their_zones_want_them() -> None:
    for scene in scenes(22):
        counts = Counter(thing.zone.name for thing in scene.things)
        for thing in scene.things:
            assert thing.kind.name in thing.zone.cast and fits(thing.box, thing.zone)
        assert all(counts[zone.name] <= zone.high for zone in scene.place.zones.values())


def test_no_thing_is_called_like_a_part_of_the_backdrop() -> None:
    for place in PLACES.values():
        cast = {name for zone in place.zones.values() for name in zone.cast}
        clashes = {(name, noun) for name in cast for noun in place.nouns if KINDS[name].called(noun)}
        assert not clashes, f"{place.name}: {clashes}"
