"""What `build_choice_report` writes, from full suites and from ones that lack almost everything."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pyarrow as pa
import pytest

from diffbench_assets.protocols.multiple_choice.report.build import build_choice_report
from diffbench_assets.protocols.multiple_choice.report.results import ChoiceResults
from diffbench_assets.protocols.multiple_choice.results import MultipleChoiceTables
from diffbench_assets.report.output import ReportFiles
from diffbench_assets_tests.protocols.multiple_choice.report.suite import blind_rows, choice_tables, pictured, rows
from diffbench_assets_tests.protocols.multiple_choice.statistics.synthetic import answered, question
from diffbench_assets_tests.protocols.open_ended.report.test_build import contents, words


def test_equal_tables_give_equal_bytes_whatever_the_row_order(
    choice: MultipleChoiceTables, choice_report: ReportFiles, tmp_path: Path
) -> None:
    raw = {name: getattr(choice, name) for name in ("pairs", "questions", "responses", "verdicts")}
    turned = {name: table.take(pa.array(range(table.num_rows - 1, -1, -1))) for name, table in raw.items()}
    build_choice_report(replace(choice, **turned), tmp_path)
    assert contents(tmp_path) == contents(choice_report.html.parent)


def test_every_figure_is_there_as_svg_and_pdf(choice_report: ReportFiles) -> None:
    names = {f"{name}.{kind}" for name in ("accuracy", "categories", "groups", "outcomes", "positions")
             for kind in ("svg", "pdf")}  # fmt: skip
    assert {path.name for path in choice_report.figures} == names
    for path in choice_report.figures:
        if path.suffix == ".svg":
            root = ElementTree.fromstring(path.read_bytes())
            assert root.findall(".//{http://www.w3.org/2000/svg}text"), f"{path.name} has its text as outlines"


def test_numbers_on_the_page_are_those_of_the_tables(choice: MultipleChoiceTables, choice_report: ReportFiles) -> None:
    text = words(choice_report.html)
    scored = [row for row in choice.leaderboard.to_pylist() if row["accuracy"] is not None]
    assert scored
    for row in scored:
        value, low, high = (100 * row[name] for name in ("accuracy", "accuracy_low", "accuracy_high"))
        errors = [f"{100 * row[name]:.1f}" for name in ("missed_change", "competing_change", "false_alarm", "invalid")]
        assert f"{value:.1f} {low:.1f}–{high:.1f}" in text and " ".join(errors) in text
    assert "53 questions with four options about 44 pairs of images, in 10 categories of change" in text
    assert "on 5 questions nothing differs" in text
    p = next(row["accuracy_p"] for row in map(vars, ChoiceResults(choice).positions()) if row["accuracy_p"])
    assert f"{p:.3f}" in text


def test_outcomes_add_up_and_are_those_of_low_level_changes(choice: MultipleChoiceTables) -> None:
    results = ChoiceResults(choice)
    assert results.focus() == "low_level" and results.outcomes()
    for model, shares in results.outcomes().items():
        assert sum(shares.values()) == pytest.approx(1)
        row = results.metric(model, "missed_change", "group", "low_level")
        assert row and shares["missed_change"] == row["value"]


def test_both_leaderboards_end_with_what_guessing_scores(choice_report: ReportFiles) -> None:
    markdown, latex = choice_report.leaderboard_md.read_text(), choice_report.leaderboard_tex.read_text()
    assert "| Rank | Model | Accuracy | 95 % interval | Semantic | Low-level | OCR | Pair macro |" in markdown
    assert "Judge" not in markdown and "under judge" not in latex
    table = [line for line in markdown.splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in table}) == 1
    assert table[-2].startswith("|  | Random guess | 25.0 | – | 25.0 |")
    assert table[-1].startswith("|  | Informed guess | 30.2 | – | 33.3 |")  # a third of 48 in 53
    assert "Informed guess & 30.2" in latex
    assert "**25.0**" not in markdown, "a guess is no contender"


def test_the_blind_check_says_which_part_fails(tmp_path: Path) -> None:
    built = build_choice_report(choice_tables(*rows(["a"], 1, 0), blind=blind_rows(passed=False)), tmp_path)
    text = words(built.html)
    assert "2 of 3 checks found nothing above chance" in text
    assert "position text_model 61.0 56.0–66.0 33.3 &lt; 0.001 40 ✗ above chance" in text


class TestWhatIsMissingIsSaid:
    """Every case still gives a whole report."""

    def report(self, tmp_path: Path, tables: MultipleChoiceTables) -> str:
        built = build_choice_report(tables, tmp_path)
        assert built.leaderboard_md.read_text() and built.leaderboard_tex.read_text()
        return words(built.html)

    def test_no_responses(self, tmp_path: Path) -> None:
        pairs, questions, _, _ = rows(["a"], 1, 1)
        text = self.report(tmp_path, choice_tables(pairs, questions, [], []))
        assert "No model has answered yet, so there are no scores." in text
        assert "No blind check was made of these questions." in text

    def test_one_model_and_no_identical_pairs(self, tmp_path: Path) -> None:
        figures = tmp_path / "figures"
        figures.mkdir()
        for name in ("positions.svg", "my-own-plot.svg"):
            (figures / name).write_text("old")
        text = self.report(tmp_path, choice_tables(*rows(["only"], 2, 0, circular=False)))
        assert "Only one model: nothing to compare." in text
        assert "Specificity" not in text and "Circular" not in text and "False alarm" not in text
        assert (figures / "my-own-plot.svg").exists() and (figures / "positions.svg").read_text() != "old"

    def test_answers_that_all_failed_have_no_score(self, tmp_path: Path) -> None:
        pairs, questions, responses, verdicts = rows(["a"], 1, 0, circular=False, two_each=False)
        failed = [row | {"outcome": "error", "text": None, "error": "HTTP 500"} for row in responses]
        text = self.report(tmp_path, choice_tables(pairs, questions, failed, verdicts))
        assert "no score: 10 of 10 questions are unscored" in text
        assert "Not drawn: no model has an accuracy." in text

    def test_operator_families_take_the_place_of_the_groups(self, tmp_path: Path) -> None:
        families = {"color": "color", "border": "shape", "spacing": "layout"}
        pairs = [
            pictured(f"{i}", name, suite="webdiff") for i, name in enumerate(families)
        ]  # the pairs of another suite
        questions = [
            question(f"q{i}", f"{i}", "noise", i)
            | {"suite": "webdiff_mcq", "category": name, "group": family, "cell": f"{name}.easy"}
            for i, (name, family) in enumerate(families.items())
        ]
        choices = [row["answer"] for row in questions[:2]] + ["invalid"]
        tables = choice_tables(pairs, questions, *answered(questions, {"m": choices, "n": ["A", "B", "C"]}))
        text = self.report(tmp_path, tables)
        assert "By group of changes" in text and "low-level" not in text.lower()
        assert "| Color | Layout | Shape |" in (tmp_path / "leaderboard.md").read_text()
        assert (tmp_path / "figures" / "groups.svg").exists()


def test_tables_of_another_suite_are_refused(choice: MultipleChoiceTables, tmp_path: Path) -> None:
    other = choice.metrics.set_column(0, "suite", pa.array(["webdiff"] * choice.metrics.num_rows))
    with pytest.raises(ValueError, match="metrics: rows of suite webdiff, but the questions are of lowlevel_mcq"):
        build_choice_report(replace(choice, metrics=other), tmp_path)


def test_models_are_grouped_by_access_and_guessing_stands_last(choice_report: ReportFiles) -> None:
    groups = re.findall(r'scope="rowgroup" colspan="\d+">([^<]+)<', choice_report.html.read_text())
    assert groups == ["Proprietary", "Open weight", "Baselines", "Guessing"]
