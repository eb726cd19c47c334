"""Making pairs and what is asked about them: `build` and `demo`."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from diffbench_assets.bars import BRIEF
from diffbench_assets.cli.common import (
    CellsOption,
    LakeOption,
    QuietOption,
    app,
    details,
    known_suites,
    open_lake,
    registry,
    say,
    suite_named,
)
from diffbench_assets.cli.evaluate import evaluate_models, judge_answers, report
from diffbench_assets.cli.pairs import verify
from diffbench_assets.cli.settings import WithSettings, given_to, of_demo
from diffbench_assets.errors import UserError


@app.command(cls=WithSettings)
def build(
    context: typer.Context,
    suite: Annotated[str | None, typer.Option(help="Name of a suite; the first one by default.")] = None,
    source: Annotated[
        list[str] | None,
        typer.Option(help="Source of corpus.yaml, or a file, folder, glob or Parquet file to use instead. Repeatable."),
    ] = None,
    cells: CellsOption = None,
    quiet: QuietOption = False,
    lake: LakeOption = None,
) -> None:
    """Builds a suite: pages, pairs and questions of the chosen cells. What is already there is kept."""
    wanted, opened = suite_named(suite or next(iter(known_suites()))), open_lake(lake)
    chosen, given = wanted.select(cells or []), given_to(wanted, context)
    paths = [name for name in source or [] if "/" in name or Path(name).exists()]
    names = [name for name in source or [] if name not in paths] + _use_sources(paths, opened.root)
    _build(opened, wanted, names, chosen, given)
    for line in _wholes(opened, wanted):
        say(line)


def _build(
    lake: Any, suite: Any, sources: list[str], cells: list[str], given: Mapping[str, Any], tell: bool = True
) -> None:
    """Makes what the suite asks about, and says how much there is of it in every cell where `tell`."""
    from diffbench_assets.cli import running
    from diffbench_assets.resources.build import settings_of

    suites = known_suites()
    if suite.owns_pairs and (sources or not suite.pair_set.scenes):
        running.check_alone(lake, running.sources_of(suite, sources))
    if not (suite.owns_pairs or lake.files(suite.pairs)):
        owner = suite.pair_set.name
        raise UserError(f"{lake.root} has no {suite.pairs.name} yet: run `diffbench build --suite {owner}` first")
    settings = settings_of(suites.values(), **given)
    lake.remember(suite.name, cells, {name: getattr(settings, name).model_dump() for name in suite.settings})
    try:
        with running.graph(lake, suites, settings=settings) as graph:
            running.build(graph, suite, sources, cells)
    finally:
        if tell:
            _tell_cells(lake, suite, cells)


def _tell_cells(lake: Any, suite: Any, cells: list[str]) -> None:
    """How much there is of each cell, and what would fill those that are short."""
    for cell in cells:
        if noted := lake.noted(suite.asked, {"cell": cell}):
            wanted, said = noted.about.get("wanted", noted.rows), noted.about.get("shortage", "none")
            short = f"   short{f': {said}' if said != 'none' else ''}" if noted.rows < wanted else ""
            say(f"{suite.asked.name:24} {cell:24}{noted.rows:6} of {wanted}{short}")


def _wholes(lake: Any, suite: Any) -> Iterator[str]:
    """What there is to say of the suite's tables that have no cells."""
    for table in (preparation.table for preparation in suite.protocol.prepares if not preparation.table.keys):
        if noted := lake.noted(suite.table(table)):
            yield f"{suite.table(table).name}: {noted.about.get('summary', noted.rows)}"


def _use_sources(paths: list[str], lake: str) -> list[str]:
    """Sources given as paths get a corpus file of their own, beside the lake's data. Returns their names.

    Raises UserError for a path without a file, and for another path of a name that the lake has pages of.
    """
    if not paths:
        return []
    import yaml

    from diffbench_assets.durable import write_bytes
    from diffbench_assets.pages.sources import load_corpus

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
    earlier = {source.name: source for source in load_corpus(corpus)} if corpus.exists() else {}
    for entry in entries:
        there = getattr(earlier.get(entry["name"]), "path", entry["path"])
        if there != entry["path"]:
            raise UserError(
                f"source {entry['name']} of {lake} is {there}: name another lake with --lake, or rename one"
            )
    named = {entry["name"] for entry in entries}
    kept = [source.model_dump(exclude_none=True) for name, source in earlier.items() if name not in named]
    try:
        write_bytes(corpus, yaml.safe_dump({"sources": [*kept, *entries]}, sort_keys=False).encode())
    except OSError as error:
        raise UserError(f"cannot write {corpus}: {error.strerror}; name a lake that can be written") from error
    os.environ["DIFFBENCH_CORPUS"] = str(corpus)
    return [entry["name"] for entry in entries]


QUESTIONS_S, VERIFY_S, EVALUATE_S, REPORT_S = 8, 40, 55, 50
"""Seconds that stages of the demo take on two cores, about; pairs know how long they take."""
NEXT = """
Next:
  diffbench open                                     the reports in a browser
  diffbench build --source path/to/site --n 20 --lake my-lake     pairs of your own pages
  diffbench eval --model my-model --estimate         what a model of models.yaml would cost
  dagster dev                                        the graph at http://localhost:3000, with DAGSTER_HOME=$PWD"""


@app.command()
def demo(
    verbose: Annotated[bool, typer.Option("--verbose", help="Prints every cell and every model's outcomes.")] = False,
    quiet: QuietOption = False,
    lake: LakeOption = None,
) -> None:
    """The whole pipeline on embedded defaults: pages, pairs (each made again), questions, baselines and reports."""
    opened, known, suites = open_lake(lake), registry(), known_suites()
    BRIEF.set(not verbose)
    stages = _stages(
        *(
            (f"{name}, {suite.protocol.name.replace('_', ' ')}", suite.pair_set.demo_s * suite.owns_pairs + QUESTIONS_S)
            for name, suite in suites.items()
        ),
        ("every pair is made again", VERIFY_S),
        ("baselines answer and are judged", EVALUATE_S),
        ("checks, numbers and reports", REPORT_S),
    )
    for suite in suites.values():
        next(stages)
        _build(opened, suite, [], list(suite.cells), of_demo(suite), tell=verbose)
        counts = opened.cell_counts(suite.asked)
        what = suite.asked.name.rpartition("/")[2]
        say("; ".join([f"     {sum(counts.values())} {what} in {len(counts)} cells", *_wholes(opened, suite)]))
    next(stages)
    verify(quiet=quiet)
    models = [name for name, entry in known.models.items() if entry.embedded and not entry.retired]
    judges = [name for name, entry in known.judges.items() if entry.embedded and not entry.retired]
    next(stages)
    with details(verbose):
        evaluate_models(model=models, quiet=quiet)
        judge_answers(judge=judges, model=models, quiet=quiet)
    next(stages)
    _check(opened)
    report(quiet=quiet)
    say(NEXT)


def _check(lake: Any) -> None:
    """Evaluates what must hold of every table, so that it stands in the UI too."""
    from diffbench_assets.cli import running

    with running.graph(lake, known_suites()) as graph:
        found = graph.check()
    failed = [f"{one.asset_key.to_user_string()}: {one.check_name}" for one in found if not one.passed]
    say(f"     {len(found) - len(failed)} of {len(found)} checks passed")
    for line in failed:
        print(f"     not passed: {line}", file=sys.stderr)


def _stages(*stages: tuple[str, int]) -> Iterator[None]:
    """Says, at each stage, which one it is and about how many seconds it takes."""
    say(f"A small benchmark from embedded defaults: about {_minutes(sum(lasts for _, lasts in stages))} on two cores.")
    for number, (text, lasts) in enumerate(stages, 1):
        say(f"\n{number}/{len(stages)}  {text} (about {_minutes(lasts)})")
        yield


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
