"""What has been crawled so far, on disk: one finished page is one durable file.

Belongs here: a row as a file, and reading them in order. Does not belong here: what a row means, and how a file is
kept (`durable.py`).
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from diffbench_assets.durable import Folder
from diffbench_assets.schemas import CRAWLED


class Spool(Folder):
    """A store of finished pages by url_id, each a Parquet file with one row of CRAWLED."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, ".parquet")

    def put_row(self, row: dict[str, Any]) -> None:
        """Store a row; when this returns it will not be lost. Raises ValueError when its url_id can name no file."""
        file = io.BytesIO()
        # Statistics and dictionaries serve tables of many rows.
        table = pa.Table.from_pylist([row], schema=CRAWLED.schema)
        pq.write_table(table, file, compression="zstd", use_dictionary=False, write_statistics=False)
        self.put(row["url_id"], file.getvalue())

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every row stored, ordered by url_id, one in memory at a time."""
        for url_id in sorted(self.keys()):
            yield from pq.ParquetFile(io.BytesIO(self.get(url_id) or b"")).read().to_pylist()
