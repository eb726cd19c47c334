"""Making pairs and questions: `build` and `demo`."""

from __future__ import annotations

import glob
import os
from pathlib import Path
from typing import Annotated, Any

import typer

from diffbench_assets.cli.common import CellsOption, LakeOption, SuiteOption, app, known_suites, open_lake, suite_named
from diffbench_assets.cli.evaluate import evaluate_models, judge_answers, report
from diffbench_assets.errors import UserError
from diffbench_assets.schemas import PAIRS

DEMO_MODELS = ["always_no_diff", "pixel_diff", "random_choice", "informed_guess", "text_only"]


@app.command()
def build(
    suite: SuiteOption = "webdiff",
    source: Annotated[
        list[str] | None,
        typer.Option(help="Source of corpus.yaml, or a file, folder, glob or Parquet file to use instead. Repeatable."),
    ] = None,
    cells: CellsOption = None,
    n: Annotated[int | None, typer.Option(min=1, help="Pairs per cell (webdiff 100, lowlevel_mcq 20).")] = None,
    no_diff: Annotated[int, typer.Option(min=0, help="webdiff: pairs without a difference.")] = 500,
    images: Annotated[
        list[str] | None,
        typer.Option(help="lowlevel_mcq: image file, folder, glob or Parquet file to take seed images from."),
    ] = None,
    seeds_from: Annotated[
        list[str] | None, typer.Option(help="lowlevel_mcq: scenes, pages, images (repeatable; scenes and pages).")
    ] = None,
    strength: Annotated[float, typer.Option(min=0.1, help="lowlevel_mcq: scales the pixel transforms.")] = 1.0,
    edit_with: Annotated[str, typer.Option(help="lowlevel_mcq: model with an images/edits endpoint.")] = "",
    propose_with: Annotated[str, typer.Option(help="lowlevel_mcq: vision model that proposes moves.")] = "",
    paper_counts: Annotated[bool, typer.Option(help="lowlevel_mcq: 1,756 questions as VDiff-Bench has.")] = False,
    no_difference_share: Annotated[
        float, typer.Option(min=0, max=0.9, help="Multiple choice: share of questions where nothing differs.")
    ] = 0.0,
    circular: Annotated[bool, typer.Option(help="Multiple choice: ask all rotations of the options.")] = False,
    false_statements_by: Annotated[str, typer.Option(help="Multiple choice: model that writes false statements.")] = "",
    seed: Annotated[int, typer.Option(help="Seed of every random choice.")] = 0,
    lake: LakeOption = None,
) -> None:
    """Builds a suite: pages, pairs and questions of the chosen cells. What is already there is kept."""
    wanted, opened = suite_named(suite), open_lake(lake)
    chosen = wanted.select(cells or [])
    paths = [name for name in source or [] if "/" in name or Path(name).exists()]
    _use_sources(paths, opened.root)
    names = [name for name in source or [] if name not in paths]
    if wanted.name == "webdiff":
        build_webdiff(opened, names, chosen, n or 100, no_diff, seed)
        return
    build_questions(
        opened,
        wanted,
        chosen,
        {
            "seed": seed,
            "n": n or 20,
            "paper_counts": paper_counts,
            "sources": seeds_from or ["scenes", "pages", *(["images"] if images else [])],
            "images": images or [],
            "strength": strength,
            "edit_with": edit_with,
            "propose_with": propose_with,
            "no_difference_share": no_difference_share,
            "circular": circular,
            "false_statements_by": false_statements_by,
        },
    )


def build_webdiff(lake: Any, sources: list[str], cells: list[str], n: int, no_diff: int, seed: int) -> None:
    """CSS-mutated pairs, and how many there are of each cell."""
    from diffbench_assets.cli.running import build_pairs, graph
    from diffbench_assets.resources.build import BuildSettings

    with graph(known_suites(), build=BuildSettings(seed=seed, n=n, n_no_diff=no_diff)) as running:
        build_pairs(running, sources, cells)
    made = lake.cell_counts(PAIRS.of("webdiff"))
    for cell in cells:
        wanted = no_diff if cell == "no_diff" else n
        have = made.get(cell, 0)
        print(f"{cell:24}{have:6} of {wanted}" + ("" if have >= wanted else "   short"))


def build_questions(lake: Any, suite: Any, cells: list[str], settings: dict[str, Any]) -> None:
    """Questions of a multiple-choice suite (and its pairs), how many there are, and what a blind reader gets."""
    from diffbench_assets.cli.running import graph, prepare
    from diffbench_assets.resources.protocols import settings_of

    try:
        chosen_settings = settings_of(known_suites().values(), **{suite.protocol.name: settings})
        with graph(known_suites(), settings=chosen_settings) as running:
            prepare(running, suite, cells)
    finally:
        made = lake.cell_counts(suite.asked)
        for cell in cells:
            if made.get(cell):
                print(f"{suite.name:14}{cell:24}{made[cell]:6} questions")
        if lake.exists(f"{suite.name}/blind_check"):
            for row in lake.read(f"{suite.name}/blind_check").to_pylist():
                if row["slice"] == "overall":
                    print(
                        f"blind reader {row['reader']:16} {100 * row['accuracy']:.1f} % "
                        f"[{100 * row['ci_low']:.1f}, {100 * row['ci_high']:.1f}], chance {100 * row['chance']:.1f} %"
                    )


def _use_sources(paths: list[str], lake: str) -> None:
    """Sources given as paths get a corpus file of their own, beside the lake's data."""
    if not paths:
        return
    import yaml

    from diffbench_assets.durable import write_bytes

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
def demo(
    lake: LakeOption = None,
    n: Annotated[int, typer.Option(min=1, help="Pairs per cell.")] = 2,
    no_diff: Annotated[int, typer.Option(min=0, help="webdiff: pairs without a difference.")] = 10,
) -> None:
    """The whole pipeline on embedded defaults: pages, pairs, questions, baselines, leaderboards and reports."""
    opened = open_lake(lake)
    build_webdiff(opened, [], list(suite_named("webdiff").cells), n, no_diff, 0)
    for name in ("webdiff_mcq", "lowlevel_mcq"):
        build_questions(opened, suite_named(name), list(suite_named(name).cells), {"n": 2 * n})
    evaluate_models(None, DEMO_MODELS, None, None, None, None)
    judge_answers(None, ["rules"], DEMO_MODELS, None, None)
    report(None, False, None)
