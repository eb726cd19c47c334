"""Reading the lake: `sql` and `columns`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from diffbench_assets.cli.common import LakeOption, app, known_suites, open_lake
from diffbench_assets.errors import UserError


@app.command()
def sql(
    query: Annotated[str, typer.Argument(help="SQL over the lake's views, or a .sql file, for example stale.sql.")],
    lake: LakeOption = None,
) -> None:
    """Runs a query over the lake: each asset is a view, its path with _ for /. The folder sql/ holds analyses."""
    text = _script(query) if query.endswith(".sql") else query
    from diffbench_assets.views import asked

    def show(connection: Any) -> None:
        relation = connection.sql(text)
        if relation is not None:
            # Every column where the output is not a terminal: a pipe or a file has no width.
            width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000
            relation.show(max_width=width, max_rows=1000)

    asked(open_lake(lake), show, known_suites().values())


def _script(name: str) -> str:
    """Text of a .sql file: at this path, or else of this name among the analyses that come along."""
    from diffbench_assets.lake import SQL

    found = next((path for path in (Path(name), SQL / name) if path.is_file()), None)
    if found is None:
        known = ", ".join(sorted(path.name for path in SQL.glob("*.sql")))
        raise UserError(f"there is no file {name}; analyses are {known}")
    return found.read_text()


@app.command()
def columns(table: Annotated[str | None, typer.Argument(help="Table; all by default.")] = None) -> None:
    """Prints the columns of the public tables, with a sentence each."""
    from diffbench_assets.schemas import columns as columns_of
    from diffbench_assets.views import tables

    public = tables(known_suites().values())
    if table and table not in public:
        raise UserError(f"there is no table {table!r}; tables are {', '.join(public)}")
    for name in [table] if table else public:
        print(f"\n{name}")
        for column, kind, text in columns_of(public[name]):
            print(f"  {column:22} {kind[:24]:24} {text}")
