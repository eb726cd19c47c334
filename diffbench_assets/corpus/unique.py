"""One page of each kind of building: of each structure, then of each group of near duplicates; the others are counted.

Belongs here: which page stays, and how many it stands for. Does not belong here: what a structure or a near duplicate
is (`fingerprint.py`, `near_duplicates.py`).

Of pages built alike the one with the smallest lot stays: a page that is added later replaces it or
changes nothing but the count.
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from diffbench_assets.corpus import out_of_core
from diffbench_assets.corpus.near_duplicates import HASHES, THRESHOLD, Signature, near_duplicates, pieces, signature
from diffbench_assets.lake import quoted
from diffbench_assets.pages.errors import PageUnusable

PAGES_AT_ONCE: Final = 64
"""Pages whose HTML is in memory together."""
_SIGNATURES_AT_ONCE: Final = 2048

_SIGNED: Final = pa.schema([("id", pa.string()), ("signature", pa.binary(HASHES * 4))])
_GROUPED: Final = pa.schema([("id", pa.string()), ("kept", pa.string())])


@dataclass(frozen=True)
class Unique:
    """Pages that came, stayed, stand behind one that stayed, and could not be read; the first is the others' sum."""

    pages: int
    kept: int
    duplicates: int
    unreadable: int


def one_per_structure(
    files: Sequence[str | Path],
    out: Path,
    *,
    seed: object,
    key: str = "url_id",
    where: str = "true",
    memory_limit: str = out_of_core.MEMORY_LIMIT,
    threads: int | None = None,
) -> Unique:
    """Of Parquet files with columns `key` and structure_fingerprint, of any size, one page of each fingerprint.

    Writes id, structure_fingerprint and duplicates (the other pages that have it) to `out`, ordered by id. Pages
    without a fingerprint count as unreadable. `where` is an SQL condition on the files' columns. Raises UserError for
    files that cannot be read. Source: DiffSpot §2.1, one URL per HTML structure.
    """
    with out_of_core.connect(out.parent, memory_limit, threads) as connection:
        columns = f"{quoted(key)} AS id, structure_fingerprint"
        out_of_core.name_inputs(connection, "page", files, columns, where)
        _set_seed(connection, seed)
        kept = out_of_core.write(connection, out_of_core.query("one_per_structure"), out)
        pages, readable = _one_row(connection, "SELECT count(*), count(structure_fingerprint) FROM page")
    return Unique(pages, kept, readable - kept, pages - readable)


def one_per_group(
    structures: Path,
    files: Sequence[str | Path],
    out: Path,
    *,
    seed: object,
    key: str = "url_id",
    html: str = "html",
    threshold: float = THRESHOLD,
    memory_limit: str = out_of_core.MEMORY_LIMIT,
    threads: int | None = None,
) -> Unique:
    """Of the pages that `one_per_structure` kept, those that are no near duplicate of another one that is kept.

    `files` are the Parquet files that have the pages' HTML. Writes the same columns as `one_per_structure`, where
    duplicates now counts all pages that the kept one stands for. Pages are read once, PAGES_AT_ONCE at a time; memory
    grows by about 4 kB for each page that is kept, so large corpora go through it in shards.
    """
    ids = set(pq.read_table(structures, columns=["id"])["id"].to_pylist())
    out.parent.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=out.parent, prefix=".groups-") as scratch,
        out_of_core.connect(Path(scratch), memory_limit, threads) as connection,
    ):
        signed, ordered, grouped = (Path(scratch) / f"{name}.parquet" for name in ("signed", "ordered", "grouped"))
        with pq.ParquetWriter(signed, _SIGNED) as writer:
            for path in files:
                for batch in _signed(path, key, html, ids):
                    writer.write_batch(batch)
        out_of_core.name_inputs(connection, "signed", [signed], "*")
        _set_seed(connection, seed)
        out_of_core.write(connection, out_of_core.query("by_lot"), ordered)
        with pq.ParquetWriter(grouped, _GROUPED) as writer:
            groups = near_duplicates(_signatures(ordered), threshold)
            while batch := list(itertools.islice(groups, _SIGNATURES_AT_ONCE)):
                writer.write_batch(pa.record_batch([pa.array(column) for column in zip(*batch, strict=True)], _GROUPED))
        out_of_core.name_inputs(connection, "page", [structures], "*")
        out_of_core.name_inputs(connection, "grouped", [grouped], "*")
        kept = out_of_core.write(connection, out_of_core.query("one_per_group"), out)
        (readable,) = _one_row(connection, "SELECT count(*) FROM grouped")
    return Unique(len(ids), kept, readable - kept, len(ids) - readable)


def _signed(path: str | Path, key: str, html: str, ids: set[str]) -> Iterator[pa.RecordBatch]:
    for batch in pq.ParquetFile(path).iter_batches(PAGES_AT_ONCE, columns=[key, html]):
        rows = [
            (page, numbers.astype("<u4").tobytes())
            for page, text in zip(batch[key].to_pylist(), batch[html].to_pylist(), strict=True)
            if page in ids and text is not None and (numbers := _signature(text)) is not None
        ]
        yield pa.record_batch([[row[0] for row in rows], pa.array([row[1] for row in rows], _SIGNED.types[1])], _SIGNED)


def _signature(html: str) -> Signature | None:
    try:
        return signature(pieces(html))
    except PageUnusable:
        return None


def _signatures(path: Path) -> Iterator[tuple[str, Signature]]:
    for batch in pq.ParquetFile(path).iter_batches(_SIGNATURES_AT_ONCE):
        for page, numbers in zip(batch["id"].to_pylist(), batch["signature"].to_pylist(), strict=True):
            yield page, np.frombuffer(numbers, "<u4")


def _set_seed(connection: duckdb.DuckDBPyConnection, seed: object) -> None:
    # Its own lots: with those of the sample, pages that stand for many others would be drawn more often.
    connection.execute("SET VARIABLE seed = $seed", {"seed": f"unique/{seed}"})


def _one_row(connection: duckdb.DuckDBPyConnection, text: str) -> tuple[int, ...]:
    return connection.execute(text).fetchone() or ()
