"""From lists of sites to one table of hosts.

Belongs here: the lists' layouts, and joining them. Does not belong here: what a single name means (`hosts.py`), or
asking any host for anything.
"""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from diffbench_assets.corpus import out_of_core
from diffbench_assets.corpus.hosts import normalise_host, registered_domain
from diffbench_assets.errors import UserError

Layout = Literal["auto", "crux", "majestic", "plain"]

COLUMNS: Final[dict[Layout, tuple[str, str]]] = {"crux": ("origin", "rank"), "majestic": ("Domain", "GlobalRank")}
"""Names of the columns with host and rank, as the Chrome UX Report's and Majestic's files have them."""

LONGEST_LINE: Final = 10_000
BATCH_ROWS: Final = 50_000
EXAMPLES: Final = 3

NAMED: Final = pa.schema(
    [("host", pa.string()), ("registered_domain", pa.string()), ("list", pa.string()), ("rank", pa.int64())]
)


@dataclass(frozen=True)
class ListSpec:
    """A list of sites: a short name for `ranks`, its file (may be gzipped), and its layout.

    `crux` and `majestic` are CSV files with a header, columns found by name. `plain` has one host or address a line;
    empty lines and what follows a # that begins a line or stands after a space are skipped. `auto` looks at line 1.
    """

    name: str
    path: Path
    layout: Layout = "auto"


@dataclass
class ListsRead:
    """What became of the rows of all lists."""

    hosts: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    """Rows of each list, left out or not."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Rows that name no host, by reason."""
    examples: dict[str, list[str]] = field(default_factory=dict)
    """The first rows of each reason, as `list:line: text`."""

    @property
    def duplicates(self) -> int:
        """Rows that name a host another row names too."""
        return sum(self.rows.values()) - self.left_out.total() - self.hosts


class _Entry(NamedTuple):
    line: int
    host: str
    rank: int | None


def read_lists(
    lists: Sequence[ListSpec],
    out: Path,
    *,
    shards: int,
    memory_limit: str = out_of_core.MEMORY_LIMIT,
    threads: int | None = None,
) -> ListsRead:
    """Writes the hosts of all lists to `out`, a Parquet file with the columns of schemas.DOMAINS, ordered by host.

    A host that several rows name, in one list or in many, is one row: `ranks` has its best rank in each list (null in
    lists without ranks), `rank` the best of all. Names that are no host of the web are counted, not kept. Memory does
    not grow with the lists. Raises UserError naming file and line of the first row that its layout does not allow.
    """
    if shards < 1:
        raise UserError(f"shards is {shards}; it must be 1 or more")
    names = [spec.name for spec in lists]
    if len(set(names)) < len(names) or not names:
        raise UserError(f"domain lists need distinct names, at least one; these are {', '.join(names) or 'none'}")
    read = ListsRead(rows=dict.fromkeys(names, 0))
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".lists-") as scratch:
        named = Path(scratch) / "named.parquet"
        with pq.ParquetWriter(named, NAMED, compression="zstd") as writer:
            for spec in lists:
                for batch in _batches(_named(spec, read)):
                    writer.write_batch(batch)
        with out_of_core.connect(Path(scratch), memory_limit, threads) as connection:
            out_of_core.name_inputs(connection, "named", [named], "*")
            connection.execute("SET VARIABLE shards = $shards", {"shards": shards})
            read.hosts = out_of_core.write(connection, out_of_core.query("domains"), out)
    return read


def _named(spec: ListSpec, read: ListsRead) -> Iterator[tuple[str, str, str, int | None]]:
    """Rows of NAMED; the others are counted in `read`."""
    name, rows = spec.name, 0
    for entry in _entries(spec):
        rows += 1
        host, rejection = normalise_host(entry.host)
        if host is not None:
            yield host, registered_domain(host), name, entry.rank
        elif rejection is not None:
            if not entry.host.isascii() and _is_broken(entry.host):
                raise _error(spec, entry.line, "is not UTF-8 text; save the list as UTF-8")
            read.left_out[rejection] += 1
            examples = read.examples.setdefault(rejection, [])
            if len(examples) < EXAMPLES:
                examples.append(f"{name}:{entry.line}: {entry.host[:100]}")
    read.rows[name] = rows


def _batches(rows: Iterator[tuple[str, str, str, int | None]]) -> Iterator[pa.RecordBatch]:
    while batch := list(itertools.islice(rows, BATCH_ROWS)):
        columns = zip(zip(*batch, strict=True), NAMED.types, strict=True)
        yield pa.record_batch([pa.array(column, kind) for column, kind in columns], schema=NAMED)


def _entries(spec: ListSpec) -> Iterator[_Entry]:
    with _opened(spec) as lines:
        first = next(lines, "")
        if not first:
            raise UserError(f"{spec.path} is empty; a domain list has one site a line")
        header = [column.strip() for column in first.strip().split(",")]
        layout = spec.layout if spec.layout != "auto" else _layout_of(header)
        if layout == "plain":
            yield from _plain(spec, first, lines)
        else:
            yield from _columns(spec, header, COLUMNS[layout], lines)


def _layout_of(header: Sequence[str]) -> Layout:
    return next((layout for layout, needed in COLUMNS.items() if set(needed) <= set(header)), "plain")


def _plain(spec: ListSpec, first: str, lines: Iterator[str]) -> Iterator[_Entry]:
    for number, line in enumerate(itertools.chain([first], lines), start=1):
        text = line.partition(" #")[0].strip()
        if not text or text.startswith("#"):
            continue
        if "," in text or len(text.split()) > 1:
            raise _error(
                spec, number,
                f"has more than one column: {text[:100]!r}. A plain list has one host or address a line; CSV lists "
                "start with the header of the Chrome UX Report (origin,rank) or of Majestic (GlobalRank,…,Domain,…)",
            )  # fmt: skip
        yield _Entry(number, text, None)


def _columns(spec: ListSpec, header: Sequence[str], needed: tuple[str, str], lines: Iterator[str]) -> Iterator[_Entry]:
    missing = [column for column in needed if column not in header]
    if missing:
        raise _error(spec, 1, f"must be a header with columns {' and '.join(needed)}; it has {', '.join(header)[:200]}")
    host, rank = (header.index(column) for column in needed)
    rows = csv.reader(lines, strict=True)
    try:
        for row in rows:
            if not row:
                continue
            if len(row) != len(header):
                raise _error(spec, rows.line_num + 1, f"has {len(row)} columns, the header has {len(header)}")
            if not (row[rank].isascii() and row[rank].isdigit() and len(row[rank]) < 19):
                raise _error(spec, rows.line_num + 1, f"has {needed[1]} {row[rank][:40]!r}; a rank is a whole number")
            yield _Entry(rows.line_num + 1, row[host], int(row[rank]))
    except csv.Error as error:
        raise _error(spec, rows.line_num + 1, f"is no CSV: {error}") from error


@contextmanager
def _opened(spec: ListSpec) -> Iterator[Iterator[str]]:
    """Lines of a text file, which may be gzipped; bytes that are no UTF-8 become lone surrogates."""
    try:
        with spec.path.open("rb") as file:
            zipped = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            data = gzip.GzipFile(fileobj=file) if zipped else file
            yield _lines(spec, io.TextIOWrapper(io.BufferedReader(data), "utf-8-sig", errors="surrogateescape"))
    except OSError as error:
        if isinstance(error, gzip.BadGzipFile):
            raise UserError(f"{spec.path} is damaged: {error}; fetch it again") from error
        raise UserError(f"cannot read domain list {spec.path}: {error.strerror or error}") from error
    except (EOFError, zlib.error) as error:
        raise UserError(
            f"{spec.path} is damaged: its gzip data ends early or does not unpack; fetch it again"
        ) from error


def _lines(spec: ListSpec, text: io.TextIOBase) -> Iterator[str]:
    number = 0
    while line := text.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise _error(spec, number, f"is longer than {LONGEST_LINE} characters; this is no domain list")
        yield line


def _is_broken(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def _error(spec: ListSpec, line: int, problem: str) -> UserError:
    return UserError(f"{spec.path}: line {line} {problem}")
