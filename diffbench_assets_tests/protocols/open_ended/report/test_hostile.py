"""Whatever a model, a judge or an imported table wrote stays text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from diffbench_assets.protocols.open_ended.report.build import build_report
from diffbench_assets.report.output import ReportFiles
from diffbench_assets.report.page import script_json
from diffbench_assets_tests.protocols.open_ended.report.suite import pair, report_tables, response, verdict
from diffbench_assets_tests.report.opened import Watched

ATTACKS = (
    "<img src=x onerror=\"window.hacked='img';alert(1)\">",
    "</script><script>window.hacked='script';alert(1)</script>",
    "<!--<script>window.hacked='comment'",
    "</textarea></title></style></svg><svg onload=\"window.hacked='svg'\">",
    "\"'><iframe src=javascript:alert(1)></iframe>",
    "{{ 7 * 7 }}{% for %}${7*7}",
    "http://example.invalid/track.png ![x](http://example.invalid/x.png)",
    "line\u2028separator\u2029 \x00\x08\x1b[31m \u202eright to left",
    "</SCRIPT\t>]]>&lt;b&gt;&#60;i&#62;",
)
EVERYTHING = " ".join(ATTACKS)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> ReportFiles:
    """Attacks in every column that holds text, names included."""
    difference = {
        "kind": EVERYTHING, "target": dict.fromkeys(("tag", "role", "text", "location"), EVERYTHING),
        "property": EVERYTHING, "before": EVERYTHING, "after": EVERYTHING, "description": EVERYTHING + "!",
    }  # fmt: skip
    pairs = [
        pair(
            EVERYTHING, "color.easy", operator=EVERYTHING, family=EVERYTHING, domain=EVERYTHING, style=EVERYTHING,
            language=EVERYTHING, description=EVERYTHING, page_id=EVERYTHING, differences=[difference],
        ),
        pair("2", "no_diff", tier=EVERYTHING, description=EVERYTHING),
    ]  # fmt: skip
    responses = [response(row["pair_id"], EVERYTHING, EVERYTHING, error=EVERYTHING) for row in pairs]
    verdicts = [
        verdict(row["pair_id"], EVERYTHING, "correct" if row["operator"] else None, EVERYTHING, matched=matched,
                hallucinations=[EVERYTHING], reasoning=EVERYTHING)
        for row, matched in zip(pairs, (ATTACKS[0], None), strict=True)
    ]  # fmt: skip
    tables = report_tables(pairs, responses, verdicts, versions={EVERYTHING: EVERYTHING})
    return build_report(tables, tmp_path_factory.mktemp("hostile"))


@pytest.mark.parametrize("policy", ["enforced", "bypassed"])
def test_nothing_runs_and_nothing_is_asked_for(browser: Browser, hostile: ReportFiles, policy: str) -> None:
    context = browser.new_context(bypass_csp=policy == "bypassed")
    watched = Watched(context.new_page())
    page = watched.open(hostile.html)
    for place in range(2):
        page.locator("#list a").nth(place).click()
        page.locator("#pair summary").first.click()
        page.locator(".stage").scroll_into_view_if_needed()
    page.locator("#f-text").fill("onerror")
    assert page.locator("#list a").count() == 2
    assert page.evaluate("window.hacked") is None
    assert watched.errors == [] and watched.outside() == []
    assert page.locator("script:not([type])").count() == 1
    assert page.locator("iframe, [onerror], [onload], img[src=x], svg[onload]").count() == 0
    context.close()


def test_answers_are_shown_letter_for_letter(watched: Watched, hostile: ReportFiles) -> None:
    page = watched.open(hostile.html)
    page.locator("#list a").first.click()
    assert page.locator(".said").first.text_content() == EVERYTHING
    assert page.locator(".said mark").first.text_content() == ATTACKS[0]
    assert page.locator(".verdict li").first.text_content() == EVERYTHING


def test_the_policy_alone_would_stop_injected_markup(watched: Watched, hostile: ReportFiles) -> None:
    page = watched.open(hostile.html)
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=\"data:,\" onerror=\"window.hacked=1\">')")
    with page.expect_event("requestfailed") as stopped:
        page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=\"http://example.invalid/x.png\">')")
    assert stopped.value.failure == "csp"
    assert page.evaluate("window.hacked") is None
    assert {"blocked script-src-attr", "blocked img-src"} <= set(watched.errors)


def test_names_become_safe_file_names(hostile: ReportFiles) -> None:
    for path in hostile.figures:
        assert path.parent.name == "figures" and re.fullmatch(r"[A-Za-z0-9._-]+", path.name)


def test_json_in_the_page_is_the_same_value_and_cannot_end_its_element() -> None:
    text = script_json({"answer": EVERYTHING})
    assert json.loads(text) == {"answer": EVERYTHING}
    assert not set(text) & set("<>&\u2028\u2029\x00")


def test_the_script_never_parses_markup_or_code() -> None:
    import diffbench_assets

    scripts = sorted(Path(diffbench_assets.__file__).parent.glob("**/report/templates/*.js"))
    assert len(scripts) == 4
    script = "".join(path.read_text() for path in scripts)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc", script)
