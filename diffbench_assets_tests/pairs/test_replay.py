"""Records replayed on fresh pages: what was accepted is confirmed, and what was tampered with is found."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from diffbench_assets.pages.selfcontained import make_self_contained
from PIL import Image

from diffbench_assets.browser.gate import decode, pixels_hash
from diffbench_assets.lake import Lake
from diffbench_assets.pages.generator import generate_page
from diffbench_assets.pages.sources import RawPage
from diffbench_assets.pairs.css.candidates import PageTask, Row, find_candidates
from diffbench_assets.pairs.css.mutation import Mutation
from diffbench_assets.pairs.css.operators import CELLS, NO_DIFF
from diffbench_assets.pairs.css.pairs import draw_pairs
from diffbench_assets.pairs.preview import contact_sheet, side_by_side
from diffbench_assets.pairs.replay import ReplayTask, confirm, replay_all
from diffbench_assets.pairs.verify import verify_pairs
from diffbench_assets.schemas import PAGES, PAIRS
from diffbench_assets_tests.live import Live
from diffbench_assets_tests.small_pages import page


@pytest.fixture(scope="module")
def pages() -> dict[str, Row]:
    """Three generated pages, as the lake stores them."""
    raw = [RawPage(f"generator-{i}", f"generator:11/{i}", generate_page(11, i).html) for i in range(3)]
    labels = {"source": "generator", "domain": "other", "style": None, "language": "en"}
    return {
        page.page_id: {"page_id": page.page_id, "url": page.url, "html": done.html, **labels}
        for page, done in zip(raw, make_self_contained(raw), strict=True)
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
    mutation = Mutation.from_record(row["record"])
    other = replace(mutation, edits=(replace(mutation.edits[0], kind="style", property="color", after="rgb(1, 2, 3)"),))
    html = pages[row["page_id"]]["html"]
    tasks = [ReplayTask(html, record) for record in (other.to_record(), row["record"])]
    different, same = live.run(replay_all(live.renderer, tasks))
    assert confirm(row, different) == "replay_differs"
    assert confirm(row, same) is None
    assert confirm(row, replace(same, before_pixels="")) == "replay_differs"


@pytest.mark.parametrize(
    "record",
    [
        Mutation("color", "hard", "body > nav", "inline", (), "color", "", "", 1, 1, "steps").to_record(),
        Mutation("color", "hard", ":::", "inline", (), "color", "", "", 1, 1, "steps").to_record(),
        "no record",
    ],
    ids=["no such element", "no selector", "no record"],
)
def test_a_record_that_does_not_fit_its_page_fails_alone(record: str, live: Live) -> None:
    html = page("<h1>Title</h1>")
    broken, fine = live.run(replay_all(live.renderer, [ReplayTask(html, record), ReplayTask(html, None)]))
    assert broken.failure == "unresolved"
    assert fine.failure is None


def test_a_blank_page_has_no_replay(live: Live) -> None:
    assert live.run(replay_all(live.renderer, [ReplayTask(page(""), None)]))[0].failure == "page_blank"


def test_a_page_rendered_twice_in_separate_contexts_has_equal_pixels(pages: dict[str, Row], live: Live) -> None:
    for replayed in live.run(replay_all(live.renderer, [ReplayTask(row["html"], None) for row in pages.values()])):
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
            assert row["differences"] == [] and row.get("record") is None
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
    assert sheet.format == "WEBP" and sheet.width > 1000
    assert Image.open(io.BytesIO(contact_sheet([]))).width > 0


# Verification of a lake


def lake_of(folder: Path, pages: dict[str, Row], pairs: list[Row]) -> Lake:
    lake = Lake(str(folder))
    lake.write("pages", PAGES, pages.values(), {"source": "generator"})
    for cell in {row["cell"] for row in pairs}:
        lake.write("webdiff/pairs", PAIRS, [row for row in pairs if row["cell"] == cell], {"cell": cell})
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
    record = json.loads(pair["record"])
    record["edits"] = [{**record["edits"][0], "kind": "style", "property": "opacity", "after": "0.1"}]
    return {**pair, "record": json.dumps(record)}


@pytest.mark.parametrize(
    ("tamper", "message"),
    [
        (one_pixel_off, r": 1 pixels differ within \(9, 7\)–\(9, 7\) in the after image$"),
        (other_record, r": \d+ pixels differ within .* in the after image$"),
        (
            lambda pair: {**pair, "record": pair["record"].replace("body > ", "body > x > ")},
            r"cannot be rendered again \(unresolved\)",
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


def test_unknown_pairs_are_an_error(pages: dict[str, Row], pairs: list[Row], live: Live, tmp_path: Path) -> None:
    lake = lake_of(tmp_path, pages, pairs[:1])
    with pytest.raises(ValueError, match="has no pair nothing-like-it"):
        verified(live, lake, "nothing-like-it")
    with pytest.raises(ValueError, match="no pair at all"):
        verified(live, Lake(str(tmp_path / "empty")))


def test_the_row_of_a_pair_survives_the_lake(pages: dict[str, Row], pairs: list[Row], tmp_path: Path) -> None:
    lake = lake_of(tmp_path, pages, pairs)
    stored = {row["pair_id"]: row for row in lake.iter_all("webdiff/pairs", PAIRS.names)}
    for pair in pairs:
        assert {name: stored[pair["pair_id"]][name] for name in pair} == pair
