"""Asking, judging and reporting: `eval`, `judge` and `report`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from diffbench_assets.cli.common import (
    BudgetCallsOption,
    BudgetUsdOption,
    CellsOption,
    LakeOption,
    ModelsOption,
    SuitesOption,
    app,
    built_cells,
    built_suites,
    chosen,
    known_suites,
    open_lake,
    registry,
    spending,
)


@app.command("eval")
def evaluate_models(
    suite: SuitesOption = None,
    model: ModelsOption = None,
    cells: CellsOption = None,
    budget_usd: BudgetUsdOption = None,
    budget_calls: BudgetCallsOption = None,
    lake: LakeOption = None,
) -> None:
    """Asks models about every pair. Finished calls are never sent again; the next run asks failed ones again."""
    from diffbench_assets.cli.running import evaluate, graph
    from diffbench_assets.protocols.asking import answers

    opened, known = open_lake(lake), registry().models
    models = chosen(model, known, "model")
    allowed = spending("eval", budget_usd, budget_calls, [known[name] for name in models])
    with graph(opened, known_suites(), spending=allowed) as running:
        for entry in built_suites(opened, suite):
            able = [name for name in models if answers(known[name], entry.protocol.baselines)]
            evaluate(running, entry, able, built_cells(opened, entry, cells))


@app.command("judge")
def judge_answers(
    suite: SuitesOption = None,
    judge: Annotated[
        list[str] | None, typer.Option(help="Judge id (repeatable); all that are not retired by default.")
    ] = None,
    model: ModelsOption = None,
    cells: CellsOption = None,
    lake: LakeOption = None,
) -> None:
    """Judges what the models answered; every judge makes its own verdicts. Where there is an answer key, it decides."""
    from diffbench_assets.cli.running import graph
    from diffbench_assets.cli.running import judge as run_judge
    from diffbench_assets.protocols.judging import judges_of

    opened, known = open_lake(lake), registry()
    models, judges = chosen(model, known.models, "model"), chosen(judge, known.judges, "judge")
    entries = {name: known.judges[name] for name in judges}
    with graph(opened, known_suites()) as running:
        for entry in built_suites(opened, suite):
            there = built_cells(opened, entry, cells)
            for name, kind in judges_of(entry.protocol.judges, entries).items():
                run_judge(running, entry, name, models, there, kind.asks_model)


@app.command()
def report(
    suite: SuitesOption = None,
    together: Annotated[
        bool, typer.Option("--together", help="Also one page with these suites side by side: how they differ.")
    ] = False,
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
    for entry in suites:
        _print_leaderboard(opened, entry)
        print(f"\nreport: {(opened.report_folder(entry.name) / 'report.html').absolute()}")
    if together:
        print(f"\nside by side: {write_side_by_side(opened, suites, registry().models).absolute()}")


def _print_leaderboard(lake: Any, suite: Any) -> None:
    headline, shares = suite.protocol.headline, suite.protocol.board_columns

    def shown(value: float) -> str:
        return f"{100 * value:.1f}" if suite.protocol.percent else f"{value:.2f}"

    unit = " %" if suite.protocol.percent else ""
    print(f"\n{suite.name}\n{'':3} {'model':24} {'judge':8} {headline:>22}" + "".join(f"{c:>17}" for c in shares))
    for row in lake.read(suite.result("leaderboard")).to_pylist():
        value, low, high = (row[headline + end] for end in ("", "_low", "_high"))
        interval = "–" if value is None else f"{shown(value)}{unit} [{shown(low)}, {shown(high)}]"
        numbers = ["–" if row[name] is None else shown(row[name]) for name in shares]
        print(
            f"{row['rank'] or '':3} {row['model']:24} {row['judge']:8} {interval:>22}"
            + "".join(f"{number:>17}" for number in numbers)
        )
