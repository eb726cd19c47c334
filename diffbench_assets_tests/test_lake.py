"""Files of the lake appear whole or not at all, are the same bytes for the same rows, and are views in DuckDB."""

from __future__ import annotations

import importlib.util
import itertools
import json
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

from diffbench_assets.conformance import violations
from diffbench_assets.lake import ROW_GROUP_ROWS, Damaged, Lake, LakeError
from diffbench_assets.schemas import CANDIDATES, IMAGE, PAGE_POOL, PAGES, PAIRS, RESPONSES, TABLES, Table
from diffbench_assets.views import asked, connect

SCHEMA = pa.schema([("name", pa.string()), ("number", pa.int64())])
THINGS = Table("things", (), SCHEMA)
BY_CELL = Table("things", ("cell",), SCHEMA)
BY_MODEL = Table("things", ("model", "cell"), SCHEMA)


def rows(count: int, number: int = 0) -> list[dict[str, Any]]:
    return [{"name": f"row {i}", "number": number} for i in range(count)]


def items(count: int) -> list[dict[str, Any]]:
    return [{"item_id": f"item {i}"} for i in range(count)]


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
    assert [*lake.assets()] == ["things"]


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
    assert [*lake.assets()] == ["things"]
    assert [path for path in lake.files(THINGS)] == [lake.path(THINGS)]
    lake.write(THINGS, rows(4), fingerprint="f")
    assert lake.read(THINGS).num_rows == 4


def test_readers_never_see_a_part_of_a_file(lake: Lake) -> None:
    def write(number: int) -> None:
        lake.write(PAGE_POOL, [{"page_id": str(number)}] * 300, fingerprint="f")

    write(0)
    stop, seen = threading.Event(), []

    def read() -> None:
        while not stop.is_set():
            numbers = set(lake.read(PAGE_POOL)["page_id"].to_pylist())
            seen.append(len(numbers) == 1)

    def query() -> None:
        while not stop.is_set():
            seen.append(
                asked(lake, lambda it: it.sql("SELECT count(DISTINCT page_id), count(*) FROM page_pool").fetchall())
                == [(1, 300)]
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
        write(40 * number)
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
    assert lake.files(PAIRS.of("webdiff")) == [] == [*lake.assets()]


def test_a_lake_without_tables_says_what_to_run(lake: Lake) -> None:
    with pytest.raises(LakeError, match="has no tables: run `diffbench build` first"):
        connect(lake)


# Views


def test_partition_keys_are_columns_of_the_views(lake: Lake) -> None:
    responses = RESPONSES.of("webdiff")
    lake.write(responses, items(2), {"model": "7", "cell": "color.hard"}, fingerprint="f")
    lake.write(responses, items(3), {"model": "8", "cell": "color.easy"}, fingerprint="f")
    lake.write(PAGES, [{"page_id": "p"}], {"source": "generator"}, fingerprint="f")
    connection = connect(lake)
    counted = connection.sql("SELECT model, cell, count(*) FROM webdiff_responses GROUP BY ALL ORDER BY ALL").fetchall()
    assert counted == [("7", "color.hard", 2), ("8", "color.easy", 3)]
    assert connection.sql("SELECT page_id, source FROM pages").fetchall() == [("p", "generator")]


@pytest.mark.parametrize(
    "folder",
    ['it\'s "my" läke 湖', "a[1]", "[ab]*?", "cell=zzz", "cell=zzz/[0]/model=x", "source=y", "50%20off", "a{b,c}"],
)
def test_a_lake_may_lie_anywhere(tmp_path: Path, folder: str) -> None:
    lake, responses = Lake(str(tmp_path / folder / "lake")), RESPONSES.of("webdiff")
    odd = 'o\'neill "x" [1]'
    for model, cell in ((odd, "color.hard"), (odd, "color.easy"), ("b", "color.easy")):
        lake.write(responses, items(2), {"model": model, "cell": cell}, fingerprint="f")
    lake.write(PAGES, [{"page_id": "p"}], {"source": "generator"}, fingerprint="f")

    assert lake.assets() == {"pages": ("source",), "webdiff/responses": ("model", "cell")}
    assert lake.of_suites(RESPONSES) == [responses]
    there = [("b", "color.easy", 2), (odd, "color.easy", 2), (odd, "color.hard", 2)]
    counted = connect(lake).sql("SELECT model, cell, count(*) FROM webdiff_responses GROUP BY ALL ORDER BY ALL")
    assert counted.fetchall() == there
    assert connect(lake).sql("SELECT source, page_id FROM pages").fetchall() == [("generator", "p")]
    assert len(connect(lake).sql("SELECT * FROM pages").columns) == len(PAGES.names)
    assert lake.read(responses, {"model": odd, "cell": "color.hard"})["model"].to_pylist() == [odd] * 2
    assert lake.read_all(responses, ["cell"])["cell"].to_pylist() == [cell for _, cell, _ in there for _ in range(2)]
    assert [row["model"] for row in lake.iter_all(responses, ["model"], {"model": odd})] == [odd] * 4
    assert [row["cell"] for row in lake.iter_rows(responses, ["cell"], {"item 1"}, "item_id")] == [
        c for _, c, _ in there
    ]
    assert lake.cell_counts(responses) == {"color.easy": 4, "color.hard": 2}
    assert len(lake.versions(responses, {"model": odd})) == 2
    assert not violations(lake, PAGES)


def test_folders_that_are_no_table_of_the_product_reach_no_query(lake: Lake, tmp_path: Path) -> None:
    lake.write(PAGES, [{"page_id": "p"}], {"source": "generator"}, fingerprint="f")
    victim = tmp_path / "written"
    attack = """x" AS SELECT 1; COPY (SELECT 1) TO 'written'; --"""
    for name in (attack, "webdiff/unknown", "nobody/pairs", "pages/pages"):
        folder = Path(lake.root) / name
        folder.mkdir(parents=True)
        (folder / "data.parquet").write_bytes(Path(lake.path(PAGES, {"source": "generator"})).read_bytes())
    views = {
        name for (name,) in connect(lake).sql("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
    }
    assert "pages" in views
    assert not views & {"webdiff_unknown", "nobody_pairs", "pages_pages"} and not any(";" in name for name in views)
    assert not victim.exists() and not Path("written").exists()


# Other readers


READERS: dict[str, Callable[[str], Any]] = {
    "pandas": lambda folder: pandas.read_parquet(folder),
    "pyarrow": lambda folder: pyarrow.dataset.dataset(folder, partitioning="hive").to_table().to_pandas(),
    "polars": lambda folder: pytest.importorskip("polars").read_parquet(folder).to_pandas(),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", [*TABLES])
def test_every_table_opens_as_a_folder_with_its_keys(lake: Lake, name: str, reader: str) -> None:
    table = TABLES[name]
    for value in ("a", "b"):
        place = {key: f"{key}-{value}" for key in table.keys}
        lake.write(table, [{}, {}], place, fingerprint="f")
    read = READERS[reader](str(Path(lake.root) / name))
    assert {*read.columns} == {*table.names, *table.keys}
    for key in table.keys:
        assert sorted(map(str, read[key])) == [f"{key}-a"] * 2 + [f"{key}-b"] * 2


def test_a_lake_whose_files_hold_their_keys_too_is_read_as_before(lake: Lake) -> None:
    """As earlier versions wrote them; beside one of this version."""
    pairs = PAIRS.of("webdiff")
    lake.write(pairs, [{"pair_id": "new"}], {"cell": "color.easy"}, fingerprint="f")
    old = Path(lake.path(pairs, {"cell": "color.hard"}))
    old.parent.mkdir()
    pq.write_table(pa.Table.from_pylist([{"pair_id": "old", "cell": "color.hard"}], schema=pairs.schema), old)
    there = [("color.easy", "new"), ("color.hard", "old")]
    assert lake.read_all(pairs, ["cell", "pair_id"]).to_pylist() == [{"cell": c, "pair_id": p} for c, p in there]
    assert [(row["cell"], row["pair_id"]) for row in lake.iter_all(pairs, ["cell", "pair_id"])] == there
    assert connect(lake).sql("SELECT cell, pair_id FROM webdiff_pairs ORDER BY ALL").fetchall() == there
    assert not [said for wrong in violations(lake, pairs).values() for said in wrong if "column" in said]


@pytest.mark.parametrize("name", [name for name, table in TABLES.items() if IMAGE in table.schema.types])
def test_files_tell_hugging_face_which_columns_are_images(lake: Lake, name: str) -> None:
    table = TABLES[name]
    path = lake.write(table, [{}], dict.fromkeys(table.keys, "x"), fingerprint="f")
    features = json.loads(pq.read_schema(path).metadata[b"huggingface"])["info"]["features"]
    images = [field.name for field in table.schema if field.type == IMAGE]
    assert images and features == dict.fromkeys(images, {"_type": "Image"})


# Damaged, foreign and old files


def _cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "foreign": lambda data: b"hello, I am no Parquet",
    "cut": _cut,
    "without a footer": lambda data: data[:-4] + b"0000",
}
ACCESS: dict[str, Callable[[Lake], Any]] = {
    "read": lambda lake: lake.read(PAGES, {"source": "a"}),
    "read_all": lambda lake: lake.read_all(PAGES, ["page_id"]),
    "iter_all": lambda lake: list(lake.iter_all(PAGES, ["page_id"])),
    "iter_partition": lambda lake: list(lake.iter_partition(PAGES, {"source": "a"}, ["page_id"])),
    "iter_rows": lambda lake: list(lake.iter_rows(PAGES, ["html"], {"row 1"})),
    "cell_counts": lambda lake: lake.read_all(PAGES, ["source", "html"]),
}
NOTED: dict[str, Callable[[Lake], Any]] = {
    "fingerprint": lambda lake: lake.fingerprint(PAGES, {"source": "a"}),
    "versions": lambda lake: lake.versions(PAGES),
    "violations": lambda lake: violations(lake, PAGES),
    "sql": lambda lake: connect(lake).sql("SELECT * FROM pages").fetchall(),
}


def _of_pages(lake: Lake) -> Path:
    texts = [{"page_id": f"row {n}", "source": "a", "html": f"<p>{n} {n * n}" * 40} for n in range(90)]
    return Path(lake.write(PAGES, texts, {"source": "a"}, fingerprint="f"))


@pytest.mark.parametrize("access", [*ACCESS, *NOTED])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_named_in_one_line_whoever_reads_it(lake: Lake, damage: str, access: str) -> None:
    path = _of_pages(lake)
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    with pytest.raises(LakeError, match=r"^[^\n]*pages/source=a/data.parquet[^\n]*$"):
        (ACCESS | NOTED)[access](lake)


@pytest.mark.parametrize("access", ["read", "iter_rows", "cell_counts"])
def test_rows_that_are_damaged_are_noticed_though_the_footer_is_whole(lake: Lake, access: str) -> None:
    path = _of_pages(lake)
    data = bytearray(path.read_bytes())
    start = pq.read_metadata(path).row_group(0).column(PAGES.names.index("html") - 1).dictionary_page_offset
    for place in range(start + 100, start + 140):
        data[place] ^= 255
    path.write_bytes(bytes(data))
    with pytest.raises(Damaged, match="pages/source=a/data.parquet"):
        ACCESS[access](lake)


@pytest.mark.parametrize(
    ("stored", "said"),
    [({"nonsense": 1}, "no column"), ({"page_id": 7, "html": 8}, "(page_id|html) as int64, not string")],
    ids=["another table", "another type"],
)
@pytest.mark.parametrize("access", ACCESS)
def test_a_file_of_another_schema_is_told_as_such_in_one_line(
    lake: Lake, stored: dict[str, int], said: str, access: str
) -> None:
    path = _of_pages(lake)
    pq.write_table(pa.Table.from_pylist([stored]), path)
    with pytest.raises(LakeError, match=f"^[^\n]*source=a/data.parquet has {said}[^\n]*make it again$"):
        ACCESS[access](lake)
    assert lake.fingerprint(PAGES, {"source": "a"}) == ""


def test_a_file_that_cannot_be_reached_is_not_called_damaged(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LakeError, match="source=a/data.parquet cannot be read: .*No such file") as missing:
        list(lake.iter_partition(PAGES, {"source": "a"}, ["page_id"]))
    _of_pages(lake)
    monkeypatch.setattr(pq, "ParquetFile", lambda *of, **more: (_ for _ in ()).throw(PermissionError(13, "not yours")))
    with pytest.raises(LakeError, match="source=a/data.parquet cannot be read: .*not yours") as forbidden:
        lake.read(PAGES, {"source": "a"})
    assert not any(isinstance(error.value, Damaged) for error in (missing, forbidden))


@pytest.mark.parametrize("url", ["nosuch://bucket/lake", "s3://bucket/lake"])
def test_a_url_that_nothing_here_opens_is_one_line(url: str) -> None:
    if url.startswith("s3") and importlib.util.find_spec("s3fs"):
        pytest.skip("s3fs is there")
    with pytest.raises(LakeError, match=f"^cannot open lake {url}: [^\n]*$"):
        Lake(url)


def test_a_lake_may_be_any_fsspec_url() -> None:
    lake = Lake("memory://bucket/lake")
    pairs = PAIRS.of("webdiff")
    lake.write(pairs, [{"pair_id": f"pair {n}"} for n in range(70)], {"cell": "a"}, fingerprint="f")
    assert lake.exists(pairs, {"cell": "a"})
    assert lake.fingerprint(pairs, {"cell": "a"}) == "f"
    assert lake.read(pairs, {"cell": "a"}).num_rows == 70
    assert lake.assets() == {"webdiff/pairs": ("cell",)}
    assert len(list(lake.iter_rows(pairs, ["pair_id"], {"pair 3", "pair 69"}, key="pair_id"))) == 2
    assert connect(lake).sql("SELECT cell, count(*) FROM webdiff_pairs GROUP BY ALL").fetchall() == [("a", 70)]
