"""Pictures for people: the mark lies where the change is, whatever the size of the images."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from diffbench_assets.pairs.made import png
from diffbench_assets.pairs.preview import CAPTION_PX, LINE_PX, MARK, THUMB_WIDTH, contact_sheet, side_by_side


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768), (600, 900)])
def test_the_box_of_a_contact_sheet_lies_around_the_change(size: tuple[int, int]) -> None:
    width, height = size
    blank = np.full((height, width, 3), 255, np.uint8)
    box = {"x": width * 0.5, "y": height * 0.6, "width": width * 0.2, "height": height * 0.1}
    pair = {
        "cell": "noise",
        "image_before": {"bytes": png(blank)},
        "image_after": {"bytes": png(blank)},
        "differences": [{"box": box}],
    }
    sheet = np.asarray(Image.open(io.BytesIO(contact_sheet([pair], columns=1))).convert("RGB")).astype(int)
    thumb = round(THUMB_WIDTH * height / width)
    marked = np.argwhere((abs(sheet - np.array(MARK)) < 60).all(axis=2))
    top, left = marked.min(axis=0)
    bottom, right = marked.max(axis=0)
    first = CAPTION_PX + thumb
    assert abs(left - 0.5 * THUMB_WIDTH) < 4 and abs(right - 0.7 * THUMB_WIDTH) < 4
    assert abs(top - (first + 0.6 * thumb)) < 4 and abs(bottom - (first + 0.7 * thumb)) < 4


def _beside(description: str) -> np.ndarray:
    blank = {"bytes": png(np.full((40, 400, 3), 255, np.uint8))}
    pair = {"pair_id": "p", "cell": "text.easy", "image_before": blank, "image_after": blank, "differences": []}
    return np.asarray(Image.open(io.BytesIO(side_by_side(pair | {"description": description}))).convert("L"))


@pytest.mark.parametrize("quoted", ["“”", "„“", "日本", "עברית", "नमस्ते", "😀"])
def test_a_description_is_drawn_in_its_own_signs(quoted: str) -> None:
    drawn, replaced = _beside(f"The link {quoted}"), _beside("The link " + "?" * len(quoted))
    assert drawn.shape != replaced.shape or (drawn != replaced).any()
    missing = _beside("The link " + "\U0010ffff" * len(quoted))
    assert drawn.shape != missing.shape or (drawn != missing).any()


def test_a_long_description_is_drawn_whole() -> None:
    words = " ".join(f"word{n}" for n in range(60))
    assert _beside(words).shape[0] - _beside("").shape[0] >= 4 * LINE_PX
    cut, whole = _beside(words), _beside(f"{words} end")
    assert cut.shape != whole.shape or (cut != whole).any()
    assert _beside("語" * 100).shape[0] > _beside("").shape[0]
