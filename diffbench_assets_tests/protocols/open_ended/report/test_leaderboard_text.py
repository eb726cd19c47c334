"""The leaderboard in Markdown and LaTeX."""

from __future__ import annotations

import pyarrow as pa

from diffbench_assets.protocols.open_ended.report.layout import LAYOUT
from diffbench_assets.protocols.open_ended.report.results import JudgeResults
from diffbench_assets.protocols.open_ended.results import OpenEndedTables
from diffbench_assets.report.leaderboard_text import latex, markdown
from diffbench_assets_tests.protocols.open_ended.report.suite import report_tables, rows

HOSTILE = r"a_b|c**d** & 100% $x$ #1 {e} \input{f} ~^<script>`"


def results(tables: OpenEndedTables) -> list[JudgeResults]:
    return [JudgeResults(tables, judge) for judge in sorted(pa.compute.unique(tables.leaderboard["judge"]).to_pylist())]


def test_markdown_has_a_table_a_judge_with_the_best_number_in_bold(tables: OpenEndedTables) -> None:
    text = markdown("webdiff", results(tables), LAYOUT)
    assert text.count("| Rank | Model |") == 2
    best = max(row["accuracy"] for row in tables.leaderboard.to_pylist() if row["judge"] == "rules")
    assert f"**{100 * best:.1f}**" in text.split("## Judge rules")[1]
    widths = {line.count("|") for line in text.splitlines() if line.startswith("|")}
    assert len(widths) == 1, "a row with more or fewer cells than the others"


def test_latex_uses_booktabs_and_closes_what_it_opens(tables: OpenEndedTables) -> None:
    text = latex("webdiff", results(tables), LAYOUT)
    for rule in ("\\toprule", "\\bottomrule", "\\begin{table}", "\\end{table}", "\\end{tabular}"):
        assert text.count(rule) == 2
    assert "\\emph{Open weight}" in text


def test_names_cannot_break_out_of_their_cell() -> None:
    pairs, responses, verdicts = rows([HOSTILE], operators=("color",), no_diff=1)
    tables = report_tables(pairs, responses, verdicts)
    row = next(line for line in markdown("s", results(tables), LAYOUT).splitlines() if "script" in line)
    assert r"a\_b\|c\*\*d\*\*" in row and r"\<script\>" in row
    row = next(line for line in latex("s", results(tables), LAYOUT).splitlines() if "script" in line)
    assert r"a\_b\textbar{}c**d** \& 100\% \$x\$ \#1 \{e\} \textbackslash{}input\{f\}" in row
    assert r"\textasciitilde{}\textasciicircum{}\textless{}script\textgreater{}" in row


def test_without_verdicts_both_say_so() -> None:
    assert "No judge has given a verdict yet." in markdown("s", [], LAYOUT)
    assert "No judge has given a verdict yet." in latex("s", [], LAYOUT)
