"""From what a protocol has to say to the files of its report.

Belongs here: what the reports of all protocols have in common, and the order of the steps. Does not belong here: what
any section, figure or gallery holds (`protocols/`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from diffbench_assets.report import headline, sections
from diffbench_assets.report.figures import RenderedFigure
from diffbench_assets.report.images import GalleryImages
from diffbench_assets.report.leaderboard_text import Layout, latex, markdown, rows_as_csv
from diffbench_assets.report.look import ModelStyle
from diffbench_assets.report.output import IMAGE_FOLDER, ReportFiles, write_report
from diffbench_assets.report.page import render_page
from diffbench_assets.report.results import SuiteResults
from diffbench_assets.report.tables import SuiteTables
from diffbench_assets.statistics.scores import MAX_UNSCORED_SHARE


@dataclass(frozen=True, kw_only=True)
class Gallery:
    """Every item with its images: `headings` name it, `index` is what lists and filters need, `blocks` the details."""

    headings: Mapping[str, Any]
    index: Mapping[str, Any]
    blocks: Iterable[list[dict[str, Any]]]
    pairs: pa.Table
    images: GalleryImages


@dataclass(frozen=True, kw_only=True)
class Contents:
    """What a protocol's report says.

    `templates` holds report.html.j2, which extends page.html.j2, report.js, which tells the gallery how to show an
    item, and perhaps report.css; `context` is what the template shows. `results` and `layout` make the leaderboards.
    `figures` are by file stem; `owned_figures` is a pattern of the stems that reports of this protocol may have.
    """

    suite: str
    templates: Path
    context: Mapping[str, Any]
    styles: Mapping[str, ModelStyle]
    results: Sequence[SuiteResults]
    layout: Layout
    figures: Mapping[str, RenderedFigure]
    owned_figures: str
    gallery: Gallery
    faces: Callable[[frozenset[str]], str] = lambda characters: ""
    """The `@font-face` rules of family SCRIPTS for whatever of the characters of a page a reader's fonts may lack."""


def write(contents: Contents, tables: SuiteTables, out: Path) -> ReportFiles:
    """Write report.html, leaderboards (.md, .tex, .csv), figures/ and for many pairs report_images/ into `out`.

    Every file appears whole or not at all, and the same contents give the same bytes. Figures and images of an earlier
    report in `out` that this one does not have are removed.
    """
    gallery, layout = contents.gallery, contents.layout
    sentences = [said for result in contents.results if (said := headline.sentence(result, layout))]
    page = render_page(
        contents.templates,
        {
            "suite": contents.suite,
            "styles": contents.styles,
            "models": list(contents.styles),
            "versions": dict(sorted(tables.versions.items())),
            "unscored_limit": MAX_UNSCORED_SHARE,
            "usage": sections.usage_rows(tables),
            "outcomes": sections.OUTCOME_NAMES,
            "gallery": gallery.headings,
            "index": gallery.index,
            "blocks": gallery.blocks,
            "image_folder": IMAGE_FOLDER,
            "sentences": sentences,
            "judged_by": [result.judge for result in contents.results],
            "headline": layout.headline.replace("_", " "),
            "standings": headline.standings(contents.results, layout),
            **contents.context,
        },
        images=gallery.images,
        faces=contents.faces,
    )
    return write_report(
        out,
        page=page,
        markdown=markdown(contents.suite, contents.results, contents.layout),
        latex=latex(contents.suite, contents.results, contents.layout),
        csv=rows_as_csv(tables.leaderboard),
        summary=json.dumps(sentences, ensure_ascii=False),
        figures=contents.figures,
        owned_figures=contents.owned_figures,
        pairs=gallery.pairs,
        images=gallery.images,
    )
