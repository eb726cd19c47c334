"""Asking, judging and reporting: `eval`, `judge`, `report`, and all three in one: `run`."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer

from diffbench_assets.cli.common import (
    BudgetCallsOption,
    BudgetUsdOption,
    CellsOption,
    LakeOption,
    ModelsOption,
    QuietOption,
    SuitesOption,
    app,
    built_cells,
    built_suites,
    chosen,
    known_suites,
    open_lake,
    registry,
    say,
    spending,
)
from diffbench_assets.cli.rows import Format, FormatOption, print_rows
from diffbench_assets.errors import UserError

JudgesOption = Annotated[
    list[str] | None, typer.Option("--judge", help="Judge id (repeatable); all that are not retired by default.")
]


@app.command("eval")
def evaluate_models(
    suite: SuitesOption = None,
    model: ModelsOption = None,
    cells: CellsOption = None,
    budget_usd: BudgetUsdOption = None,
    budget_calls: BudgetCallsOption = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Asks nothing: says how many calls are left and what they would cost.")
    ] = False,
    quiet: QuietOption = False,
    lake: LakeOption = None,
) -> None:
    """Asks models about every pair. Finished calls are never sent again; the next run asks failed ones again."""
    from diffbench_assets.cli.running import evaluate, graph
    from diffbench_assets.cli.summaries import answered

    opened, known = open_lake(lake), registry().models
    models = chosen(model, known, "model")
    allowed = spending("eval", budget_usd, budget_calls, [known[name] for name in models])
    asked = [
        (entry, _able(entry, models, known), built_cells(opened, entry, cells)) for entry in built_suites(opened, suite)
    ]
    if estimate:
        for entry, able, there in asked:
            for name in able:
                print(f"{entry.name:16} {name:24} {_estimate(opened, entry, known[name], there, allowed)}")
        return
    with graph(opened, known_suites(), spending=allowed) as running:
        for entry, able, there in asked:
            try:
                evaluate(running, entry, able, there)
            finally:
                for name in able:
                    say(f"{entry.name:16} {answered(opened, entry, name, there).line}")


def _able(suite: Any, models: Sequence[str], known: Mapping[str, Any]) -> list[str]:
    from diffbench_assets.protocols.asking import answers

    return [name for name in models if answers(known[name], suite.protocol.baselines)]


def _estimate(lake: Any, suite: Any, model: Any, cells: Sequence[str], spending: Any) -> str:
    from diffbench_assets.models.estimate import estimate
    from diffbench_assets.protocols.asking import calls

    if model.embedded:
        return "embedded: costs nothing"

    def asked() -> Iterator[Any]:
        for cell in cells:
            yield from calls(lake, suite.pairs, cell, suite.protocol.items(lake, suite, cell))

    with spending.journal(lake, suite.name, model.id) as journal:
        return estimate(model, asked(), journal).line()


@app.command("judge")
def judge_answers(
    suite: SuitesOption = None,
    judge: JudgesOption = None,
    model: ModelsOption = None,
    cells: CellsOption = None,
    budget_usd: BudgetUsdOption = None,
    budget_calls: BudgetCallsOption = None,
    quiet: QuietOption = False,
    lake: LakeOption = None,
) -> None:
    """Judges what the models answered; every judge makes its own verdicts. Where there is an answer key, it decides.

    Ends with status 1 when a judge could not judge a single answer of a model.
    """
    from diffbench_assets.cli.running import graph
    from diffbench_assets.cli.running import judge as run_judge
    from diffbench_assets.cli.summaries import judged
    from diffbench_assets.protocols.judging import judges_of

    opened, known = open_lake(lake), registry()
    models, judges = chosen(model, known.models, "model"), chosen(judge, known.judges, "judge")
    entries = {name: known.judges[name] for name in judges}
    allowed = spending("judge", budget_usd, budget_calls, entries.values())
    useless = []
    with graph(opened, known_suites(), spending=allowed) as running:
        for entry in built_suites(opened, suite):
            there, able = built_cells(opened, entry, cells), _able(entry, models, known.models)
            for name, kind in judges_of(entry.protocol.judges, entries).items():
                run_judge(running, entry, name, able, there, kind.asks_model)
                for of in able:
                    found = judged(opened, entry, name, of, there)
                    say(f"{entry.name:16} {name:12} {found.line}")
                    if found.rows and not found.useful:
                        useless.append(f"{name} gave no verdict on any answer of {of} in {entry.name}")
    if useless:
        print("\n".join(useless), file=sys.stderr)
        raise typer.Exit(1)


@app.command("run")
def evaluate_judge_and_report(
    suite: SuitesOption = None,
    model: ModelsOption = None,
    judge: JudgesOption = None,
    cells: CellsOption = None,
    budget_usd: BudgetUsdOption = None,
    budget_calls: BudgetCallsOption = None,
    quiet: QuietOption = False,
    lake: LakeOption = None,
) -> None:
    """`eval`, `judge` and `report` in one: asks what is not asked yet, judges it, and prints the leaderboards.

    Budgets hold for asking and for judging, each.
    """
    evaluate_models(suite, model, cells, budget_usd, budget_calls, quiet=quiet, lake=lake)
    judge_answers(suite, judge, model, cells, budget_usd, budget_calls, quiet, lake)
    report(suite, quiet=quiet, lake=lake)


@app.command()
def report(
    suite: SuitesOption = None,
    together: Annotated[
        bool, typer.Option("--together", help="Also one page with these suites side by side: how they differ.")
    ] = False,
    form: FormatOption = Format.table,
    quiet: QuietOption = False,
    lake: LakeOption = None,
) -> None:
    """Computes every number, prints the leaderboards and writes the reports."""
    from diffbench_assets.cli.running import graph
    from diffbench_assets.protocols.together import write_side_by_side

    opened = open_lake(lake)
    suites = built_suites(opened, suite)
    with graph(opened, known_suites()) as running:
        for entry in suites:
            running.run([entry.name, "metrics"])
            running.run([entry.name, "report"])
    beside = write_side_by_side(opened, suites, registry().models) if together else None
    boards = {entry.name: opened.read(entry.result("leaderboard")).to_pylist() for entry in suites}
    if form is not Format.table:
        print_rows([{"suite": name, **row} for name, board in boards.items() for row in board], form)
        return
    for entry in suites:
        _print_leaderboard(entry, boards[entry.name])
        print(f"\nreport: {(opened.report_folder(entry.name) / 'report.html').absolute()}")
    if beside:
        print(f"\nside by side: {beside.absolute()}")


def _print_leaderboard(suite: Any, board: Sequence[Mapping[str, Any]]) -> None:
    headline, shares = suite.protocol.headline, suite.protocol.board_columns

    def shown(value: float) -> str:
        return f"{100 * value:.1f}" if suite.protocol.percent else f"{value:.2f}"

    unit = " %" if suite.protocol.percent else ""
    print(f"\n{suite.name}\n{'':3} {'model':24} {'judge':8} {headline:>22}" + "".join(f"{c:>17}" for c in shares))
    for row in board:
        value, low, high = (row[headline + end] for end in ("", "_low", "_high"))
        interval = "–" if value is None else f"{shown(value)}{unit} [{shown(low)}, {shown(high)}]"
        numbers = ["–" if row[name] is None else shown(row[name]) for name in shares]
        print(
            f"{row['rank'] or '':3} {row['model']:24} {row['judge']:8} {interval:>22}"
            + "".join(f"{number:>17}" for number in numbers)
        )


@app.command("open")
def open_report(
    suite: Annotated[str | None, typer.Argument(help="Suite; the page over all reports by default.")] = None,
    browser: Annotated[bool, typer.Option(help="Open it in a browser; else only say where it is.")] = True,
    lake: LakeOption = None,
) -> None:
    """Opens the page over all reports of the lake, or the report of one suite."""
    opened = open_lake(lake)
    page = opened.report_folder(suite) / "report.html" if suite else opened.reports_folder() / "index.html"
    if not page.exists():
        raise UserError(f"there is no {page}: run `diffbench report` first")
    print(page.absolute())
    if browser:
        webbrowser.open(page.absolute().as_uri())
