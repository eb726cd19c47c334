"""The baseline that compares pixels: classical image differencing that words or chooses what it measured.

Belongs here: from two PNGs, and the options of a question, to an answer. Open-ended answers (`describe`): regions
(`regions`), measurements of one region (`measure`, `ink`), color names (`palette`) and sentences (`words`). Choices
(`choose`): measurements of everything at once (`whole`), of the thing that changed (`thing`) and of a line of text
(`text_lines`), and what an option says (`reading`). Does not belong here: anything that is not in the pixels or the
question; it does not know elements or CSS.
"""

from __future__ import annotations

from diffbench_assets.baselines import parts as call
from diffbench_assets.baselines.parts import Parts
from diffbench_assets.baselines.pixel_diff.choose import choose
from diffbench_assets.baselines.pixel_diff.describe import describe


def open_ended(parts: Parts) -> str:
    """One line per changed region; the agreed sentence when no pixel differs."""
    return describe(*call.images(parts))


def multiple_choice(parts: Parts) -> str:
    """The letter of the option that the pixels support best; ties are drawn."""
    return call.draw(choose(*call.images(parts), call.options(parts)), "pixel_diff", parts)
