"""The report of an open-ended suite.

Belongs here: the order of the steps and the names of the figures. Does not belong here: what any file holds.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from diffbench_assets.pages.used_fonts import faces_of_family
from diffbench_assets.protocols.open_ended.report import sections
from diffbench_assets.protocols.open_ended.report.figures import render_figures
from diffbench_assets.protocols.open_ended.report.gallery import HEADINGS, detail_blocks, gallery_index, gallery_pairs
from diffbench_assets.protocols.open_ended.report.layout import LAYOUT
from diffbench_assets.protocols.open_ended.report.results import JudgeResults
from diffbench_assets.protocols.open_ended.results import OpenEndedTables, judges_in_order
from diffbench_assets.protocols.open_ended.statistics.scores import score_verdicts
from diffbench_assets.report import build
from diffbench_assets.report.files import slug
from diffbench_assets.report.images import gallery_images
from diffbench_assets.report.look import model_styles
from diffbench_assets.report.output import ReportFiles
from diffbench_assets.report.page import SCRIPTS
from diffbench_assets.statistics.answers import place_responses

TEMPLATES = Path(__file__).parent / "templates"
FIGURE_NAMES = (
    "sensitivity_restraint", "tiers", "operators", "domains", "inside_change", "clip_distance", "stability",
)  # fmt: skip


def build_report(tables: OpenEndedTables, out: Path) -> ReportFiles:
    """Write the report of one suite into `out`, as `report.build.write` says.

    Raises ValueError when the tables are of several suites, contradict one another, or hold an unreadable image.
    """
    tables.require_one_suite()
    scores = score_verdicts(place_responses(tables.pairs, tables.responses), tables.verdicts)
    styles = model_styles(scores.models)
    results = [JudgeResults(tables, judge) for judge in judges_in_order(scores.judges)]
    figures = {result.judge: render_figures(result, styles) for result in results}
    pairs = gallery_pairs(tables.pairs)
    images = gallery_images(tables.pairs)
    contents = build.Contents(
        faces=partial(faces_of_family, SCRIPTS),
        suite=scores.suite,
        templates=TEMPLATES,
        context={
            **sections.summary(tables, scores),
            "judges": [sections.judge_section(r, slug(r.judge), figures[r.judge]) for r in results],
            "agreement": sections.agreement_rows(tables),
        },
        styles=styles,
        results=results,
        layout=LAYOUT,
        figures={f"{name}-{slug(judge)}": figure for judge, drawn in figures.items() for name, figure in drawn.items()},
        owned_figures=rf"({'|'.join(FIGURE_NAMES)})-.*",
        gallery=build.Gallery(
            headings=HEADINGS,
            index=gallery_index(pairs, scores, styles, images),
            blocks=detail_blocks(pairs, tables.responses, tables.verdicts, images),
            pairs=tables.pairs,
            images=images,
        ),
    )
    return build.write(contents, tables, out)
