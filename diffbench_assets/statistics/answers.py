"""The responses of a suite laid out as a model × pair grid.

Belongs here: the fixed order of a suite's pairs and placing rows of any table on it. Does not belong here: whether an
answer is right (`scores.py`) and what it cost (`usage.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

PAIR_COLUMNS = (
    "pair_id", "suite", "cell", "page_id", "operator", "family", "tier", "domain", "style", "language",
    "differences", "inside_change", "clip_distance",
)  # fmt: skip
"""Columns of `pairs` that statistics reads; images are never needed."""

OUTCOMES = ("completed", "truncated", "empty", "refused", "error")
USAGE_COLUMNS = ("input_tokens", "output_tokens", "cost_usd", "latency_s")

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Answers:
    """What M models answered to the N pairs of one suite. Missing answers are -1 (codes) or NaN (numbers)."""

    pairs: pa.Table
    """PAIR_COLUMNS, N rows in the order of pair_id: the denominator of everything."""
    models: tuple[str, ...]
    item_ids: pa.Array
    """Distinct item ids, sorted; `item` points into it."""
    item: Ints
    """(M, N) index into item_ids."""
    outcome: Ints
    """(M, N) index into OUTCOMES."""
    usage: dict[str, Floats]
    """(M, N) for each of USAGE_COLUMNS: tokens, US dollars, seconds."""

    @property
    def suite(self) -> str:
        return str(self.pairs["suite"][0].as_py())


def place_responses(pairs: pa.Table, responses: pa.Table) -> Answers:
    """Lay `responses` out over the pairs of one suite; rows about pairs outside the suite are left out.

    Raises ValueError when pairs are empty, repeated or of several suites, when a model answered a pair more than once,
    or when an outcome is unknown.
    """
    pairs = _benchmark(pairs)
    require_present(responses, "responses", ("item_id", "pair_id", "model", "outcome"))
    models = distinct(responses["model"])
    row, pair = locate(responses, pairs, "pair_id")
    model = codes(responses["model"], models)[row]
    item_ids = pc.unique(text(responses["item_id"])).sort()
    item = codes(responses["item_id"], item_ids)
    place = model * pairs.num_rows + pair
    require_unique(place, responses.take(pa.array(row)), "responses", ("item_id", "model"))

    outcome = codes(responses["outcome"], pa.array(OUTCOMES))
    if (outcome < 0).any():
        bad = int(np.flatnonzero(outcome < 0)[0])
        raise ValueError(
            f"responses row {bad}: outcome {responses['outcome'][bad].as_py()!r} is not one of {', '.join(OUTCOMES)}"
        )
    shape = (len(models), pairs.num_rows)
    return Answers(
        pairs=pairs,
        models=tuple(models.to_pylist()),
        item_ids=item_ids,
        item=_grid(shape, place, item[row], -1),
        outcome=_grid(shape, place, outcome[row], -1),
        usage={name: _grid(shape, place, numbers(responses[name])[row], np.nan) for name in USAGE_COLUMNS},
    )


def place_items(items: pa.Table, responses: pa.Table) -> Answers:
    """The same where a pair may have several items: in the result's `pairs`, pair_id is an item's id.

    `items` has item_id and PAIR_COLUMNS; its page_id is whatever items are clustered by.
    """
    require_present(responses, "responses", ("item_id",))
    return place_responses(_by_item(items), _by_item(responses))


def items_of(items: pa.Table, pairs: pa.Table) -> pa.Table:
    """`items` (item_id, pair_id, cell, …) with what PAIR_COLUMNS say of their pairs.

    Raises ValueError for an item about a pair that is not there.
    """
    place = codes(items["pair_id"], text(pairs["pair_id"]))
    if (place < 0).any():
        gone = items["pair_id"][int(np.flatnonzero(place < 0)[0])].as_py()
        raise ValueError(f"items: pair {gone!r} is not in pairs; make what is asked about it again")
    for name in PAIR_COLUMNS:
        if name not in items.column_names:
            items = items.append_column(name, pairs[name].combine_chunks().take(pa.array(place)))
    return items


def _by_item(table: pa.Table) -> pa.Table:
    named = table.drop_columns([name for name in ("pair_id",) if name in table.column_names])
    return named.append_column("pair_id", named["item_id"])


def _benchmark(pairs: pa.Table) -> pa.Table:
    require_present(pairs, "pairs", ("pair_id", "page_id", "cell", "suite"))
    pairs = pairs.select(list(PAIR_COLUMNS)).sort_by("pair_id").combine_chunks()
    if pairs.num_rows == 0:
        raise ValueError("pairs: no rows; make the suite's pairs before its metrics")
    suites = distinct(pairs["suite"]).to_pylist()
    if len(suites) > 1:
        raise ValueError(f"pairs: rows of several suites ({', '.join(suites)}); compute metrics one suite at a time")
    ids = pairs["pair_id"].to_pylist()
    for first, second in zip(ids, ids[1:], strict=False):
        if first == second:
            raise ValueError(f"pairs: pair_id {first!r} stands in more than one row")
    return pairs


def require_present(table: pa.Table, name: str, columns: tuple[str, ...]) -> None:
    """Raise ValueError when one of `columns` is missing from `table` or holds a null."""
    for column in columns:
        if column not in table.column_names:
            raise ValueError(f"{name}: column {column} is missing")
        if table[column].null_count:
            row = pc.index(table[column].is_null(), True).as_py()
            raise ValueError(f"{name} row {row}: {column} is null")


def text(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    """`column` as one plain string array, whatever engine wrote it (dictionary, large_string, chunks)."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return array.cast(pa.string())


def distinct(column: pa.ChunkedArray) -> pa.Array:
    """Sorted distinct values of a string column, nulls left out."""
    return pc.unique(text(column).drop_null()).sort()


def codes(column: pa.ChunkedArray | pa.Array, values: pa.Array) -> Ints:
    """Index of each row's value in `values`; -1 where it is null or not among them."""
    found = pc.index_in(text(column), value_set=values, skip_nulls=True)
    return found.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)


def numbers(column: pa.ChunkedArray) -> Floats:
    """A numeric column as float64, null as NaN."""
    return column.cast(pa.float64()).to_numpy().astype(np.float64)


def locate(table: pa.Table, pairs: pa.Table, key: str) -> tuple[Ints, Ints]:
    """(rows of `table` whose `key` is a pair of the suite, index of that pair)."""
    pair = codes(table[key], text(pairs[key]))
    row = np.flatnonzero(pair >= 0)
    return row, pair[row]


def require_unique(place: Ints, rows: pa.Table, table: str, identity: tuple[str, ...]) -> None:
    """Raise ValueError when two rows of `rows` claim the same place of the grid; names both."""
    order = np.argsort(place, kind="stable")
    clash = np.flatnonzero(np.diff(place[order]) == 0)
    if not len(clash):
        return
    first, second = (rows.slice(int(order[clash[0] + offset]), 1).to_pylist()[0] for offset in (0, 1))
    same = {name: first[name] for name in identity}
    if same == {name: second[name] for name in identity}:
        named = ", ".join(f"{name}={value}" for name, value in same.items())
        raise ValueError(f"{table}: two rows for {named}; an item has one row, remove one of them")
    raise ValueError(
        f"{table}: pair {first['pair_id']!r} has two items for model {first['model']!r} ({first['item_id']!r} and "
        f"{second['item_id']!r}); these metrics take one item a pair, so keep one order and one repeat"
    )


def _grid(shape: tuple[int, int], place: Ints, values: npt.NDArray, missing: float) -> npt.NDArray:
    grid = np.full(shape[0] * shape[1], missing, dtype=values.dtype)
    grid[place] = values
    return grid.reshape(shape)
