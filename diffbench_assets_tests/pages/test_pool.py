"""Which pages take part: one of each structure that tells a template, and none that cannot be used."""

from __future__ import annotations

from pathlib import Path

from diffbench_assets.lake import Lake
from diffbench_assets.pages.fingerprint import FEWEST_ELEMENTS, structure_fingerprint
from diffbench_assets.pages.pool import pool_pages
from diffbench_assets.schemas import PAGES


def test_pages_with_few_elements_are_no_template_and_others_of_one_structure_are(tmp_path: Path) -> None:
    def html(elements: int, words: str) -> str:
        return f"<html><head></head><body>{'<p></p>' * (elements - 1)}<p>{words}</p></body></html>"

    few, many = FEWEST_ELEMENTS - 2, FEWEST_ELEMENTS - 1  # and the body
    made = {
        "few": html(few, "one"),
        "few too": html(few, "two"),
        "few again": html(few, "two"),
        "many": html(many, "one"),
        "many too": html(many, "two"),
        "dropped": None,
    }
    rows = [
        {"page_id": name, "source": "x", "html": text, "structure_fingerprint": text and structure_fingerprint(text)}
        for name, text in made.items()
    ]
    lake = Lake(str(tmp_path))
    lake.write(PAGES, rows, {"source": "x"}, fingerprint="f")
    pool, left_out = pool_pages(lake)
    assert [page["page_id"] for page in pool] == ["few", "few too", "many"]
    assert left_out == ["same structure", "same structure", "no html"]
