"""The page in a real browser: alone, with a keyboard, on a phone, without JavaScript."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from diffbench_assets.protocols.open_ended.prompt import question_prompt
from diffbench_assets.protocols.open_ended.report.build import build_report
from diffbench_assets.protocols.open_ended.results import OpenEndedTables
from diffbench_assets.report import images
from diffbench_assets.report.output import ReportFiles
from diffbench_assets_tests.protocols.open_ended.report.suite import QUOTE, report_tables, rows, screenshot
from diffbench_assets_tests.report.opened import Watched, wait_for_images


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def stage(page: Page) -> np.ndarray:
    """The viewer as it is painted, its images loaded, moved to whole pixels."""
    page.evaluate("Object.assign(document.querySelector('.viewer').style, {position: 'fixed', inset: '0', zIndex: 9})")
    wait_for_images(page)
    return pixels(page.screenshot(clip={"x": 0, "y": 0, "width": 320, "height": 200}))


def slide(page: Page, value: int) -> None:
    page.locator("#reel").fill(str(value))


def choose_recoloured(page: Page) -> None:
    page.locator("#f-operator").select_option("color")
    page.locator("#list a").first.click()


def test_the_file_alone_shows_everything_and_asks_for_nothing(
    watched: Watched, report: ReportFiles, tmp_path: Path
) -> None:
    mailed = tmp_path / "attachment.html"
    mailed.write_bytes(report.html.read_bytes())
    page = watched.open(mailed)
    choose_recoloured(page)
    stage(page)
    assert watched.requests[0] == mailed.as_uri()
    assert all(url.startswith("data:") for url in watched.requests[1:])
    assert watched.errors == []


def test_the_slider_goes_from_before_to_after(page: Page) -> None:
    choose_recoloured(page)
    page.locator("#show-boxes").uncheck()
    pair_id = page.locator(".where a").inner_text()
    before, after = (pixels(screenshot(int(pair_id) % 8, changed)) for changed in (False, True))
    slide(page, 0)
    page.evaluate("document.querySelectorAll('.side').forEach((side) => side.remove())")
    assert np.array_equal(stage(page), before)
    slide(page, 100)
    assert np.array_equal(stage(page), after)
    slide(page, 75)  # at 240 of 320 px, through the button that changed
    shown = stage(page)
    assert np.array_equal(shown[:, :234], after[:, :234]) and np.array_equal(shown[:, 246:], before[:, 246:])


def test_what_is_left_and_right_of_the_border_is_named(page: Page) -> None:
    choose_recoloured(page)
    for value, named in ((50, ["after", "before"]), (0, ["before"]), (100, ["after"])):
        slide(page, value)
        assert [side.inner_text() for side in page.locator(".side").all() if side.is_visible()] == named


def test_dragging_over_the_picture_moves_the_border(page: Page) -> None:
    choose_recoloured(page)
    box = page.locator(".stage").bounding_box()
    assert box
    page.mouse.move(box["x"] + 10, box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 60, steps=4)
    page.mouse.up()
    assert page.locator("#reel").input_value() == "25"


def test_everything_in_a_pair_works_from_the_keyboard(page: Page) -> None:
    page.locator("#list a").first.focus()
    page.keyboard.press("Enter")
    first = page.locator(".where a").inner_text()
    page.keyboard.press("j")
    second = page.locator(".where a").inner_text()
    assert second != first
    page.keyboard.press("k")
    assert page.locator(".where a").inner_text() == first
    page.locator("#reel").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#reel").input_value() == "51"
    assert "51 %" in (page.locator("#reel").get_attribute("aria-valuetext") or "")
    page.locator("#reel").focus()
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.id") == "reel", "the focus was lost when the pair changed"
    shown = "getComputedStyle(document.querySelectorAll('.layer')[1]).clipPath"
    at = page.evaluate(shown)
    for key, place in (("f", "#reel"), ("Space", "#hold")):
        page.locator(place).focus()
        page.keyboard.down(key)
        assert page.evaluate(shown) == "inset(0px 0% 0px 0px)" and page.locator("#reel").input_value() == "51"
        page.keyboard.up(key)
        assert page.evaluate(shown) == at, "what was shown before it was held comes back"
    page.locator("#f-text").focus()
    page.keyboard.type("jf")
    assert page.locator("#f-text").input_value() == "jf"


def test_keys_work_before_anything_is_clicked_while_the_gallery_is_in_view(page: Page) -> None:
    chosen = page.locator(".where a")
    first = chosen.inner_text()
    page.keyboard.press("j")
    assert chosen.inner_text() == first, "the scores are in view"
    page.evaluate("document.getElementById('gallery').scrollIntoView()")
    page.keyboard.press("j")
    assert chosen.inner_text() != first


def test_the_pair_shown_is_one_that_the_filters_let_through(page: Page) -> None:
    listed = page.locator("#list a[aria-current]")
    for tier in ("hard", "easy", "medium"):
        page.locator("#f-tier").select_option(tier)
        assert f", {tier}" in page.locator("#pair h3").inner_text() and listed.count() == 1
    chosen = page.locator(".where a").inner_text()
    page.locator("#f-tier").select_option("")
    assert page.locator(".where a").inner_text() == chosen, "a pair that still fits stays"
    page.locator("#f-text").fill("said by nobody")
    assert page.locator("#pair").inner_text() == "No pair fits these filters."
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#pair h3")).to_have_count(1)


def test_filters_are_in_the_address(watched: Watched, report: ReportFiles) -> None:
    page = watched.open(report.html)
    page.locator("#f-tier").select_option("hard")
    page.locator("#f-judge").select_option("rules")
    page.locator("#f-text").fill("moved & gone")
    page.locator("#f-text").fill("")
    page.locator("#f-model").select_option("closed")
    found, pair = page.locator("#found").inner_text(), page.locator(".where a").inner_text()
    address = page.url.partition("#")[2]
    assert address == f"pair={pair}&tier=hard&judge=rules&model=closed"
    watched.page.goto("about:blank")
    page = watched.open(report.html, f"#{address}")
    assert (page.locator("#found").inner_text(), page.locator(".where a").inner_text()) == (found, pair)
    assert [page.locator(f"#f-{name}").input_value() for name in ("tier", "judge", "model")] == [
        "hard", "rules", "closed",
    ]  # fmt: skip


def test_pairs_that_one_model_gets_right_and_another_wrong(page: Page) -> None:
    models = page.eval_on_selector_all("#f-model option", "all => all.map((o) => o.value).filter(Boolean)")
    right, wrong = models[:2]
    page.locator("#f-model").select_option(right)
    page.locator("#f-verdict").select_option("right")
    page.locator("#f-but").select_option(wrong)
    squares = page.eval_on_selector_all(
        "#list .strip", "all => all.map((s) => [...s.querySelectorAll('i')].map((i) => i.title))"
    )
    assert squares
    for titles in squares:
        said = dict(title.split(": ", 1) for title in titles)
        assert said[right].startswith("right") and said[wrong].startswith("wrong")


def test_a_cell_of_a_heat_map_opens_its_pairs_and_tells_its_interval(page: Page) -> None:
    cell = page.locator(".heat td.cell a").first
    assert "%" in (cell.get_attribute("title") or "") and "–" in (cell.get_attribute("title") or "")
    row = page.locator(".heat tbody tr").first
    operator, pairs = row.locator("th").inner_text(), row.locator("td.num").inner_text()
    cell.click()
    expect(page.locator("#f-operator")).to_have_value(operator)
    assert page.locator("#found").inner_text().startswith(f"{pairs} of ")


def test_the_squares_have_a_legend(page: Page) -> None:
    words = page.locator("#legend").inner_text()
    assert "One square for each model" in words and "right" in words and "wrong" in words


def test_the_prompt_is_shown_as_it_is_sent(page: Page) -> None:
    page.get_by_text("The prompt as sent").click()
    assert page.get_by_text(question_prompt().splitlines()[0]).is_visible()


def test_a_leaderboard_sorts_by_any_column(page: Page) -> None:
    board = page.get_by_role("region", name="Leaderboard").first

    def column(at: int) -> list[float]:
        rows = board.locator("tbody").first.locator("tr:not(.group)").all()
        return [float(row.locator("td").nth(at).inner_text().split()[0].replace("–", "-1")) for row in rows]

    head = board.get_by_role("button", name="Specificity")
    for order, backwards in (("descending", True), ("ascending", False)):
        head.click()
        assert head.locator("..").get_attribute("aria-sort") == order
        shown = [value for value in column(7) if value >= 0]
        assert shown == sorted(shown, reverse=backwards)


def test_a_result_in_a_sentence_and_every_judge_side_by_side_come_first(page: Page, tables: OpenEndedTables) -> None:
    best = [row for row in tables.leaderboard.to_pylist() if row["rank"] == 1]
    assert best
    first = page.locator(".result").all_inner_texts()
    for row in best:
        assert any(f"judge {row['judge']}" in said and f"{100 * row['accuracy']:.1f} %" in said for said in first)
    beside = page.get_by_role("region", name="Accuracy under every judge")
    assert beside.locator("thead th").count() == 1 + len({row["judge"] for row in tables.leaderboard.to_pylist()})
    assert page.locator("details.all[open]").count() == 1


def test_files_beside_the_page_are_linked_and_there(page: Page, report: ReportFiles) -> None:
    links = page.eval_on_selector_all(
        "a[href]:not([href^='#'])", "all => all.map((a) => decodeURIComponent(a.getAttribute('href')))"
    )
    assert {"leaderboard.csv", "leaderboard.md", "leaderboard.tex"} <= {*links}
    assert any(link.endswith(".pdf") for link in links)
    assert all((report.html.parent / link).is_file() for link in links)


def test_other_scripts_bring_their_fonts(watched: Watched, tmp_path: Path) -> None:
    pairs, responses, _ = rows(["a"], operators=("color",), no_diff=1)
    told = [pair | {"description": "The link “नमस्ते 日本 ไทย” is darker."} for pair in pairs]
    page = watched.open(build_report(report_tables(told, responses, []), tmp_path).html)
    load = "(text) => document.fonts.load(\"16px 'DiffBench Scripts'\", text).then((all) => all.map((f) => f.status))"
    for text in ("नमस्ते", "日本", "ไทย"):
        assert set(page.evaluate(load, text)) == {"loaded"}
    assert page.evaluate(load, "ქ") == [], "no more than what the page says"
    assert watched.errors == []


def test_the_changed_box_is_marked_where_it_is_and_can_be_hidden_and_zoomed_to(page: Page) -> None:
    choose_recoloured(page)
    frame, mark = (page.locator(name).bounding_box() for name in (".stage", ".change"))
    assert frame and mark
    assert mark["x"] - frame["x"] == pytest.approx(190.5 - 3, abs=1) and mark["width"] == pytest.approx(76, abs=2)
    page.locator("#show-zoom").check()
    mark = page.locator(".change").bounding_box()
    assert mark and mark["width"] > 140
    assert mark["x"] >= frame["x"] and mark["x"] + mark["width"] <= frame["x"] + frame["width"]
    page.locator("#show-boxes").uncheck()
    assert page.locator(".change").is_hidden()


def test_an_answer_shows_every_verdict_with_the_quote_marked_in_it(page: Page) -> None:
    choose_recoloured(page)
    page.locator("#f-verdict").select_option("right")
    page.locator("#list a").first.click()
    answer = page.locator(".answer", has=page.locator("mark")).first
    assert answer.locator("mark").inner_text() == QUOTE
    assert answer.locator(".said").get_attribute("dir") == "auto"
    judged = answer.locator(".verdict")
    assert [text.split(":")[0] for text in judged.all_inner_texts()] == ["Judge model-judge", "Judge rules"]
    page.locator("#f-verdict").select_option("claims")
    page.locator("#list a").first.click()
    assert "the logo moved to the left" in page.locator("#pair").inner_text()
    truth = page.locator("#pair").inner_text()
    assert "background-color" in truth and "rgb(11, 95, 208) → rgb(10, 107, 79)" in truth


def test_filters_agree_with_the_tables(page: Page, tables: OpenEndedTables) -> None:
    verdicts = [row for row in tables.verdicts.to_pylist() if row["judge"] == "rules" and row["model"] == "closed"]
    completed = {r["item_id"] for r in tables.responses.to_pylist() if r["outcome"] == "completed"}
    right = {row["pair_id"] for row in verdicts if row["verdict"] == "correct" and row["item_id"] in completed}
    wanted = {row["pair_id"] for row in tables.pairs.to_pylist() if row["tier"] == "easy"} & right
    page.locator("#f-judge").select_option("rules")
    page.locator("#f-model").select_option("closed")
    page.locator("#f-verdict").select_option("right")
    page.locator("#f-tier").select_option("easy")
    assert page.locator("#found").inner_text() == f"{len(wanted)} of 26 pairs"
    shown = [href.split("=")[1] for href in page.eval_on_selector_all("#list a", "all => all.map((a) => a.href)")]
    assert set(shown) == wanted
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#found")).to_have_text("26 pairs")
    page.locator("#f-text").fill("ROUNDED.hard")
    assert page.locator("#list a").count() == 2
    page.locator("#f-text").fill("green instead of blue")
    said = {row["pair_id"] for row in tables.responses.to_pylist() if "green instead" in row["text"]}
    assert page.locator("#list a").count() == len(said)
    page.locator("#f-text").fill("said by nobody")
    assert page.locator("#list a").count() == 0 and "nothing fits" in page.locator("#page-now").inner_text()


def test_a_pair_has_an_address(watched: Watched, report: ReportFiles) -> None:
    page = watched.open(report.html, "#pair=0011")
    assert page.locator(".where a").inner_text() == "0011"
    page.locator("#list a").first.click()
    assert page.url.endswith("#pair=" + page.locator(".where a").inner_text())
    page.evaluate("location.hash = '#pair=0005'")
    expect(page.locator(".where a")).to_have_text("0005")
    for nonsense in ("#pair=%E0%A4%A", "#pair=<img src=x>", "#pair=nobody"):
        watched.page.goto("about:blank")
        watched.open(report.html, nonsense)
    assert watched.errors == []


def test_images_beside_the_page_are_loaded_and_missed_with_a_word(
    watched: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(images, "EMBED_PAIRS", 0)
    pairs, responses, _ = rows(["a"], operators=("color",), no_diff=1)
    built = build_report(report_tables(pairs, responses, []), tmp_path / "whole")
    assert built.images and len(list(built.images.iterdir())) == 7
    page = watched.open(built.html)
    page.locator("#show-boxes").uncheck()
    slide(page, 100)
    page.evaluate("document.querySelectorAll('.side').forEach((side) => side.remove())")
    assert np.array_equal(stage(page), pixels(screenshot(0, True)))
    assert watched.errors == []
    alone = tmp_path / "alone.html"
    alone.write_bytes(built.html.read_bytes())
    page = watched.open(alone)
    page.locator(".stage").scroll_into_view_if_needed()
    page.get_by_text("The screenshots are not beside this file.").wait_for()
    assert page.locator(".answer").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_makes_the_page_wider(browser: Browser, report: ReportFiles, scheme: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme, has_touch=True)  # type: ignore[arg-type]
    page = Watched(context.new_page()).open(report.html)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    wide = page.eval_on_selector_all(
        "table.board, table.list, svg.figure", "all => all.filter((e) => e.getBoundingClientRect().right > 391).length"
    )
    assert wide == 0
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 24, 28)"}[scheme]
    context.close()


def test_the_numbers_need_no_javascript(browser: Browser, report: ReportFiles) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.html.as_uri())
    assert page.locator("table.board").count() == 3 and page.locator("svg.figure").first.is_visible()
    assert page.locator("#gallery noscript p").is_visible()
    context.close()


def test_structure_for_screen_readers(page: Page) -> None:
    assert (
        page.evaluate(
            "[...document.querySelectorAll('[id]')].map((e) => e.id).filter((id, i, all) => all.indexOf(id) !== i)"
        )
        == []
    )
    assert page.get_by_role("main").count() == 1 and page.get_by_role("navigation", name="Contents").count() == 1
    for label in ("Operator", "Tier", "Domain", "Judge", "Model", "Verdict"):
        assert page.get_by_role("combobox", name=label).count() == 1
    assert page.get_by_role("slider", name="Border between before and after").count() == 1
    for figure in page.locator("svg.figure").all():
        assert figure.get_attribute("role") == "img"
        assert figure.locator("> title").text_content() and figure.locator("text").count()
    assert (
        page.evaluate(
            "[...document.querySelectorAll('[aria-labelledby]')]"
            ".filter((e) => !document.getElementById(e.getAttribute('aria-labelledby'))).length"
        )
        == 0
    )
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the scores"
    assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
