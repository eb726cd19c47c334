"""The report of the corpus: what it says of each source, hostile text, and how it opens in a browser."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pytest
from playwright.sync_api import Browser

from diffbench_assets.corpus.report.build import EXAMPLE, PAGE, CorpusTables, build_corpus_report
from diffbench_assets.schemas import FUNNEL, REALNESS, REALNESS_JUDGES
from diffbench_assets.statistics.realness import judge_correlations, realness_table
from diffbench_assets_tests.models.helpers import png
from diffbench_assets_tests.watched import WatchedPage

HOSTILE = "<script>alert(1)</script>\"'&"


def tables(source: str = "web", similarity: Sequence[float | None] = (0.95, 0.4), audited: bool = True) -> CorpusTables:
    """Two pages of a source: one that came through and one that did not."""
    stages = [
        ("domains", 0, "kept", 1200), ("domains", 0, "same_host", 300), ("crawled", 3, "kept", 2),
        ("crawled", 3, HOSTILE, 1),
    ]  # fmt: skip
    pages = [
        {"page_id": f"page-{n}", "url": f"https://a.test/{HOSTILE}{n}", "domain": "travel", "style": "minimal",
         "richness": "rich", "language": "en", "similarity": value, "pixel_agreement": 0.98 - n / 10,
         "drop_reason": "dissimilar" if n else None, "source": source}
        for n, value in enumerate(similarity)
    ]  # fmt: skip
    scores = [
        {"judge": judge, "page_id": page["page_id"], "side": side, "score": 4 - (side == "copy")}
        for judge in ("one", HOSTILE)
        for page in pages
        for side in ("original", "copy")
    ]
    richness = {page["page_id"]: "rich" for page in pages}
    means = realness_table(scores, richness, replicates=50).to_pylist() if audited else []
    judges = judge_correlations(scores, replicates=50).to_pylist() if audited else []
    return CorpusTables(
        funnel=pa.Table.from_pylist(
            [dict(zip(("stage", "order", "reason", "n"), row, strict=True), source=source) for row in stages],
            FUNNEL.schema,
        ),
        pages=pa.Table.from_pylist(pages, PAGE),
        examples=pa.Table.from_pylist(
            [{**page, "original": png("red"), "copy": png("blue")} for page in pages], EXAMPLE
        ),
        realness=pa.Table.from_pylist([{"source": source, **row} for row in means], REALNESS.schema),
        judges=pa.Table.from_pylist([{"source": source, **row} for row in judges], REALNESS_JUDGES.schema),
    )


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_every_part_of_a_source_shows_and_nothing_of_it_runs(
    browser: Browser, tmp_path: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    html = build_corpus_report(tables(), tmp_path).html
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    watched = WatchedPage(context.new_page())
    page = watched.page
    page.goto(html.as_uri())
    text = page.inner_text("main")
    for words in ("1,200", "same host 300", HOSTILE, "✗ dissimilar", "✓ kept", "travel 1", "spearman"):
        assert words in text
    first = page.locator("tr", has_text="domains").inner_text().split()
    assert first[:4] == ["domains", "1,500", "1,200", "80.0"]
    # Three richnesses without a page of theirs, and all pages: original minus copy is 1.
    assert page.locator("tr", has=page.locator("th", has_text="one")).last.is_visible()
    assert page.locator("td", has_text="1.00").count() >= 2
    sizes = page.eval_on_selector_all("article img", "(all) => all.map((image) => image.naturalWidth)")
    assert sizes == [480] * 4
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert watched.errors == []
    assert [url for url in watched.requests if not url.startswith(("data:", "file:"))] == []
    context.close()


def test_without_weights_pixels_stand_in_for_similarity_and_say_so(browser: Browser, tmp_path: Path) -> None:
    html = build_corpus_report(tables(similarity=(None, None), audited=False), tmp_path).html
    page = browser.new_page()
    page.goto(html.as_uri())
    text = page.inner_text("main")
    assert "no CLIP weights" in text and "share of pixels equal" in text
    assert "diffbench audit" in text
    page.close()


def test_a_lake_without_a_crawl_says_what_to_run(tmp_path: Path) -> None:
    full = tables()
    empty = CorpusTables(*(getattr(full, field.name).slice(0, 0) for field in dataclasses.fields(full)))
    assert "diffbench crawl" in build_corpus_report(empty, tmp_path).html.read_text()


def test_equal_tables_give_equal_bytes(tmp_path: Path) -> None:
    made = [build_corpus_report(tables(), tmp_path / name).html.read_bytes() for name in ("one", "two")]
    assert made[0] == made[1]
    assert not list(tmp_path.rglob("*.tmp"))


def test_a_picture_that_is_none_is_named(tmp_path: Path) -> None:
    broken = tables()
    rows = broken.examples.to_pylist()
    rows[1]["copy"] = b"no picture"
    broken = dataclasses.replace(broken, examples=pa.Table.from_pylist(rows, EXAMPLE))
    with pytest.raises(ValueError, match="page-1"):
        build_corpus_report(broken, tmp_path)
    assert not list(tmp_path.iterdir())
