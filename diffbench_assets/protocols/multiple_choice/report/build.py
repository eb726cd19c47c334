"""One call that writes the whole report of a multiple-choice suite.

    build_choice_report(tables: MultipleChoiceTables, out: Path) -> ReportFiles

Belongs here: the order of the steps. Does not belong here: what any file holds.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow.compute as pc

from diffbench_assets.protocols.multiple_choice.report import sections as choice_sections
from diffbench_assets.protocols.multiple_choice.report.figures import FIGURE_NAMES, render_choice_figures
from diffbench_assets.protocols.multiple_choice.report.gallery import (
    choice_blocks,
    choice_index,
    gallery_order,
    headings,
)
from diffbench_assets.protocols.multiple_choice.report.results import ChoiceResults
from diffbench_assets.protocols.multiple_choice.report.tables import MultipleChoiceTables
from diffbench_assets.protocols.multiple_choice.statistics.choices import place_choices
from diffbench_assets.report import sections
from diffbench_assets.report.images import gallery_images
from diffbench_assets.report.leaderboard_text import latex, markdown
from diffbench_assets.report.look import model_styles
from diffbench_assets.report.output import IMAGE_FOLDER, ReportFiles, write_report
from diffbench_assets.report.page import render_page


def build_choice_report(tables: MultipleChoiceTables, out: Path) -> ReportFiles:
    """Write report.html, leaderboard.md, leaderboard.tex, figures/ and for many pairs report_images/ into `out`.

    Every file appears whole or not at all, and the same tables give the same bytes. Figures and images of an earlier
    report in `out` that this one does not have are removed.

    Raises ValueError when the tables are of several suites, contradict one another, or hold an unreadable image.
    """
    tables.require_one_suite()
    choices = place_choices(tables.pairs, tables.questions, tables.responses, tables.verdicts)
    results = ChoiceResults(tables)
    styles = model_styles(choices.models)
    figures = render_choice_figures(results, styles)
    pairs = tables.pairs.filter(pc.is_in(tables.pairs["pair_id"], pc.unique(tables.questions["pair_id"])))
    images = gallery_images(pairs)
    order = gallery_order(choices)
    page = render_page(
        "choice",
        {
            **choice_sections.summary(results, choices),
            "styles": styles,
            "j": choice_sections.choice_section(results, figures),
            "usage": sections.usage_rows(tables),
            "outcomes": sections.OUTCOME_NAMES,
            "gallery": headings(choices),
            "index": choice_index(choices, order, styles, images),
            "blocks": choice_blocks(choices, order, pairs, tables.responses, tables.verdicts, images),
            "image_folder": IMAGE_FOLDER,
        },
        images=images,
    )
    layout = results.layout()
    shown = [results] if choices.models else []
    return write_report(
        out,
        page=page,
        markdown=markdown(choices.suite, shown, layout),
        latex=latex(choices.suite, shown, layout),
        figures=figures,
        owned_figures="|".join(FIGURE_NAMES),
        pairs=pairs,
        images=images,
    )
