"""The leaderboard as Markdown and as LaTeX (booktabs), for a README and for a paper.

Belongs here: both notations and their escaping. Does not belong here: the HTML table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from diffbench_assets.report.groups import Group, grouped
from diffbench_assets.report.results import JudgeResults, Row
from diffbench_assets.report.wording import decimal, percent, span

COLUMNS: tuple[tuple[str, str, bool], ...] = (
    ("Easy", "recall_easy", True),
    ("Medium", "recall_medium", True),
    ("Hard", "recall_hard", True),
    ("Recall", "recall", True),
    ("Specificity", "specificity", True),
    ("Accuracy", "accuracy", True),
    ("95 % interval", "accuracy_interval", True),
    ("False claims per answer", "hallucinations_per_answer", False),
    ("Coverage", "coverage", True),
)
"""Heading, column of the leaderboard, whether more is better."""

NOTE = (
    "Scores in percent. Unscored pairs stay in the denominator; coverage is the share of pairs with a verdict. "
    "Intervals: bootstrap over source pages."
)


def markdown(suite: str, results: Sequence[JudgeResults]) -> str:
    """One table a judge; the best number of each column in bold."""
    lines = [f"# Leaderboard of {_markdown(suite)}", ""]
    if not results:
        lines += ["No judge has given a verdict yet.", ""]
    for result in results:
        lines += [f"## Judge {_markdown(result.judge)}", ""]
        lines += [f"| Rank | Model | {' | '.join(name for name, _, _ in COLUMNS)} |"]
        lines += ["|---:|:---" + "|---:" * len(COLUMNS) + "|"]
        best = _best(result.board)
        for group in grouped(result.board, result.tables.facts):
            if group.name:
                lines += [f"| | **{_markdown(group.name)}** |" + " |" * len(COLUMNS)]
            for row in group.rows:
                cells = _cells(row, best, lambda value: f"**{value}**")
                lines += [f"| {row['rank'] or ''} | {_markdown(row['model'])} | {' | '.join(cells)} |"]
        lines += [""]
    return "\n".join([*lines, NOTE, ""])


def latex(suite: str, results: Sequence[JudgeResults]) -> str:
    """One table environment a judge. Needs booktabs; every name is escaped."""
    lines = ["% \\usepackage{booktabs}"]
    for result in results:
        best = _best(result.board)
        names = " & ".join(_latex(name) for name, _, _ in COLUMNS)
        lines += [
            "\\begin{table}",
            "\\centering",
            f"\\caption{{{_latex(suite)} under judge {_latex(result.judge)}. {_latex(NOTE)}}}",
            f"\\begin{{tabular}}{{l{'r' * len(COLUMNS)}}}",
            "\\toprule",
            f"Model & {names} \\\\",
            "\\midrule",
        ]
        for place, group in enumerate(grouped(result.board, result.tables.facts)):
            lines += ["\\midrule"] if place else []
            lines += [_latex_heading(group)] if group.name else []
            for row in group.rows:
                cells = _cells(row, best, lambda value: f"\\textbf{{{value}}}")
                lines += [f"{_latex(row['model'])} & {' & '.join(cells)} \\\\".replace("–", "--")]
        lines += ["\\bottomrule", "\\end{tabular}", "\\end{table}", ""]
    return "\n".join(lines) + ("" if results else "\n% No judge has given a verdict yet.\n")


def _latex_heading(group: Group) -> str:
    return f"\\multicolumn{{{len(COLUMNS) + 1}}}{{l}}{{\\emph{{{_latex(group.name)}}}}} \\\\"


def _cells(row: Row, best: dict[str, str], emphasise: Callable[[str], str]) -> list[str]:
    shown = [_shown(row, column) for _, column, _ in COLUMNS]
    return [
        emphasise(value) if value == best.get(column) else value
        for value, (_, column, _) in zip(shown, COLUMNS, strict=True)
    ]


def _best(board: Sequence[Row]) -> dict[str, str]:
    """Column → its best number as shown, where models differ at all."""
    found = {}
    for _, column, more in COLUMNS:
        values = [row[column] for row in board if row.get(column) is not None]
        if column != "coverage" and len(set(values)) > 1:
            found[column] = _shown({column: max(values) if more else min(values)}, column)
    return found


def _shown(row: Row, column: str) -> str:
    if column == "accuracy_interval":
        return span(row["accuracy_low"], row["accuracy_high"])
    return decimal(row[column]) if column == "hallucinations_per_answer" else percent(row[column])


def _markdown(name: str) -> str:
    return re.sub(r"([\\`*_{}\[\]()<>#!|~&])", r"\\\1", " ".join(name.split()))


_LATEX = {
    "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_", "{": "\\{", "}": "\\}",
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}",
    "|": "\\textbar{}",
}  # fmt: skip


def _latex(name: str) -> str:
    return "".join(_LATEX.get(character, character) for character in " ".join(name.split()))
