"""The lake: one Parquet file per partition, in folders that DuckDB reads as columns.

Belongs here: where files are, and writing them whole or not at all. Does not belong here: what is in the tables
(`schemas.py`), views over them (`views.py`) or Dagster (`resources/`).
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import duckdb
import fsspec
import pyarrow as pa
import pyarrow.parquet as pq

from diffbench_assets.errors import UserError

FINGERPRINT_KEY: Final = b"diffbench.inputs"
ROW_GROUP_ROWS: Final = 64
"""Rows a row group: pages and pairs are large, and readers take a few at a time."""

SQL: Final = Path(__file__).resolve().parent / "sql"
"""SQL that comes along: analyses, the views they share, and what out-of-core stages run."""


class LakeError(UserError):
    """The lake cannot be read or written; the message names the file and what to do."""


class Lake:
    """A folder or object-store URL that holds `<asset>/<key>=<value>/…/data.parquet`."""

    def __init__(self, root: str) -> None:
        self.root = root.rstrip("/")
        self._fs, self._base = fsspec.core.url_to_fs(self.root)
        self._local = "file" in (self._fs.protocol if isinstance(self._fs.protocol, tuple) else (self._fs.protocol,))

    def path(self, asset: str, partition: Mapping[str, str] | None = None) -> str:
        """Path of a partition's file, inside the lake's file system."""
        parts = [self._base, asset, *(f"{key}={value}" for key, value in (partition or {}).items()), "data.parquet"]
        return "/".join(parts)

    def report_folder(self, suite: str) -> Path:
        """Where reports of a suite go: a folder of a local lake, or ./reports when the lake is an object store."""
        return Path("reports" if "://" in self.root else f"{self.root}/reports") / suite

    def exists(self, asset: str, partition: Mapping[str, str] | None = None) -> bool:
        return bool(self._fs.exists(self.path(asset, partition)))

    def fingerprint(self, asset: str, partition: Mapping[str, str] | None = None) -> str | None:
        """The input fingerprint that a partition was written with; None when it is not there."""
        if not self.exists(asset, partition):
            return None
        with self._open(self.path(asset, partition)) as file:
            metadata = pq.ParquetFile(file).schema_arrow.metadata or {}
        value = metadata.get(FINGERPRINT_KEY)
        return value.decode() if value else None

    def fingerprints(self, asset: str) -> dict[str, str]:
        """The input fingerprint of every partition of an asset, by path inside the asset."""
        found = {}
        for path in self.files(asset):
            with self._open(path) as file:
                value = (pq.ParquetFile(file).schema_arrow.metadata or {}).get(FINGERPRINT_KEY, b"")
            found[path.removeprefix(f"{self._base}/{asset}")] = value.decode()
        return found

    def write(
        self,
        asset: str,
        schema: pa.Schema,
        rows: Iterable[Mapping[str, Any]],
        partition: Mapping[str, str] | None = None,
        fingerprint: str = "",
    ) -> str:
        """Writes a partition whole: readers see the old file or the new one, never a part. Returns its path.

        Rows may lack columns, which are null then. Raises LakeError when the lake cannot be written.
        """
        path = self.path(asset, partition)
        schema = schema.with_metadata({FINGERPRINT_KEY: fingerprint.encode()})
        try:
            if self._local:
                os.makedirs(os.path.dirname(path), exist_ok=True)
            # Beside the file, so that it can be renamed; an object store takes the finished file in one request.
            folder = os.path.dirname(path) if self._local else None
            with tempfile.TemporaryDirectory(dir=folder, prefix=".writing-") as scratch:
                temporary = os.path.join(scratch, "data.tmp")
                with pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
                    for batch in _batches(rows):
                        filled = [{name: row.get(name) for name in schema.names} for row in batch]
                        writer.write_table(pa.Table.from_pylist(filled, schema=schema))
                if self._local:
                    os.replace(temporary, path)
                else:
                    self._fs.put_file(temporary, path)
        except OSError as error:
            raise LakeError(
                f"cannot write {path}: {error.strerror or error}. Check DIFFBENCH_LAKE (now {self.root}): it must be a "
                "folder or URL that can be written"
            ) from error
        return path

    def write_file(
        self,
        asset: str,
        schema: pa.Schema,
        source: Path,
        partition: Mapping[str, str] | None = None,
        fingerprint: str = "",
    ) -> str:
        """Like `write`, from a Parquet file with the same columns, a row group at a time."""

        def rows() -> Iterator[Mapping[str, Any]]:
            with pq.ParquetFile(source) as file:
                for batch in file.iter_batches(65_536):
                    yield from batch.to_pylist()

        return self.write(asset, schema, rows(), partition, fingerprint)

    def read(
        self, asset: str, partition: Mapping[str, str] | None = None, columns: Sequence[str] | None = None
    ) -> pa.Table:
        """One partition as a table. Raises LakeError when it is not there."""
        path = self.path(asset, partition)
        if not self._fs.exists(path):
            raise LakeError(f"{path} does not exist: materialize {asset} first")
        with self._open(path) as file:
            return pq.ParquetFile(file).read(columns=list(columns) if columns else None)

    def read_all(self, asset: str, columns: Sequence[str] | None = None) -> pa.Table | None:
        """All partitions of an asset as one table, in the order of their paths; None when there are none."""
        tables = []
        for path in self.files(asset):
            with self._open(path) as file:
                tables.append(pq.ParquetFile(file).read(columns=list(columns) if columns else None))
        return pa.concat_tables([table.replace_schema_metadata(None) for table in tables]) if tables else None

    def iter_partition(
        self, asset: str, partition: Mapping[str, str] | None, columns: Sequence[str]
    ) -> Iterator[dict[str, Any]]:
        """Rows of one partition in stored order, one row group in memory at a time."""
        yield from self._rows(self.path(asset, partition), columns)

    def iter_all(
        self, asset: str, columns: Sequence[str], within: Mapping[str, str] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Rows of all partitions of an asset, or of those `within`, one row group in memory at a time."""
        for path in self.files(asset, within):
            yield from self._rows(path, columns)

    def _rows(self, path: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        with self._open(path) as file:
            for batch in pq.ParquetFile(file).iter_batches(ROW_GROUP_ROWS, columns=list(columns)):
                yield from batch.to_pylist()

    def iter_rows(
        self,
        asset: str,
        columns: Sequence[str],
        keys: set[str],
        key: str = "page_id",
        within: Mapping[str, str] | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Rows whose `key` is among `keys`, of all partitions or those `within`; row groups without any are skipped.

        Raises LakeError when there is no partition `within`.
        """
        files = self.files(asset, within)
        if within and not files:
            where = ", ".join(f"{key} {value}" for key, value in within.items())
            raise LakeError(f"{self.root} has no {asset} of {where}: materialize it first")
        for path in files:
            with self._open(path) as file:
                parquet = pq.ParquetFile(file)
                for group in range(parquet.num_row_groups):
                    ids = parquet.read_row_group(group, columns=[key])[key].to_pylist()
                    wanted = [index for index, value in enumerate(ids) if value in keys]
                    if wanted:
                        yield from parquet.read_row_group(group, columns=list(columns)).take(wanted).to_pylist()

    def files(self, asset: str, within: Mapping[str, str] | None = None) -> list[str]:
        """Paths of the files of all partitions of an asset, sorted; or of those `within` its first keys' values."""
        folder, _, file = self.path(asset, within).rpartition("/")
        return sorted(self._fs.glob(f"{folder}/**/{file}") or self._fs.glob(f"{folder}/{file}"))

    def _open(self, path: str) -> Any:
        return self._fs.open(path, "rb")

    def assets(self) -> list[str]:
        """Names of the assets that have a file, for example webdiff/pairs."""
        found = set()
        for path in self._fs.glob(f"{self._base}/**/data.parquet"):
            parts = path.removeprefix(self._base).strip("/").split("/")[:-1]
            found.add("/".join(part for part in parts if "=" not in part))
        return sorted(found)

    def attach(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Lets `connection` read the lake's files."""
        if not self._local:
            connection.register_filesystem(self._fs)

    def scan(self, asset: str) -> str:
        """SQL that reads all partitions of an asset. Partition keys are columns of text: a model may be called 7."""
        where = f"{self._base if self._local else self.root}/{asset}/**/data.parquet".replace("'", "''")
        return f"read_parquet('{where}', hive_partitioning = true, hive_types_autocast = false, union_by_name = true)"


def _batches(rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    batch: list[Mapping[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == ROW_GROUP_ROWS:
            yield batch
            batch = []
    if batch:
        yield batch
