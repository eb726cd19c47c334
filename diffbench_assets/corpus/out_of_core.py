"""DuckDB for tables of the corpus that are larger than memory.

Belongs here: connections with limits, writing a query's rows whole or not at all, and the queries' texts
(`sql/corpus`). Does not belong here: what a query is for.
"""

from __future__ import annotations

import glob
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import duckdb

from diffbench_assets.durable import writing
from diffbench_assets.errors import UserError
from diffbench_assets.lake import SQL, literal

MEMORY_LIMIT: Final = "2GB"
"""Of DuckDB's buffers. The process takes about a third more; what does not fit goes to disk."""
ROW_GROUP_ROWS: Final = 100_000


@contextmanager
def connect(
    folder: Path, memory_limit: str = MEMORY_LIMIT, threads: int | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with the macros of the corpus that spills into a new folder inside `folder`, removed at the end.

    Raises UserError when DuckDB runs out of memory or of disk, saying what to do.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".spill-") as spill, duckdb.connect() as connection:
        connection.execute("SET memory_limit = $limit", {"limit": memory_limit})
        connection.execute("SET temp_directory = $spill", {"spill": spill})
        if threads is not None:
            connection.execute("SET threads = $threads", {"threads": threads})
        # The order of rows is what a query says; without this, writing Parquet holds whole results in memory.
        connection.execute("SET preserve_insertion_order = false")
        connection.execute("SET enable_progress_bar = false")
        connection.execute(query("macros"))
        try:
            yield connection
        except duckdb.OutOfMemoryException as error:
            raise UserError(
                f"DuckDB needs more than memory_limit {memory_limit} or than the disk under {folder} holds: raise the "
                f"limit, use fewer threads, or free disk space ({str(error).splitlines()[0]})"
            ) from error


def query(name: str) -> str:
    """Text of a query of the corpus."""
    return (SQL / "corpus" / f"{name}.sql").read_text()


def name_inputs(
    connection: duckdb.DuckDBPyConnection, view: str, files: Sequence[str | Path], columns: str, where: str = "true"
) -> None:
    """Makes a view of Parquet files, or of those that globs name; `columns` and `where` are SQL. A name that is a
    file's is no glob.

    Raises UserError when there are none, or a column is missing.
    """
    names = ", ".join(literal(glob.escape(str(file)) if Path(file).exists() else str(file)) for file in files)
    try:
        connection.execute(
            f"CREATE OR REPLACE VIEW {view} AS SELECT {columns} FROM read_parquet([{names}]) WHERE {where}"
        )
    except duckdb.Error as error:
        raise UserError(f"cannot read {', '.join(map(str, files))}: {str(error).splitlines()[0]}") from error


def write(connection: duckdb.DuckDBPyConnection, text: str, out: Path) -> int:
    """Writes the rows of a query to a Parquet file, whole or not at all. Returns their number."""
    with writing(out) as unfinished:
        options = f"FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {ROW_GROUP_ROWS}"
        row = connection.execute(
            f"COPY ({text.strip().rstrip(';')}\n) TO {literal(str(unfinished))} ({options})"
        ).fetchone()
    return int(row[0]) if row else 0
