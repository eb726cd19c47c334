"""Files of the lake appear whole or not at all, are the same bytes for the same rows, and are views in DuckDB."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from diffbench_assets.lake import ROW_GROUP_ROWS, Lake, LakeError
from diffbench_assets.schemas import CANDIDATES, PAGES, PAIRS, Table
from diffbench_assets.views import connect

SCHEMA = pa.schema([("name", pa.string()), ("number", pa.int64())])
THINGS = Table("things", (), SCHEMA)
BY_CELL = Table("things", ("cell",), SCHEMA)
BY_MODEL = Table("things", ("model", "cell"), SCHEMA)


def rows(count: int, number: int = 0) -> list[dict[str, Any]]:
    return [{"name": f"row {i}", "number": number} for i in range(count)]


def files_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(str(tmp_path / "lake"))


# Reading and writing


def test_rows_come_back_as_they_were_written(lake: Lake) -> None:
    path = lake.write(BY_CELL.of("suite"), rows(200), {"cell": "a.b"}, fingerprint="f")
    assert path.endswith("lake/suite/things/cell=a.b/data.parquet")
    assert lake.read(BY_CELL.of("suite"), {"cell": "a.b"}).to_pylist() == rows(200)
    assert lake.read(BY_CELL.of("suite"), {"cell": "a.b"}, ["name"]).column_names == ["name"]
    assert lake.read_all(BY_CELL.of("suite")).num_rows == 200


def test_columns_that_a_row_lacks_are_null_and_unknown_ones_are_left_out(lake: Lake) -> None:
    lake.write(THINGS, [{"name": "x", "other": 1}], fingerprint="f")
    assert lake.read(THINGS).to_pylist() == [{"name": "x", "number": None}]


def test_partitions_of_two_keys_are_read_together_in_the_order_of_their_paths(lake: Lake) -> None:
    for model in ("b", "a"):
        for cell in ("2", "1"):
            lake.write(BY_MODEL, [{"name": f"{model}{cell}"}], {"model": model, "cell": cell}, fingerprint="f")
    assert lake.read_all(THINGS, ["name"])["name"].to_pylist() == ["a1", "a2", "b1", "b2"]
    assert [row["name"] for row in lake.iter_all(THINGS, ["name"])] == ["a1", "a2", "b1", "b2"]
    assert lake.assets() == ["things"]


def test_chosen_rows_are_found_across_row_groups(lake: Lake) -> None:
    lake.write(THINGS, rows(3 * ROW_GROUP_ROWS), fingerprint="f")
    wanted = {"row 0", f"row {ROW_GROUP_ROWS}", f"row {3 * ROW_GROUP_ROWS - 1}", "row 9999"}
    found = [row["name"] for row in lake.iter_rows(THINGS, ["name"], wanted, key="name")]
    assert found == ["row 0", f"row {ROW_GROUP_ROWS}", f"row {3 * ROW_GROUP_ROWS - 1}"]


def test_fingerprints_are_kept_with_the_file(lake: Lake) -> None:
    assert lake.fingerprint(THINGS) is None
    lake.write(THINGS, rows(1), fingerprint="abc")
    assert lake.fingerprint(THINGS) == "abc"
    lake.write(THINGS, rows(1), fingerprint="def")
    assert lake.fingerprint(THINGS) == "def"


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    paths = [Lake(str(tmp_path / name)).write(BY_CELL, rows(500), {"cell": "x"}, fingerprint="f") for name in "ab"]
    first, second = (Path(path).read_bytes() for path in paths)
    assert first == second


def test_empty_tables_can_be_written_read_and_queried(lake: Lake) -> None:
    lake.write(CANDIDATES.of("webdiff"), [], {"cell": "color.hard"}, fingerprint="f")
    assert lake.read(CANDIDATES.of("webdiff"), {"cell": "color.hard"}).num_rows == 0
    assert list(lake.iter_all(CANDIDATES.of("webdiff"), ["status"])) == []
    assert connect(lake).sql("SELECT count(*) FROM webdiff_candidates").fetchall() == [(0,)]


# Whole or not at all


def test_a_writer_that_fails_leaves_the_old_file_and_nothing_else(lake: Lake, tmp_path: Path) -> None:
    lake.write(THINGS, rows(3), fingerprint="f")

    def failing() -> Iterator[dict[str, Any]]:
        yield from rows(1000, 1)
        raise RuntimeError("the source broke")

    with pytest.raises(RuntimeError, match="the source broke"):
        lake.write(THINGS, failing(), fingerprint="f")
    assert lake.read(THINGS).to_pylist() == rows(3)
    assert files_below(tmp_path) == ["lake/things/data.parquet"]


def test_a_writer_that_fails_leaves_the_old_file_in_an_object_store_too() -> None:
    lake = Lake("memory://bucket/failing")
    lake.write(THINGS, rows(3), fingerprint="f")

    def failing() -> Iterator[dict[str, Any]]:
        yield from rows(1000, 1)
        raise RuntimeError("the source broke")

    with pytest.raises(RuntimeError, match="the source broke"):
        lake.write(THINGS, failing(), fingerprint="f")
    assert lake.read(THINGS).to_pylist() == rows(3)
    assert lake.files(THINGS) == [lake.path(THINGS)]


def test_a_writer_that_is_killed_leaves_the_old_file_and_no_other_table(lake: Lake, tmp_path: Path) -> None:
    lake.write(THINGS, rows(3), fingerprint="f")
    script = textwrap.dedent(
        f"""
        import os, signal
        import pyarrow as pa
        from diffbench_assets.lake import Lake
        from diffbench_assets.schemas import Table
        schema = pa.schema([("name", pa.string()), ("number", pa.int64())])
        def rows():
            for i in range(1000):
                yield {{"name": str(i), "number": 1}}
            os.kill(os.getpid(), signal.SIGKILL)
        Lake({lake.root!r}).write(Table("things", (), schema), rows(), fingerprint="f")
        """
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parents[1], timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert lake.read(THINGS).to_pylist() == rows(3)
    assert lake.assets() == ["things"]
    assert [path for path in lake.files(THINGS)] == [lake.path(THINGS)]
    lake.write(THINGS, rows(4), fingerprint="f")
    assert lake.read(THINGS).num_rows == 4


def test_readers_never_see_a_part_of_a_file(lake: Lake) -> None:
    lake.write(THINGS, rows(300), fingerprint="f")
    stop, seen = threading.Event(), []

    def read() -> None:
        while not stop.is_set():
            numbers = set(lake.read(THINGS)["number"].to_pylist())
            seen.append(len(numbers) == 1)

    def query() -> None:
        while not stop.is_set():
            seen.append(
                connect(lake).sql("SELECT count(DISTINCT number), count(*) FROM things").fetchall() == [(1, 300)]
            )

    failures: list[BaseException] = []

    def guarded(work: Any) -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in (read, query)]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 60
    for number in itertools.count():
        lake.write(THINGS, rows(300, 40 * number), fingerprint="f")
        if number >= 200 and len(seen) >= 100 or failures or time.monotonic() > deadline:
            break
    stop.set()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(seen) >= 100 and all(seen)


# Errors


def test_a_lake_that_cannot_be_written_is_one_error_that_says_where_and_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    lake = Lake(str(tmp_path / "file" / "lake"))
    with pytest.raises(
        LakeError, match=r"cannot write .*file/lake/things/data.parquet: Not a directory. .*DIFFBENCH_LAKE"
    ):
        lake.write(THINGS, rows(1), fingerprint="f")
    assert files_below(tmp_path) == ["file"]


def test_a_table_that_is_not_there_names_what_to_materialize(lake: Lake) -> None:
    with pytest.raises(
        LakeError, match=r"webdiff/pairs/cell=x/data.parquet does not exist: materialize webdiff/pairs first"
    ):
        lake.read(PAIRS.of("webdiff"), {"cell": "x"})
    assert lake.read_all(PAIRS.of("webdiff")) is None
    assert lake.files(PAIRS.of("webdiff")) == [] == lake.assets()


def test_a_lake_without_tables_says_what_to_run(lake: Lake) -> None:
    with pytest.raises(LakeError, match="has no tables: run `diffbench build` first"):
        connect(lake)


# Views


def test_partition_keys_are_columns_of_the_views(lake: Lake) -> None:
    lake.write(BY_MODEL.of("webdiff"), rows(2), {"model": "7", "cell": "color.hard"}, fingerprint="f")
    lake.write(BY_MODEL.of("webdiff"), rows(3), {"model": "8", "cell": "color.easy"}, fingerprint="f")
    lake.write(PAGES, [{"page_id": "p"}], {"source": "generator"}, fingerprint="f")
    connection = connect(lake)
    counted = connection.sql("SELECT model, cell, count(*) FROM webdiff_things GROUP BY ALL ORDER BY ALL").fetchall()
    assert counted == [("7", "color.hard", 2), ("8", "color.easy", 3)]
    assert connection.sql("SELECT page_id, source FROM pages").fetchall() == [("p", "generator")]


def test_paths_with_quotes_spaces_and_other_scripts_work(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path / 'it\'s "my" läke 湖'))
    lake.write(Table("things", ("model",), SCHEMA), rows(2), {"model": 'o\'neill "x"'}, fingerprint="f")
    assert connect(lake).sql("SELECT model, count(*) FROM things GROUP BY ALL").fetchall() == [('o\'neill "x"', 2)]


def test_a_lake_may_be_any_fsspec_url() -> None:
    lake = Lake("memory://bucket/lake")
    lake.write(BY_CELL.of("webdiff"), rows(70), {"cell": "a"}, fingerprint="f")
    assert lake.exists(BY_CELL.of("webdiff"), {"cell": "a"})
    assert lake.fingerprint(BY_CELL.of("webdiff"), {"cell": "a"}) == "f"
    assert lake.read(BY_CELL.of("webdiff"), {"cell": "a"}).num_rows == 70
    assert lake.assets() == ["webdiff/things"]
    assert len(list(lake.iter_rows(BY_CELL.of("webdiff"), ["name"], {"row 3", "row 69"}, key="name"))) == 2
    assert connect(lake).sql("SELECT cell, count(*) FROM webdiff_things GROUP BY ALL").fetchall() == [("a", 70)]
