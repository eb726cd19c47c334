"""Pairs of the pixel-level suite: where they come from, what their rows say, and that they come out the same again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from diffbench_assets.browser.gate import decode
from diffbench_assets.browser.render import Renderer
from diffbench_assets.pages.ingest import ingest
from diffbench_assets.pages.sources import GeneratorSource, ScenesSource
from diffbench_assets.pairs.categories import CATEGORIES
from diffbench_assets.pairs.grammar import CHANGES, Claim, Dimension
from diffbench_assets.pairs.lowlevel import LowLevelSettings
from diffbench_assets.pairs.made import png
from diffbench_assets.pairs.photographs.seed_images import SeedImage, read_images
from diffbench_assets.pairs.shares import SCENES_FOR_ONE, Cell, make_cell, pages_tried, scenes_tried
from diffbench_assets.schemas import PAIRS

LOW_LEVEL = [name for name, category in CATEGORIES.items() if category.group == "low_level"]


def made(
    cell: str,
    n: int,
    sources: Sequence[str] = ("scenes",),
    pages: Sequence[dict[str, Any]] = (),
    images: Iterable[SeedImage] = (),
    profile: str = "extended",
) -> Cell:
    async def work() -> Cell:
        async with Renderer() as renderer:
            supply = {"pages": pages, "scenes": scenes(), "images": lambda: images}
            return await make_cell(cell, n, sources, 5, renderer=renderer, profile=profile, **supply)  # type: ignore[arg-type]

    return asyncio.run(work())


@cache
def scenes() -> list[dict[str, Any]]:
    return list(ingest(ScenesSource(name="scenes", kind="scenes", seed=6, count=20)))


@pytest.fixture(scope="module")
def pages() -> list[dict[str, Any]]:
    rows = list(ingest(GeneratorSource(name="generator", kind="generator", seed=2, count=6)))
    return [row for row in rows if row["drop_reason"] is None]


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("images")
    for number, row in enumerate(made("appearance", 3).rows):
        (folder / f"{number}.png").write_bytes(row["image_before"]["bytes"])
    return folder


@pytest.mark.parametrize("cell", CATEGORIES)
def test_scenes_give_every_category_its_pairs(cell: str) -> None:
    rows = made(cell, 2).rows
    assert len(rows) == 2 and len({row["page_id"] for row in rows}) == 2
    for row in rows:
        assert set(row) <= set(PAIRS.names)
        (difference,) = row["differences"]
        truth, possible = Claim(**difference["claim"]), [Claim(**claim) for claim in row["possible_claims"]]
        assert truth in possible and truth.reversed() in possible
        assert difference["kind"] == row["operator"] == cell and row["family"] == CATEGORIES[cell].group
        assert row["description"] == difference["description"] and truth.predicate in row["description"]
        assert difference["role"] == "report" and difference["id"].startswith(row["pair_id"])
        assert set(difference["dimensions"]) and set(difference["dimensions"]) <= set(get_args(Dimension))
        assert json.loads(difference["record"])[0] in json.loads(row["record"])
        assert 0 < row["inside_change"] <= 1 and row["before_pixels"] != row["after_pixels"]


def test_pairs_of_the_papers_profile_say_so_and_may_be_about_any_low_level_category() -> None:
    for row in made("noise", 2, profile="paper").rows:
        (step,) = json.loads(row["record"])
        assert (step["profile"], step["change"], step["parameters"]) == ("paper", "grainier", {"sigma": 15.0})
        assert {CHANGES[claim["change"]].axis for claim in row["possible_claims"]} >= {
            "grain", "smoothness", "brightness"
        }  # fmt: skip
    assert LowLevelSettings(paper_counts=True).changes == "paper" and LowLevelSettings().changes == "extended"
    assert LowLevelSettings(paper_counts=True, profile="extended").changes == "extended"


def test_the_same_seed_gives_the_same_rows() -> None:
    assert made("noise", 2).rows == made("noise", 2).rows
    assert made("position", 2).rows == made("position", 2).rows


def test_unchanged_pairs_show_one_image_twice_and_are_asked_about_in_all_categories() -> None:
    rows = made("no_diff", 10).rows
    asked = set()
    for row in rows:
        assert row["differences"] == [] and row["operator"] is None and row["tier"] == "no_diff"
        assert row["image_before"]["bytes"] == row["image_after"]["bytes"]
        assert len(row["possible_claims"]) >= 3
        asked |= {CHANGES[claim["change"]].axis for claim in row["possible_claims"]}
    assert {"grain", "brightness", "text", "presence", "horizontal"} <= asked


@pytest.mark.parametrize("cell", ["whole_color", "ocr", "position"])
def test_pages_of_the_pool_give_pairs_with_their_labels(cell: str, pages: list[dict[str, Any]]) -> None:
    found = made(cell, 4, ["pages", "scenes"], pages)
    ids = {page["page_id"]: page for page in pages}
    from_pages = [row for row in found.rows if row["page_id"] in ids]
    assert len(found.rows) == 4 and 1 <= len(from_pages) <= 2
    for row in from_pages:
        assert row["render_fingerprint"].startswith("chromium-")
        assert row["language"] == ids[row["page_id"]]["language"]


def test_scenes_make_up_for_what_pages_cannot_give(pages: list[dict[str, Any]]) -> None:
    found = made("position", 6, ["pages", "scenes"], pages[:1])
    assert [found.counts[f"by {maker}"] for maker in ("page_edits", "scenes")] == [1, 5]


@pytest.mark.parametrize("cell", LOW_LEVEL)
def test_images_of_ones_own_are_transformed(cell: str, photographs: Path) -> None:
    images = list(read_images(photographs))
    found = made(cell, 3, ["images"], images=images)
    assert 1 <= len(found.rows) <= 3
    sizes = {image.seed_id: image.pixels.shape[:2] for image in images}
    for row in found.rows:
        assert decode(row["image_before"]["bytes"]).shape == sizes[row["page_id"]]


def test_each_change_of_a_category_is_about_equally_frequent() -> None:
    rows = made("noise", 24).rows
    changes = [row["differences"][0]["claim"]["change"] for row in rows]
    assert set(changes) == {"grainier", "cleaner", "coarser", "finer"}


def test_pages_tried_are_an_order_of_the_cells_own_that_other_pages_do_not_change() -> None:
    pool = [f"page-{number}" for number in range(40)]
    tried = pages_tried("ocr", 8, ["pages", "scenes"], pool, 1)
    assert len(tried) == 3 * 4 and tried != pages_tried("motion", 8, ["pages", "scenes"], pool, 1)
    fewer = [page for page in pool if page != tried[0]]
    assert pages_tried("ocr", 8, ["pages", "scenes"], fewer, 1)[: len(tried) - 1] == tried[1:]
    assert pages_tried("ocr", 8, ["scenes"], pool, 1) == []
    drawn = scenes_tried("ocr", 8, ["pages", "scenes"], pool, 1)
    assert len(drawn) == SCENES_FOR_ONE * 8 and drawn != scenes_tried("motion", 8, ["pages", "scenes"], pool, 1)
    assert scenes_tried("ocr", 8, ["pages"], pool, 1) == []


def test_png_bytes_hold_exactly_the_pixels() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (40, 30, 3)).astype(np.uint8)
    again = decode(png(pixels)).view(np.uint8).reshape(40, 30, 4)
    assert (again[..., :3] == pixels).all()
