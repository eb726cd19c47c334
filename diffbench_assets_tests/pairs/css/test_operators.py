"""Each operator, on a page with Tailwind classes and on one without: what its records say is what a browser shows."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from diffbench_assets.models.prompting.templates import PROMPTS
from diffbench_assets.pages.ladders import TAILWIND_SCALES
from diffbench_assets.pairs.colors import shades
from diffbench_assets.pairs.css import operators
from diffbench_assets.pairs.css.candidates import PageTask, Row, find_candidates
from diffbench_assets.pairs.css.operators import CELLS, OPERATORS, cell_parameters, split_cell
from diffbench_assets.pairs.css.operators.base import TIERS, Element, class_variants, nearest
from diffbench_assets.pairs.css.operators.layout import OFFSETS
from diffbench_assets.pairs.record import edited, loads
from diffbench_assets_tests.live import Live
from diffbench_assets_tests.small_pages import TARGETS, page, plain_page, tailwind_page, utilities

SWAPPED = {name for name, (scale, *_) in TARGETS.items() if scale}
PAGES = {"tailwind": tailwind_page, "plain": plain_page}


def test_an_operator_is_named_by_its_row_alone_and_has_a_block_for_the_llm_judge() -> None:
    package = Path(operators.__file__).parents[3]
    sources = {path.relative_to(package).as_posix(): path.read_text() for path in package.rglob("*.py")}
    # Other names are those of something else as well: a category, a property, a kind of word.
    for name in ("font_weight", "font_size", "letter_spacing", "line_height"):
        assert [path for path, text in sources.items() if f'"{name}"' in text] == ["pairs/css/operators/__init__.py"]
    assert all((PROMPTS / "open_ended" / "rules" / f"{name}.j2").is_file() for name in OPERATORS)


@pytest.fixture(scope="module", params=[(kind, name) for kind in PAGES for name in OPERATORS], ids="-".join)
def found(request: pytest.FixtureRequest, live: Live) -> tuple[str, str, str, dict[str, Row]]:
    """Kind of page, operator, the page, and its accepted candidate of each tier."""
    kind, name = request.param
    html = PAGES[kind](name)
    rows = live.rows(html, *(f"{name}.{tier}" for tier in TIERS))
    accepted = {row["tier"]: row for row in rows if row["status"] == "accepted"}
    assert set(accepted) == set(TIERS), [(row["tier"], row["status"], row.get("after")) for row in rows]
    return kind, name, html, accepted


def ladder(row: Row) -> list[str]:
    """The values of the scale that the change ran along, as the browser computes them."""
    if row["operator"] in ("color", "gradient") and row["mechanism"] == "inline":
        return list(shades(row["before"])[1])
    if row["operator"] == "opacity":
        return ["0.25", "0.5", "0.75", "1"]
    scale = {"position": "top", "spacing": "p", "color": "text-blue"}.get(row["operator"]) or TARGETS[row["operator"]][
        0
    ]
    values = [
        value for suffix, value in TAILWIND_SCALES[scale or ""] if not (suffix == "px" and row["mechanism"] == "inline")
    ]
    if row["operator"] == "position" and row["mechanism"] == "inline":
        return list(OFFSETS)
    return values


def test_a_fresh_page_computes_the_value_that_the_record_says(found, live: Live) -> None:
    _, _, html, accepted = found
    asked, expected = [], []
    for row in accepted.values():
        after = edited(loads(row["record"]), html)
        for text, value in ((html, row["before"]), (after, row["after"])):
            asked += [(text, row["selector"], row["property"]), (text, row["selector"], "font-size")]
            expected.append((value, row["magnitude_unit"]))
    shown = live.computed(asked)
    for (value, unit), now, size in zip(expected, shown[::2], shown[1::2], strict=True):
        if unit == "em":
            in_em = float(now.removesuffix("px")) / float(size.removesuffix("px"))
            assert in_em == pytest.approx(float(value.removesuffix("em")), abs=1e-3)
        else:
            assert now.replace("3.35544e+07px", "9999px") == value


def test_mechanism_is_a_class_swap_where_there_is_a_class_of_the_scale(found) -> None:
    kind, name, _, accepted = found
    expected = "text_node" if name == "text" else "class_swap" if kind == "tailwind" and name in SWAPPED else "inline"
    assert {row["mechanism"] for row in accepted.values()} == {expected}


def test_tiers_share_target_and_direction_and_grow_in_magnitude(found) -> None:
    _, name, _, accepted = found
    easy, medium, hard = (accepted[tier] for tier in TIERS)
    assert len({(row["selector"], row["property"], row["direction"], row["before"]) for row in accepted.values()}) == 1
    assert hard["magnitude"] < medium["magnitude"] < easy["magnitude"]
    for tier, row in accepted.items():
        least, most = OPERATORS[name].tiers[tier]
        assert least <= row["magnitude"] <= most
        assert row["magnitude_unit"] == OPERATORS[name].unit


def test_direction_and_magnitude_are_those_of_the_values(found) -> None:
    _, name, _, accepted = found
    for row in accepted.values():
        signed = row["direction"] * row["magnitude"]
        if name == "text":
            assert row["direction"] == 0
            assert len(row["before"]) == len(row["after"])
            assert sum(a != b for a, b in zip(row["before"], row["after"], strict=True)) == row["magnitude"]
        elif row["magnitude_unit"] == "em":
            before, after = (float(row[side].removesuffix("em")) for side in ("before", "after"))
            assert after - before == pytest.approx(signed, abs=2e-4)
        else:
            assert steps_between(row) == signed


def steps_between(row: Row) -> int:
    """Steps of the scale from the record's value before to the one after."""
    before, after = row["before"], row["after"]
    if row["operator"] == "color" and row["mechanism"] == "class_swap":
        colors = [tuple(int(value[i : i + 2], 16) for i in (1, 3, 5)) for _, value in TAILWIND_SCALES["text-blue"]]
        places = {f"rgb({r}, {g}, {b})": index for index, (r, g, b) in enumerate(colors)}
        return places[after] - places[before]
    if row["operator"] == "gradient":
        changed = [(a, b) for a, b in zip(stops(before), stops(after), strict=True) if a != b]
        assert len(changed) == 1
        ((old, new),) = changed
        if row["mechanism"] == "class_swap":
            hexes = [value for _, value in TAILWIND_SCALES["from-blue"]]
            places = {f"rgb({int(h[1:3], 16)}, {int(h[3:5], 16)}, {int(h[5:], 16)})": i for i, h in enumerate(hexes)}
            return places[new] - places[old]
        at, rungs = shades(old)
        return rungs.index(new) - at
    values = ladder(row)
    if row["operator"] == "justify":
        return values.index(after) - values.index(before)
    if row["operator"] == "color":
        return values.index(after) - shades(before)[0]
    numbers = tuple(float(value.removesuffix("px")) for value in values)
    shown = 0.0 if before == "none" else float(before.removesuffix("px"))
    return nearest(float(after.removesuffix("px").split(" ")[-1].removesuffix("px")), numbers) - nearest(shown, numbers)


def stops(image: str) -> list[str]:
    return ["rgb" + part.split(")")[0] + ")" for part in image.split("rgb")[1:]]


@pytest.mark.parametrize("name", sorted(SWAPPED))
def test_a_swap_changes_the_whole_token_and_nothing_that_looks_like_it(name: str, live: Live) -> None:
    html = tailwind_page(name)
    token = TARGETS[name][1]
    rows = [row for row in live.rows(html, *(f"{name}.{tier}" for tier in TIERS)) if row["status"] == "accepted"]
    assert len(rows) == 3
    for row in rows:
        after = edited(loads(row["record"]), html)
        old, new = (LexborHTMLParser(text).css_first("div").attributes["class"].split() for text in (html, after))
        changed = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
        assert len(changed) == 1 and changed[0][0] == token
        assert {f"{token}-foo", f"hover:{token}", f"sm:{token}", f"foo-{token}"} <= set(new)


@pytest.mark.parametrize(
    "decoy", ["rounded-lg-foo", "hover:rounded-lg", "sm:rounded-lg", "foo-rounded-lg", "-rounded-lg"]
)
def test_a_look_alike_alone_is_no_class_of_the_scale(decoy: str, live: Live) -> None:
    css = ".box{position:absolute;left:80px;top:120px;width:400px;height:160px;border-radius:8px;background:rgb(0,0,0)}"
    rows = live.rows(page(f'<div class="box {decoy}"></div>', css + utilities(["rounded"])), "rounded.hard")
    assert [row["mechanism"] for row in rows] == ["inline"]


def test_a_class_that_another_rule_overrides_is_not_taken_for_the_cause(live: Live) -> None:
    css = (
        utilities(["rounded"])
        + "div.box{position:absolute;left:80px;top:120px;width:400px;height:160px;border-radius:16px;background:#000}"
    )
    rows = live.rows(page('<div class="box rounded-lg"></div>', css), "rounded.hard")
    assert [(row["mechanism"], row["before"], row["status"]) for row in rows] == [("inline", "16px", "accepted")]


@pytest.mark.parametrize("name", [name for name in OPERATORS if name != "text"])
def test_both_directions_are_offered_in_the_middle_of_a_scale(name: str, live: Live) -> None:
    for html in (plain_page(name), tailwind_page(name)):
        html = html.replace(' opacity-100"', ' opacity-50"').replace("opacity:1;background", "opacity:0.5;background")
        directions = {
            planned.mutation.direction
            for element in live.elements(html)
            for group in OPERATORS[name].groups(OPERATORS[name], element, random.Random(0))
            for planned in group.values()
        }
        assert directions == {1, -1}


@pytest.mark.parametrize("classes", ["opacity-100", "opacity-80", "opacity-50", "opacity-25", ""])
def test_opacity_goes_in_rungs_of_25_points(classes: str, live: Live) -> None:
    style = (
        f".box{{position:absolute;left:80px;top:80px;width:300px;height:90px;background:#00f}}{utilities(['opacity'])}"
    )
    rows = live.rows(page(f'<div class="box {classes}"></div>', style), *(f"opacity.{tier}" for tier in TIERS))
    found = {row["tier"]: row for row in rows if row["status"] == "accepted"}
    assert found and ("easy" in found) == (classes != "opacity-50"), "from 50 no way is 75 points long"
    for tier, row in found.items():
        assert row["mechanism"] == ("class_swap" if classes else "inline")
        assert (
            round(100 * abs(float(row["after"]) - float(row["before"]))) == {"easy": 75, "medium": 50, "hard": 25}[tier]
        )


def test_the_easy_change_of_text_takes_a_whole_word(live: Live) -> None:
    html = page('<p style="position:absolute;left:80px;top:80px">We are extraordinarily so</p>')
    for seed in range(4):
        for row in live.rows(html, "text.easy", seed=seed):
            before, after = row["before"].split(), row["after"].split()
            assert [a == b for a, b in zip(before, after, strict=True)] == [True, True, False, True]
            assert all(a != b for a, b in zip(before[2], after[2], strict=True)) and row["magnitude"] == 15


def test_what_has_a_class_of_the_scale_comes_first_and_alone_where_only_swaps_are_wanted(live: Live) -> None:
    box = "position:absolute;left:{}px;top:80px;width:90px;height:90px;background:rgb(0,0,0)"
    plain = "".join(f'<div style="{box.format(100 * n)};border-radius:8px"></div>' for n in range(1, 9))
    html = page(f'{plain}<div class="rounded-lg" style="{box.format(0)}"></div>', utilities(["rounded"]))
    for seed in range(4):
        rows = [row for row in live.rows(html, "rounded.hard", seed=seed) if row["status"] == "accepted"]
        assert [row["mechanism"] for row in rows] == ["class_swap"]
    cells = ("rounded.hard", "spacing.hard", "letter_spacing.hard")
    task = PageTask("page", page(f"{plain}<p>Several words</p>"), "", cells, class_swap_only=True)
    [result] = live.run(find_candidates(live.renderer, [task], 0))
    found = {cell: {row["status"] for row in rows} for cell, rows in result.rows.items()}
    assert found["rounded.hard"] == found["spacing.hard"] == {"no_target"}
    assert "accepted" in found["letter_spacing.hard"], "what is on no scale has no class to swap"


def test_no_opacity_candidate_makes_its_target_vanish(live: Live) -> None:
    element = page(
        '<div style="position:absolute;left:80px;top:80px;width:300px;height:90px;background:#00f;opacity:0.1"></div>'
    )
    for seed in range(6):
        for row in live.rows(element, "opacity.easy", "opacity.hard", seed=seed):
            assert row.get("after") is None or float(row["after"]) > 0


def test_the_table_has_the_13_operators_and_39_cells_in_four_families() -> None:
    families = {
        family: [o.name for o in OPERATORS.values() if o.family == family]
        for family in ("typography", "color", "layout", "shape")
    }
    assert families == {
        "typography": ["font_weight", "font_size", "letter_spacing", "line_height", "text"],
        "color": ["color", "opacity", "gradient"],
        "layout": ["position", "spacing", "justify"],
        "shape": ["border", "rounded"],
    }
    assert len(CELLS) == len(set(CELLS)) == 39


def test_tiers_of_every_operator_are_disjoint_and_strictly_ordered() -> None:
    for operator in OPERATORS.values():
        easy, medium, hard = (operator.tiers[tier] for tier in TIERS)
        assert hard[0] <= hard[1] < medium[0] <= medium[1] < easy[0] <= easy[1]


def test_cell_parameters_tell_cells_apart() -> None:
    assert len({cell_parameters(cell) for cell in CELLS}) == 39


def test_a_step_of_a_ladder_is_a_parameter_of_exactly_the_cells_that_climb_it(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {cell: cell_parameters(cell) for cell in CELLS}
    monkeypatch.setitem(TAILWIND_SCALES, "opacity", TAILWIND_SCALES["opacity"][:-1])
    changed = {cell for cell in CELLS if cell_parameters(cell) != before[cell]}
    assert changed == {f"opacity.{tier}" for tier in TIERS}


@pytest.mark.parametrize("name", ["colour", "border.huge", "border.", "", "no_diff.easy"])
def test_unknown_cells_are_named_in_the_error(name: str) -> None:
    with pytest.raises(ValueError, match="unknown (operator|tier)"):
        split_cell(name)


def test_tailwind_2_steps_are_used_where_the_page_shows_tailwind_2_values() -> None:
    element = Element(
        0,
        "body > div",
        "div",
        "",
        "",
        ("rounded-sm",),
        (0, 0, 99, 99),
        (0, 0, 99, 99),
        5,
        (),
        0,
        {"border-radius": "2px"},
    )
    (variant,) = class_variants(element, {"rounded": "border-radius"})
    assert variant.values[variant.at] == "2px"
    assert [edit.value for edit in variant.edit(variant.at + 1)] == ["rounded"]


@pytest.mark.parametrize(
    "content",
    [
        '<svg style="{}" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>',
        '<div style="{};overflow:hidden"><p style="margin:0;background:#00f;height:160px">Words</p></div>',
        '<div style="{};border:2px solid transparent">Words</div>',
    ],
    ids=["svg", "clip", "transparent"],
)
def test_corners_without_paint_of_their_own_are_not_rounded(content: str, live: Live) -> None:
    html = page(content.format("position:absolute;left:80px;top:80px;width:240px;height:160px"))
    rows = live.rows(html, *(f"rounded.{tier}" for tier in TIERS))
    assert all(row["status"] == "no_target" or row["element"]["tag"] == "p" for row in rows)


@pytest.mark.parametrize(
    ("operator", "plain", "others"),
    [
        ("line_height", "two lines of words and more of them", ["one", "two", "three", "four"]),
        ("spacing", '<p style="all:inherit;background:#00f;position:static">painted</p>', ["one", "two", "three"]),
    ],
)
def test_elements_that_show_the_property_as_itself_come_first(
    operator: str, plain: str, others: list[str], live: Live
) -> None:
    place = '<div style="position:absolute;left:{}px;top:80px;width:120px;height:200px{}">{}</div>'
    body = "".join(place.format(140 * n, "", words) for n, words in enumerate(others, 1))
    body += place.format(0, ";background:#ddd" if operator == "spacing" else "", plain)
    for seed in range(4):
        found = [row for row in live.rows(page(body), f"{operator}.easy", seed=seed) if row["status"] == "accepted"]
        assert [row["box_before"]["x"] for row in found] == [0]


@pytest.mark.parametrize(
    ("style", "axis"),
    [
        ("", "right"),
        ("direction:rtl", "left"),
        ("flex-direction:row-reverse", "left"),
        ("flex-direction:column", "down"),
        ("flex-direction:column-reverse", "up"),
    ],
)
def test_the_record_of_justify_says_which_way_its_axis_runs(style: str, axis: str, live: Live) -> None:
    box = f"position:absolute;left:80px;top:80px;width:300px;height:300px;display:flex;{style}"
    rows = live.rows(page(f'<div style="{box}"><b>ab</b><b>cd</b></div>'), "justify.hard", "border.hard")
    found = {row["operator"]: loads(row["record"])[0].axis for row in rows if row["status"] == "accepted"}
    assert found["justify"] == axis and found.get("border", "") == ""
