"""One call that writes the report of the corpus: where pages came from, and how like their originals copies are.

Belongs here: the tables it needs and the order of the steps. Does not belong here: what the page says
(`sections.py`, `templates/`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from diffbench_assets.corpus.report import sections as corpus_sections
from diffbench_assets.report.files import write
from diffbench_assets.report.page import render_document
from diffbench_assets.schemas import FUNNEL, SELF_CONTAINED

TEMPLATES = Path(__file__).parent / "templates"
PAGE = pa.schema(
    [FUNNEL.schema.field("source")]
    + [field for field in SELF_CONTAINED.schema if field.name not in ("html", "screenshot")]
)
"""A page that was made self-contained, without what is large."""

EXAMPLE = pa.schema(
    [
        ("source", pa.string()),
        ("page_id", pa.string()),
        ("url", pa.string()),
        ("domain", pa.string()),
        ("style", pa.string()),
        ("richness", pa.string()),
        ("similarity", pa.float64()),
        ("pixel_agreement", pa.float64()),
        ("drop_reason", pa.string()),
        ("original", pa.binary()),
        ("copy", pa.binary()),
    ]
)
"""A page shown beside its original; both pictures are PNG bytes."""


@dataclass(frozen=True)
class CorpusTables:
    """What a crawl left behind: `pages` of PAGE, `examples` of EXAMPLE, the others with their source in front."""

    funnel: pa.Table
    pages: pa.Table
    examples: pa.Table
    realness: pa.Table
    judges: pa.Table


@dataclass(frozen=True)
class CorpusReport:
    """What the report consists of."""

    html: Path


def build_corpus_report(tables: CorpusTables, out: Path) -> CorpusReport:
    """Write report.html into `out`, whole or not at all; the same tables give the same bytes.

    Raises ValueError when a picture cannot be read.
    """
    sources = corpus_sections.source_sections(
        tables.funnel.to_pylist(), tables.pages.to_pylist(), tables.examples.to_pylist(),
        tables.realness.to_pylist(), tables.judges.to_pylist(),
    )  # fmt: skip
    return CorpusReport(write(out / "report.html", render_document(TEMPLATES, {"sources": sources})))
