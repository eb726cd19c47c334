"""Pictures for people: the mark lies where the change is, whatever the size of the images."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from diffbench_assets.pairs.made import png
from diffbench_assets.pairs.preview import CAPTION_PX, MARK, THUMB_WIDTH, contact_sheet


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
