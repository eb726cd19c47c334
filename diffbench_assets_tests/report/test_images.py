"""Where the gallery's screenshots go and that nothing of them is lost."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pytest
from PIL import Image

from diffbench_assets.report import images
from diffbench_assets.report.images import folder_files, gallery_images
from diffbench_assets.schemas import PAIRS
from diffbench_assets_tests.protocols.open_ended.report.suite import pair, screenshot


def table(*rows: dict) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=PAIRS.schema)


def decoded(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def noise(seed: int) -> bytes:
    buffer = io.BytesIO()
    pixels = np.random.default_rng(seed).integers(256, size=(40, 60, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()


def test_only_the_part_that_differs_is_kept_and_gives_the_after_image_back() -> None:
    placed = gallery_images(table(pair("a", "color.easy")))
    shot, files = placed.shots["a"], placed.embedded
    assert files is not None and shot.before and shot.after and shot.at
    again = decoded(files[shot.before]).copy()
    part = decoded(files[shot.after])
    left, top = shot.at
    again[top : top + part.shape[0], left : left + part.shape[1]] = part
    assert np.array_equal(again, decoded(screenshot(0, True)))
    assert part.shape[:2] == (24, 70)
    assert files[shot.before] == screenshot(0, False), "the before image is not re-encoded"


def test_an_unchanged_picture_is_stored_once() -> None:
    placed = gallery_images(table(pair("a", "no_diff"), pair("b", "no_diff")))
    assert placed.shots["a"] == placed.shots["b"]
    assert placed.shots["a"].after is None and len(placed.embedded or {}) == 1


def test_a_picture_that_changed_all_over_or_in_size_is_kept_whole() -> None:
    one, two = {"bytes": noise(1), "path": "1"}, {"bytes": noise(2), "path": "2"}
    placed = gallery_images(table(pair("a", "color.easy", image_before=one, image_after=two),
                                  pair("b", "color.easy", image_after=one)))  # fmt: skip
    for pair_id, after in (("a", two), ("b", one)):
        shot = placed.shots[pair_id]
        assert shot.at is None and shot.after is not None
        assert (placed.embedded or {})[shot.after] == after["bytes"]


@pytest.mark.parametrize("limit", ["EMBED_PAIRS", "EMBED_BYTES"])
def test_many_or_large_images_go_to_a_folder_each_once_and_as_they_are(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(images, limit, 1)
    pairs = table(pair("a", "color.easy"), pair("b", "color.hard"), pair("c", "no_diff"))
    placed = gallery_images(pairs)
    assert placed.embedded is None
    stored = dict(folder_files(pairs))
    assert sorted(stored.values()) == sorted([screenshot(0, False), screenshot(0, True)])
    shot = placed.shots["a"]
    assert stored[shot.before or ""] == screenshot(0, False) and stored[shot.after or ""] == screenshot(0, True)


def test_a_pair_without_images_has_none() -> None:
    placed = gallery_images(table(pair("a", "color.easy", image_before=None, image_after=None)))
    assert placed.shots["a"].before is None and placed.embedded == {}


def test_an_unreadable_image_names_its_pair() -> None:
    broken = {"bytes": b"\x89PNG but not really", "path": "x"}
    with pytest.raises(ValueError, match="pair 'a': its image is not a readable PNG"):
        gallery_images(table(pair("a", "color.easy", image_before=broken)))
