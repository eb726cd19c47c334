"""Making pairs and what is asked about them: `build` and `demo`."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from diffbench_assets.cli.common import CellsOption, LakeOption, app, known_suites, open_lake, registry, suite_named
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
    lake: LakeOption = None,
) -> None:
    """Builds a suite: pages, pairs and questions of the chosen cells. What is already there is kept."""
    wanted, opened = suite_named(suite or next(iter(known_suites()))), open_lake(lake)
    chosen, given = wanted.select(cells or []), given_to(wanted, context)
    paths = [name for name in source or [] if "/" in name or Path(name).exists()]
    names = [name for name in source or [] if name not in paths] + _use_sources(paths, opened.root)
    _build(opened, wanted, names, chosen, given)


def _build(lake: Any, suite: Any, sources: list[str], cells: list[str], given: Mapping[str, Any]) -> None:
    """What the suite asks about, and how much there is of it in every cell."""
    from diffbench_assets.cli import running
    from diffbench_assets.resources.build import settings_of

    suites = known_suites()
    if suite.owns_pairs and (sources or not suite.pair_set.scenes):
        running.check_alone(lake, running.sources_of(suite, sources))
    if not (suite.owns_pairs or lake.files(suite.pairs)):
        owner = suite.pair_set.name
        raise UserError(f"{lake.root} has no {suite.pairs.name} yet: run `diffbench build --suite {owner}` first")
    try:
        with running.graph(lake, suites, settings=settings_of(suites.values(), **given)) as graph:
            running.build(graph, suite, sources, cells)
    finally:
        for cell in cells:
            if noted := lake.noted(suite.asked, {"cell": cell}):
                wanted = noted.about.get("wanted", noted.rows)
                said = noted.about.get("shortage", "none")
                short = f"   short{f': {said}' if said != 'none' else ''}" if noted.rows < wanted else ""
                print(f"{suite.asked.name:24} {cell:24}{noted.rows:6} of {wanted}{short}")
        for table in (preparation.table for preparation in suite.protocol.prepares if not preparation.table.keys):
            if noted := lake.noted(suite.table(table)):
                print(f"{suite.table(table).name}: {noted.about.get('summary', noted.rows)}")


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


@app.command()
def demo(lake: LakeOption = None) -> None:
    """The whole pipeline on embedded defaults: pages, pairs (each made again), questions, baselines and reports."""
    opened = open_lake(lake)
    for suite in known_suites().values():
        _build(opened, suite, [], list(suite.cells), of_demo(suite))
    verify(None, None)
    known = registry()
    models = [name for name, entry in known.models.items() if entry.embedded and not entry.retired]
    judges = [name for name, entry in known.judges.items() if entry.embedded and not entry.retired]
    evaluate_models(None, models, None, None, None, None)
    judge_answers(None, judges, models, None, None)
    report(None, False, None)
