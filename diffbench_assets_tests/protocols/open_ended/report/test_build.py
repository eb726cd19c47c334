"""What `build_report` writes, from full suites and from ones that lack almost everything."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pyarrow as pa
import pytest

from diffbench_assets.protocols.open_ended.report.build import build_report
from diffbench_assets.protocols.open_ended.report.results import JudgeResults
from diffbench_assets.protocols.open_ended.results import OpenEndedTables
from diffbench_assets.report import files
from diffbench_assets.report.output import ReportFiles
from diffbench_assets_tests.protocols.open_ended.report.suite import report_tables, rows


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def words(html: Path) -> str:
    """The page without script data and tags, white space collapsed."""
    page = re.sub(r"<(script|style)\b.*?</\1>", "", html.read_text(), flags=re.S)
    return " ".join(re.sub(r"<[^>]+>", "", page).split())


def test_equal_tables_give_equal_bytes_whatever_the_row_order(
    tables: OpenEndedTables, report: ReportFiles, tmp_path: Path
) -> None:
    raw = {name: getattr(tables, name) for name in ("pairs", "responses", "verdicts")}
    turned = {name: table.take(pa.array(range(table.num_rows - 1, -1, -1))) for name, table in raw.items()}
    build_report(replace(tables, **turned), tmp_path)
    assert contents(tmp_path) == contents(report.html.parent)


def test_every_judge_has_its_own_figures_as_svg_and_pdf(report: ReportFiles) -> None:
    names = {path.name for path in report.figures}
    for judge in ("rules", "model-judge"):
        for figure in ("sensitivity_restraint", "tiers", "operators", "domains", "inside_change", "clip_distance"):
            assert {f"{figure}-{judge}.svg", f"{figure}-{judge}.pdf"} <= names
    for path in report.figures:
        if path.suffix == ".svg":
            root = ElementTree.fromstring(path.read_bytes())
            assert root.findall(".//{http://www.w3.org/2000/svg}text"), f"{path.name} has its text as outlines"
        else:
            assert path.read_bytes().startswith(b"%PDF-") and b"CreationDate" not in path.read_bytes()


def test_numbers_on_the_page_are_those_of_the_tables(tables: OpenEndedTables, report: ReportFiles) -> None:
    text = words(report.html)
    for row in tables.leaderboard.to_pylist():
        if row["accuracy"] is not None:
            value, low, high = (100 * row[name] for name in ("accuracy", "accuracy_low", "accuracy_high"))
            assert f"{value:.1f} {low:.1f}–{high:.1f}" in text
    kappa = next(row for row in tables.agreement.to_pylist() if row["measure"] == "kappa" and row["model"] == "all")
    assert f"{kappa['value']:.2f} {kappa['ci_low']:.2f} to {kappa['ci_high']:.2f}" in text
    assert "26 pairs of screenshots from 26 pages: 18 pairs with one known change (3 operators)" in text


def test_comparisons_name_the_better_model_first_with_its_interval(tables: OpenEndedTables) -> None:
    given = {
        frozenset((row["model_a"], row["model_b"])): row
        for row in tables.comparisons.to_pylist()
        if row["judge"] == "rules" and row["metric"] == "recall"
    }
    shown = JudgeResults(tables, "rules").comparisons("recall")
    assert any(row["difference"] < 0 for row in given.values()), "the suite does not test what it should"
    for row in shown:
        original = given[frozenset((row["model_a"], row["model_b"]))]
        sign = 1 if original["model_a"] == row["model_a"] else -1
        assert row["difference"] == sign * original["difference"] >= 0
        assert {row["ci_low"], row["ci_high"]} == {sign * original["ci_low"], sign * original["ci_high"]}
        assert row["ci_low"] <= row["ci_high"] and row["only_a"] >= row["only_b"]


def test_scores_of_different_judges_stand_in_different_sections(report: ReportFiles) -> None:
    sections = re.findall(r'<section id="scores-([^"]+)".*?</section>', report.html.read_text(), flags=re.S)
    assert sections == ["model-judge", "rules"]  # the embedded judge last


def test_models_are_grouped_by_access_and_baselines_stand_apart(report: ReportFiles) -> None:
    groups = re.findall(r'scope="rowgroup" colspan="\d+">([^<]+)<', report.html.read_text())
    assert groups == ["Proprietary", "Open weight", "Baselines"] * 2


def test_a_file_that_cannot_be_finished_leaves_the_earlier_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = files.write(tmp_path / "report.html", "earlier")

    def full_disk(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", full_disk)
    with pytest.raises(OSError, match="no space left"):
        files.write(target, "later")
    assert contents(tmp_path) == {"report.html": b"earlier"}


def test_tables_of_another_suite_are_refused(tables: OpenEndedTables, tmp_path: Path) -> None:
    other = tables.leaderboard.set_column(0, "suite", pa.array(["webdiff_mcq"] * tables.leaderboard.num_rows))
    with pytest.raises(ValueError, match="leaderboard: rows of suite webdiff_mcq, but the pairs are of webdiff"):
        build_report(replace(tables, leaderboard=other), tmp_path)


class TestWhatIsMissingIsSaid:
    """Every case still gives a whole report."""

    def report(self, tmp_path: Path, pairs: list[dict], responses: list[dict], verdicts: list[dict]) -> str:
        built = build_report(report_tables(pairs, responses, verdicts), tmp_path)
        assert built.leaderboard_md.read_text() and built.leaderboard_tex.read_text()
        return words(built.html)

    def test_one_model_and_only_the_embedded_judge(self, tmp_path: Path) -> None:
        figures = tmp_path / "figures"
        figures.mkdir()
        for name in ("tiers-judge-of-old.svg", "my-own-plot.svg"):
            (figures / name).touch()
        text = self.report(tmp_path, *rows(["only"], operators=("color",), no_diff=2))
        assert not (figures / "tiers-judge-of-old.svg").exists(), "an earlier report's figure stayed"
        assert (figures / "my-own-plot.svg").exists()
        assert "Only one model: nothing to compare." in text
        assert "Only one judge, rules, which is the embedded one: no model judged these answers" in text
        assert "it needs at least two ranked models and cells of at least ten pairs" in text

    def test_no_price_no_clip_and_no_pairs_without_a_change(self, tmp_path: Path) -> None:
        pairs, responses, verdicts = rows(["a", "b"], operators=("color",), no_diff=0)
        pairs = [row | {"clip_distance": None} for row in pairs]
        responses = [row | {"cost_usd": None} for row in responses]
        text = self.report(tmp_path, pairs, responses, verdicts)
        assert "The suite has no pairs without a change" in text
        assert "CLIP distance of the two images: not shown, because no pair carries it." in text
        assert "No cost: no model has a price" in text
        assert "and the suite has no pairs without a change." in text

    def test_only_pairs_without_a_change(self, tmp_path: Path) -> None:
        text = self.report(tmp_path, *rows(["a"], operators=(), no_diff=3))
        assert "The suite has no pairs with a change: recall is not defined." in text

    def test_no_responses(self, tmp_path: Path) -> None:
        pairs, _, _ = rows(["a"], operators=("color",), no_diff=2)
        text = self.report(tmp_path, pairs, [], [])
        assert "No model has answered yet." in text

    def test_responses_that_nobody_judged(self, tmp_path: Path) -> None:
        pairs, responses, _ = rows(["a"], operators=("color",), no_diff=2)
        text = self.report(tmp_path, pairs, responses, [])
        assert "No judge has given a verdict yet, so there are no scores." in text
        assert "How the answers ended" in text

    def test_answers_that_all_failed_have_no_score(self, tmp_path: Path) -> None:
        pairs, responses, verdicts = rows(["a"], operators=("color",), no_diff=2)
        responses = [row | {"outcome": "error", "text": None, "error": "HTTP 500"} for row in responses]
        text = self.report(tmp_path, pairs, responses, verdicts)
        assert "no score: 5 of 5 pairs have no verdict" in text
