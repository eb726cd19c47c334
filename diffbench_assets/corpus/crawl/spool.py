"""What has been crawled so far, on disk: one finished page is one durable file.

Belongs here: writing such a file whole or not at all, knowing which there are, and reading them in order. Does not
belong here: what a row means.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from diffbench_assets.schemas import CRAWLED

_NAME: Final = re.compile(r"[0-9A-Za-z_-]{1,128}")
_SUFFIX: Final = ".parquet"


class Spool:
    """A folder of finished pages: `<first two characters of url_id>/<url_id>.parquet`, each one row of CRAWLED.

    A file is complete and on the disk before its name appears, so that a kill, or the loss of power, costs at most the
    pages that were not finished. For one process at a time.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        for unfinished in folder.glob("*/*.tmp"):
            unfinished.unlink()

    def put(self, row: dict[str, Any]) -> None:
        """Store a row; when this returns it will not be lost. Raises ValueError when its url_id cannot name a file."""
        path = self.folder / check_id(row["url_id"])[:2] / (row["url_id"] + _SUFFIX)
        if not path.parent.is_dir():
            path.parent.mkdir(exist_ok=True)
            _sync(self.folder)
        temporary = path.with_suffix(".tmp")
        # Statistics and dictionaries serve tables of many rows.
        pq.write_table(
            pa.Table.from_pylist([row], schema=CRAWLED.schema),
            temporary,
            compression="zstd",
            use_dictionary=False,
            write_statistics=False,
        )
        _sync(temporary)
        os.replace(temporary, path)
        _sync(path.parent)

    def ids(self) -> set[str]:
        """url_id of every page stored."""
        return {path.stem for path in self.folder.glob(f"*/*{_SUFFIX}")}

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every row stored, ordered by url_id, one in memory at a time."""
        for url_id in sorted(self.ids()):
            yield from pq.ParquetFile(self.folder / url_id[:2] / (url_id + _SUFFIX)).read().to_pylist()


def check_id(url_id: str) -> str:
    """`url_id`, if it can name a file. Raises ValueError."""
    if not _NAME.fullmatch(url_id):
        raise ValueError(f"url_id {url_id!r}: expected 1 to 128 letters, digits, '-' or '_'")
    return url_id


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
