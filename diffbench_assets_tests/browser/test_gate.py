"""One test for each reason why a candidate is turned down, in a real browser, and the exactness of the comparison."""

from __future__ import annotations

import asyncio
import base64
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from diffbench_assets.browser.gate import Decision, decide, decode, is_blank, pixels_hash, region
from diffbench_assets.browser.render import VIEWPORT, PageFailed, Tab
from diffbench_assets.pairs.css.candidates import PageTask, candidates_of_page
from diffbench_assets.pairs.css.filters import filter_box
from diffbench_assets.pairs.edits import Edit
from diffbench_assets.pairs.record import Mutation, loads
from diffbench_assets_tests.live import SHAPE, Live
from diffbench_assets_tests.small_pages import page, stored, utilities

BOX = "position:absolute;left:80px;top:120px;width:400px;height:160px"


def override(selector: str, property: str, value: str, operator: str = "rounded") -> Mutation:
    """An inline override of the element that `selector` names."""
    edit = Edit(selector, "style", property, value)
    return Mutation(operator, "hard", selector, "inline", (edit,), property, "", value, 1, 1, "steps", {"tag": "div"})


# Shadowed rules


def test_a_class_that_an_important_rule_shadows_gives_no_swap(live: Live) -> None:
    css = utilities(["rounded"]) + f".box{{{BOX};background:rgb(0,0,0);border-radius:8px!important}}"
    html = page('<div class="box rounded-lg"></div>', css)
    result = live.search(html, "rounded.easy", "rounded.medium", "rounded.hard")
    assert result.discarded["shadowed"] > 0
    rows = [row for rows in result.rows.values() for row in rows]
    assert {(row["mechanism"], row["status"]) for row in rows} == {("inline", "accepted")}
    swap = Edit("body > div", "class", "rounded-lg", "rounded-xl")
    mutation = Mutation("rounded", "hard", "body > div", "class_swap", (swap,), "border-radius", "", "", 1, 1, "steps")
    assert live.static_decision(html, mutation) == Decision("ineffective", 0, 0)


# Reflow


def test_a_change_that_moves_a_sibling_is_discarded_by_layout_and_would_fail_the_gate(live: Live) -> None:
    html = page('<p style="margin:80px 40px 0">Revenue</p><p style="margin:0 40px">Costs</p>')
    result = live.search(html, "font_size.hard")
    assert result.discarded["moves_other"] > 0
    first = "body > p:nth-child(1)"
    assert all(row.get("selector") != first for rows in result.rows.values() for row in rows)
    decision = live.static_decision(html, override(first, "font-size", "40px"))
    assert decision.status == "nonlocal" and decision.outside > 0


# Overflow and shadow outside the box


def test_text_that_overflows_its_box_is_nonlocal(live: Live) -> None:
    text = "A line that is much too long for the narrow box it stands in"
    html = page(
        f'<div style="position:absolute;left:80px;top:80px;width:90px;height:30px;white-space:nowrap">{text}</div>'
    )
    for cell in ("letter_spacing.hard", "color.easy"):
        row = live.rows(html, cell)[0]
        assert row["status"] == "nonlocal" and row["outside_changed_px"] > 0


def test_a_box_shadow_that_follows_the_outline_is_discarded_and_would_fail_the_gate(live: Live) -> None:
    html = page(
        f'<div style="{BOX};background:rgb(0,90,200);border-radius:8px;box-shadow:0 0 20px 8px rgb(90,90,90)"></div>'
    )
    result = live.search(html, "rounded.easy", "opacity.easy")
    assert result.discarded["casts_shadow"] > 0
    assert {row["status"] for rows in result.rows.values() for row in rows} == {"no_target"}
    assert live.static_decision(html, override("body > div", "border-radius", "24px")).status == "nonlocal"


@pytest.mark.parametrize("effect", ["filter:drop-shadow(0 0 12px rgb(0,0,0))", "text-shadow:0 30px 4px rgb(200,0,0)"])
def test_shadows_that_layout_does_not_know_are_nonlocal(effect: str, live: Live) -> None:
    html = page(
        f'<div style="position:absolute;left:80px;top:120px;width:300px;height:24px;{effect}">Quarterly revenue</div>'
    )
    row = live.rows(html, "font_weight.easy")[0]
    assert row["status"] == "nonlocal" and row["outside_changed_px"] > 0


# Sub-pixel boxes


def test_a_fractional_box_counts_the_pixels_it_touches(live: Live) -> None:
    html = page(
        '<div style="position:absolute;left:80.4px;top:120.6px;width:200.3px;height:90.5px;background:rgb(0,90,200);'
        'border:2px solid rgb(200,0,0)"></div>'
    )
    for cell in ("border.hard", "color.hard", "rounded.easy", "opacity.hard"):
        row = live.rows(html, cell)[0]
        assert row["status"] == "accepted", (cell, row)
        assert row["box_before"]["x"] % 1 != 0
        where = region(live.box(html, "body > div"), tuple(row["box_after"].values()), SHAPE)
        assert where == (80, 120, 281, 212)


def test_the_region_is_the_floor_and_ceil_of_the_union_of_both_boxes() -> None:
    assert region((10.4, 20.6, 5.0, 5.0), (12.5, 18.2, 5.1, 1.0), SHAPE) == (10, 18, 18, 26)
    assert region((-3.5, 790.2, 20, 30), (0, 0, 1, 1), SHAPE) == (0, 0, 17, 800)


# Ineffective


def test_a_change_that_nobody_can_see_is_ineffective(live: Live) -> None:
    html = page(f'<div style="{BOX};background:rgb(255,255,255)"></div><p style="margin:20px">Text</p>')
    rows = live.rows(html, "rounded.easy")
    assert {row["status"] for row in rows} == {"ineffective"}
    assert {row["inside_changed_px"] for row in rows} == {0}


# Invisible


def test_a_change_below_the_floor_is_invisible_and_another_element_is_tried(live: Live) -> None:
    faint = f'<div style="{BOX};background:rgb(252,252,252)"></div>'
    rows = live.rows(page(f"<p>Text</p>{faint}"), "rounded.easy")
    assert {row["status"] for row in rows} == {"invisible"}
    assert all(row["inside_changed_px"] > 8 and row["visible_px"] == 0 for row in rows)
    assert all(0 < row["largest_delta_e"] < 2 for row in rows)
    plain = f'<div style="{BOX};margin-top:280px;background:rgb(0,90,200)"></div>'
    statuses = [live.rows(page(faint + plain), "rounded.easy", seed=seed)[-1]["status"] for seed in range(4)]
    assert statuses == ["accepted"] * 4


def test_the_exact_gate_takes_what_the_floor_turns_down_and_says_how_little_shows(live: Live) -> None:
    html = page(f'<p>Text</p><div style="{BOX};background:rgb(252,252,252)"></div>')
    row = live.rows(html, "rounded.easy", exact=True)[-1]
    assert row["status"] == "accepted" and row["visible_px"] == 0 and row["inside_changed_px"] > 8


# Whole pages


def test_a_blank_page_gives_every_cell_its_reason(live: Live) -> None:
    html = page(f'<div style="{BOX};color:rgb(255,255,255)">white on white</div>')
    result = live.search(html, "color.hard", "text.easy")
    assert {cell: [row["status"] for row in rows] for cell, rows in result.rows.items()} == {
        "color.hard": ["page_blank"],
        "text.easy": ["page_blank"],
    }


def animated_gif() -> str:
    colors = np.linspace(0, 255, 24).astype(int)
    frames = [Image.new("RGB", (60, 60), (int(c), 255 - int(c), 90)) for c in colors]
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=20, loop=0)
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.parametrize(
    "moving",
    [
        f'<img width="300" height="300" src="data:image/gif;base64,{animated_gif()}">',
        f'<p style="width:300px;height:300px;background:url(data:image/gif;base64,{animated_gif()})"></p>',
        '<svg width="300" height="300"><rect width="10" height="300" fill="red">'
        '<animate attributeName="width" from="0" to="300" dur="3s" repeatCount="indefinite"></animate></rect></svg>',
    ],
    ids=["gif", "background", "smil"],
)
def test_animated_images_are_frozen(moving: str, live: Live) -> None:
    html = page(f"<h1>Title</h1>{moving}")

    async def work() -> set[str]:
        async with live.renderer.tab() as tab:
            await tab.load(html)
            captures = set()
            for _ in range(6):
                captures.add(pixels_hash(decode(await tab.capture())))
                await asyncio.sleep(0.1)
            return captures

    assert len(live.run(work())) == 1
    assert [row["status"] for row in live.rows(html, "color.hard")] == ["accepted"]


def test_css_animations_transitions_and_carets_are_frozen(live: Live) -> None:
    css = "@keyframes turn{to{transform:rotate(360deg)}} div{animation:turn 1s infinite;transition:all 3s}"
    html = page(f'<div style="{BOX};background:rgb(0,90,200)">Turning</div><input autofocus value="x">', css)
    assert [row["status"] for row in live.rows(html, "color.hard")] == ["accepted"]


class Changing(Tab):
    """A tab in which each load of a page shows something else, as a page that depends on the time would."""

    loads = 0

    async def load(self, html: str) -> None:
        self.loads += 1
        await super().load(html.replace("LOADS", str(self.loads)))


def test_a_page_that_differs_between_two_loads_is_unstable(live: Live) -> None:
    async def work() -> list[str]:
        async with live.renderer.tab() as tab:
            changing = Changing(tab._page, tab._cdp)
            task = PageTask("page", page("<h1>LOADS</h1>"), "", ("color.hard",))
            result = await candidates_of_page(changing, task, 0)
            return [row["status"] for row in result.rows["color.hard"]]

    assert live.run(work()) == ["page_unstable"]


def test_a_page_whose_every_capture_differs_is_unsettled(live: Live) -> None:
    class Restless(Tab):
        captures = 0

        async def capture(self) -> bytes:
            self.captures += 1
            await self.evaluate("(n) => { document.body.firstElementChild.textContent = n }", self.captures)
            return await super().capture()

    async def work() -> bytes:
        async with live.renderer.tab() as tab:
            restless = Restless(tab._page, tab._cdp)
            await restless.load(page("<h1>0</h1>"))
            return await restless.settled()

    with pytest.raises(PageFailed) as failure:
        live.run(work())
    assert failure.value.reason == "page_unsettled"


# Content filters


def test_a_change_in_text_that_is_cut_is_not_shown_and_not_used(live: Live) -> None:
    css = "position:absolute;left:80px;width:150px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis"
    long = "Revenue of all our offices abroad grew by more than a tenth"
    shown = page(f'<div style="{css};top:80px">Revenue</div>')
    cut = page(f'<div style="{css};top:80px">{long}</div>')
    assert [row["status"] for row in live.rows(shown, "text.hard")] == ["accepted"]
    statuses = {row["status"] for seed in range(4) for row in live.rows(cut, "text.easy", seed=seed)}
    assert statuses == {"text_cut"}


def test_no_accepted_text_change_hides_a_character_behind_an_ellipsis(live: Live) -> None:
    style = "position:absolute;left:80px;top:80px;width:150px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis"
    html = page(f'<div style="{style}">Revenue of all offices grew</div>')
    script = """([first, last]) => {
        const node = document.querySelector('div').firstChild, range = document.createRange();
        range.setStart(node, first); range.setEnd(node, last + 1);
        return range.getBoundingClientRect().right;
    }"""
    for seed in range(12):
        for row in live.rows(html, "text.hard", "text.medium", seed=seed):
            if row["status"] == "accepted":
                (step,) = loads(row["record"])
                edit = step.edits[0]
                assert live.ask(html, script, [edit.first, edit.last]) <= 80 + 150 - 16


def test_a_change_in_lines_that_are_clamped_away_is_not_used(live: Live) -> None:
    style = (
        "position:absolute;left:80px;top:80px;width:120px;overflow:hidden;"
        "display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1"
    )
    html = page(f'<div style="{style}">Revenue of all our offices abroad grew by a tenth</div>')
    assert {row["status"] for row in live.rows(html, "text.easy")} == {"text_cut"}


def test_wider_letters_do_not_count_as_cut_while_there_is_room(live: Live) -> None:
    html = page(f'<div style="{BOX}">illicit till</div>')
    for seed in range(4):
        assert live.rows(html, "text.easy", seed=seed)[0]["status"] == "accepted"


@pytest.mark.parametrize(
    "body",
    [
        '<div style="position:absolute;left:-20px;top:80px;width:200px;height:90px;background:blue">Text here</div>',
        '<div style="position:absolute;left:1180px;top:80px;width:200px;height:90px;background:blue">Text here</div>',
        '<div style="position:absolute;left:80px;top:-20px;width:200px;height:90px;background:blue">Text here</div>',
        '<div style="position:absolute;left:80px;top:80px;width:150px;height:150px;overflow:hidden">'
        '<div style="width:300px;height:90px;background:rgb(0,90,200)">Text here</div></div>',
    ],
    ids=["left", "right", "top", "ancestor"],
)
def test_a_clipped_box_is_not_used(body: str, live: Live) -> None:
    result = live.search(page(f"<p>Hello</p>{body}"), "color.hard", "rounded.hard")
    assert result.discarded["box_clipped"] > 0
    boxes = [row["box_before"] for rows in result.rows.values() for row in rows if row.get("box_before")]
    assert all((box["width"], box["height"]) not in ((200, 90), (300, 90)) for box in boxes)


def test_elements_with_missing_glyphs_are_not_used(live: Live) -> None:
    html = page(f'<div style="{BOX}">Plain words</div><div style="{BOX};top:400px">Words with \U0001f9ff</div>')
    result = live.search(html, "text.hard", "color.hard", missing="\U0001f9ff")
    assert result.discarded["missing_glyphs"] == 1
    assert {row["element"]["text"] for rows in result.rows.values() for row in rows} == {"Plain words"}


@pytest.mark.parametrize(("top", "status"), [(730, "accepted"), (731, "no_target")])
def test_thirty_percent_below_the_viewport_pass_and_more_does_not(top: int, status: str, live: Live) -> None:
    html = page(
        f'<div style="position:absolute;left:80px;top:{top}px;width:300px;height:100px;background:rgb(0,90,200)"></div>'
    )
    result = live.search(html, "rounded.hard", exact=True)
    assert [row["status"] for row in result.rows["rounded.hard"]] == [status]
    assert result.discarded["below_viewport"] == (status == "no_target")


@pytest.mark.parametrize(
    ("box", "reason"),
    [
        ((0, 0, 1280, 800), None),
        ((0, 0, 0, 10), "box_clipped"),
        ((0, 0, 10, 0), "box_clipped"),
        ((-0.1, 0, 10, 10), "box_clipped"),
        ((1270.5, 0, 10, 10), "box_clipped"),
        ((0, 793, 10, 10), None),
        ((0, 793.1, 10, 10), "below_viewport"),
    ],
)
def test_boxes_that_make_no_fair_question(box: tuple[float, float, float, float], reason: str | None) -> None:
    assert filter_box(box) == reason


# Exactness


@given(
    x=st.integers(0, VIEWPORT[0] - 1),
    y=st.integers(0, VIEWPORT[1] - 1),
    channel=st.integers(0, 3),
    up=st.booleans(),
)
def test_one_level_of_one_channel_of_one_pixel_decides(x: int, y: int, channel: int, up: bool) -> None:
    before = np.full(SHAPE, 0x80808080, np.uint32)
    after = before.copy()
    after[y, x] = after[y, x] + (1 << 8 * channel) if up else after[y, x] - (1 << 8 * channel)
    where = (300, 200, 700, 500)
    inside = 300 <= x < 700 and 200 <= y < 500
    assert decide(before, after, where) == (Decision("accepted", 1, 0) if inside else Decision("nonlocal", 0, 1))


def test_a_change_on_both_sides_of_the_edge_is_nonlocal_and_counted_on_each() -> None:
    before = np.zeros(SHAPE, np.uint32)
    after = before.copy()
    after[100:110, 95:105] = 1
    assert decide(before, after, (100, 100, 200, 200)) == Decision("nonlocal", 50, 50)
    assert decide(before, after, (100, 100, 100, 200)) == Decision("nonlocal", 0, 100)
    assert decide(before, before, (100, 100, 200, 200)) == Decision("ineffective", 0, 0)


def png(rgba: np.ndarray, mode: str = "RGBA") -> bytes:
    file = io.BytesIO()
    Image.fromarray(rgba, "RGBA").convert(mode).save(file, "PNG")
    return file.getvalue()


def test_alpha_counts_as_a_channel_of_its_own() -> None:
    rgba = np.full((4, 5, 4), 255, np.uint8)
    clear = rgba.copy()
    clear[1, 2, 3] = 254
    before, after = decode(png(rgba)), decode(png(clear))
    assert before.shape == (4, 5)
    assert decide(before, after, (2, 1, 3, 2)) == Decision("accepted", 1, 0)
    assert decide(before, after, (0, 0, 1, 1)) == Decision("nonlocal", 0, 1)
    assert pixels_hash(before) != pixels_hash(after)


def test_the_hash_is_of_pixels_and_not_of_their_encoding() -> None:
    rgba = np.random.default_rng(0).integers(0, 255, (40, 50, 4), np.uint8)
    rgba[..., 3] = 255
    assert png(rgba) != png(rgba, "RGB")
    assert pixels_hash(decode(png(rgba))) == pixels_hash(decode(png(rgba, "RGB")))


def test_blank_means_one_colour_only() -> None:
    pixels = np.full(SHAPE, 0xFFFFFFFF, np.uint32)
    assert is_blank(pixels)
    pixels[799, 1279] -= 1
    assert not is_blank(pixels)


def test_stored_pages_are_their_own_serialisation() -> None:
    html = page("<p class=a>x<br>y")
    assert stored(html) == html
