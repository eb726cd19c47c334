"""One call that writes the whole report of an open-ended suite (`choice_build.py` has that of multiple choice).

Belongs here: the order of the steps and the names of the figures. Does not belong here: what any file holds.
"""

from __future__ import annotations

from pathlib import Path

from diffbench_assets.report import sections
from diffbench_assets.report.figures import render_figures
from diffbench_assets.report.files import slug
from diffbench_assets.report.gallery import HEADINGS, detail_blocks, gallery_index, gallery_pairs
from diffbench_assets.report.images import gallery_images
from diffbench_assets.report.leaderboard_text import latex, markdown
from diffbench_assets.report.look import model_styles
from diffbench_assets.report.output import IMAGE_FOLDER, ReportFiles, write_report
from diffbench_assets.report.page import render_page
from diffbench_assets.report.results import JudgeResults
from diffbench_assets.report.tables import ReportTables, judges_in_order
from diffbench_assets.statistics.answers import place_responses
from diffbench_assets.statistics.scores import score_verdicts

FIGURE_NAMES = (
    "sensitivity_restraint", "tiers", "operators", "domains", "inside_change", "clip_distance", "stability",
)  # fmt: skip


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
    page = render_page(
        "report",
        {
            **sections.summary(tables, scores),
            "styles": styles,
            "judges": [sections.judge_section(r, slug(r.judge), figures[r.judge]) for r in results],
            "agreement": sections.agreement_rows(tables),
            "usage": sections.usage_rows(tables),
            "outcomes": sections.OUTCOME_NAMES,
            "gallery": HEADINGS,
            "index": gallery_index(pairs, scores, styles, images),
            "blocks": detail_blocks(pairs, tables.responses, tables.verdicts, images),
            "image_folder": IMAGE_FOLDER,
        },
        images=images,
    )
    return write_report(
        out,
        page=page,
        markdown=markdown(scores.suite, results),
        latex=latex(scores.suite, results),
        figures={f"{name}-{slug(judge)}": figure for judge, drawn in figures.items() for name, figure in drawn.items()},
        owned_figures=rf"({'|'.join(FIGURE_NAMES)})-.*",
        pairs=tables.pairs,
        images=images,
    )
