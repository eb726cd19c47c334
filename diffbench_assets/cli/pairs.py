"""Looking at pairs and checking them: `list`, `show` and `verify`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from diffbench_assets.cli.common import CellsOption, LakeOption, QuietOption, SuitesOption, app, open_lake, suite_named
from diffbench_assets.cli.rows import Format, FormatOption, print_rows
from diffbench_assets.errors import UserError


@app.command("list")
def list_pairs(
    suite: SuitesOption = None,
    cells: CellsOption = None,
    containing: Annotated[
        str, typer.Option("--containing", help="A text that the pair's description holds, in any case.")
    ] = "",
    form: FormatOption = Format.table,
    lake: LakeOption = None,
) -> None:
    """Prints the ids of pairs, with their cells and descriptions."""
    from diffbench_assets.cli.common import built_suites

    opened = open_lake(lake)
    suites = [suite_named(name) for name in suite] if suite else built_suites(opened, None)
    columns = ("pair_id", "cell", "page_id", "description")
    found = [
        {name: row[name] for name in columns}
        for of in {entry.pair_set.name: entry for entry in suites}.values()
        for cell in of.select(cells or [])
        if opened.exists(of.pairs, {"cell": cell})
        for row in opened.iter_partition(of.pairs, {"cell": cell}, columns)
        if containing.casefold() in (row["description"] or "").casefold()
    ]
    if not found:
        raise UserError(f"{opened.root} has no such pair")
    if form is not Format.table:
        print_rows(found, form)
        return
    for row in found:
        print(f"{row['pair_id']:34} {row['cell']:22} {row['description'] or ''}")


@app.command()
def show(
    pair: Annotated[str, typer.Argument(help="Pair id, or a beginning of it that only one pair has.")],
    out: Annotated[Path | None, typer.Option(help="PNG to write (default: <pair id>.png).")] = None,
    lake: LakeOption = None,
) -> None:
    """Writes a PNG of a pair side by side with its difference boxed."""
    from diffbench_assets.durable import write_bytes
    from diffbench_assets.pairs.preview import side_by_side

    row = _one_pair(open_lake(lake), pair)
    target = out or Path(f"{row['pair_id']}.png")
    write_bytes(target, side_by_side(row))
    print(f"{target}\n{row['description']}")


def _one_pair(lake: Any, prefix: str) -> dict[str, Any]:
    from diffbench_assets.schemas import PAIRS

    tables = lake.of_suites(PAIRS)
    known = [(table, row["pair_id"]) for table in tables for row in lake.iter_all(table, ["pair_id"])]
    ids = [(table, pair_id) for table, pair_id in known if pair_id.startswith(prefix)]
    if len(ids) != 1:
        raise UserError(f"{prefix!r} is the beginning of {len(ids)} pair ids in {lake.root}; name exactly one")
    table, pair_id = ids[0]
    columns = ["pair_id", "cell", "image_before", "image_after", "differences", "description"]
    return next(iter(lake.iter_rows(table, columns, {pair_id}, key="pair_id")))


@app.command()
def verify(
    pairs: Annotated[
        list[str] | None, typer.Argument(help="Pair ids or beginnings of them; all pairs by default.")
    ] = None,
    quiet: QuietOption = False,
    lake: LakeOption = None,
) -> None:
    """Makes pairs again from their pages and records, and prints every one that differs from what is stored."""
    from diffbench_assets.bars import bar
    from diffbench_assets.pairs.verify import verify_pairs

    opened = open_lake(lake)
    with bar("pairs verified") as shown:
        result = asyncio.run(verify_pairs(opened, pairs or [], shown.update))
    for line in result.differing:
        print(line)
    for reason, n in sorted(result.not_replayed.items()):
        print(f"{n} pairs cannot be made again ({reason}): of these only the hashes of the images were compared")
    replayed = result.checked - result.not_replayed.total()
    print(f"{replayed} pairs verified, {len(result.differing)} differ. Rendered by {result.fingerprint}")
    if result.differing:
        raise typer.Exit(1)
