"""The spool: a page is stored whole, once and for all, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from diffbench_assets.corpus.crawl.spool import Spool
from diffbench_assets.corpus.crawl.visit import Target, empty_row


def a_row(url_id: str, **columns: Any) -> dict[str, Any]:
    return {**empty_row(Target(url_id, f"http://{url_id}.test/", f"{url_id}.test"), "156"), **columns}


def test_rows_come_back_as_they_were_in_the_order_of_their_ids(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    stored = [
        a_row("b2", html="<p>\x00 ü</p>", screenshot={"bytes": b"\x89PNG", "path": "b2.png"}),
        a_row("a1", failure="timeout", redirects=["http://x.test/"]),
        a_row("b1", status=200),
    ]
    for row in stored:
        spool.put(row)
    assert list(Spool(tmp_path).rows()) == sorted(stored, key=lambda row: row["url_id"])
    assert spool.ids() == {"a1", "b1", "b2"}


def test_what_was_not_finished_is_gone_and_does_not_count(tmp_path: Path) -> None:
    Spool(tmp_path).put(a_row("a1"))
    (tmp_path / "a1" / "a2.tmp").write_bytes(b"half a fi")
    spool = Spool(tmp_path)
    assert spool.ids() == {"a1"}
    assert [path.name for path in tmp_path.rglob("*.*")] == ["a1.parquet"]


def test_a_page_stored_twice_is_one_page(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    spool.put(a_row("a1", failure="timeout"))
    spool.put(a_row("a1", status=200))
    assert [row["status"] for row in spool.rows()] == [200]


def test_the_folder_is_a_table_for_duckdb(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    for number in range(3):
        spool.put(a_row(f"id{number}", requests=number))
    assert duckdb.sql(f"SELECT sum(requests) FROM '{tmp_path}/*/*.parquet'").fetchall() == [(3,)]


@pytest.mark.parametrize("url_id", ["", "../up", "a/b", "a.b", "x" * 129])
def test_an_id_that_cannot_name_a_file_is_refused(tmp_path: Path, url_id: str) -> None:
    with pytest.raises(ValueError, match="url_id"):
        Spool(tmp_path).put(a_row(url_id))
    assert list(tmp_path.iterdir()) == []
