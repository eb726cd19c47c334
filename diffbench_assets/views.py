"""DuckDB over the lake: a view per asset, and the views that analyses share.

Belongs here: which tables are public, and connecting. Does not belong here: reading and writing files (`lake.py`), what
is in the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final, TypeVar

import duckdb

from diffbench_assets.lake import Lake, LakeError, literal, quoted
from diffbench_assets.pairs.css.pair_set import WEBDIFF
from diffbench_assets.protocols.protocol import Protocol, Suite
from diffbench_assets.schemas import (
    CANDIDATES,
    CRAWLED,
    DOMAINS,
    FUNNEL,
    PAGE_POOL,
    PAGES,
    REPORT,
    REVIEWS,
    SAMPLED,
    SELF_CONTAINED,
    SITE_URLS,
    SITES,
    TABLES,
    UNIQUE,
    Table,
    columns,
)
from diffbench_assets.suites import SUITES

Result = TypeVar("Result")
TRIES: Final = 8
"""How often a query is begun while files of the lake are replaced."""

NO_SUITES: Final = (
    PAGES, PAGE_POOL, DOMAINS, SITES, SITE_URLS, CRAWLED, UNIQUE, SELF_CONTAINED, SAMPLED, FUNNEL,
    CANDIDATES.of(WEBDIFF.name),
)  # fmt: skip
"""The public tables that belong to no suite's protocol."""


def tables(suites: Iterable[Suite] = SUITES.values()) -> dict[str, Table]:
    """Every public table by name; one to which a protocol adds columns as <protocol>_<table>."""
    found = dict(TABLES)
    for protocol in _protocols(suites):
        for table in protocol.tables:
            same = found.get(table.name, table) == table
            found[table.name if same else f"{protocol.name}_{table.name}"] = table
    return found


Columns = list[tuple[str, str, str]]
"""(name, type, sentence) of every column."""


def described(suites: Iterable[Suite] = SUITES.values()) -> dict[str, tuple[str, Columns]]:
    """What there is to query by name: every public table, then the views of protocols, each with a sentence of its own.

    A column of a view has the sentence of the column of this name in one of its protocol's tables, where there is one.
    """
    suites = list(suites)
    found = {name: ("", columns(table)) for name, table in tables(suites).items()}
    for protocol in _protocols(suites):
        says = {name: text for table in reversed(protocol.tables) for name, _, text in columns(table)}
        with duckdb.connect() as connection:
            _define(connection, [suite for suite in suites if suite.protocol.name == protocol.name], {})
            own = "SELECT view_name, comment FROM duckdb_views() WHERE comment IS NOT NULL ORDER BY ALL"
            for name, sentence in connection.execute(own).fetchall():
                rows = connection.execute(f"DESCRIBE {quoted(name)}").fetchall()
                found[name] = sentence, [(column, kind.lower(), says.get(column, "")) for column, kind, *_ in rows]
    return found


def connect(lake: Lake, suites: Iterable[Suite] = SUITES.values()) -> duckdb.DuckDBPyConnection:
    """A connection with a view per asset, named by its path with `_` for `/`; <protocol>_<table> over the tables of all
    suites of a protocol, with the suite in front; and the views of protocols.

    Public tables that are not made yet are there and empty, so that every view and analysis runs on any lake; folders
    that no table of the product has are left alone. Raises LakeError when the lake has no table at all, or naming the
    file of a table or a view that is wrong.
    """
    suites = list(suites)
    known = _assets(suites)
    assets = {asset.replace("/", "_"): (asset, keys) for asset, keys in lake.assets().items() if asset in known}
    if not assets:
        raise LakeError(f"{lake.root} has no tables: run `diffbench build` first, or name another lake")
    connection = duckdb.connect()
    lake.attach(connection)
    # A file may be replaced between a query's plan and its scan: no plan may rest on the old file's statistics.
    connection.execute("SET disabled_optimizers = 'statistics_propagation'")
    for name, (asset, keys) in assets.items():
        try:
            connection.execute(f"CREATE VIEW {quoted(name)} AS {lake.scan(asset, keys)}")
        except duckdb.Error as error:
            raise LakeError(f"cannot read {lake.root}/{asset}: {str(error).splitlines()[0]}") from error
    _define(connection, suites, assets)
    return connection


def _define(connection: duckdb.DuckDBPyConnection, suites: Sequence[Suite], there: Collection[str]) -> None:
    """Empty tables for those that are not `there`, and the views of protocols."""
    for table in (*NO_SUITES, *_of_suites(suites)):
        if _view(table) not in there:
            connection.register(_view(table), table.schema.empty_table())
    for name, query in _unions(suites):
        connection.execute(f"CREATE VIEW {quoted(name)} AS {query}")
    for script in (protocol.views for protocol in _protocols(suites) if protocol.views):
        try:
            connection.execute(script.read_text())
        except duckdb.Error as error:
            raise LakeError(f"{script}: {error}") from error


def asked(
    lake: Lake, ask: Callable[[duckdb.DuckDBPyConnection], Result], suites: Collection[Suite] = SUITES.values()
) -> Result:
    """What `ask` finds on a connection; asked again where a file was replaced meanwhile.

    Raises what `connect` and `ask` raise.
    """
    for left in reversed(range(TRIES)):
        before = lake.files_as_they_are()
        try:
            with connect(lake, suites) as connection:
                return ask(connection)
        except (duckdb.Error, LakeError):
            # Of a file that is replaced while it is read DuckDB says that it is broken.
            if not left or lake.files_as_they_are() == before:
                raise
    raise AssertionError("the last try returns or raises")


def _assets(suites: Iterable[Suite]) -> set[str]:
    """The names of all assets that a lake of these suites may hold."""
    found = {*TABLES}
    for suite in suites:
        tables = (*suite.protocol.tables, *suite.pair_set.drawn_from, CANDIDATES, REVIEWS, REPORT)
        found |= {f"{name}/{table.name}" for name in (suite.name, suite.pair_set.name) for table in tables}
        found |= {suite.result(name).name for name in suite.protocol.result_tables}
    return found


def _of_suites(suites: Iterable[Suite]) -> list[Table]:
    return [suite.table(table) for suite in suites for table in suite.protocol.tables]


def _protocols(suites: Iterable[Suite]) -> list[Protocol]:
    """One instance of each protocol."""
    return list({suite.protocol.name: suite.protocol for suite in suites}.values())


def _unions(suites: Iterable[Suite]) -> Iterator[tuple[str, str]]:
    """Name and query of each view over a table of all suites of a protocol; pairs are wherever a suite has them."""
    by_protocol: dict[str, list[Suite]] = {}
    for suite in suites:
        by_protocol.setdefault(suite.protocol.name, []).append(suite)
    for protocol, of_protocol in by_protocol.items():
        for table in of_protocol[0].protocol.tables:
            columns = "* EXCLUDE (suite)" if "suite" in table.names else "*"
            parts = [
                f"SELECT {literal(s.name)} AS suite, {columns} FROM {quoted(_view(s.table(table)))}"
                for s in of_protocol
            ]
            yield f"{protocol}_{table.name}", " UNION ALL BY NAME ".join(parts)


def _view(table: Table) -> str:
    return table.name.replace("/", "_")
