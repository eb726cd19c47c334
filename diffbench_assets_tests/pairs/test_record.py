"""Records replay exactly what was made: random operators on random pages, random transforms on random images."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from diffbench_assets.browser.gate import decode
from diffbench_assets.pages.generator import generate_page
from diffbench_assets.pages.sources import RawPage
from diffbench_assets.pairs.css.search import search_page
from diffbench_assets.pairs.edits import Edit, apply_to_html
from diffbench_assets.pairs.made import MadePair, png, unchanged
from diffbench_assets.pairs.pixel_steps import apply_to_pixels
from diffbench_assets.pairs.record import (
    EndpointEdit,
    Given,
    Mutation,
    PageEdit,
    Step,
    Transformation,
    dumps,
    edited,
    loads,
)
from diffbench_assets.pairs.replay import Replay, ReplayTask, replay_all
from diffbench_assets.pairs.transforms import BY_CHANGE, LOW_LEVEL, choose
from diffbench_assets.pairs.transforms.pairs import Seed, transformed
from diffbench_assets.pairs.transforms.profiles import PROFILES
from diffbench_assets.seeds import rng
from diffbench_assets_tests.live import Live
from diffbench_assets_tests.small_pages import page
from diffbench_assets_tests.stored import stored


@st.composite
def images(draw: st.DrawFn) -> np.ndarray:
    """Images with shapes, gradients and grain, which most transforms take."""
    dice = np.random.default_rng(draw(st.integers(0, 2**32)))
    height, width = draw(st.integers(64, 160)), draw(st.integers(64, 160))
    y, x, channel = np.indices((height, width, 3))
    side = draw(st.integers(7, 40))
    image = 128 + draw(st.integers(0, 60)) * ((y // side + x // side + channel) % 2)
    image = image + draw(st.integers(0, 20)) * np.sin(x / 2) + dice.normal(0, draw(st.floats(0, 6)), image.shape)
    return np.clip(image, 0, 255).astype(np.uint8)


def picture(number: int) -> Seed:
    """An image with sharp shapes and little or much grain: one or the other takes a transform."""
    dice, grain = np.random.default_rng(number), (0.6, 2.0)[number // 4 % 2]
    y, x, channel = np.indices((160, 200, 3))
    shapes = 128 + 50 * ((y // 23 + x // 31 + channel) % 2) + 3 * np.sin(x / 2)
    return Seed(
        f"picture-{number}", png(np.clip(shapes + dice.normal(0, grain, shapes.shape), 0, 255).astype(np.uint8))
    )


def parameters(change: str, image: np.ndarray, *seed: object) -> dict[str, object]:
    return dict(BY_CHANGE[change].apply(image, rng(*seed)).parameters)


def transform(category: str, image: Seed, place: int, strength: float = 1.0) -> MadePair | None:
    row = choose(PROFILES["extended"], category, place)
    return transformed(category, image, row, (0, category, place, image.source_id), strength, "extended")


def made_of(category: str, image: np.ndarray, place: int, strength: float) -> MadePair | None:
    return transform(category, Seed("image", png(image)), place, strength)


@given(st.sampled_from(sorted(LOW_LEVEL)), images(), st.integers(0, 30), st.sampled_from([0.8, 1.0, 1.3]))
@settings(max_examples=120, deadline=None)
def test_a_transform_replays_from_its_record_and_the_image_it_was_made_from(
    category: str, image: np.ndarray, place: int, strength: float
) -> None:
    made = made_of(category, image, place, strength)
    assume(made is not None)
    assert made is not None
    for pair in (made, unchanged(made)):
        steps = loads(dumps(pair.steps))
        assert steps == pair.steps
        again = apply_to_pixels(steps, *[png(image)] * 2)
        assert again == (pair.before, pair.after)


@pytest.mark.parametrize("change", BY_CHANGE)
def test_a_table_says_which_image_was_transformed(change: str) -> None:
    row = BY_CHANGE[change]
    category = next(name for name, rows in LOW_LEVEL.items() if row in rows)
    found = (
        made
        for place in range(60)
        if (made := transform(category, picture(place), place)) is not None and made.differences[0].after == change
    )
    made = next(found)
    source = picture(int(made.source_id.removeprefix("picture-"))).png
    assert (made.before == source, made.after == source) == (row.applied_to == "before", row.applied_to == "after")


def test_parameters_that_the_seed_does_not_give_are_refused() -> None:
    made = next(m for n in range(60) if (m := transform("noise", picture(n), 0)))
    (step,) = made.steps
    assert isinstance(step, Transformation)
    image = picture(int(made.source_id.removeprefix("picture-"))).png
    spoiled = replace(step, parameters={**step.parameters, "sigma": 1.0})
    with pytest.raises(ValueError, match="the record says"):
        apply_to_pixels([spoiled], image, image)
    foreign = replace(step, change="no such change")
    with pytest.raises(ValueError, match="no such transform"):
        apply_to_pixels([foreign], image, image)


@given(st.integers(0, 200), st.integers(0, 200))
@settings(max_examples=4, deadline=None)
def test_random_operators_on_random_pages_replay_to_what_was_seen_live(live: Live, number: int, seed: int) -> None:
    raw = RawPage("page", "generator", generate_page(17, number).html)
    html = stored([raw])[0].html
    assert html

    async def work() -> list[tuple[str, bytes | None, Replay]]:
        async with live.renderer.tab() as tab:
            await tab.load(html)
            search = await search_page(tab, "page", "", seed)
            dice = random.Random(seed)
            found = []
            for cell in dice.sample(sorted(cell for cell, offers in search.survivors.items() if offers), 5):
                survivor = dice.choice(search.survivors[cell])
                edits = [vars(edit) for edit in survivor.mutation.edits]
                shot = await tab.mutated(
                    [{"element": survivor.element.index, "edits": edits, "box": survivor.box_after}]
                )
                found.append((cell, shot, dumps([survivor.mutation])))
        replays = await replay_all(live.renderer, [ReplayTask(html, record) for _, _, record in found])
        return [(cell, shot, replay) for (cell, shot, _), replay in zip(found, replays, strict=True)]

    for cell, shot, replay in live.run(work()):
        assert shot is not None and replay.failure is None, cell
        assert np.array_equal(decode(shot), decode(replay.after)), cell


def test_steps_on_a_page_and_then_on_its_pixels_replay_in_order(live: Live) -> None:
    html = page('<h1 style="font-size:60px">Prices <b>and</b> terms</h1>')
    edit = PageEdit("regional_color", (Edit("body > h1", "style", "color", "rgb(200, 30, 30)"),))
    plain, red = (live.run(replay_all(live.renderer, [ReplayTask(html, dumps(s))]))[0] for s in ((), (edit,)))
    source = np.asarray(decode(red.after).view(np.uint8).reshape(800, 1280, 4)[..., :3])
    made = BY_CHANGE["grainier"].apply(source, rng(0, "x"))
    step = Transformation("add_noise", "grainier", 1.0, (0, "x"), made.parameters)
    both = live.run(replay_all(live.renderer, [ReplayTask(html, dumps([edit, step]))]))[0]
    assert both.failure is None and both.before_pixels == plain.before_pixels
    assert both.after_pixels == red.after_pixels, "steps on pixels are not the page's"
    assert apply_to_pixels([step], both.before, both.after) == (both.before, png(made.image))


# Shapes of records

JAPANESE = Edit("p", "text", value="日本")
STEPS: list[tuple[Step, ...]] = [
    (),
    (Mutation("text", "hard", "p", "text_node", (JAPANESE,), "text", "", "日本", 0, 1, "characters"),),
    (PageEdit("motion", (Edit("p", "attribute", "open"), Edit("p", "style", "rotate", "5deg"))),),
    (
        PageEdit(
            "ocr",
            (Edit("#crate-3 text", "text", "digit", "TEA 501", 0), Edit("#cat-1 > g", "content", value="<path/>")),
        ),
        Transformation("tint", "tinted_red", 1.0, (1,), {"offset": [1.5, -1.5, 0.0]}),
    ),
    (EndpointEdit({"model": "painter"}),),
    (Given({"file": "a-before.png"}),),
]


@pytest.mark.parametrize("steps", STEPS)
def test_records_survive_json_with_sorted_keys_and_readable_text(steps: tuple[Step, ...]) -> None:
    record = dumps(steps)
    assert loads(record) == steps and dumps(loads(record)) == record
    assert all(list(step) == sorted(step) for step in json.loads(record))
    assert "\\u" not in record


@pytest.mark.parametrize(
    "record",
    ["", "{}", "null", "3", "[3]", '[{"step": "mutation"}]', '[{"step": "x"}]', '[{"edits": 1}]', "{",
     '[{"step": "page_edit", "category": "ocr", "edits": [{"selector": "p"}]}]',
     dumps([Transformation("tint", "tinted_red", 1.0, (1,), {}), PageEdit("ocr", ())])],
)  # fmt: skip
def test_what_is_no_record_is_named(record: str) -> None:
    with pytest.raises(ValueError, match="not a record"):
        loads(record)


def test_what_an_endpoint_made_is_not_made_again() -> None:
    with pytest.raises(ValueError, match="an endpoint"):
        apply_to_pixels([EndpointEdit({})], b"", b"")
    with pytest.raises(ValueError, match="were given"):
        apply_to_pixels([Given({})], b"", b"")


def test_a_transform_that_makes_both_images_needs_them_equal() -> None:
    image = np.full((64, 64, 3), 120, np.uint8)
    step = Transformation("unweave", "unwoven", 1.0, (0,), parameters("unwoven", image, 0), "after")
    with pytest.raises(ValueError, match="differ already"):
        apply_to_pixels([step], png(image), png(image + 1))


def test_edits_of_all_steps_apply_in_order() -> None:
    html = page("<p>one</p>")
    first, second = Edit("body > p", "text", value="two", node=0), Edit("body > p", "text", value="three", node=0)
    steps = [PageEdit("ocr", (first,)), PageEdit("ocr", (second,))]
    assert edited(steps, html) == apply_to_html(html, [first, second]) and "three" in edited(steps, html)
