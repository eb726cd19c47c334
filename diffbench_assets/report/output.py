"""The files of a report: page, leaderboards, figures and images in a folder, and what an earlier one left removed.

Belongs here: which file goes where, for every protocol. Does not belong here: what any of them holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from diffbench_assets.report.figures import RenderedFigure
from diffbench_assets.report.files import prune, write
from diffbench_assets.report.images import GalleryImages, folder_files
from diffbench_assets.report.overview import LINES

IMAGE_FOLDER = "report_images"


@dataclass(frozen=True)
class ReportFiles:
    """What a report consists of."""

    html: Path
    leaderboard_md: Path
    leaderboard_tex: Path
    leaderboard_csv: Path
    figures: tuple[Path, ...]
    """SVG and PDF files, sorted."""
    images: Path | None
    """Folder that must travel with the page for its screenshots to show; None when they are inside it."""


def write_report(
    out: Path,
    *,
    page: str,
    markdown: str,
    latex: str,
    csv: str,
    summary: str,
    figures: Mapping[str, RenderedFigure],
    owned_figures: str,
    pairs: pa.Table,
    images: GalleryImages,
) -> ReportFiles:
    """Write everything into `out`; figures and images of an earlier report that this one does not have are removed.

    `figures` are by file stem; `owned_figures` is a pattern of the stems that reports of this protocol may have.
    """
    embedded = images.embedded is not None
    folder = out / IMAGE_FOLDER
    stored = () if embedded else folder_files(pairs)
    prune(folder, r"[0-9a-f]{20}\.png", [write(folder / f"{key}.png", png) for key, png in stored])
    figure_files = [path for stem, figure in figures.items() for path in _save(figure, out / "figures", stem)]
    prune(out / "figures", rf"(?:{owned_figures})\.(svg|pdf)", figure_files)
    write(out / LINES, summary)
    return ReportFiles(
        html=write(out / "report.html", page),
        leaderboard_md=write(out / "leaderboard.md", markdown),
        leaderboard_tex=write(out / "leaderboard.tex", latex),
        leaderboard_csv=write(out / "leaderboard.csv", csv),
        figures=tuple(sorted(figure_files)),
        images=None if embedded else folder,
    )


def _save(figure: RenderedFigure, folder: Path, stem: str) -> list[Path]:
    return [write(folder / f"{stem}.svg", figure.svg), write(folder / f"{stem}.pdf", figure.pdf)]
