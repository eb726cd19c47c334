"""The page of a multiple-choice suite in a real browser: its questions, filters, hostile texts, a phone."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from diffbench_assets.protocols.multiple_choice.prompt import question_prompt
from diffbench_assets.protocols.multiple_choice.report.build import build_choice_report
from diffbench_assets.protocols.multiple_choice.results import MultipleChoiceTables
from diffbench_assets.report.output import ReportFiles
from diffbench_assets_tests.protocols.multiple_choice.report.suite import choice_tables, pictured, worded
from diffbench_assets_tests.protocols.multiple_choice.statistics.synthetic import (
    LETTERS,
    answered,
    question,
    response,
    rotated,
    suite,
    verdict,
)
from diffbench_assets_tests.protocols.open_ended.report.suite import screenshot
from diffbench_assets_tests.protocols.open_ended.report.test_hostile import ATTACKS, EVERYTHING
from diffbench_assets_tests.protocols.open_ended.report.test_page import pixels, slide, stage
from diffbench_assets_tests.report.opened import Watched


@pytest.fixture
def page(watched: Watched, choice_report: ReportFiles) -> Page:
    return watched.open(choice_report.html)


def chosen(page: Page) -> str:
    return page.locator(".where a").inner_text()


def open_question(page: Page, question_id: str) -> None:
    page.evaluate("id => { location.hash = '#question=' + id; }", question_id)
    page.locator(".where a", has_text=question_id).wait_for()


def test_the_file_alone_shows_everything_and_asks_for_nothing(
    watched: Watched, choice_report: ReportFiles, tmp_path: Path
) -> None:
    mailed = tmp_path / "attachment.html"
    mailed.write_bytes(choice_report.html.read_bytes())
    page = watched.open(mailed)
    page.locator("#list a").nth(3).click()
    stage(page)
    assert watched.errors == [] and all(url.startswith("data:") for url in watched.requests[1:])


def test_images_stand_in_the_order_in_which_the_model_saw_them(page: Page, choice: MultipleChoiceTables) -> None:
    for order in ("forward", "backward"):
        row = next(
            row for row in choice.questions.to_pylist()
            if row["order"] == order and row["category"] == "appearance" and row["rotation"] == 0
        )  # fmt: skip
        open_question(page, row["question_id"])
        page.locator("#show-boxes").uncheck()
        before, after = (pixels(screenshot(int(row["pair_id"]) % 8, changed)) for changed in (False, True))
        first, second = (before, after) if order == "forward" else (after, before)
        slide(page, 0)
        page.evaluate("document.querySelectorAll('.side').forEach((side) => side.remove())")
        assert np.array_equal(stage(page), first)
        slide(page, 100)
        assert np.array_equal(stage(page), second)
        assert page.locator(".ends").inner_text().split("\n") == ["image A", "image B"]


def test_the_right_option_is_marked_and_every_choice_stands_at_its_option(
    page: Page, choice: MultipleChoiceTables
) -> None:
    asked = {row["question_id"]: row for row in choice.questions.to_pylist()}
    completed = [row for row in choice.verdicts.to_pylist() if row["choice"]]
    row = asked[next(row["item_id"] for row in completed if row["error_kind"] == "competing_change")]
    open_question(page, row["origin_id"])
    row = asked[row["origin_id"]]
    options = page.locator(".options li")
    assert options.count() == 4 and page.locator(".answer-option").count() == 1
    for letter, option in zip(LETTERS, options.all(), strict=True):
        text = option.inner_text()
        assert text.startswith(letter) and row["options"][letter] in text
        assert ("✓ right" in text) == (letter == row["answer"])
        by = {v["model"] for v in completed if v["item_id"] == row["question_id"] and v["choice"] == letter}
        assert set(option.locator(".choosers bdi").all_inner_texts()) == by
    assert page.get_by_text("false: another subject, programmatic").count() in (2, 3)


@pytest.mark.parametrize(
    ("shown", "kinds"),
    [
        ("right", {None}),
        ("wrong", {"missed_change", "competing_change", "false_alarm", "invalid"}),
        ("missed", {"missed_change"}),
        ("competing", {"competing_change"}),
        ("alarm", {"false_alarm"}),
        ("invalid", {"invalid"}),
    ],
)
def test_filters_agree_with_the_tables(page: Page, choice: MultipleChoiceTables, shown: str, kinds: set) -> None:
    asked = {row["question_id"] for row in choice.questions.to_pylist() if row["rotation"] == 0}
    page.locator("#f-model").select_option("weak")
    page.locator("#f-verdict").select_option(shown)
    wanted = {
        row["item_id"]
        for row in choice.verdicts.to_pylist()
        if row["model"] == "weak" and row["choice"] and row["error_kind"] in kinds and row["item_id"] in asked
    }
    assert wanted, "the suite does not test what it should"
    found = page.eval_on_selector_all("#list a", "all => all.map((a) => decodeURIComponent(a.hash.split('=')[1]))")
    assert page.locator("#found").inner_text() == f"{len(wanted)} of 53 questions"
    assert set(found) <= wanted and len(found) == min(40, len(wanted))


def test_categories_and_words_filter_too(page: Page) -> None:
    page.locator("#f-category").select_option("noise")
    assert {text.split("\n")[0] for text in page.locator("#list a").all_inner_texts()} == {"noise"}
    page.get_by_role("button", name="Clear").click()
    page.locator("#f-text").fill("cannot decide")
    assert page.locator("#list a").count() > 0
    page.locator("#list a").first.click()
    assert "✗ no clear letter" in page.locator("#pair").inner_text()


def test_rotated_copies_are_shown_as_letters_of_the_question(watched: Watched, tmp_path: Path) -> None:
    pairs, questions = [pictured("1", "noise")], [worded(question("q", "1", "noise"))]
    asked = [questions[0], *(rotated(questions[0], r) for r in (1, 2, 3))]
    choices = [asked[0]["answer"], asked[1]["answer"], "invalid", asked[3]["no_difference_label"]]
    built = build_choice_report(choice_tables(pairs, asked, *answered(asked, {"m": choices})), tmp_path)
    page = watched.open(built.html)
    assert page.locator("#found").inner_text() == "1 question"
    assert "With the options rotated, as letters of this question: A, invalid, B" in page.locator("#pair").inner_text()


def test_whatever_was_written_stays_text(watched: Watched, tmp_path: Path) -> None:
    options = {letter: f"{letter} {EVERYTHING}" for letter in LETTERS}
    false = {"text": EVERYTHING, "strategy": EVERYTHING, "origin": EVERYTHING}
    hostile = {
        "category": EVERYTHING, "group": EVERYTHING, "cell": EVERYTHING, "options": options, "review": EVERYTHING,
        "distractors": [false, false],
    }  # fmt: skip
    pairs = [pictured(EVERYTHING, "noise", domain=EVERYTHING, style=EVERYTHING, language=EVERYTHING, tier=EVERYTHING)]
    questions = [question(f"{EVERYTHING}{i}", EVERYTHING, "noise", i) | hostile for i in range(2)]
    responses = [response(row, EVERYTHING, text=EVERYTHING, error=EVERYTHING) for row in questions]
    verdicts = [
        verdict(questions[0], EVERYTHING, None, unscored_reason=EVERYTHING),
        verdict(questions[1], EVERYTHING, "A"),
    ]
    blind = [{"slice": "cell", "slice_value": EVERYTHING, "reader": EVERYTHING, "accuracy": 0.3, "ci_low": None,
              "ci_high": None, "chance": None, "p_value": None, "n": 2, "passed": True}]  # fmt: skip
    tables = choice_tables(pairs, questions, responses, verdicts, blind=blind, versions={EVERYTHING: EVERYTHING})
    page = watched.open(build_choice_report(tables, tmp_path).html)
    for place in range(2):
        page.locator("#list a").nth(place).click()
        page.locator(".stage").scroll_into_view_if_needed()
        assert page.locator(".options li div > span:first-child").first.text_content() == f"A {EVERYTHING}"
        assert page.locator(".said").first.text_content() == EVERYTHING
    page.locator("#f-text").fill("onerror")
    assert page.locator("#list a").count() == 2
    assert page.evaluate("window.hacked") is None
    assert watched.errors == [] and watched.outside() == []
    assert page.locator("script:not([type])").count() == 1
    assert page.locator("iframe, [onerror], [onload], img[src=x], svg[onload]").count() == 0
    assert ATTACKS[0] in page.locator("#blind").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_makes_the_page_wider(browser: Browser, choice_report: ReportFiles, scheme: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme, has_touch=True)  # type: ignore[arg-type]
    page = Watched(context.new_page()).open(choice_report.html)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    wide = page.eval_on_selector_all(
        "table, svg.figure",
        "all => all.filter((e) => e.getBoundingClientRect().right > 391 && !e.closest('.scroll')).length",
    )
    assert wide == 0
    context.close()


def test_structure_for_screen_readers(page: Page) -> None:
    doubles = "[...document.querySelectorAll('[id]')].map((e) => e.id).filter((id, i, all) => all.indexOf(id) !== i)"
    assert page.evaluate(doubles) == []
    for label in ("Category", "Group", "Domain", "Model", "Verdict"):
        assert page.get_by_role("combobox", name=label).count() == 1
    assert page.get_by_role("slider", name="Border between image A and image B").count() == 1
    assert page.get_by_role("list", name="Options").count() == 1
    page.locator("#list a").first.focus()
    page.keyboard.press("Enter")
    first = chosen(page)
    page.keyboard.press("j")
    assert chosen(page) != first
    for link in page.locator("header nav a").all():
        assert page.locator(link.get_attribute("href") or "").count() == 1


def test_no_column_of_the_leaderboard_is_cut(page: Page) -> None:
    assert page.viewport_size and page.viewport_size["width"] == 1280
    width, room = page.get_by_role("region", name="Leaderboard").evaluate("(e) => [e.scrollWidth, e.clientWidth]")
    assert width <= room


def test_a_cell_of_the_heat_map_opens_its_questions(page: Page) -> None:
    row = page.get_by_role("region", name="Accuracy by category and model").locator("tbody tr").first
    category, questions = row.locator("th").inner_text(), row.locator("td.num").inner_text()
    row.locator("td.cell a").first.click()
    expect(page.locator("#f-category")).to_have_value(category)
    assert page.locator("#found").inner_text().startswith(f"{questions} of ")


def test_the_prompt_is_shown_with_the_options_of_the_question(page: Page, choice: MultipleChoiceTables) -> None:
    row = next(row for row in choice.questions.to_pylist() if row["question_id"] == chosen(page))
    page.get_by_text("The prompt as sent").click()
    assert question_prompt(row["options"]) in page.locator(".prompt").inner_text()


def test_the_papers_size_is_built_and_opened_in_seconds(watched: Watched, tmp_path: Path) -> None:
    pairs, questions = suite()
    shown = [pictured(row["pair_id"], row["cell"], i % 8) for i, row in enumerate(pairs)]
    responses, verdicts = [], []
    for model in [f"model-{m}" for m in range(11)]:
        for i, row in enumerate(questions):
            responses.append(response(row, model, text="A."))
            verdicts.append(verdict(row, model, LETTERS[i % 4] if model > "model-5" else "A"))
    tables = choice_tables(shown, questions, responses, verdicts, replicates=100)
    started = time.process_time()
    built = build_choice_report(tables, tmp_path)
    assert time.process_time() - started < 20
    started = time.perf_counter()
    page = watched.open(built.html)
    assert time.perf_counter() - started < 20
    assert page.locator("#found").inner_text() == "1,756 questions"
