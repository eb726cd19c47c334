"""`diffbench`: the same assets, from a shell.

Belongs here: commands that select partitions, run assets and print results. Does not belong here: any logic of theirs.
"""

from __future__ import annotations

import asyncio
import glob
import os
import shutil
import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from diffbench_assets.errors import UserError

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)

LakeOption = Annotated[str | None, typer.Option(help="Folder or URL of the lake (default: DIFFBENCH_LAKE, or ./lake).")]


def _lake(lake: str | None) -> Any:
    from diffbench_assets.lake import Lake

    if lake:
        os.environ["DIFFBENCH_LAKE"] = lake
    return Lake(os.environ.get("DIFFBENCH_LAKE", "lake"))


@app.command()
def build(
    source: Annotated[
        list[str] | None,
        typer.Option(help="Source of corpus.yaml, or a file, folder, glob or Parquet file to use instead. Repeatable."),
    ] = None,
    cells: Annotated[
        list[str] | None, typer.Option(help="Cell, operator or tier (repeatable); all cells by default.")
    ] = None,
    n: Annotated[int, typer.Option(min=1, help="Pairs per cell.")] = 100,
    no_diff: Annotated[int, typer.Option(min=0, help="Pairs without a difference.")] = 500,
    seed: Annotated[int, typer.Option(help="Seed of every random choice.")] = 0,
    lake: LakeOption = None,
) -> None:
    """Builds pairs: pages, their pool, candidates and pairs of the chosen cells. What is already there is kept."""
    from diffbench_assets.web.operators import select_cells

    chosen = select_cells(cells or [])
    opened = _lake(lake)
    paths = [name for name in source or [] if "/" in name or Path(name).exists()]
    _use_sources(paths, opened.root)
    names = [name for name in source or [] if name not in paths]
    _build(opened, names, chosen, n, no_diff, seed)


def _build(lake: Any, sources: list[str], cells: list[str], n: int, no_diff: int, seed: int) -> None:
    from diffbench_assets.building import build_pairs, cell_counts, graph
    from diffbench_assets.resources.webdiff import BuildSettings

    with graph(build=BuildSettings(seed=seed, n=n, n_no_diff=no_diff)) as running:
        build_pairs(running, sources, cells)
    made = cell_counts(lake)
    for cell in cells:
        wanted = no_diff if cell == "no_diff" else n
        have = made.get(cell, 0)
        print(f"{cell:24}{have:6} of {wanted}" + ("" if have >= wanted else "   short"))


def _use_sources(paths: list[str], lake: str) -> None:
    """Sources given as paths get a corpus file of their own, beside the lake's data."""
    if not paths:
        return
    import yaml

    from diffbench_assets.atomic import write_bytes

    for path in paths:
        if not glob.glob(path, recursive=True):
            raise UserError(f"there is no file or folder {path}; name pages, or a source of corpus.yaml")
    entries = [
        {
            "name": "".join(c if c.isalnum() else "_" for c in Path(path).stem.lower()).strip("_") or "pages",
            "kind": "parquet" if path.endswith(".parquet") else "html",
            "path": str(Path(path).absolute()),
        }
        for path in paths
    ]
    corpus = Path(lake) / "corpus.yaml"
    try:
        write_bytes(corpus, yaml.safe_dump({"sources": entries}, sort_keys=False).encode())
    except OSError as error:
        raise UserError(f"cannot write {corpus}: {error.strerror}; name a lake that can be written") from error
    os.environ["DIFFBENCH_CORPUS"] = str(corpus)


@app.command()
def show(
    pair: Annotated[str, typer.Argument(help="Pair id, or a beginning of it that only one pair has.")],
    out: Annotated[Path | None, typer.Option(help="PNG to write (default: <pair id>.png).")] = None,
    lake: LakeOption = None,
) -> None:
    """Writes a PNG of a pair side by side with its difference boxed."""
    from diffbench_assets.atomic import write_bytes
    from diffbench_assets.web.preview import side_by_side

    row = _one_pair(_lake(lake), pair)
    target = out or Path(f"{row['pair_id']}.png")
    write_bytes(target, side_by_side(row))
    print(f"{target}\n{row['description']}")


def _one_pair(lake: Any, prefix: str) -> dict[str, Any]:
    ids = [
        (asset, pair_id)
        for asset in lake.assets()
        if asset.endswith("/pairs")
        for pair_id in lake.read_all(asset, ["pair_id"])["pair_id"].to_pylist()
        if pair_id.startswith(prefix)
    ]
    if len(ids) != 1:
        raise UserError(f"{prefix!r} is the beginning of {len(ids)} pair ids in {lake.root}; name exactly one")
    asset, pair_id = ids[0]
    columns = ["pair_id", "cell", "image_before", "image_after", "differences", "description"]
    return next(iter(lake.iter_rows(asset, columns, {pair_id}, key="pair_id")))


@app.command()
def verify(
    pairs: Annotated[
        list[str] | None, typer.Argument(help="Pair ids or beginnings of them; all pairs by default.")
    ] = None,
    lake: LakeOption = None,
) -> None:
    """Renders pairs again from their pages and records, and prints every one that differs from what is stored."""
    from tqdm import tqdm

    from diffbench_assets.web.verify import verify_pairs

    opened = _lake(lake)
    with tqdm(desc="pairs verified", unit="", delay=0.5) as bar:
        result = asyncio.run(verify_pairs(opened, pairs or [], bar.update))
    for line in result.differing:
        print(line)
    print(f"{result.checked} pairs verified, {len(result.differing)} differ. Rendered by {result.fingerprint}")
    if result.differing:
        raise typer.Exit(1)


@app.command()
def sql(
    query: Annotated[str, typer.Argument(help="SQL over the lake's views, or a .sql file, for example stale.sql.")],
    lake: LakeOption = None,
) -> None:
    """Runs a query over the lake: each asset is a view, for example webdiff_pairs. The folder sql/ holds analyses."""
    text = _script(query) if query.endswith(".sql") else query
    with _lake(lake).connect() as connection:
        relation = connection.sql(text)
        if relation is not None:
            # Every column where the output is not a terminal: a pipe or a file has no width.
            width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000
            relation.show(max_width=width, max_rows=1000)


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
    from diffbench_assets.schemas import TABLES
    from diffbench_assets.schemas import columns as columns_of

    if table and table not in TABLES:
        raise UserError(f"there is no table {table!r}; tables are {', '.join(TABLES)}")
    for name in [table] if table else TABLES:
        print(f"\n{name}")
        for column, kind, text in columns_of(name):
            print(f"  {column:22} {kind[:24]:24} {text}")


ModelsOption = Annotated[
    list[str] | None, typer.Option("--model", help="Model id (repeatable); all that are not retired by default.")
]
CellsOption = Annotated[
    list[str] | None, typer.Option("--cells", help="Cell, operator or tier (repeatable); all by default.")
]
SUITE = "webdiff"


def _registry() -> Any:
    from diffbench_assets.resources.models import RegistryResource

    return RegistryResource()


def _chosen(named: list[str] | None, known: dict[str, Any], kind: str) -> list[str]:
    for name in named or []:
        if name not in known:
            raise UserError(f"unknown {kind} {name!r}; {kind}s.yaml has {', '.join(known)}")
    return list(named or [name for name, entry in known.items() if not entry.retired])


def _built_cells(lake: Any, cells: list[str] | None) -> list[str]:
    from diffbench_assets.building import cell_counts
    from diffbench_assets.web.operators import select_cells

    there = cell_counts(lake, SUITE)
    chosen = [cell for cell in select_cells(cells or []) if cell in there]
    if not chosen:
        raise UserError(f"{lake.root} has no pairs of these cells: run `diffbench build` first")
    return chosen


@app.command("eval")
def evaluate_models(
    model: ModelsOption = None,
    cells: CellsOption = None,
    budget_usd: Annotated[float | None, typer.Option(help="Stop before this many dollars are spent.")] = None,
    budget_calls: Annotated[int | None, typer.Option(help="Stop after this many calls.")] = None,
    lake: LakeOption = None,
) -> None:
    """Asks models about every pair. Finished calls are never sent again; the next run asks failed ones again."""
    from diffbench_assets.building import evaluate, graph
    from diffbench_assets.resources.models import SpendingResource

    opened = _lake(lake)
    models = _chosen(model, _registry().models, "model")
    spending = SpendingResource(budget_usd=budget_usd, budget_calls=budget_calls, shared_as=f"eval {os.getpid()}")
    with graph(spending=spending) as running:
        evaluate(running, SUITE, models, _built_cells(opened, cells))


@app.command("judge")
def judge_answers(
    judge: Annotated[
        list[str] | None, typer.Option(help="Judge id (repeatable); all that are not retired by default.")
    ] = None,
    model: ModelsOption = None,
    cells: CellsOption = None,
    lake: LakeOption = None,
) -> None:
    """Judges what the models answered; every judge makes its own verdicts."""
    from diffbench_assets.building import graph
    from diffbench_assets.building import judge as run_judge
    from diffbench_assets.evaluation.registry import RulesJudge

    opened, registry = _lake(lake), _registry()
    models, judges = _chosen(model, registry.models, "model"), _chosen(judge, registry.judges, "judge")
    with graph() as running:
        for name in judges:
            replies = not isinstance(registry.judges[name], RulesJudge)
            run_judge(running, SUITE, name, models, _built_cells(opened, cells), replies)


@app.command()
def report(lake: LakeOption = None) -> None:
    """Computes every number, prints the leaderboard and writes the report."""
    from diffbench_assets.building import graph

    opened = _lake(lake)
    with graph() as running:
        running.run([SUITE, "metrics"])
        running.run([SUITE, "report"])
    _print_leaderboard(opened)
    print(f"\nreport: {(opened.report_folder(SUITE) / 'report.html').absolute()}")


def _print_leaderboard(lake: Any) -> None:
    rows = lake.read(f"{SUITE}/leaderboard").to_pylist()
    print(f"\n{'':3} {'model':24} {'judge':12} {'accuracy':>24} {'recall':>8} {'no-diff':>8} {'coverage':>9}")
    for row in rows:
        value, low, high = (row[name] for name in ("accuracy", "accuracy_low", "accuracy_high"))
        interval = "–" if value is None else f"{100 * value:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
        numbers = [
            "–" if row[name] is None else f"{100 * row[name]:.1f}" for name in ("recall", "specificity", "coverage")
        ]
        print(
            f"{row['rank'] or '':3} {row['model']:24} {row['judge']:12} {interval:>24} "
            f"{numbers[0]:>8} {numbers[1]:>8} {numbers[2]:>9}"
        )


@app.command()
def demo(
    lake: LakeOption = None,
    n: Annotated[int, typer.Option(min=1, help="Pairs per cell.")] = 2,
    no_diff: Annotated[int, typer.Option(min=0, help="Pairs without a difference.")] = 10,
) -> None:
    """The whole pipeline on embedded defaults: pages, pairs, baselines, verdicts, leaderboard and report."""
    from diffbench_assets.web.operators import select_cells

    opened = _lake(lake)
    _build(opened, [], select_cells([]), n, no_diff, 0)
    evaluate_models(["always_no_diff", "pixel_diff"], None, None, None, None)
    judge_answers(["rules"], ["always_no_diff", "pixel_diff"], None, None)
    report(None)


models_app = typer.Typer(no_args_is_help=False, invoke_without_command=True, help="Lists the models of models.yaml.")
app.add_typer(models_app, name="models")


@models_app.callback()
def list_models(context: typer.Context) -> None:
    """Lists models and judges, with what the tables will say about them."""
    if context.invoked_subcommand:
        return
    registry = _registry()
    for kind, entries in (("model", registry.models), ("judge", registry.judges)):
        for name, entry in entries.items():
            where = getattr(entry, "endpoint", "embedded")
            print(f"{kind:6} {name:28} {where:44}" + (" retired" if entry.retired else ""))


@models_app.command("check")
def check(name: Annotated[str, typer.Argument(help="Id of a model or a judge.")]) -> None:
    """Sends one real request and says what is wrong, if anything is."""
    from diffbench_assets.evaluation.check import check_model

    registry = _registry()
    entry = registry.models.get(name) or registry.judges.get(name)
    if entry is None:
        raise UserError(f"{name!r} is neither in models.yaml nor in judges.yaml")
    if not hasattr(entry, "endpoint"):
        print(f"{name} is embedded: nothing to reach")
        return
    diagnosis = check_model(entry, images=name in registry.models)
    print(diagnosis.sentence)
    if not diagnosis.ok:
        raise typer.Exit(1)


def main() -> None:
    """Entry point: errors that the user can act on are one line, without a traceback."""
    import duckdb

    # Dagster warns of the features that are new in it, each time it is imported.
    warnings.filterwarnings("ignore", message=r"[^\n]* is currently in (beta|preview)")
    try:
        app()
    except (UserError, ValueError, duckdb.Error) as error:
        print(f"diffbench: {error}", file=sys.stderr)
        raise SystemExit(2) from None
