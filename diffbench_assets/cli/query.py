"""Reading the lake: `sql` and `columns`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from diffbench_assets.cli.common import LakeOption, app, known_suites, open_lake
from diffbench_assets.cli.rows import Format, FormatOption
from diffbench_assets.errors import UserError
from diffbench_assets.lake import literal


@app.command()
def sql(
    query: Annotated[str, typer.Argument(help="SQL over the lake's views, or a .sql file, for example stale.sql.")],
    form: FormatOption = Format.table,
    lake: LakeOption = None,
) -> None:
    """Runs a query over the lake: each asset is a view, its path with _ for /. The folder sql/ holds analyses."""
    text = _script(query) if query.endswith(".sql") else query
    from diffbench_assets.views import asked

    def show(connection: Any) -> None:
        relation = connection.sql(text)
        if relation is not None and form is not Format.table:
            _write(connection, relation, form)
        elif relation is not None:
            # Every column where the output is not a terminal: a pipe or a file has no width.
            width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000
            relation.show(max_width=width, max_rows=1000)

    asked(open_lake(lake), show, known_suites().values())


def _write(connection: Any, found: Any, form: Format) -> None:
    """The rows of a relation as DuckDB itself writes them: also lists, structures and bytes."""
    options = "FORMAT csv, HEADER" if form is Format.csv else "FORMAT json, ARRAY true"
    with tempfile.NamedTemporaryFile(encoding="utf-8", mode="r") as written:
        found.query("found", f"COPY found TO {literal(written.name)} ({options})")
        with open(written.name, encoding="utf-8") as rows:
            shutil.copyfileobj(rows, sys.stdout)


def _script(name: str) -> str:
    """Text of a .sql file: at this path, or else of this name among the analyses that come along."""
    from diffbench_assets.lake import SQL

    found = next((path for path in (Path(name), SQL / name) if path.is_file()), None)
    if found is None:
        known = ", ".join(sorted(path.name for path in SQL.glob("*.sql")))
        raise UserError(f"there is no file {name}; analyses are {known}")
    return found.read_text()


@app.command()
def columns(table: Annotated[str | None, typer.Argument(help="Table or view; all by default.")] = None) -> None:
    """Prints the columns of the public tables and of the views that analyses share, with a sentence each."""
    from diffbench_assets.views import described

    suites = known_suites()
    public, plain = described(suites.values()), dict[str, str]()
    # A table of one suite, or of all suites of a protocol, has the columns of the table.
    for suite in suites.values():
        for of in suite.protocol.tables:
            own = f"{suite.protocol.name}_{of.name}"
            known = {f"{suite.name}_{of.name}", own} - {*public}
            plain |= dict.fromkeys(known, own if own in public else of.name)
    if table and (table := plain.get(table, table)) not in public:
        raise UserError(f"there is no table {table!r}; tables and views are {', '.join(public)}")
    for name in [table] if table else public:
        sentence, found = public[name]
        print(f"\n{name}" + (f"   {sentence}" if sentence else ""))
        for column, kind, text in found:
            print(f"  {column:22} {kind[:24]:24} {text}".rstrip())
