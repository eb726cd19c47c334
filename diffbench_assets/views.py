"""DuckDB over the lake: a view per asset, and the views that analyses share.

Belongs here: which tables are public, and connecting. Does not belong here: reading and writing files (`lake.py`), what
is in the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import duckdb
import pyarrow as pa

from diffbench_assets.lake import SQL, Lake, LakeError
from diffbench_assets.protocols.protocol import Protocol, Suite
from diffbench_assets.schemas import PAIRS, TABLES, VERDICTS
from diffbench_assets.suites import SUITES

SHARED: Final = {
    table: table
    for table in (
        "pages", "page_pool", "domains", "sites", "site_urls", "crawled", "unique_pages", "self_contained", "sampled",
        "funnel",
    )
} | {"webdiff_candidates": "candidates"}  # fmt: skip
"""View → table of `schemas.TABLES`, of the public tables that belong to no suite's protocol."""


def tables(suites: Iterable[Suite] = SUITES.values()) -> dict[str, pa.Schema]:
    """Every public table by name; a protocol's own verdicts as <protocol>_verdicts."""
    found = dict(TABLES)
    for protocol in _protocols(suites):
        for name, schema in protocol.tables.items():
            found.setdefault(name if name != "verdicts" or schema == VERDICTS else f"{protocol.name}_verdicts", schema)
    return found


def connect(
    lake: Lake, suites: Iterable[Suite] = SUITES.values(), views: Path = SQL / "views"
) -> duckdb.DuckDBPyConnection:
    """A connection with a view per asset, named by its path with `_` for `/`; <protocol>_<table> over the tables of all
    suites of a protocol, with the suite in front; and the views of protocols and of folder `views`.

    Public tables that are not made yet are there and empty, so that every view and analysis runs on any lake.
    Raises LakeError when the lake has no table at all, or naming the file of a view that is wrong.
    """
    suites = list(suites)
    assets = {asset.replace("/", "_"): asset for asset in lake.assets()}
    if not assets:
        raise LakeError(f"{lake.root} has no tables: run `diffbench build` first, or name another lake")
    connection = duckdb.connect()
    lake.attach(connection)
    # A file may be replaced between a query's plan and its scan: no plan may rest on the old file's statistics.
    connection.execute("SET disabled_optimizers = 'statistics_propagation'")
    for name, asset in assets.items():
        connection.execute(f'CREATE VIEW "{name}" AS SELECT * FROM {lake.scan(asset)}')
    public = {view: TABLES[table] for view, table in SHARED.items()}
    for suite in suites:
        for table, schema in ({"pairs": PAIRS} | suite.protocol.tables).items():
            public[_view(suite, table)] = schema
    for name, schema in public.items():
        if name not in assets:
            connection.register(name, schema.empty_table())
    for name, query in _unions(suites):
        connection.execute(f'CREATE VIEW "{name}" AS {query}')
    own = [protocol.views for protocol in _protocols(suites) if protocol.views]
    for script in (*own, *sorted(views.glob("*.sql"))):
        try:
            connection.execute(script.read_text())
        except duckdb.Error as error:
            raise LakeError(f"{script}: {error}") from error
    return connection


def _protocols(suites: Iterable[Suite]) -> list[Protocol]:
    """One instance of each protocol."""
    return list({suite.protocol.name: suite.protocol for suite in suites}.values())


def _unions(suites: Iterable[Suite]) -> Iterator[tuple[str, str]]:
    """Name and query of each view over a table of all suites of a protocol; pairs are wherever a suite has them."""
    by_protocol: dict[str, list[Suite]] = {}
    for suite in suites:
        by_protocol.setdefault(suite.protocol.name, []).append(suite)
    for protocol, of_protocol in by_protocol.items():
        for table, schema in ({"pairs": PAIRS} | of_protocol[0].protocol.tables).items():
            columns = "* EXCLUDE (suite)" if "suite" in schema.names else "*"
            parts = [f"SELECT '{s.name}' AS suite, {columns} FROM \"{_view(s, table)}\"" for s in of_protocol]
            yield f"{protocol}_{table}", " UNION ALL BY NAME ".join(parts)


def _view(suite: Suite, table: str) -> str:
    return (suite.pairs if table == "pairs" else suite.table(table)).replace("/", "_")
