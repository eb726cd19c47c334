"""Drawn scenes: the same everywhere, full of different things, none of them hidden, none of them ambiguous to name."""

from __future__ import annotations

import itertools
import subprocess
import sys
from hashlib import sha256

import numpy as np
import pytest

from diffbench_assets.pages.drawn_scenes import draw, make_scene
from diffbench_assets.pages.drawn_scenes.compose import apart
from diffbench_assets.pages.drawn_scenes.draw import body_box, extent
from diffbench_assets.pages.drawn_scenes.kinds import KINDS
from diffbench_assets.pages.drawn_scenes.model import HEIGHT, WIDTH, Backdrop, Scene, Thing
from diffbench_assets.pages.drawn_scenes.palette import COLORS
from diffbench_assets.pages.drawn_scenes.places import PLACES
from diffbench_assets.pages.drawn_scenes.sprites import sprite

SEEDS = range(6)


def example(name: str, **fields: object) -> Thing:
    """A thing of this kind as scenes have it, in its first color, state, count and text."""
    kind = KINDS[name]
    looks = {
        "color": kind.colors[0] if kind.colors else "",
        "state": kind.states[0] if kind.states else "",
        "count": kind.counted.low if kind.counted else 0,
        "text": kind.label.templates[0].replace("#", "8").replace("@", "M") if kind.label else "",
    }
    return Thing(name, name, 0, 0, 64, "ground", "near", **(looks | fields))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_scene_is_a_full_picture_of_things_that_do_not_touch(seed: int) -> None:
    scene = make_scene("full", seed)
    boxes = [body_box(thing) for thing in scene.things]
    assert 12 <= len(scene.things) <= 30
    assert all(left >= 0 and top >= 0 and right <= WIDTH and bottom <= HEIGHT for left, top, right, bottom in boxes)
    assert all(apart(one, other) for one, other in itertools.combinations(boxes, 2))
    picture = draw(scene)
    assert picture.shape == (HEIGHT, WIDTH, 3) and picture.dtype == np.uint8
    assert picture.reshape(-1, 3).std(axis=0).min() > 20


def test_the_seed_alone_decides_every_byte_also_in_another_process() -> None:
    code = (
        "from hashlib import sha256; from diffbench_assets.pages.drawn_scenes import draw, make_scene;"
        "print(sha256(draw(make_scene('bytes', 3)).tobytes()).hexdigest())"
    )
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert sha256(draw(make_scene("bytes", 3)).tobytes()).hexdigest() == there
    assert make_scene("bytes", 3) == make_scene("bytes", 3) != make_scene("bytes", 4)


@pytest.mark.parametrize("name", sorted(PLACES))
def test_a_place_is_painted_from_edge_to_edge(name: str) -> None:
    for mood in list(PLACES[name].moods)[:2]:
        picture = draw(Scene("", Backdrop(name, mood, "seed"), ()))
        assert picture.max(axis=2).min() > 0, f"{name} in the mood {mood} leaves black holes"


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_variant_of_a_kind_stays_within_its_units_and_looks_different(name: str) -> None:
    kind = KINDS[name]
    variants = [example(name)]
    variants += [example(name, state=state) for state in kind.states[1:]]
    variants += [example(name, color=color) for color in kind.colors[1:3]]
    if kind.counted:
        variants += [example(name, count=count) for count in range(kind.counted.low + 1, kind.counted.high + 1)]
    if kind.turnable:
        variants += [example(name, angle=angle) for angle in (-70, 45)]
    pictures = {(image.size, image.tobytes()) for image in (sprite(thing).body for thing in variants)}
    assert len(pictures) == len(variants)


def test_the_table_of_kinds_is_sound() -> None:
    for kind in KINDS.values():
        assert set(kind.colors) <= set(COLORS), kind.name
        assert not (kind.turnable and (kind.states or kind.label)), f"{kind.name} varies along two axes in one category"
        assert len(kind.states) != 1 and len(set(kind.states)) == len(kind.states), kind.name
        if kind.label:
            for template in kind.label.templates:
                assert kind.label.fits(template.replace("#", "8").replace("@", "M")), (kind.name, template)
    nouns = [kind.noun for kind in KINDS.values()]
    assert len(set(nouns)) == len(nouns)


def test_no_thing_is_called_like_a_part_of_the_backdrop() -> None:
    for place in PLACES.values():
        cast = {name for zone in place.zones for name in zone.cast}
        clashes = {(name, noun) for name in cast for noun in place.nouns if KINDS[name].called(noun)}
        assert not clashes, f"{place.name}: {clashes}"


def test_a_part_of_a_picture_is_that_part() -> None:
    scene = make_scene("part", 1)
    left, top, right, bottom = extent(scene.things[0])
    box = (max(0, left), max(0, top), min(WIDTH, right), min(HEIGHT, bottom))
    assert np.array_equal(draw(scene, box), draw(scene)[box[1] : box[3], box[0] : box[2]])


def test_shadow_and_light_fall_on_no_other_thing() -> None:
    """A lamp that is switched on leaves the pixels of everything beside it as they were."""
    for seed in range(60):
        scene = make_scene("light", seed)
        lamps = [thing for thing in scene.things if thing.kind in ("table_lamp", "street_lamp", "candle")]
        if lamps:
            break
    lamp = lamps[0]
    states = KINDS[lamp.kind].states
    one, other = (draw(scene.with_thing(lamp.id, state=state)) for state in states)
    changed = (one != other).any(axis=2)
    assert changed.any()
    for thing in scene.things:
        if thing.id != lamp.id:
            left, top, _, _ = body_box(thing)
            solid = np.asarray(sprite(thing).body.getchannel("A")) == 255
            assert not (changed[top : top + solid.shape[0], left : left + solid.shape[1]] & solid).any(), thing.id
