"""The answer to the open-ended question: one sentence for each changed region.

Belongs here: from two PNGs to sentences. Does not belong here: measuring (`regions`, `measure`) and wording (`words`).
"""

from __future__ import annotations

from diffbench_assets.baselines.pixel_diff.images import common, pixels
from diffbench_assets.baselines.pixel_diff.measure import measure, moved_together
from diffbench_assets.baselines.pixel_diff.regions import changed_regions
from diffbench_assets.protocols.open_ended.baselines.words import sentence, size_sentence
from diffbench_assets.protocols.open_ended.prompt import NO_DIFFERENCE

MOST_REGIONS = 5
"""Sentences in an answer at most; the largest regions come first."""


def describe(before_png: bytes, after_png: bytes) -> str:
    """One line per changed region, worded from its measurements; the agreed sentence when no pixel differs.

    Raises PIL.UnidentifiedImageError when the bytes are no image.
    """
    before, after = pixels(before_png), pixels(after_png)
    lines = [] if before.shape == after.shape else [size_sentence(before.shape, after.shape)]
    before, after = common(before, after)
    regions = changed_regions(before, after)
    if 1 < len(regions) <= MOST_REGIONS and (whole := moved_together(before, after, regions)):
        regions = [whole]
    for region in regions[:MOST_REGIONS]:
        lines.append(sentence(region, measure(before, after, region), before.shape))
    return "\n".join(f"- {line}" for line in lines) or NO_DIFFERENCE
