"""The corpus funnel at the size of DiffSpot, on made-up rows: time, memory and disk by stage, and how they grow.

    python -m benchmarks.funnel [--scale 1/16 1/8 1/4 1/2 1] [--memory-limit 2GB] [--threads 2] [--plot FILE]

At scale 1: two lists of a million sites (650,000 hosts in both, spelled differently, so 1.35M hosts), 17.75M addresses
of 9.04M structures, and of each of 15 site domains at most 800 pages. The stages are the functions that the pipeline
calls. Each runs in a process of its own, so that its peak memory is its own; making rows and checking results are
processes of their own too and are not timed. Every total is compared with what the made-up rows must give, and which
pages were kept with plain Python for a part of them. All files are in a temporary folder that is removed.
Disk is the most that it held, made-up rows included.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import resource
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import duckdb
import matplotlib as mpl

from diffbench_assets.corpus.domains import ListSpec, ListsRead, read_lists
from diffbench_assets.corpus.funnel import funnel_rows, plot
from diffbench_assets.corpus.sampling import CAP, Drawn, capped_sample_files
from diffbench_assets.corpus.unique import Unique, one_per_structure
from diffbench_assets.pages.generator.domains import DOMAINS
from diffbench_assets.report import look
from diffbench_assets_tests.corpus.plain_sampling import capped_sample, lot

LIST, BOTH, ADDRESSES, STRUCTURES = 1_000_000, 650_000, 17_750_000, 9_040_000
"""DiffSpot §2.1: 2M names, 1.35M after host dedup, 17.75M page URLs, 9.04M structures."""
MEMORY: Final = 4 * 2**30
SHARDS: Final = 256
SEED: Final = 0
CHECKED: Final = 1000

MACROS: Final = f"""
CREATE MACRO host(i) AS concat('site', i, '.', ['com', 'de', 'co.uk', 'io', 'github.io', 'xn--p1ai'][1 + i % 6]);
CREATE MACRO structure(i) AS md5(concat('structure', i));
-- The structure decides the label; the largest of the 15 is eight times the smallest.
CREATE MACRO label(s) AS
    {list(DOMAINS)}[1 + floor({len(DOMAINS)} * pow(concat('0x', left(s, 7))::INT / 16**7, 2))::INT];
"""


@dataclass(frozen=True)
class Size:
    """Rows at one scale."""

    sites: int
    both: int
    addresses: int
    structures: int

    @property
    def hosts(self) -> int:
        return 2 * self.sites - self.both

    @classmethod
    def at(cls, scale: Fraction) -> Size:
        return cls(*(int(n * scale) for n in (LIST, BOTH, ADDRESSES, STRUCTURES)))


@contextmanager
def _small_duckdb() -> Iterator[duckdb.DuckDBPyConnection]:
    with tempfile.TemporaryDirectory() as spill, duckdb.connect() as connection:
        connection.execute(
            "SET preserve_insertion_order = false; SET memory_limit = '2GB'; SET threads = 2; "
            "SET enable_progress_bar = false"
        )
        connection.execute(f"SET temp_directory = '{spill}'; {MACROS}")
        yield connection


def make_rows(folder: Path, size: Size) -> None:
    """Both lists as their makers lay them out, and a table of addresses with their structures."""
    start = size.sites - size.both
    # A large odd factor scatters the addresses beyond the number of structures over all of them.
    number = f"if(n < {size.structures}, n, n * 2654435761 % {size.structures})"
    with _small_duckdb() as connection:
        connection.execute(
            "COPY (SELECT concat(if(i % 9 = 0, 'http://', 'https://'), if(i % 3 = 0, 'www.', ''), host(i)) AS origin, "
            f"1000 * (1 + i // 1000) AS rank FROM range({size.sites}) t(i)) "
            f"TO '{folder}/crux.csv.gz' (FORMAT csv, HEADER, COMPRESSION gzip)"
        )
        connection.execute(
            f"COPY (SELECT i - {start} + 1 AS GlobalRank, i AS TldRank, "
            "if(i % 5 = 0, upper(host(i)), host(i)) AS Domain, "
            f"'x' AS TLD, 9 AS RefSubNets, 9 AS RefIPs FROM range({start}, {start + size.sites}) t(i)) "
            f"TO '{folder}/majestic.csv' (FORMAT csv, HEADER)"
        )
        connection.execute(
            f"COPY (SELECT md5(concat('address', n)) AS url_id, "
            f"concat('https://', host(n % {size.hosts}), '/page/', n) AS url, "
            f"structure({number}) AS structure_fingerprint FROM range({size.addresses}) t(n)) "
            f"TO '{folder}/addresses.parquet' (FORMAT parquet, COMPRESSION zstd)"
        )


def label_pages(folder: Path) -> None:
    """Stands for the stages in between, which look at pages: a label for each page that is unique."""
    with _small_duckdb() as connection:
        connection.execute(
            f"COPY (SELECT id AS page_id, label(structure_fingerprint) AS domain FROM '{folder}/unique.parquet') "
            f"TO '{folder}/labelled.parquet' (FORMAT parquet, COMPRESSION zstd)"
        )


def dedup_hosts(folder: Path, memory_limit: str, threads: int) -> ListsRead:
    lists = [ListSpec("crux", folder / "crux.csv.gz"), ListSpec("majestic", folder / "majestic.csv")]
    return read_lists(lists, folder / "domains.parquet", shards=SHARDS, memory_limit=memory_limit, threads=threads)


def keep_structures(folder: Path, memory_limit: str, threads: int) -> Unique:
    files = [folder / "addresses.parquet"]
    return one_per_structure(files, folder / "unique.parquet", seed=SEED, memory_limit=memory_limit, threads=threads)


def sample(folder: Path, memory_limit: str, threads: int) -> Drawn:
    files = [folder / "labelled.parquet"]
    return capped_sample_files(files, folder / "sampled.parquet", seed=SEED, memory_limit=memory_limit, threads=threads)


def check(folder: Path, size: Size, read: ListsRead, unique: Unique, drawn: Drawn) -> None:
    """Raises AssertionError where a result is not what the made-up rows must give."""
    with _small_duckdb() as connection:

        def rows(text: str) -> list[tuple[Any, ...]]:
            return connection.execute(text).fetchall()

        assert (read.hosts, read.duplicates, read.left_out.total()) == (size.hosts, size.both, 0)
        start = size.sites - size.both
        wrong = rows(
            f"SELECT count(*) FROM '{folder}/domains.parquet' FULL JOIN (SELECT host(i) AS host, "
            f"if(i < {size.sites}, 1000 * (1 + i // 1000), NULL) AS crux, "
            f"if(i >= {start}, i - {start} + 1, NULL) AS majestic "
            f"FROM range({size.hosts}) t(i)) USING (host) WHERE ranks['crux'] IS DISTINCT FROM crux OR "
            "ranks['majestic'] IS DISTINCT FROM majestic OR rank <> least(crux, majestic)"
        )
        assert wrong == [(0,)], f"{wrong[0][0]} hosts are missing, too many, or have other ranks"

        assert unique == Unique(size.addresses, size.structures, size.addresses - size.structures, 0)
        assert rows(
            f"SELECT count(*), sum(duplicates), count(DISTINCT structure_fingerprint) FROM '{folder}/unique.parquet'"
        ) == [(size.structures, size.addresses - size.structures, size.structures)]
        groups = rows(
            f"WITH part AS (SELECT * FROM '{folder}/unique.parquet' ORDER BY structure_fingerprint LIMIT {CHECKED}) "
            f"SELECT id, duplicates, list(url_id) FROM part JOIN '{folder}/addresses.parquet' "
            "USING (structure_fingerprint) GROUP BY ALL"
        )
        assert len(groups) == CHECKED
        for kept, duplicates, pages in groups:
            assert len(pages) == duplicates + 1
            assert kept == min(pages, key=lambda page: lot(f"unique/{SEED}", page))

        counts = dict(rows(f"SELECT label(structure(n)) AS d, count(*) FROM range({size.structures}) t(n) GROUP BY d"))
        assert drawn.before == counts and drawn.after == {kind: min(CAP, n) for kind, n in counts.items()}
        smallest = min(counts, key=lambda kind: counts[kind])
        pages = [
            {"page_id": page, "domain": smallest}
            for (page,) in rows(f"SELECT page_id FROM '{folder}/labelled.parquet' WHERE domain = '{smallest}'")
        ]
        kept = rows(f"SELECT id FROM '{folder}/sampled.parquet' WHERE kind = '{smallest}' ORDER BY id")
        assert [page for (page,) in kept] == [row["page_id"] for row in capped_sample(pages, seed=SEED)]
        assert rows(f"SELECT count(*) FROM '{folder}/sampled.parquet'") == [(sum(drawn.after.values()),)]


@dataclass(frozen=True)
class Measured:
    """What a stage gave, its seconds on the clock and of CPU, and the peak memory of its process, bytes."""

    result: Any
    seconds: float
    cpu: float
    memory: int


def _measured(work: Callable[..., Any], *arguments: Any) -> Measured:
    start, cpu = time.perf_counter(), time.process_time()
    result = work(*arguments)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return Measured(result, time.perf_counter() - start, time.process_time() - cpu, memory)


def in_own_process(work: Callable[..., Any], *arguments: Any) -> Measured:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_measured, work, *arguments).result()


class DiskWatch(threading.Thread):
    """The most bytes that a folder held, looked at twice a second."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self.folder, self.most, self._done = folder, 0, threading.Event()

    def run(self) -> None:
        while not self._done.wait(0.5):
            held = 0
            for path in self.folder.rglob("*"):
                try:
                    held += path.stat().st_size
                except FileNotFoundError:
                    continue
            self.most = max(self.most, held)

    def stop(self) -> int:
        self._done.set()
        self.join()
        return self.most


def run(scale: Fraction, memory_limit: str, threads: int) -> list[Measured]:
    """The three stages at one scale, printed and checked."""
    size = Size.at(scale)
    with tempfile.TemporaryDirectory(prefix="funnel-") as scratch:
        folder = Path(scratch)
        watch = DiskWatch(folder)
        watch.start()
        in_own_process(make_rows, folder, size)
        stages = []
        for name, work in STAGES.items():
            if work is sample:
                in_own_process(label_pages, folder)
            stage = in_own_process(work, folder, memory_limit, threads)
            before, after = rows_of(stage.result)
            row = f"{scale!s:>5} {name:<18} {before:>11,} {after:>10,}"
            print(f"{row} {stage.seconds:>7.1f} {stage.cpu:>7.1f} {stage.memory / 2**20:>8.0f}", flush=True)
            assert stage.memory < MEMORY, f"{name} took {stage.memory / 2**30:.2f} GiB"
            stages.append(stage)
        in_own_process(check, folder, size, *(stage.result for stage in stages))
        total, cpu = sum(stage.seconds for stage in stages), sum(stage.cpu for stage in stages)
        row = f"{scale!s:>5} {'all, checked':<18} {'':>22} {total:>7.1f} {cpu:>7.1f}"
        print(f"{row}  disk {watch.stop() / 1e9:.2f} GB", flush=True)
    return stages


STAGES: Final[dict[str, Callable[..., Any]]] = {
    "host dedup": dedup_hosts,
    "one per structure": keep_structures,
    "capped sampling": sample,
}


def rows_of(result: ListsRead | Unique | Drawn) -> tuple[int, int]:
    """Rows in and out of a stage."""
    if isinstance(result, ListsRead):
        return sum(result.rows.values()), result.hosts
    if isinstance(result, Unique):
        return result.pages, result.kept
    return sum(result.before.values()), sum(result.after.values())


def print_growth(results: dict[Fraction, list[Measured]]) -> None:
    """How CPU time, which other work on the machine hardly changes, grows from the smallest scale to the largest;
    exponent 1 is in step with the rows."""
    low, high = min(results), max(results)
    for number, name in enumerate((*STAGES, "all")):
        before, after = (
            sum(stage.cpu for stage in (results[scale] if name == "all" else results[scale][number : number + 1]))
            for scale in (low, high)
        )
        exponent = math.log(after / before) / math.log(float(high / low))
        print(f"{name}: CPU time grows {after / before:.1f}× from {low} to {high}, exponent {exponent:.2f}")


def save_plot(stages: list[Measured], file: Path) -> None:
    (names, hosts), (pages, structures), (labelled, sampled) = (rows_of(stage.result) for stage in stages)
    counts = {
        "domains": {"kept": hosts, "same_host": names - hosts},
        "unique": {"kept": structures, "built_alike": pages - structures},
        "sampled": {"kept": sampled, "over_cap": labelled - sampled},
    }
    with mpl.rc_context(look.settings()):
        plot(funnel_rows("synthetic", counts)).savefig(file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", nargs="+", type=Fraction, default=[Fraction(1, n) for n in (16, 8, 4, 2, 1)])
    parser.add_argument("--memory-limit", default="2GB", help="of DuckDB, in each stage")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--plot", type=Path, help="write the funnel of the largest scale here")
    options = parser.parse_args()
    # Stopped from outside, it still removes its files.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    print(f"{'scale':>5} {'stage':<18} {'in':>11} {'out':>10} {'s':>7} {'CPU s':>7} {'peak MiB':>8}")
    results = {scale: run(scale, options.memory_limit, options.threads) for scale in options.scale}
    if len(results) > 1:
        print_growth(results)
    if options.plot:
        save_plot(results[max(results)], options.plot)


if __name__ == "__main__":
    main()
