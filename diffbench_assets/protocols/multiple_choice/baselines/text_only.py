"""The baseline that reads how options are written, and neither what they say nor the images.

Belongs here: one fixed rule on capitals and punctuation (VDiff-Bench, table 3, "text-only style"), never fitted to any
set. Options whose writer differs from that of the others look different, and a true statement often has a writer of its
own. Where truth and false statements come from one grammar the rule can only guess.
"""

from __future__ import annotations

from statistics import mean

from diffbench_assets.baselines.parts import Parts, draw
from diffbench_assets.protocols.multiple_choice.baselines.options import no_difference, options
from diffbench_assets.protocols.multiple_choice.prompt import LABELS

_MARKS = ",;:-–—()'\"“”‘’/&"
CERTAIN = 1e-9


def text_only(parts: Parts) -> str:
    """The letter of the statement whose style is farthest from the others'; the fixed one never. Ties are drawn."""
    offered = options(parts)
    blank = no_difference(offered)
    labels = [label for label in LABELS if label != blank]
    styles = {label: style(offered[label]) for label in labels}
    oddness = {
        label: mean(_apart(styles[label], styles[other]) for other in labels if other != label) for label in labels
    }
    odd = [label for label in labels if oddness[label] > max(oddness.values()) - CERTAIN]
    return draw(odd, "text_only", parts)


def style(text: str) -> tuple[float, ...]:
    """Starts with a capital; ends with a full stop; capitals beyond the first letter; marks inside the sentence."""
    body = text[1:].rstrip(".")
    return (
        float(text[:1].isupper()),
        float(text.endswith(".")),
        float(sum(char.isupper() for char in body)),
        float(sum(char in _MARKS for char in body)),
    )


def _apart(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """0 for equal styles, up to 1 per cue: differences count in proportion to the larger value."""
    return sum(abs(a - b) / max(a, b, 1.0) for a, b in zip(one, other, strict=True))
