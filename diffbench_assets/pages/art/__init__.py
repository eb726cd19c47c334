"""One library of SVG art: named things with colors, states, counts, texts and patterns.

Belongs here: what a thing is called and how it is drawn, as data (`things/*.yaml`), and the notation of the drawings.
Does not belong here: where things stand (`pages/scenes`), which page shows them (`pages/generator`), what may change
about them (`pairs/page_edits`).
"""

from diffbench_assets.pages.art.kinds import KINDS, Counted, Kind, Label, Look
from diffbench_assets.pages.art.palette import COLORS, PALETTES

__all__ = ["COLORS", "KINDS", "PALETTES", "Counted", "Kind", "Label", "Look"]
