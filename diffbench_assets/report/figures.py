"""The SVG and PDF bytes of figures.

Belongs here: rendering. Does not belong here: drawing, and where files go.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import matplotlib as mpl
from matplotlib.figure import Figure

from diffbench_assets.report.look import settings

Drawing = tuple[str, str, Callable[[], Figure]]
"""Title, description in words, and what draws it."""


@dataclass(frozen=True)
class RenderedFigure:
    """One figure: what it is called, what it shows, and its two files."""

    name: str
    title: str
    description: str
    svg: bytes
    pdf: bytes


def render(drawings: Mapping[str, Drawing]) -> dict[str, RenderedFigure]:
    """Name → (title, description, drawing) as files."""
    with mpl.rc_context(settings()):
        return {
            name: RenderedFigure(name, title, description, *_files(draw()))
            for name, (title, description, draw) in drawings.items()
        }


def _files(figure: Figure) -> tuple[bytes, bytes]:
    svg, pdf = io.BytesIO(), io.BytesIO()
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # one layout for both files
    figure.savefig(svg, format="svg", metadata={"Date": None})
    figure.savefig(pdf, format="pdf", metadata={"CreationDate": None})
    return svg.getvalue(), pdf.getvalue()
