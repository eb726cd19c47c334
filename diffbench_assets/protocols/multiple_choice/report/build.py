"""The report of a multiple-choice suite.

Belongs here: the order of the steps. Does not belong here: what any file holds.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pyarrow.compute as pc

from diffbench_assets.pages.used_fonts import faces_of_family
from diffbench_assets.protocols.multiple_choice.report import sections
from diffbench_assets.protocols.multiple_choice.report.figures import FIGURE_NAMES, render_choice_figures
from diffbench_assets.protocols.multiple_choice.report.gallery import (
    choice_blocks,
    choice_index,
    gallery_order,
    headings,
)
from diffbench_assets.protocols.multiple_choice.report.results import ChoiceResults
from diffbench_assets.protocols.multiple_choice.results import MultipleChoiceTables
from diffbench_assets.protocols.multiple_choice.statistics.choices import place_choices
from diffbench_assets.report import build
from diffbench_assets.report.images import gallery_images
from diffbench_assets.report.look import model_styles
from diffbench_assets.report.output import ReportFiles
from diffbench_assets.report.page import SCRIPTS

TEMPLATES = Path(__file__).parent / "templates"


def build_choice_report(tables: MultipleChoiceTables, out: Path) -> ReportFiles:
    """Write the report of one suite into `out`, as `report.build.write` says.

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
    contents = build.Contents(
        faces=partial(faces_of_family, SCRIPTS),
        suite=choices.suite,
        templates=TEMPLATES,
        context={**sections.summary(results, choices), "j": sections.choice_section(results, figures)},
        styles=styles,
        results=[results] if choices.models else [],
        layout=results.layout(),
        figures=figures,
        owned_figures="|".join(FIGURE_NAMES),
        gallery=build.Gallery(
            headings=headings(choices),
            index=choice_index(choices, order, styles, images),
            blocks=choice_blocks(choices, order, pairs, tables.responses, tables.verdicts, images),
            pairs=pairs,
            images=images,
        ),
    )
    return build.write(contents, tables, out)
