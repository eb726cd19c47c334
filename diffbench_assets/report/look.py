"""Colours and markers: one per model, the same in every figure and on the page.

Belongs here: the palette and matplotlib's settings. Does not belong here: any single plot.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
from cycler import cycler

INK, MUTED, RULE, FAINT, PAPER, REGION = "#1f2328", "#59636e", "#d8dce1", "#c3c9d0", "#ffffff", "#e3f0ea"
"""Neutral colours of figures. page.css turns each into its dark counterpart by matching these values."""

PALETTE = ("#0072b2", "#d55e00", "#008c66", "#b3589a", "#9a7200", "#6e62c4", "#1f8da3", "#7d7d7d")
"""After Okabe and Ito (2008), each at least 3:1 against the light and the dark page."""

MARKERS = ("o", "s", "D", "^", "v", "P", "X")
"""Told apart without colour; 7 against 8 colours, so that 56 models differ in colour or marker."""

HEAT_LIGHT = (
    "#f5f7f9", "#e6eef4", "#d5e4ef", "#c1d8e9", "#a9cae1", "#8dbad8",
    "#6ea8cd", "#2f75a8", "#22669a", "#16578a", "#0d4877",
)  # fmt: skip
HEAT_DARK = (
    "#1b2127", "#1c2b37", "#1c3547", "#1c4058", "#1c4b69", "#1d567a",
    "#21618a", "#6fa9cf", "#8bbbdb", "#a8cde6", "#c6dff0",
)  # fmt: skip
"""Eleven steps from 0 to 100 %. The jump after the seventh is where the text on them changes between dark and light."""

HEAT_TURN = 7

STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "diffbench",
    "pdf.fonttype": 42,
    "font.family": "DejaVu Sans",
    "font.size": 8.5,
    "text.color": INK,
    "text.parse_math": False,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.titlesize": 8.5,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "axes.facecolor": "none",
    "axes.prop_cycle": cycler(color=PALETTE),
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "grid.color": RULE,
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.6,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": MUTED,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
}


@dataclass(frozen=True)
class ModelStyle:
    """Colour (index into PALETTE, its CSS class is c<number>) and marker of one model."""

    number: int
    color: str
    marker: str


def model_styles(models: Iterable[str]) -> dict[str, ModelStyle]:
    """A style for each model, by its place among the names in order."""
    return {
        model: ModelStyle(i % len(PALETTE), PALETTE[i % len(PALETTE)], MARKERS[i % len(MARKERS)])
        for i, model in enumerate(sorted(models))
    }


def heat_step(share: float) -> int:
    """0…1 → 0…10, the step of the heat scales."""
    return min(10, max(0, round(share * 10)))


def settings() -> dict[Any, Any]:
    """matplotlib's defaults with STYLE over them, so that nobody's matplotlibrc changes a figure."""
    return {**{k: v for k, v in mpl.rcParamsDefault.items() if k not in ("backend", "backend_fallback")}, **STYLE}
