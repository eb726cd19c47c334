"""Whether what lies in the lake is what its schema declares: columns, types, keys, nulls and values.

Belongs here: the rules that every table declares. Does not belong here: what holds for one table alone (`checks.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from diffbench_assets.lake import Lake, keys_of
from diffbench_assets.schemas import Table

PARTS: Final = frozenset({"cell", "shard"})
"""Partition keys that only cut a table into parts: a key is unique in all of them together."""


def violations(lake: Lake, table: Table) -> dict[str, list[str]]:
    """What is wrong with the partitions of a table, by their place in it; empty when nothing is.

    Only metadata and the columns that a rule names are read, never images.
    """
    found: dict[str, list[str]] = defaultdict(list)
    keys: dict[str, list[tuple[str, pa.Table]]] = defaultdict(list)
    for place, file in lake.parquet_files(table):
        found[place] += _columns(table, file.schema_arrow, keys_of(f"{table.name}/{place}"))
        if not found[place]:
            found[place] += [*_nulls(table, file), *_values(table, file)]
            keys[_whole(place)].append((place, file.read(columns=_named(table, "key", file))))
    for parts in keys.values():
        for place, count in _repeated(parts):
            found[place].append(f"{count} rows whose {', '.join(parts[0][1].column_names)} another row has")
    return {place: wrong for place, wrong in found.items() if wrong}


def _named(table: Table, rule: str, file: pq.ParquetFile) -> list[str]:
    """The columns of a rule that stand in the file; the path tells the others."""
    there = file.schema_arrow.names
    return [field.name for field in table.schema if rule.encode() in (field.metadata or {}) and field.name in there]


def _columns(table: Table, stored: pa.Schema, keys: Collection[str]) -> list[str]:
    wanted, there = ({field.name: field.type for field in schema} for schema in (table.schema, stored))
    missing = [f"no column {name}" for name in wanted if name not in there and name not in keys]
    added = [f"a column {name} that is not declared" for name in there if name not in wanted]
    other = [f"{name} is {there[name]}, not {kind}" for name, kind in wanted.items() if there.get(name, kind) != kind]
    return missing + added + other


def _nulls(table: Table, file: pq.ParquetFile) -> Iterator[str]:
    """Counted by the file's own statistics; of a struct its first field stands for it."""
    first: dict[str, int] = {}
    for index in range(len(file.schema)):
        first.setdefault(file.schema.column(index).path.partition(".")[0], index)
    for name in _named(table, "required", file):
        groups = [file.metadata.row_group(group).column(first[name]) for group in range(file.num_row_groups)]
        if nulls := sum(column.statistics.null_count for column in groups):
            yield f"{nulls} rows without {name}"


def _values(table: Table, file: pq.ParquetFile) -> Iterator[str]:
    names = _named(table, "one_of", file)
    stored = file.read(columns=names)
    for name in names:
        allowed = table.schema.field(name).metadata[b"one_of"].decode().split("|")
        if other := sorted({*pc.unique(stored[name]).to_pylist()} - {None, *allowed}):
            yield f"{name} is {', '.join(map(repr, other[:3]))}, not one of {', '.join(allowed)}"


def _whole(place: str) -> str:
    return "/".join(part for part in place.split("/") if part.partition("=")[0] not in PARTS)


def _repeated(parts: list[tuple[str, pa.Table]]) -> Iterator[tuple[str, int]]:
    """Partitions that have rows with a key that is not theirs alone, and how many rows."""
    names = parts[0][1].column_names
    if not names:
        return
    rows = pa.concat_tables(
        [part.append_column("place", pa.repeat(pa.scalar(place), part.num_rows)) for place, part in parts]
    )
    counted = rows.group_by(names).aggregate([("place", "count"), ("place", "list")])
    twice = counted.filter(pc.greater(counted["place_count"], 1))
    places = pc.value_counts(pc.list_flatten(twice["place_list"]))
    yield from ((found["values"], found["counts"]) for found in places.to_pylist())
