"""The lake: one Parquet file per partition, in folders that DuckDB, pandas and polars read as columns.

Partition keys stand in the path alone, since readers refuse a column that stands in both. Files that hold them too, as
earlier versions wrote them, are read all the same.

Belongs here: where files are, and writing them whole or not at all. Does not belong here: what is in the tables
(`schemas.py`), views over them (`views.py`) or Dagster (`resources/`).
"""

from __future__ import annotations

import glob
import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import duckdb
import fsspec
import pyarrow as pa
import pyarrow.parquet as pq

from diffbench_assets.durable import writing
from diffbench_assets.errors import UserError
from diffbench_assets.schemas import IMAGE, Table

FILE: Final = "data.parquet"
ASKED: Final = "asked.json"
INPUTS_KEY, ROWS_KEY, ABOUT_KEY = b"diffbench.inputs", b"diffbench.rows", b"diffbench.about"
"""Notes in every file: what it was made from, a hash of its rows, and what was said of it."""

Place = Mapping[str, str]
"""Values of a table's partition keys: all of them name a partition, the first ones some partitions."""

ROW_GROUP_ROWS: Final = 64
"""Rows a row group: pages and pairs are large, and readers take a few at a time."""

SQL: Final = Path(__file__).resolve().parent / "sql"
"""SQL that comes along: analyses, and what out-of-core stages run."""


class LakeError(UserError):
    """The lake cannot be read or written; the message names the file and what to do."""


class Damaged(LakeError):
    """A file of the lake cannot be read as Parquet."""


@dataclass(frozen=True)
class Asked:
    """What builds were asked for: cells of each suite, and the settings of each set of pairs and protocol, by name."""

    cells: Mapping[str, Sequence[str]] = field(default_factory=dict)
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Noted:
    """What a partition's file says of itself: what it was made from, a hash of its rows, what was said of it."""

    path: str
    rows: int
    fingerprint: str
    version: str
    about: Mapping[str, Any]


class Lake:
    """A folder or object-store URL that holds `<asset>/<key>=<value>/…/data.parquet`."""

    def __init__(self, root: str) -> None:
        self.root = root.rstrip("/")
        try:
            self._fs, self._base = fsspec.core.url_to_fs(self.root)
        except (ImportError, ValueError) as error:
            raise LakeError(f"cannot open lake {self.root}: {error}") from error
        self._local = "file" in (self._fs.protocol if isinstance(self._fs.protocol, tuple) else (self._fs.protocol,))

    def path(self, table: Table, place: Place | None = None) -> str:
        """Path of a partition's file, inside the lake's file system. Raises ValueError for keys it does not have."""
        return "/".join([self._folder(table, place), FILE])

    def reports_folder(self) -> Path:
        """Where reports go: a folder of a local lake, or ./reports when the lake is an object store."""
        return Path("reports" if "://" in self.root else f"{self.root}/reports")

    def report_folder(self, suite: str) -> Path:
        """Where reports of a suite go."""
        return self.reports_folder() / suite

    @property
    def asked(self) -> Asked:
        """What builds were asked for; nothing where there was none."""
        path = f"{self._base}/{ASKED}"
        if not self._fs.exists(path):
            return Asked()
        try:
            return Asked(**json.loads(self._fs.cat_file(path)))
        except (OSError, TypeError, ValueError) as error:
            raise LakeError(f"{path} cannot be read ({error}): delete it and build again") from error

    def remember(self, suite: str, cells: Iterable[str], settings: Mapping[str, Mapping[str, Any]]) -> None:
        """Adds what a build is asked for. Raises LakeError when the lake cannot be written."""
        known = self.asked
        cells = sorted({*known.cells.get(suite, ()), *cells})
        now = Asked({**known.cells, suite: cells}, {**known.settings, **settings})
        path = f"{self._base}/{ASKED}"
        try:
            with self._writing(path) as unfinished:
                unfinished.write_text(json.dumps(asdict(now), indent=1, sort_keys=True))
        except OSError as error:
            raise self._unwritable(path, error) from error

    def _unwritable(self, path: str, error: OSError) -> LakeError:
        return LakeError(
            f"cannot write {path}: {error.strerror or error}. Check DIFFBENCH_LAKE (now {self.root}): it must be a "
            "folder or URL that can be written"
        )

    def exists(self, table: Table, place: Place | None = None) -> bool:
        return bool(self._fs.exists(self.path(table, place)))

    def noted(self, table: Table, place: Place | None = None) -> Noted | None:
        """What a partition's file says of itself; None when it is not there. Reads no rows."""
        path = self.path(table, place)
        return self._noted(path) if self._fs.exists(path) else None

    def fingerprint(self, table: Table, place: Place | None = None) -> str | None:
        """What a partition was made from: the fingerprint it was written with. None when it is not there."""
        noted = self.noted(table, place)
        return noted.fingerprint if noted else None

    def version(self, table: Table, place: Place | None = None) -> str | None:
        """What a partition holds: a hash of its rows. None when it is not there.

        What is made from the partition depends on this and not on its fingerprint: rows that come out the same, for
        instance after a change of code, make nothing stale.
        """
        noted = self.noted(table, place)
        return noted.version if noted else None

    def versions(self, table: Table, within: Place | None = None) -> dict[str, str]:
        """The version of every partition of a table, or of those `within`, by path inside the table."""
        base = self._folder(table)
        return {path.removeprefix(base): self._noted(path).version for path in self.files(table, within)}

    def write(
        self,
        table: Table,
        rows: Iterable[Mapping[str, Any]],
        place: Place | None = None,
        *,
        fingerprint: str,
        about: Mapping[str, Any] | None = None,
    ) -> str:
        """Writes a partition whole: readers see the old file or the new one, never a part. Returns its path.

        Rows may lack columns, which are null then. `fingerprint` says what the partition was made from: the next run
        keeps a partition that it would write with the same one. `about` is kept with the rows, as JSON; it may change
        until the last row was taken. Raises LakeError when the lake cannot be written.
        """
        if set(place or {}) != set(table.keys):
            raise ValueError(f"a partition of {table.name} is named by {table.keys}, not by {place}")
        path, content = self.path(table, place), hashlib.sha256()
        schema = _stored(table, self._keys(path))
        try:
            with (
                self._writing(path) as unfinished,
                pq.ParquetWriter(unfinished, schema, compression="zstd", write_page_checksum=True) as writer,
            ):
                for batch in _batches(rows):
                    filled = [{name: row.get(name) for name in schema.names} for row in batch]
                    group = pa.RecordBatch.from_pylist(filled, schema=schema)
                    content.update(group.serialize())
                    writer.write_batch(group)
                notes = {INPUTS_KEY: fingerprint, ROWS_KEY: content.hexdigest()}
                writer.add_key_value_metadata(notes | {ABOUT_KEY: json.dumps(about or {}, sort_keys=True)})
        except OSError as error:
            raise self._unwritable(path, error) from error
        return path

    @contextmanager
    def _writing(self, path: str) -> Iterator[Path]:
        if self._local:
            with writing(Path(path)) as unfinished:
                yield unfinished
            return
        with tempfile.TemporaryDirectory() as scratch:
            yield Path(scratch) / "data.parquet"
            # An object store takes the finished file in one request.
            self._fs.put_file(f"{scratch}/data.parquet", path)

    def read(self, table: Table, place: Place | None = None, columns: Sequence[str] | None = None) -> pa.Table:
        """One partition as a table. Raises LakeError when it is not there, damaged or of another schema."""
        path = self.path(table, place)
        if not self._fs.exists(path):
            raise LakeError(f"{path} does not exist: materialize {table.name} first")
        with self._opened(table, path) as part:
            return part.read(columns)

    def read_all(self, table: Table, columns: Sequence[str] | None = None) -> pa.Table | None:
        """All partitions as one table, in the order of their paths; None when there are none."""
        tables = []
        for path in self.files(table):
            with self._opened(table, path) as part:
                tables.append(part.read(columns).replace_schema_metadata(None))
        return pa.concat_tables(tables, promote_options="default") if tables else None

    def cell_counts(self, table: Table) -> dict[str, int]:
        """Rows of every cell of a table that has any."""
        cells = self.read_all(table, ["cell"])
        return dict(Counter(cells["cell"].to_pylist())) if cells else {}

    def iter_partition(self, table: Table, place: Place | None, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Rows of one partition in stored order, one row group in memory at a time."""
        yield from self._rows(table, self.path(table, place), columns)

    def iter_all(self, table: Table, columns: Sequence[str], within: Place | None = None) -> Iterator[dict[str, Any]]:
        """Rows of all partitions, or of those `within`, one row group in memory at a time."""
        for path in self.files(table, within):
            yield from self._rows(table, path, columns)

    def _rows(self, table: Table, path: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        with self._opened(table, path) as part:
            for group in range(part.file.num_row_groups):
                yield from part.read(columns, group).to_pylist()

    def iter_rows(
        self,
        table: Table,
        columns: Sequence[str],
        keys: set[str],
        key: str = "page_id",
        within: Place | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Rows whose `key` is among `keys`, of all partitions or those `within`; row groups without any are skipped.

        Raises LakeError when there is no partition `within`.
        """
        files = self.files(table, within)
        if within and not files:
            where = ", ".join(f"{key} {value}" for key, value in within.items())
            raise LakeError(f"{self.root} has no {table.name} of {where}: materialize it first")
        for path in files:
            with self._opened(table, path) as part:
                for group in range(part.file.num_row_groups):
                    ids = part.read([key], group)[key].to_pylist()
                    wanted = [index for index, value in enumerate(ids) if value in keys]
                    if wanted:
                        yield from part.read(columns, group).take(wanted).to_pylist()

    def files(self, table: Table, within: Place | None = None) -> list[str]:
        """Paths of the files of all partitions, sorted; or of those `within` its first keys' values."""
        folder = glob.escape(self._folder(table, within))
        return sorted(self._fs.glob(f"{folder}/**/{FILE}") or self._fs.glob(f"{folder}/{FILE}"))

    def places(self, table: Table) -> list[str]:
        """The place of every partition in the table, such as `model=m/cell=c`."""
        return [self._place(table, path) for path in self.files(table)]

    def _place(self, table: Table, path: str) -> str:
        return path.removeprefix(f"{self._folder(table)}/").removesuffix(FILE).rstrip("/")

    def parquet_files(self, table: Table) -> Iterator[tuple[str, pq.ParquetFile]]:
        """Every partition's place in the table, such as `cell=x`, and its file, open until the next one is taken."""
        for path in self.files(table):
            with self._opened(table, path) as part:
                yield self._place(table, path), part.file

    def _folder(self, table: Table, place: Place | None = None) -> str:
        keys = [key for key in table.keys if key in (place or {})]
        if len(keys) < len(place or {}):
            raise ValueError(f"a partition of {table.name} is not named by {place}")
        return "/".join([self._base, table.name, *(f"{key}={(place or {})[key]}" for key in keys)])

    def _keys(self, path: str) -> dict[str, str]:
        """The partition keys of a file: what lies above the lake counts for nothing, whatever it is called."""
        return keys_of(path.removeprefix(self._base).rpartition("/")[0])

    def _noted(self, path: str) -> Noted:
        with self._file(path) as file:
            footer = file.metadata
            notes = {key: (footer.metadata or {}).get(key, b"").decode() for key in (INPUTS_KEY, ROWS_KEY, ABOUT_KEY)}
            about = json.loads(notes[ABOUT_KEY] or "{}")
            return Noted(path, footer.num_rows, notes[INPUTS_KEY], notes[ROWS_KEY], about)

    @contextmanager
    def _opened(self, table: Table, path: str) -> Iterator[_Part]:
        with self._file(path) as file:
            yield _Part(path, table, file, self._keys(path))

    @contextmanager
    def _file(self, path: str) -> Iterator[pq.ParquetFile]:
        """A file, open. Raises Damaged for what is wrong with it in the block, LakeError where it cannot be reached."""
        try:
            # Local files without Python's own file objects, which threads of a reader may outlive.
            with (
                nullcontext(path) if self._local else self._fs.open(path, "rb") as source,
                pq.ParquetFile(source, page_checksum_verification=True) as file,
            ):
                yield file
        except (OSError, pa.ArrowException, UnicodeDecodeError, json.JSONDecodeError) as error:
            said = str(error).partition("\n")[0]
            # What the operating system says of a file is nothing that the file holds.
            if getattr(error, "errno", None):
                raise LakeError(f"{path} cannot be read: {said}") from error
            raise Damaged(f"{path} is damaged or no Parquet file ({said}): delete it and make it again") from error

    def assets(self) -> dict[str, tuple[str, ...]]:
        """Names of the assets that have a file, for example pages, and the keys of their partitions."""
        found: dict[str, tuple[str, ...]] = {}
        for path in self._fs.glob(f"{glob.escape(self._base)}/**/{FILE}"):
            parts = path.removeprefix(self._base).strip("/").split("/")[:-1]
            found["/".join(part for part in parts if "=" not in part)] = tuple(self._keys(path))
        return dict(sorted(found.items()))

    def files_as_they_are(self) -> Any:
        """All files with their sizes and times: equal for as long as none is replaced."""
        return self._fs.glob(f"{glob.escape(self._base)}/**/{FILE}", detail=True)

    def of_suites(self, table: Table) -> list[Table]:
        """This table of every suite that has a file of it."""
        return [
            table.of(suite)
            for suite, _, name in (asset.rpartition("/") for asset in self.assets())
            if name == table.name
        ]

    def attach(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Lets `connection` read the lake's files."""
        if not self._local:
            connection.register_filesystem(self._fs)

    def scan(self, asset: str, keys: Sequence[str]) -> str:
        """SQL that reads all partitions of an asset, with their keys as columns of text: a model may be called 7."""
        where = glob.escape(f"{self._base if self._local else self.root}/{asset}") + f"/**/{FILE}"
        # Not Hive's own partitioning: it would take the lake's folder for one too.
        found = "".join(f", regexp_extract(filename, '.*/{key}=([^/]*)/', 1) AS {quoted(key)}" for key in keys)
        own = f"COLUMNS(lambda c: c NOT IN ({', '.join(map(literal, keys))}))" if keys else "*"
        return (
            f"SELECT {own}{found} FROM read_parquet({literal(where)}, hive_partitioning = false, union_by_name = true)"
        )


class _Part:
    """A partition's file, open, and the keys that its path alone may tell."""

    def __init__(self, path: str, table: Table, file: pq.ParquetFile, keys: Mapping[str, str]) -> None:
        self.file = file
        self._path, self._table, self._keys = path, table, keys
        self._types = {field.name: field.type for field in file.schema_arrow}

    def read(self, columns: Sequence[str] | None = None, group: int | None = None) -> pa.Table:
        """Columns of all rows or of a row group, in this order; by default the table's, then what else the file has.

        Raises LakeError when the file lacks one or has one of another type.
        """
        names = list(columns or dict.fromkeys([*self._table.names, *self._types]))
        for name in names:
            self._check(name)
        there = [name for name in names if name in self._types]
        read = self.file.read(there) if group is None else self.file.read_row_group(group, there)
        return pa.table(
            [read[name] if name in there else pa.repeat(self._keys[name], read.num_rows) for name in names],
            schema=pa.schema([read.schema.field(name) if name in there else (name, pa.string()) for name in names]),
        )

    def _check(self, name: str) -> None:
        there = self._types.get(name, pa.string() if name in self._keys else None)
        wanted = self._table.schema.field(name).type if name in self._table.names else there
        if there is None or there != wanted:
            said = f"no column {name}" if there is None else f"{name} as {there}, not {wanted}"
            raise LakeError(
                f"{self._path} has {said}: it is no {self._table.name} of this version; delete it and make it again"
            )


def keys_of(place: str) -> dict[str, str]:
    """The partition keys of a place in a table, such as `model=m/cell=c`, or in the lake."""
    parts = (part.partition("=") for part in place.split("/"))
    return {key: value for key, equals, value in parts if equals}


def quoted(name: str) -> str:
    """A name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def _stored(table: Table, keys: Collection[str]) -> pa.Schema:
    """The columns of a file: all but the keys, which its path tells. Hugging Face `datasets` is told of images."""
    schema = pa.schema([field for field in table.schema if field.name not in keys])
    images = {field.name: {"_type": "Image"} for field in schema if field.type == IMAGE}
    return schema.with_metadata({"huggingface": json.dumps({"info": {"features": images}})} if images else None)


def rows_of_file(path: Path) -> Iterator[dict[str, Any]]:
    """Rows of a Parquet file outside the lake, a part of it in memory at a time."""
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(65_536):
            yield from batch.to_pylist()


def _batches(rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    batch: list[Mapping[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == ROW_GROUP_ROWS:
            yield batch
            batch = []
    if batch:
        yield batch
