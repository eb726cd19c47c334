"""Records replayed on fresh pages: what was accepted is confirmed, and what was tampered with is found."""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from diffbench_assets.browser.gate import decode, pixels_hash
from diffbench_assets.browser.render import Renderer
from diffbench_assets.lake import Lake
from diffbench_assets.pages.generator import generate_page
from diffbench_assets.pages.ingest import ingest
from diffbench_assets.pages.sources import RawPage, ScenesSource
from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.css.candidates import PageTask, Row, find_candidates
from diffbench_assets.pairs.css.operators import CELLS
from diffbench_assets.pairs.css.pairs import draw_pairs
from diffbench_assets.pairs.edits import Edit
from diffbench_assets.pairs.made import MadePair, pair_row, png
from diffbench_assets.pairs.photographs.seed_images import SeedImage
from diffbench_assets.pairs.preview import contact_sheet, side_by_side
from diffbench_assets.pairs.record import NOTHING, EndpointEdit, Mutation, dumps, loads
from diffbench_assets.pairs.replay import ReplayTask, confirm, replay_all
from diffbench_assets.pairs.shares import make_cell
from diffbench_assets.pairs.verify import verify_pairs
from diffbench_assets.schemas import PAGES, PAIRS
from diffbench_assets_tests.live import Live
from diffbench_assets_tests.pairs.photographs.scenes import table
from diffbench_assets_tests.small_pages import page
from diffbench_assets_tests.stored import stored


def recolored(selector: str) -> str:
    """The record of an element that turns red."""
    edits = (Edit(selector, "style", "color", "red"),)
    return dumps([Mutation("color", "hard", selector, "inline", edits, "color", "", "", 1, 1, "steps")])


@pytest.fixture(scope="module")
def pages() -> dict[str, Row]:
    """Three generated pages, as the lake stores them."""
    raw = [RawPage(f"generator-{i}", f"generator:11/{i}", generate_page(11, i).html) for i in range(3)]
    labels = {"source": "generator", "domain": "other", "style": None, "language": "en"}
    return {
        page.page_id: {"page_id": page.page_id, "url": page.url, "html": done.html, **labels}
        for page, done in zip(raw, stored(raw), strict=True)
    }


@pytest.fixture(scope="module")
def accepted(pages: dict[str, Row], live: Live) -> list[Row]:
    tasks = [PageTask(page_id, row["html"], "", CELLS) for page_id, row in pages.items()]
    results = live.run(find_candidates(live.renderer, tasks, 0))
    return [row for result in results for rows in result.rows.values() for row in rows if row["status"] == "accepted"]


@pytest.fixture(scope="module")
def pairs(pages: dict[str, Row], accepted: list[Row], live: Live) -> list[Row]:
    """Two pairs of each of four cells, and two without a difference."""
    found = []
    for cell in ("color.hard", "text.easy", "position.medium", "rounded.easy"):
        order = [row for row in accepted if f"{row['operator']}.{row['tier']}" == cell]
        found += live.run(draw_pairs(live.renderer, cell, order, pages, 2)).rows
    order = [{"page_id": page_id} for page_id in pages]
    return found + live.run(draw_pairs(live.renderer, NO_DIFF, order, pages, 2)).rows


def test_three_pages_serve_most_cells(accepted: list[Row]) -> None:
    assert len({(row["operator"], row["tier"]) for row in accepted}) >= 36


def test_every_accepted_candidate_is_confirmed_by_its_replay(
    pages: dict[str, Row], accepted: list[Row], live: Live
) -> None:
    chosen = accepted[::4]
    tasks = [ReplayTask(pages[row["page_id"]]["html"], row["record"]) for row in chosen]
    replays = live.run(replay_all(live.renderer, tasks))
    reasons = [confirm(row, replayed) for row, replayed in zip(chosen, replays, strict=True)]
    assert reasons == [None] * len(chosen)
    for replayed in replays:
        assert pixels_hash(decode(replayed.after)) == replayed.after_pixels != replayed.before_pixels


def test_a_replay_with_other_pixels_does_not_confirm(pages: dict[str, Row], accepted: list[Row], live: Live) -> None:
    row = next(row for row in accepted if row["operator"] == "color")
    (mutation,) = loads(row["record"])
    assert isinstance(mutation, Mutation)
    other = replace(mutation, edits=(Edit(mutation.selector, "style", "color", "rgb(1, 2, 3)"),))
    html = pages[row["page_id"]]["html"]
    tasks = [ReplayTask(html, record) for record in (dumps([other]), row["record"])]
    different, same = live.run(replay_all(live.renderer, tasks))
    assert confirm(row, different) == "replay_differs"
    assert confirm(row, same) is None
    assert confirm(row, replace(same, before_pixels="")) == "replay_differs"


@pytest.mark.parametrize(
    "record",
    [
        recolored("body > nav"),
        recolored(":::"),
        "no record",
    ],
    ids=["no such element", "no selector", "no record"],
)
def test_a_record_that_does_not_fit_its_page_fails_alone(record: str, live: Live) -> None:
    html = page("<h1>Title</h1>")
    broken, fine = live.run(replay_all(live.renderer, [ReplayTask(html, record), ReplayTask(html, NOTHING)]))
    assert broken.failure == "unresolved"
    assert fine.failure is None


def test_a_blank_page_has_no_replay(live: Live) -> None:
    assert live.run(replay_all(live.renderer, [ReplayTask(page(""), NOTHING)]))[0].failure == "page_blank"


def test_a_page_rendered_twice_in_separate_contexts_has_equal_pixels(pages: dict[str, Row], live: Live) -> None:
    for replayed in live.run(replay_all(live.renderer, [ReplayTask(row["html"], NOTHING) for row in pages.values()])):
        assert replayed.failure is None
        assert replayed.before_pixels == replayed.after_pixels


# Pairs


def test_pairs_have_the_columns_of_the_table_and_what_their_record_says(pairs: list[Row]) -> None:
    assert all(set(row) <= set(PAIRS.names) for row in pairs)
    assert len({row["pair_id"] for row in pairs}) == len(pairs)
    for row in pairs:
        before, after = (decode(row[f"image_{side}"]["bytes"]) for side in ("before", "after"))
        assert before.shape == after.shape == (800, 1280)
        if row["cell"] == NO_DIFF:
            assert (before == after).all()
            assert row["differences"] == [] and row["record"] == NOTHING
        else:
            (difference,) = row["differences"]
            box = difference["box"]
            ys, xs = np.nonzero(before != after)
            assert box["x"] - 1 < xs.min() and xs.max() < box["x"] + box["width"] + 1
            assert box["y"] - 1 < ys.min() and ys.max() < box["y"] + box["height"] + 1
            assert 0 < row["inside_change"] <= 1
            assert difference["before"] in row["description"] and difference["after"] in row["description"]
            assert f"{row['operator']}.{row['tier']}" == row["cell"]


def test_fewer_candidates_than_wanted_give_fewer_pairs(pages: dict[str, Row], accepted: list[Row], live: Live) -> None:
    order = [row for row in accepted if row["operator"] == "border"][:1]
    drawn = live.run(draw_pairs(live.renderer, "border.easy", order, pages, 5))
    assert len(drawn.rows) == 1 and not drawn.rejected


def test_a_candidate_that_is_not_confirmed_makes_room_for_the_next(
    pages: dict[str, Row], accepted: list[Row], live: Live
) -> None:
    order = [row for row in accepted if row["operator"] == "border"][:2]
    spoiled = [{**order[0], "after_pixels": "0" * 64}, order[1]]
    drawn = live.run(draw_pairs(live.renderer, "border.easy", spoiled, pages, 1))
    assert [row["record"] for row in drawn.rows] == [order[1]["record"]]
    assert drawn.rejected == {"replay_differs": 1}


def test_previews_mark_the_changed_box_and_open_as_images(pairs: list[Row]) -> None:
    shown = Image.open(io.BytesIO(side_by_side(pairs[0]))).convert("RGB")
    assert shown.size == (2 * 1280 + 16, 840)
    marked = (np.asarray(shown) == (225, 29, 72)).all(axis=2)
    box = pairs[0]["differences"][0]["box"]
    assert marked[40:, :1280].any() and marked[40:, 1296:].any()
    assert abs(np.nonzero(marked[40:, :1280].any(axis=0))[0].min() - box["x"]) <= 4
    sheet = Image.open(io.BytesIO(contact_sheet(pairs)))
    assert sheet.format == "WEBP" and 900 < sheet.width <= 984, "a dialog of Dagster is 984 px wide"
    assert Image.open(io.BytesIO(contact_sheet([]))).width > 0


# Verification of a lake


def lake_of(folder: Path, pages: dict[str, Row], pairs: list[Row], suite: str = "webdiff") -> Lake:
    lake = Lake(str(folder))
    lake.write(PAGES, pages.values(), {"source": "generator"}, fingerprint="made")
    for cell in {row["cell"] for row in pairs}:
        of_cell = [row for row in pairs if row["cell"] == cell]
        lake.write(PAIRS.of(suite), of_cell, {"cell": cell}, fingerprint="made")
    return lake


def verified(live: Live, lake: Lake, *prefixes: str) -> tuple[int, list[str]]:
    result = live.run(verify_pairs(lake, prefixes))
    assert result.fingerprint == live.renderer.fingerprint
    return result.checked, result.differing


def test_untouched_pairs_verify(pages: dict[str, Row], pairs: list[Row], live: Live, tmp_path: Path) -> None:
    lake = lake_of(tmp_path, pages, pairs)
    assert verified(live, lake) == (len(pairs), [])
    assert verified(live, lake, pairs[0]["pair_id"][:20]) == (1, [])


def one_pixel_off(pair: Row) -> Row:
    pixels = np.array(Image.open(io.BytesIO(pair["image_after"]["bytes"])).convert("RGB"))
    pixels[7, 9, 0] ^= 1
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return {**pair, "image_after": {**pair["image_after"], "bytes": file.getvalue()}}


def other_record(pair: Row) -> Row:
    (step,) = json.loads(pair["record"])
    step["edits"] = [{**step["edits"][0], "kind": "style", "name": "opacity", "value": "0.1"}]
    return {**pair, "record": json.dumps([step])}


@pytest.mark.parametrize(
    ("tamper", "message"),
    [
        (one_pixel_off, r": 1 pixels differ within \(9, 7\)–\(9, 7\) in the after image$"),
        (other_record, r": \d+ pixels differ within .* in the after image$"),
        (
            lambda pair: {**pair, "record": pair["record"].replace("body > ", "body > x > ")},
            r"cannot be made again \(unresolved\)",
        ),
        (lambda pair: {**pair, "after_pixels": "0" * 64}, "after hash does not belong"),
        (lambda pair: {**pair, "page_id": "gone"}, "page gone is not in the lake"),
    ],
    ids=["image", "record", "selector", "hash", "page"],
)
def test_a_tampered_pair_is_named_with_what_differs(
    tamper: Callable[[Row], Row], message: str, pages: dict[str, Row], pairs: list[Row], live: Live, tmp_path: Path
) -> None:
    lake = lake_of(tmp_path, pages, [tamper(pairs[0]), *pairs[2:4]])
    checked, differing = verified(live, lake)
    assert checked == 3
    assert len(differing) == 1 and differing[0].startswith(f"{pairs[0]['pair_id']} {pairs[0]['cell']}")
    assert re.search(message, differing[0]), differing


def test_a_page_whose_html_was_changed_is_found(
    pages: dict[str, Row], pairs: list[Row], live: Live, tmp_path: Path
) -> None:
    page_id = pairs[0]["page_id"]
    changed = {
        **pages,
        page_id: {
            **pages[page_id],
            "html": pages[page_id]["html"].replace("<body", "<body style='margin-left:9px'", 1),
        },
    }
    lake = lake_of(tmp_path, changed, pairs[:1])
    checked, differing = verified(live, lake)
    assert checked == 1 and "pixels differ" in differing[0]


@pytest.fixture(scope="module")
def scenes() -> dict[str, Row]:
    """Scenes, as the lake stores them."""
    rows = ingest(ScenesSource(name="scenes", kind="scenes", seed=2, count=22))
    return {row["page_id"]: row for row in rows}


@pytest.fixture(scope="module")
def made_otherwise(pages: dict[str, Row], scenes: dict[str, Row]) -> list[Row]:
    """Pairs of every maker but CSS mutations: from scenes, pages and images of one's own, and one by an endpoint."""
    photographs = [table({"red": (120, 90 + 9 * n), "blue": (300, 200)}, n) for n in range(8)]
    images = [SeedImage(f"own-{n}", np.asarray(Image.open(io.BytesIO(png)))) for n, png in enumerate(photographs)]
    supply = {"pages": list(pages.values()), "scenes": list(scenes.values()), "images": lambda: images}

    async def work() -> list[Row]:
        found = []
        async with Renderer() as renderer:
            for cell, n, sources in (
                ("noise", 8, ["images"]), ("texture", 4, ["images"]), ("illumination", 2, ["scenes", "pages"]),
                ("position", 2, ["scenes", "pages"]), (NO_DIFF, 10, ["scenes"]), (NO_DIFF, 3, ["pages"]),
            ):  # fmt: skip
                found += (await make_cell(cell, n, sources, 5, renderer=renderer, **supply)).rows  # type: ignore[arg-type]
        return found

    image = png(images[0].pixels)
    steps = (EndpointEdit({"model": "m"}),)
    by_endpoint = MadePair("photographs", "photo", image, png(images[1].pixels), (), steps, ())
    return [*asyncio.run(work()), pair_row("lowlevel_mcq", "ocr", by_endpoint, "ocr", "ocr", None)]


def test_pairs_of_every_maker_are_verified_and_what_cannot_be_made_again_is_counted(
    pages: dict[str, Row], scenes: dict[str, Row], made_otherwise: list[Row], live: Live, tmp_path: Path
) -> None:
    sources = {json.loads(row["record"])[0]["step"] for row in made_otherwise if row["record"] != NOTHING}
    assert sources == {"page_edit", "transform", "endpoint_edit"}
    result = live.run(verify_pairs(lake_of(tmp_path, pages | scenes, made_otherwise, "lowlevel_mcq"), []))
    assert (result.checked, result.differing) == (len(made_otherwise), [])
    assert result.not_replayed["edited by an endpoint"] == 1
    # Noise removed and resolution restored: both images come from an image that the lake does not have.
    both = [row for row in made_otherwise if row["page_id"].startswith("own") and changes(row) & {"cleaner", "finer"}]
    assert result.not_replayed["both images made from one that is not in the lake"] == len(both) > 0
    assert result.not_replayed.total() == len(both) + 1


def changes(row: Row) -> set[str]:
    return {difference["claim"]["change"] for difference in row["differences"]}


def test_a_pixel_that_is_off_is_found_whoever_made_the_pair(
    pages: dict[str, Row], scenes: dict[str, Row], made_otherwise: list[Row], live: Live, tmp_path: Path
) -> None:
    lake = lake_of(tmp_path, pages | scenes, [one_pixel_off(row) for row in made_otherwise], "lowlevel_mcq")
    result = live.run(verify_pairs(lake, []))
    assert {line.split(" ")[0] for line in result.differing} == {row["pair_id"] for row in made_otherwise}


def test_a_difference_with_steps_of_its_own_invention_is_named(
    pages: dict[str, Row], pairs: list[Row], live: Live, tmp_path: Path
) -> None:
    (difference,) = pairs[0]["differences"]
    other = pairs[2]["differences"][0]["record"]
    lake = lake_of(tmp_path, pages, [{**pairs[0], "differences": [{**difference, "record": other}]}])
    checked, differing = verified(live, lake)
    assert checked == 1 and "no part of the pair's" in differing[0]


def test_unknown_pairs_are_an_error(pages: dict[str, Row], pairs: list[Row], live: Live, tmp_path: Path) -> None:
    lake = lake_of(tmp_path, pages, pairs[:1])
    with pytest.raises(ValueError, match="has no pair nothing-like-it"):
        verified(live, lake, "nothing-like-it")
    with pytest.raises(ValueError, match="no pair at all"):
        verified(live, Lake(str(tmp_path / "empty")))


def test_the_row_of_a_pair_survives_the_lake(pages: dict[str, Row], pairs: list[Row], tmp_path: Path) -> None:
    lake = lake_of(tmp_path, pages, pairs)
    stored = {row["pair_id"]: row for row in lake.iter_all(PAIRS.of("webdiff"), PAIRS.names)}
    for pair in pairs:
        assert {name: stored[pair["pair_id"]][name] for name in pair} == pair
