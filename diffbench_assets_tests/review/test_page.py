"""The page in a real browser, pressed key by key over a real lake."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from diffbench_assets.lake import Lake
from diffbench_assets.protocols.multiple_choice.tables import QUESTIONS
from diffbench_assets.schemas import PAIRS
from diffbench_assets_tests.review.conftest import (
    SUITE,
    TOKEN,
    Watched,
    pair,
    png,
    question,
    saved,
    serving,
    write_suite,
)


@pytest.fixture
def address(lake: Lake) -> Iterator[str]:
    with serving(lake) as address:
        yield address


@pytest.fixture
def page(watched: Watched, address: str) -> Iterator[Page]:
    yield watched.open(address)
    refused = "responded with a status of 422"  # Chromium says so itself; the page shows why.
    assert [error for error in watched.errors if refused not in error] == []


def press(page: Page, keys: Iterable[str]) -> None:
    for key in keys:
        page.keyboard.press(key)


def chosen(page: Page) -> str:
    return page.locator("#options [aria-current] .label").inner_text()


def states(page: Page) -> list[str]:
    return page.locator(".decided").all_inner_texts()


def test_the_queue_starts_with_what_may_be_true(page: Page) -> None:
    expect(page.locator("#about")).to_have_text("Question 1 of 3 · regional_color · semantic")
    expect(page.locator("#flag")).to_have_text("⚑ One false statement may be true")
    expect(page.locator("#truth")).to_have_text(question(2)["options"]["A"])
    options = page.locator("#options li")
    assert options.nth(0).locator(".known").inner_text() == "true"
    assert options.nth(1).locator(".known").inner_text() == "false · another property · programmatic"
    assert options.nth(2).locator(".known").inner_text() == "false · start object · some-model may be true"
    assert options.nth(3).locator(".known").inner_text() == "stands in every question"
    press(page, "j")
    expect(page.locator("#truth")).to_have_text(question(0)["options"]["A"])
    expect(page.locator("#flag")).to_be_hidden()


def test_every_key_does_what_the_help_says(page: Page, lake: Lake) -> None:
    press(page, "?")
    expect(page.locator("#keys")).to_be_visible()
    press(page, "a")
    press(page, "?")
    expect(page.locator("#keys")).to_be_hidden()
    assert saved(lake) == [], "keys do nothing behind the help"

    options = question(2)["options"]
    assert chosen(page) == "A"
    press(page, "a")
    expect(page.locator("#options [aria-current] .label")).to_have_text("B")
    press(page, "r")
    expect(page.locator(".edit")).to_be_focused()
    assert page.locator(".edit").input_value() == options["B"]
    page.locator(".edit").fill("Square 2 is smaller in image B.")
    press(page, ["Enter"])
    expect(page.locator("#options [aria-current] .label")).to_have_text("C")
    assert states(page) == ["✓ accepted", "✎ rewritten", "open", "fixed"]
    press(page, "d")
    expect(page.locator("#progress")).to_have_text("1 of 3 reviewed")
    expect(page.locator("#about")).to_contain_text("Question 2 of 3")
    assert saved(lake) == [
        ("question-2", options["A"], "accept", None),
        ("question-2", options["B"], "rewrite", "Square 2 is smaller in image B."),
        ("question-2", options["C"], "discard", None),
    ]
    press(page, "u")
    expect(page.locator("#about")).to_contain_text("Question 1 of 3")
    assert chosen(page) == "C" and states(page)[2] == "open"
    press(page, "A")
    expect(page.locator("#progress")).to_have_text("1 of 3 reviewed")
    assert saved(lake)[2] == ("question-2", options["C"], "accept", None)
    press(page, "jjjk1")
    expect(page.locator("#about")).to_contain_text("Question 2 of 3")
    press(page, "3")
    expect(page.locator("#options [aria-current] .label")).to_have_text("C")


def test_keys_pressed_faster_than_the_disk_writes_are_all_taken_in_order(page: Page, lake: Lake) -> None:
    press(page, "adaaaadad")
    expect(page.locator("#progress")).to_have_text("3 of 3 reviewed")
    decided = [decision for _, _, decision, _ in saved(lake)]
    assert len(decided) == 9 and decided.count("discard") == 3


def test_the_statement_of_no_difference_is_not_decided_about(page: Page, lake: Lake) -> None:
    for key in "ard":
        press(page, "4" + key)
        expect(page.locator("#status")).to_have_text(
            "This statement stands in every question; there is nothing to decide."
        )
    assert saved(lake) == [] and page.locator(".edit").count() == 0


def test_editing_takes_letters_as_text_says_what_is_wrong_and_can_be_left(page: Page, lake: Lake) -> None:
    press(page, "r")
    expect(page.locator(".edit")).to_be_focused()
    press(page, ["Enter"])
    expect(page.locator(".complaint")).to_contain_text("the new wording is the old one")
    press(page, "jad?")
    assert page.locator(".edit").input_value() == question(2)["options"]["A"] + "jad?"
    press(page, ["Escape"])
    expect(page.locator(".edit")).to_have_count(0)
    expect(page.locator("#keys")).to_be_hidden()
    assert saved(lake) == [] and states(page)[0] == "open"


def test_a_reload_and_a_new_server_go_on_where_the_reviewer_was(watched: Watched, lake: Lake) -> None:
    with serving(lake) as address:
        page = watched.open(address)
        press(page, "Aad")
        expect(page.locator("#options [aria-current] .label")).to_have_text("C")
        page.reload()
        expect(page.locator("#about")).to_contain_text("Question 2 of 3")
        expect(page.locator("#progress")).to_have_text("1 of 3 reviewed")
        assert states(page) == ["✓ accepted", "✕ discarded", "open", "fixed"] and chosen(page) == "C"
    press(page, "d")
    expect(page.locator("#problem")).to_contain_text("Not saved: the server does not answer")
    assert states(page)[2] == "open"
    assert all("ERR_CONNECTION_REFUSED" in error for error in watched.errors)
    with serving(lake) as address:
        page = watched.open(address)
        expect(page.locator("#about")).to_contain_text("Question 2 of 3")
        assert states(page) == ["✓ accepted", "✕ discarded", "open", "fixed"]


def test_two_reviewers_do_not_see_each_other_but_their_agreement(browser: Browser, lake: Lake) -> None:
    with serving(lake, "ann") as one, serving(lake, "bob") as other:
        pages = []
        for address in (one, other):
            context = browser.new_context()
            pages.append(Watched(context.new_page()).open(address))
        press(pages[0], "AA")
        expect(pages[0].locator("#progress")).to_have_text("2 of 3 reviewed")
        pages[1].reload()
        expect(pages[1].locator("#progress")).to_have_text("0 of 3 reviewed")
        pages[1].locator("summary").click()
        expect(pages[1].locator("#agreement")).to_contain_text("needs the decisions of two reviewers")
        pages[1].locator("summary").click()
        press(pages[1], "ada")
        expect(pages[1].locator("#progress")).to_have_text("1 of 3 reviewed")
        pages[1].locator("summary").click()
        expect(pages[1].locator("caption").first).to_have_text("ann and bob: 3 options decided by both, 3 by one")
        expect(pages[1].locator("tr").first).to_contain_text("0.67")
        for page in pages:
            page.context.close()


def shot(page: Page, selector: str) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(page.locator(selector).screenshot())).convert("RGB"))


def painted(page: Page, side: str) -> np.ndarray:
    """What a side shows, moved to whole pixels for the moment."""
    frame = page.locator(f"[data-side={side}] .frame")
    frame.evaluate("(frame) => Object.assign(frame.style, {position: 'fixed', left: 0, top: 0, zIndex: 9})")
    shown = pixels(page.screenshot(clip={"x": 0, "y": 0, "width": 320, "height": 200}))
    frame.evaluate("(frame) => frame.removeAttribute('style')")
    return shown


def pixels(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def settle(page: Page) -> None:
    page.evaluate("Promise.all([...document.querySelectorAll('.stage img')].map((image) => image.decode()))")


def test_image_a_is_the_one_the_question_calls_a(page: Page) -> None:
    for keys, number, backward in (("", 2, False), ("j", 0, False), ("j", 1, True)):
        press(page, keys)
        expect(page.locator("#truth")).to_have_text(question(number)["options"]["A"])
        settle(page)
        assert np.array_equal(painted(page, "a"), pixels(png(number, backward)))
        assert np.array_equal(painted(page, "b"), pixels(png(number, not backward)))
    expect(page.locator("#about")).to_contain_text("shown backward")


def test_flicker_shows_both_in_one_place_in_turn(page: Page) -> None:
    press(page, "f")
    boxes = [page.locator(f"[data-side={side}]").bounding_box() for side in "ab"]
    assert boxes[0] == boxes[1]
    for front in "bab":
        expect(page.locator(".stages")).to_have_attribute("data-front", front)
        expect(page.locator(f"[data-side={front}]")).to_be_visible()
        expect(page.locator(f"[data-side={'ab'.replace(front, '')}]")).to_be_hidden()
    press(page, "f")
    expect(page.locator("[data-side=a]")).to_be_visible()
    expect(page.locator("[data-side=b]")).to_be_visible()


def test_the_overlay_marks_exactly_the_pixels_that_differ(page: Page) -> None:
    press(page, "o")
    expect(page.locator("#measured")).to_have_text("2.50 % of the pixels differ, by up to 130 of 255.")
    shown = painted(page, "b").astype(int)
    marked = (shown[..., 0] > 200) & (shown[..., 1] < 60)
    changed = np.zeros_like(marked)
    changed[60:100, 40:80] = True
    assert np.array_equal(marked, changed)
    press(page, "j")
    expect(page.locator("#truth")).to_have_text(question(0)["options"]["A"])
    expect(page.locator("#measured")).to_contain_text("2.50 %")
    press(page, "o")
    expect(page.locator("canvas")).to_be_hidden()


def test_an_identical_pair_says_that_no_pixel_differs(watched: Watched, lake: Lake) -> None:
    same = {"bytes": png(0, False), "path": "same.png"}
    claims = question(0, answer="D", truth=None, cell="no_diff", category="no_diff", group="no_diff")
    lake.write(QUESTIONS.of(SUITE), [claims], {"cell": "regional_color"}, fingerprint="made")
    lake.write(
        PAIRS.of(SUITE), [pair(0, image_before=same, image_after=same)], {"cell": "regional_color"}, fingerprint="made"
    )
    with serving(lake) as address:
        page = watched.open(address)
        expect(page.locator("#truth")).to_have_text("Nothing differs: the pair is one image twice.")
        press(page, "o")
        expect(page.locator("#measured")).to_have_text("No pixel differs.")
        press(page, "A")
        expect(page.locator("#progress")).to_have_text("1 of 1 reviewed")


def test_zoom_magnifies_both_and_they_scroll_together(page: Page) -> None:
    press(page, "zzz")
    expect(page.locator("#zoomed")).to_have_text("4×")
    assert page.locator("[data-side=b] img").bounding_box()["width"] == 4 * 320
    page.locator("[data-side=a] .stage").evaluate("(stage) => stage.scrollTo(200, 100)")
    page.wait_for_timeout(100)
    assert page.locator("[data-side=b] .stage").evaluate("(stage) => [stage.scrollLeft, stage.scrollTop]") == [200, 100]
    press(page, "z")
    expect(page.locator("#zoomed")).to_have_text("fit")
    page.locator("[data-side=a] img").click(position={"x": 300, "y": 190})
    expect(page.locator("#zoomed")).to_have_text("2×")


HOSTILE = (
    "<img src=x onerror=\"window.hacked=1\">",
    "</script><script>window.hacked=1</script>",
    "\"'><svg onload=\"window.hacked=1\">",
    "javascript:window.hacked=1 {{7*7}} &lt;b&gt; \u202eright to left",
)  # fmt: skip
EVERYTHING = " ".join(HOSTILE)


def test_whatever_the_lake_holds_stays_text(watched: Watched, lake: Lake) -> None:
    texts = dict(zip("ABC", HOSTILE, strict=False))
    bad = question(
        0,
        question_id=EVERYTHING,
        cell=EVERYTHING,
        category=EVERYTHING + "!",
        group=EVERYTHING + "?",
        pair_id=EVERYTHING,
        options={**texts, "D": HOSTILE[3]},
        suspected_truths=[HOSTILE[1]],
        distractors=[{"text": HOSTILE[1], "strategy": EVERYTHING, "origin": EVERYTHING}],
    )
    write_suite(lake, [bad], [pair(0, pair_id=EVERYTHING)])
    with serving(lake) as address:
        page = watched.open(address)
        settle(page)
        press(page, "r")
        page.locator(".edit").fill(EVERYTHING.replace("\u202e", ""))
        press(page, ["Enter"])
        expect(page.locator("ins")).to_have_text(EVERYTHING.replace("\u202e", ""))
        press(page, "d")
        expect(page.locator(".decided").nth(1)).to_have_text("✕ discarded")
        assert page.locator("#truth").text_content() == HOSTILE[0]
        assert page.locator("#options .text del").nth(1).text_content() == HOSTILE[1]
        page.locator("summary").click()
        assert page.evaluate("window.hacked") is None
        assert page.locator("script").count() == 1 and page.locator("[onerror], [onload], main svg").count() == 0
        assert all(f"/{TOKEN}/" in url for url in watched.requests)
        page.reload()
        expect(page.locator("ins")).to_have_text(EVERYTHING.replace("\u202e", ""))
    assert watched.errors == [] and [row[2] for row in saved(lake)] == ["discard", "rewrite"]


def test_the_policy_alone_would_stop_injected_markup(watched: Watched, address: str) -> None:
    page = watched.open(address)
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=\"data:,\" onerror=\"window.hacked=1\">')")
    with page.expect_event("requestfailed") as stopped:
        page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=\"http://example.invalid/x.png\">')")
    assert stopped.value.failure == "csp" and page.evaluate("window.hacked") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width, height", [(1280, 800), (390, 844)])
def test_it_fits_a_laptop_and_a_phone_in_both_themes(
    browser: Browser, address: str, scheme: str, width: int, height: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page = Watched(context.new_page()).open(address)
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    ground = shot(page, "body")[-1, -1].mean()
    assert ground > 240 if scheme == "light" else ground < 40
    if width == 1280:
        bottom = page.locator("#options").bounding_box()
        assert bottom["y"] + bottom["height"] <= height, "images and options are seen at once"
    page.locator("button", has_text="Accept").click()
    expect(page.locator(".decided").first).to_have_text("✓ accepted")
    page.locator("#options li").nth(2).click()
    expect(page.locator("#options [aria-current] .label")).to_have_text("C")
    context.close()
