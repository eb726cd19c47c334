"""The spool: a page is stored whole, once and for all, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from diffbench_assets.corpus.crawl.spool import Spool
from diffbench_assets.corpus.crawl.visit import Target, empty_row


def a_row(url_id: str, **columns: Any) -> dict[str, Any]:
    return {**empty_row(Target(url_id, f"http://{url_id}.test/", f"{url_id}.test"), "156"), **columns}


def test_rows_come_back_as_they_were_in_the_order_of_their_ids(tmp_path: Path) -> None:
    stored = [
        a_row("b2", html="<p>\x00 ü</p>", screenshot={"bytes": b"\x89PNG", "path": "b2.png"}),
        a_row("a1", failure="timeout", redirects=["http://x.test/"]),
        a_row("b1", status=200),
    ]
    with Spool(tmp_path) as spool:
        for row in stored:
            spool.put_row(row)
    assert list(Spool(tmp_path).rows()) == sorted(stored, key=lambda row: row["url_id"])
    assert spool.keys() == {"a1", "b1", "b2"}


def test_a_page_stored_twice_is_one_page(tmp_path: Path) -> None:
    with Spool(tmp_path) as spool:
        spool.put_row(a_row("a1", failure="timeout"))
        spool.put_row(a_row("a1", status=200))
    assert [row["status"] for row in spool.rows()] == [200]


def test_the_folder_is_a_table_for_duckdb(tmp_path: Path) -> None:
    with Spool(tmp_path) as spool:
        for number in range(3):
            spool.put_row(a_row(f"id{number}", requests=number))
    assert duckdb.sql(f"SELECT sum(requests) FROM '{tmp_path}/*/*.parquet'").fetchall() == [(3,)]
