"""What the report of the corpus says of each source: its funnel, its labels, its copies and their realness.

Belongs here: choosing and counting rows, and the two figures. Does not belong here: HTML (`templates/corpus.html.j2`).
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import matplotlib as mpl
import numpy as np
from markupsafe import Markup
from matplotlib.figure import Figure
from PIL import Image

from diffbench_assets.corpus import funnel
from diffbench_assets.corpus.similarity import KEEP
from diffbench_assets.report import look
from diffbench_assets.report.figures import render
from diffbench_assets.report.files import slug
from diffbench_assets.report.inline_svg import inline_svg

LABELS: Final = ("domain", "style", "richness", "language")
PICTURE_WIDTH: Final = 480
"""Pixels of a picture's width on the page; screenshots are 1280 wide."""
BINS: Final = 20

Row = Mapping[str, Any]


@dataclass(frozen=True)
class SourceSection:
    """One source's part of the page."""

    name: str
    anchor: str
    funnel_figure: Markup
    stages: list[dict[str, Any]]
    """stage, entered, kept, and lost: (reason, rows), the largest first."""
    likeness_figure: Markup | None
    likeness: str
    """similarity, or pixel_agreement where there were no CLIP weights."""
    labels: dict[str, list[tuple[str, int]]]
    """Of each label the values of kept pages with their counts."""
    kept: int
    examples: list[dict[str, Any]]
    realness: list[Row]
    judges: list[Row]


def source_sections(
    funnel_rows: Sequence[Row],
    pages: Sequence[Row],
    examples: Sequence[Row],
    realness: Sequence[Row],
    judges: Sequence[Row],
) -> list[SourceSection]:
    """A section for every source of the funnel, by name."""
    return [
        _section(name, *(_of(name, rows) for rows in (funnel_rows, pages, examples, realness, judges)))
        for name in sorted({row["source"] for row in funnel_rows})
    ]


def _of(source: str, rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if row["source"] == source]


def _section(
    name: str, stages: list[Row], pages: list[Row], examples: list[Row], realness: list[Row], judges: list[Row]
) -> SourceSection:
    kept = [row for row in pages if row["drop_reason"] is None]
    anchor = slug(name)
    likeness = "similarity" if any(row["similarity"] is not None for row in pages) else "pixel_agreement"
    values = [row[likeness] for row in pages if row[likeness] is not None]
    drawings = {
        "funnel": (
            f"Funnel of {name}",
            "A bar for each stage: the share of its rows that is kept, and the commonest reasons of the others.",
            lambda: funnel.plot(stages),
        )
    }
    if values:
        drawings["likeness"] = (
            f"Likeness of {name}",
            f"How many copies have which {likeness.replace('_', ' ')} to their originals.",
            lambda: _histogram(values, likeness),
        )
    figures = {
        key: inline_svg(figure.svg, f"{key}-{anchor}", figure.title, figure.description)
        for key, figure in render(drawings).items()
    }
    return SourceSection(
        name=name,
        anchor=anchor,
        funnel_figure=figures["funnel"],
        stages=_stages(stages),
        likeness_figure=figures.get("likeness"),
        likeness=likeness,
        labels={label: Counter(row[label] or "unknown" for row in kept).most_common() for label in LABELS},
        kept=len(kept),
        examples=[
            dict(row, original=_small(row["original"], row["page_id"]), copy=_small(row["copy"], row["page_id"]))
            for row in examples
        ],
        realness=realness,
        judges=judges,
    )


def _stages(rows: Iterable[Row]) -> list[dict[str, Any]]:
    return [
        {
            "stage": stage.replace("_", " "),
            "entered": sum(reasons.values()),
            "kept": reasons.get(funnel.KEPT, 0),
            "lost": [(reason.replace("_", " "), n) for reason, n in funnel.lost(reasons)],
        }
        for stage, reasons in funnel.by_stage(rows).items()
    ]


def _histogram(values: Sequence[float], likeness: str) -> Figure:
    with mpl.rc_context(look.settings()):
        figure = Figure(figsize=(6.6, 2.2), layout="constrained")
        axes = figure.subplots()
        axes.hist(np.clip(values, 0, 1), bins=np.linspace(0, 1, BINS + 1).tolist(), color=look.PALETTE[0])
        if likeness == "similarity":
            axes.axvline(KEEP, color=look.INK, linewidth=1)
            axes.text(KEEP - 0.01, axes.get_ylim()[1], f"kept from {KEEP}", ha="right", va="top")
        name = (
            "CLIP similarity to the original" if likeness == "similarity" else "share of pixels equal to the original"
        )
        axes.set(xlim=(0, 1), xlabel=name, ylabel="pages")
    return figure


def _small(png: bytes, page_id: str) -> bytes:
    """The picture scaled down, as PNG bytes. Raises ValueError when it cannot be read."""
    try:
        with Image.open(io.BytesIO(png)) as image:
            height = round(image.height * PICTURE_WIDTH / image.width)
            small = image.convert("RGB").resize((PICTURE_WIDTH, height), Image.Resampling.LANCZOS)
    except OSError as error:
        raise ValueError(f"page {page_id}: a screenshot cannot be read: {error}") from error
    out = io.BytesIO()
    small.save(out, format="PNG", optimize=True)
    return out.getvalue()
