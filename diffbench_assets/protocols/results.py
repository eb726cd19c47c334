"""Results of a suite from the lake: what every number and the report are made from.

Belongs here: gathering the tables of a suite for its protocol. Does not belong here: any number or picture itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pyarrow as pa

from diffbench_assets import __version__
from diffbench_assets.lake import Lake, LakeError
from diffbench_assets.models.registry import Model
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.protocols.raw import Raw
from diffbench_assets.schemas import PAIRS, RESPONSES, Table

ITEMS: Final = pa.schema([RESPONSES.schema.field(n) for n in ("item_id", "pair_id", "cell", "order", "repeat")])
_PAIR_COLUMNS: Final = [name for name in PAIRS.names if not name.startswith("image_")]


def sources(suite: Suite) -> list[Table]:
    """The tables that every number comes from."""
    prepared = (preparation.table for preparation in suite.protocol.prepares)
    return [suite.table(table) for table in (PAIRS, *prepared, RESPONSES, suite.protocol.verdicts)]


def gather(lake: Lake, suite: Suite, models: Mapping[str, Model], images: bool = False) -> Raw:
    """The tables of a suite, pairs with their images where `images`. Raises LakeError when one is missing."""
    protocol = suite.protocol
    pairs = _all(lake, suite.pairs, None if images else _PAIR_COLUMNS)
    # Pairs may be made for another suite; here they are this one's.
    place, names = pairs.column_names.index("suite"), pa.array([suite.name] * pairs.num_rows)
    pairs = pairs.set_column(place, "suite", names)
    verdicts = _all(lake, suite.table(protocol.verdicts))
    prepared = [suite.table(preparation.table) for preparation in protocol.prepares]
    return Raw(
        suite=suite.name,
        items=_items(lake, suite),
        pairs=pairs,
        responses=_all(lake, suite.table(RESPONSES)),
        verdicts=verdicts,
        prepared={
            table.name.rpartition("/")[2]: _all(lake, table) if lake.files(table) else table.schema.empty_table()
            for table in prepared
        },
        facts={name: model.facts for name, model in models.items()},
        versions=_versions(suite, pairs, verdicts),
    )


def _items(lake: Lake, suite: Suite) -> pa.Table:
    cells = [cell for cell in suite.cells if lake.exists(suite.asked, {"cell": cell})]
    found = [(item, cell) for cell in cells for item in suite.protocol.items(lake, suite, cell)]
    columns = [(item.item_id, item.pair_id, cell, item.question.order, item.repeat) for item, cell in found]
    return pa.Table.from_pylist([dict(zip(ITEMS.names, row, strict=True)) for row in columns], schema=ITEMS)


def _versions(suite: Suite, pairs: pa.Table, verdicts: pa.Table) -> dict[str, str]:
    versions = {
        "diffbench-assets": __version__,
        "renderer": ", ".join(sorted(set(pairs["render_fingerprint"].to_pylist()))),
        "question": suite.protocol.question_sha256()[:12],
    }
    of_judges = verdicts.select(["judge", "judge_prompt_sha256"]).to_pylist()
    for judge, version in sorted({(row["judge"], row["judge_prompt_sha256"]) for row in of_judges}):
        versions[f"judge {judge}"] = version[:12]
    return versions


def _all(lake: Lake, table: Table, columns: list[str] | None = None) -> pa.Table:
    found = lake.read_all(table, columns)
    if found is None:
        raise LakeError(f"{lake.root} has no {table.name}: materialize it first")
    wanted = pa.schema([table.schema.field(name) for name in columns or table.names])
    if missing := [name for name in wanted.names if name not in found.column_names]:
        raise LakeError(
            f"{table.name} in {lake.root} has no column {missing[0]}: another version wrote it, make it again"
        )
    return found.select(wanted.names).cast(wanted)
