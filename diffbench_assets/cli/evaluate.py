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
    from diffbench_assets.models.asking import answers
    from diffbench_assets.protocols.protocol import baselines_of

    opened, known = open_lake(lake), registry().models
    models = chosen(model, known, "model")
    with graph(spending=spending("eval", budget_usd, budget_calls)) as running:
        for entry in built_suites(opened, suite):
            able = [name for name in models if answers(known[name], baselines_of(entry.protocol))]
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
    """Judges what the models answered; every judge makes its own verdicts, and the key decides multiple choice."""
    from diffbench_assets.cli.running import graph
    from diffbench_assets.cli.running import judge as run_judge
    from diffbench_assets.protocols.multiple_choice.score import EXACT
    from diffbench_assets.suites import OPEN_ENDED

    opened, known = open_lake(lake), registry()
    models, judges = chosen(model, known.models, "model"), chosen(judge, known.judges, "judge")
    with graph() as running:
        for entry in built_suites(opened, suite):
            there = built_cells(opened, entry, cells)
            for name in judges if entry.protocol == OPEN_ENDED else [EXACT]:
                replies = name != EXACT and not known.judges[name].embedded
                run_judge(running, entry, name, models, there, replies)


@app.command()
def report(suite: SuitesOption = None, lake: LakeOption = None) -> None:
    """Computes every number, prints the leaderboards and writes the reports."""
    from diffbench_assets.cli.running import graph

    opened = open_lake(lake)
    suites = built_suites(opened, suite)
    with graph() as running:
        for entry in suites:
            running.run([entry.name, "metrics"])
            running.run([entry.name, "report"])
    for entry in suites:
        _print_leaderboard(opened, entry)
        print(f"\nreport: {(opened.report_folder(entry.name) / 'report.html').absolute()}")


def _print_leaderboard(lake: Any, suite: Any) -> None:
    from diffbench_assets.protocols.results import results_of

    shares = results_of(suite).board_columns[4:]
    print(f"\n{suite.name}\n{'':3} {'model':24} {'judge':8} {'accuracy':>22}" + "".join(f"{c:>17}" for c in shares))
    for row in lake.read(suite.table("leaderboard")).to_pylist():
        value, low, high = (row[name] for name in ("accuracy", "accuracy_low", "accuracy_high"))
        interval = "–" if value is None else f"{100 * value:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
        numbers = ["–" if row[name] is None else f"{100 * row[name]:.1f}" for name in shares]
        print(
            f"{row['rank'] or '':3} {row['model']:24} {row['judge']:8} {interval:>22}"
            + "".join(f"{number:>17}" for number in numbers)
        )
