"""One call that writes the whole report.

Belongs here: the order of the steps and which file goes where. Does not belong here: what any of them holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from diffbench_assets.report import sections
from diffbench_assets.report.figures import RenderedFigure, render_figures
from diffbench_assets.report.files import prune, slug, write
from diffbench_assets.report.gallery import detail_blocks, gallery_index, gallery_pairs
from diffbench_assets.report.images import folder_files, gallery_images
from diffbench_assets.report.leaderboard_text import latex, markdown
from diffbench_assets.report.look import model_styles
from diffbench_assets.report.page import render_page
from diffbench_assets.report.results import JudgeResults
from diffbench_assets.report.tables import ReportTables, judges_in_order
from diffbench_assets.statistics.answers import place_responses
from diffbench_assets.statistics.scores import score_verdicts

IMAGE_FOLDER = "report_images"


@dataclass(frozen=True)
class ReportFiles:
    """What `build_report` wrote."""

    html: Path
    leaderboard_md: Path
    leaderboard_tex: Path
    figures: tuple[Path, ...]
    """SVG and PDF files, sorted."""
    images: Path | None
    """Folder that must travel with the page for its screenshots to show; None when they are inside it."""


def build_report(tables: ReportTables, out: Path) -> ReportFiles:
    """Write report.html, leaderboard.md, leaderboard.tex, figures/ and for many pairs report_images/ into `out`.

    Every file appears whole or not at all, and the same tables give the same bytes. Figures and images of an earlier
    report in `out` that this one does not have are removed.

    Raises ValueError when the tables are of several suites, contradict one another, or hold an unreadable image.
    """
    tables.require_one_suite()
    answers = place_responses(tables.pairs, tables.responses)
    scores = score_verdicts(answers, tables.verdicts)
    styles = model_styles(scores.models)
    results = [JudgeResults(tables, judge) for judge in judges_in_order(scores.judges)]
    figures = {result.judge: render_figures(result, styles) for result in results}
    pairs = gallery_pairs(tables.pairs)
    images = gallery_images(tables.pairs)
    embedded = images.embedded

    page = render_page(
        {
            **sections.summary(tables, scores),
            "styles": styles,
            "judges": [sections.judge_section(r, slug(r.judge), figures[r.judge]) for r in results],
            "agreement": sections.agreement_rows(tables),
            "usage": sections.usage_rows(tables),
            "outcomes": sections.OUTCOME_NAMES,
            "index": gallery_index(pairs, scores, styles, images),
            "blocks": detail_blocks(pairs, tables.responses, tables.verdicts, images),
            "embedded": embedded and dict(sorted(embedded.items())),
            "image_folder": IMAGE_FOLDER,
        },
        images_in_folder=embedded is None,
    )
    folder = out / IMAGE_FOLDER
    stored = folder_files(tables.pairs) if embedded is None else ()
    image_files = [write(folder / f"{key}.png", png) for key, png in stored]
    prune(folder, r"[0-9a-f]{20}\.png", image_files)
    figure_files = [
        path for judge, drawn in figures.items() for figure in drawn.values() for path in _save(figure, judge, out)
    ]
    prune(out / "figures", rf"({'|'.join(FIGURE_NAMES)})-.*\.(svg|pdf)", figure_files)
    return ReportFiles(
        html=write(out / "report.html", page),
        leaderboard_md=write(out / "leaderboard.md", markdown(scores.suite, results)),
        leaderboard_tex=write(out / "leaderboard.tex", latex(scores.suite, results)),
        figures=tuple(sorted(figure_files)),
        images=folder if embedded is None else None,
    )


FIGURE_NAMES = (
    "sensitivity_restraint", "tiers", "operators", "domains", "inside_change", "clip_distance", "stability",
)  # fmt: skip


def _save(figure: RenderedFigure, judge: str, out: Path) -> list[Path]:
    stem = out / "figures" / f"{figure.name}-{slug(judge)}"
    return [
        write(stem.with_name(f"{stem.name}.svg"), figure.svg),
        write(stem.with_name(f"{stem.name}.pdf"), figure.pdf),
    ]
