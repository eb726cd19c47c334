"""The lake: one Parquet file per partition, in folders that DuckDB reads as columns.

Belongs here: where files are, and writing them whole or not at all. Does not belong here: what is in the tables
(`schemas.py`), views over them (`views.py`) or Dagster (`resources/`).
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import duckdb
import fsspec
import pyarrow as pa
import pyarrow.parquet as pq

from diffbench_assets.durable import writing
from diffbench_assets.errors import UserError
from diffbench_assets.schemas import Table

FILE: Final = "data.parquet"
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
        self._fs, self._base = fsspec.core.url_to_fs(self.root)
        self._local = "file" in (self._fs.protocol if isinstance(self._fs.protocol, tuple) else (self._fs.protocol,))

    def path(self, table: Table, place: Place | None = None) -> str:
        """Path of a partition's file, inside the lake's file system. Raises ValueError for keys it does not have."""
        return "/".join([self._folder(table, place), FILE])

    def report_folder(self, suite: str) -> Path:
        """Where reports of a suite go: a folder of a local lake, or ./reports when the lake is an object store."""
        return Path("reports" if "://" in self.root else f"{self.root}/reports") / suite

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
        path, schema, content = self.path(table, place), table.schema, hashlib.sha256()
        try:
            with self._writing(path) as unfinished, pq.ParquetWriter(unfinished, schema, compression="zstd") as writer:
                for batch in _batches(rows):
                    filled = [{name: row.get(name) for name in schema.names} for row in batch]
                    group = pa.RecordBatch.from_pylist(filled, schema=schema)
                    content.update(group.serialize())
                    writer.write_batch(group)
                notes = {INPUTS_KEY: fingerprint, ROWS_KEY: content.hexdigest()}
                writer.add_key_value_metadata(notes | {ABOUT_KEY: json.dumps(about or {}, sort_keys=True)})
        except OSError as error:
            raise LakeError(
                f"cannot write {path}: {error.strerror or error}. Check DIFFBENCH_LAKE (now {self.root}): it must be a "
                "folder or URL that can be written"
            ) from error
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
        """One partition as a table. Raises LakeError when it is not there."""
        path = self.path(table, place)
        if not self._fs.exists(path):
            raise LakeError(f"{path} does not exist: materialize {table.name} first")
        with self._open(path) as file:
            return pq.ParquetFile(file).read(columns=list(columns) if columns else None)

    def read_all(self, table: Table, columns: Sequence[str] | None = None) -> pa.Table | None:
        """All partitions as one table, in the order of their paths; None when there are none."""
        tables = []
        for path in self.files(table):
            with self._open(path) as file:
                tables.append(pq.ParquetFile(file).read(columns=list(columns) if columns else None))
        return pa.concat_tables([part.replace_schema_metadata(None) for part in tables]) if tables else None

    def cell_counts(self, table: Table) -> dict[str, int]:
        """Rows of every cell of a table that has any."""
        cells = self.read_all(table, ["cell"])
        return dict(Counter(cells["cell"].to_pylist())) if cells else {}

    def iter_partition(self, table: Table, place: Place | None, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Rows of one partition in stored order, one row group in memory at a time."""
        yield from self._rows(self.path(table, place), columns)

    def iter_all(self, table: Table, columns: Sequence[str], within: Place | None = None) -> Iterator[dict[str, Any]]:
        """Rows of all partitions, or of those `within`, one row group in memory at a time."""
        for path in self.files(table, within):
            yield from self._rows(path, columns)

    def _rows(self, path: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        with self._open(path) as file:
            for batch in pq.ParquetFile(file).iter_batches(ROW_GROUP_ROWS, columns=list(columns)):
                yield from batch.to_pylist()

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
            with self._open(path) as file:
                parquet = pq.ParquetFile(file)
                for group in range(parquet.num_row_groups):
                    ids = parquet.read_row_group(group, columns=[key])[key].to_pylist()
                    wanted = [index for index, value in enumerate(ids) if value in keys]
                    if wanted:
                        yield from parquet.read_row_group(group, columns=list(columns)).take(wanted).to_pylist()

    def files(self, table: Table, within: Place | None = None) -> list[str]:
        """Paths of the files of all partitions, sorted; or of those `within` its first keys' values."""
        folder = self._folder(table, within)
        return sorted(self._fs.glob(f"{folder}/**/{FILE}") or self._fs.glob(f"{folder}/{FILE}"))

    def parquet_files(self, table: Table) -> Iterator[tuple[str, pq.ParquetFile]]:
        """Every partition's place in the table, such as `cell=x`, and its file, open until the next one is taken."""
        base = f"{self._folder(table)}/"
        for path in self.files(table):
            with self._open(path) as file:
                yield path.removeprefix(base).removesuffix(FILE).rstrip("/"), pq.ParquetFile(file)

    def _folder(self, table: Table, place: Place | None = None) -> str:
        keys = [key for key in table.keys if key in (place or {})]
        if len(keys) < len(place or {}):
            raise ValueError(f"a partition of {table.name} is not named by {place}")
        return "/".join([self._base, table.name, *(f"{key}={(place or {})[key]}" for key in keys)])

    def _noted(self, path: str) -> Noted:
        with self._open(path) as file:
            footer = pq.read_metadata(file)
        notes = {key: (footer.metadata or {}).get(key, b"").decode() for key in (INPUTS_KEY, ROWS_KEY, ABOUT_KEY)}
        about = json.loads(notes[ABOUT_KEY] or "{}")
        return Noted(path, footer.num_rows, notes[INPUTS_KEY], notes[ROWS_KEY], about)

    def _open(self, path: str) -> Any:
        return self._fs.open(path, "rb")

    def assets(self) -> list[str]:
        """Names of the assets that have a file, for example pages."""
        found = set()
        for path in self._fs.glob(f"{self._base}/**/{FILE}"):
            parts = path.removeprefix(self._base).strip("/").split("/")[:-1]
            found.add("/".join(part for part in parts if "=" not in part))
        return sorted(found)

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

    def scan(self, asset: str) -> str:
        """SQL that reads all partitions of an asset. Partition keys are columns of text: a model may be called 7."""
        where = f"{self._base if self._local else self.root}/{asset}/**/{FILE}".replace("'", "''")
        return f"read_parquet('{where}', hive_partitioning = true, hive_types_autocast = false, union_by_name = true)"


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
