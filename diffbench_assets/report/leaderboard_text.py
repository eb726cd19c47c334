"""The leaderboard as Markdown, as LaTeX (booktabs) and as CSV: for a README, for a paper, for other programs.

Belongs here: all notations and their escaping. Does not belong here: the HTML table.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pyarrow as pa

from diffbench_assets.report.groups import Group, grouped
from diffbench_assets.report.results import Row, SuiteResults
from diffbench_assets.report.wording import decimal, percent, span


class Column(NamedTuple):
    """Heading, column of the leaderboard, which end is best (None: none is), how a row shows it."""

    heading: str
    name: str
    best: Callable[[list[float]], float] | None = max
    show: Callable[[Row, str], str] = lambda row, name: percent(row[name])


def interval_of(metric: str) -> Callable[[Row, str], str]:
    """Shows the 95 % interval of `metric`."""
    return lambda row, _: span(row[f"{metric}_low"], row[f"{metric}_high"])


def two_digits(row: Row, name: str) -> str:
    return decimal(row[name])


def by_access(result: SuiteResults) -> list[Group]:
    return grouped(result.board, result.tables.facts)


@dataclass(frozen=True)
class Layout:
    """What a protocol's leaderboard shows."""

    columns: Sequence[Column]
    note: str
    under_judge: bool
    """Whether the heading names the judge."""
    groups: Callable[[SuiteResults], list[Group]] = by_access
    headline: str = "accuracy"
    """The metric that models are ranked by."""
    percent: bool = True
    """Whether it is a share."""


def rows_as_csv(board: pa.Table) -> str:
    """Every column of every judge's leaderboard, numbers as they are."""
    text = io.StringIO()
    written = csv.writer(text, lineterminator="\n")
    written.writerow(board.column_names)
    written.writerows(zip(*(board[name].to_pylist() for name in board.column_names), strict=True))
    return text.getvalue()


def markdown(suite: str, results: Sequence[SuiteResults], layout: Layout) -> str:
    """One table a judge; the best number of each column in bold."""
    columns = layout.columns
    lines = [f"# Leaderboard of {_markdown(suite)}", ""]
    if not results:
        lines += ["No judge has given a verdict yet.", ""]
    for result in results:
        lines += [f"## Judge {_markdown(result.judge)}", ""] if layout.under_judge else []
        lines += [f"| Rank | Model | {' | '.join(_markdown(column.heading) for column in columns)} |"]
        lines += ["|---:|:---" + "|---:" * len(columns) + "|"]
        best = _best(result.board, columns)
        for group in layout.groups(result):
            if group.name:
                lines += [f"| | **{_markdown(group.name)}** |" + " |" * len(columns)]
            for row in group.rows:
                cells = _cells(row, columns, best, lambda value: f"**{value}**")
                lines += [f"| {row['rank'] or ''} | {_markdown(row['model'])} | {' | '.join(cells)} |"]
        lines += [""]
    return "\n".join([*lines, layout.note, ""])


def latex(suite: str, results: Sequence[SuiteResults], layout: Layout) -> str:
    """One table environment a judge. Needs booktabs; every name is escaped."""
    columns = layout.columns
    lines = ["% \\usepackage{booktabs}"]
    for result in results:
        best = _best(result.board, columns)
        names = " & ".join(_latex(column.heading) for column in columns)
        under = f" under judge {_latex(result.judge)}" if layout.under_judge else ""
        lines += [
            "\\begin{table}",
            "\\centering",
            f"\\caption{{{_latex(suite)}{under}. {_latex(layout.note)}}}",
            f"\\begin{{tabular}}{{l{'r' * len(columns)}}}",
            "\\toprule",
            f"Model & {names} \\\\",
            "\\midrule",
        ]
        for place, group in enumerate(layout.groups(result)):
            lines += ["\\midrule"] if place else []
            lines += [_latex_heading(group, columns)] if group.name else []
            for row in group.rows:
                cells = _cells(row, columns, best, lambda value: f"\\textbf{{{value}}}")
                lines += [f"{_latex(row['model'])} & {' & '.join(cells)} \\\\".replace("–", "--")]
        lines += ["\\bottomrule", "\\end{tabular}", "\\end{table}", ""]
    return "\n".join(lines) + ("" if results else "\n% No judge has given a verdict yet.\n")


def _latex_heading(group: Group, columns: Sequence[Column]) -> str:
    return f"\\multicolumn{{{len(columns) + 1}}}{{l}}{{\\emph{{{_latex(group.name)}}}}} \\\\"


def _cells(row: Row, columns: Sequence[Column], best: dict[str, str], emphasise: Callable[[str], str]) -> list[str]:
    shown = [column.show(row, column.name) for column in columns]
    return [
        emphasise(value) if value == best.get(column.name) else value
        for value, column in zip(shown, columns, strict=True)
    ]


def _best(board: Sequence[Row], columns: Sequence[Column]) -> dict[str, str]:
    """Column → its best number as shown, where models differ at all."""
    found = {}
    for column in columns:
        values = [row[column.name] for row in board if row.get(column.name) is not None]
        if column.best and len(set(values)) > 1:
            found[column.name] = column.show({column.name: column.best(values)}, column.name)
    return found


def _markdown(name: str) -> str:
    return re.sub(r"([\\`*_{}\[\]()<>#!|~&])", r"\\\1", " ".join(name.split()))


_LATEX = {
    "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_", "{": "\\{", "}": "\\}",
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}",
    "|": "\\textbar{}",
}  # fmt: skip


def _latex(name: str) -> str:
    return "".join(_LATEX.get(character, character) for character in " ".join(name.split()))
