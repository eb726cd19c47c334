"""The art library: many kinds, drawn within their bounds, every variant to be seen, every text on its plate."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from diffbench_assets.pages.art import KINDS, PALETTES, Kind, Look, notation
from diffbench_assets.pages.sources import RawPage
from diffbench_assets.pairs.color_words import color_word
from diffbench_assets.pairs.colors import css_color
from diffbench_assets_tests.live import Live
from diffbench_assets_tests.stored import stored

COLUMNS, CELL = 14, 90
BOXES = (
    "() => [...document.querySelectorAll('#sheet > g')].map((el) => { const r = el.getBoundingClientRect();"
    " return [r.x, r.y, r.right, r.bottom] })"
)


def example(kind: Kind, **fields: object) -> Look:
    """The kind in its first state, with fewest parts and the first of its texts."""
    looks = {
        "state": kind.states[0] if kind.states else "",
        "count": kind.counted.low if kind.counted else 0,
        "text": kind.label.templates[0].replace("#", "8").replace("@", "M") if kind.label else "",
    }
    return Look(**(looks | fields))  # type: ignore[arg-type]


def variants(kind: Kind) -> Iterator[Look]:
    """Every state and number of parts."""
    counts = range(kind.counted.low, kind.counted.high + 1) if kind.counted else (0,)
    for state, count in product(kind.states or ("",), counts):
        yield example(kind, state=state, count=count)


@pytest.fixture(scope="module")
def boxes(live: Live) -> dict[tuple[str, Look], tuple[float, ...]]:
    """What every variant of every kind fills in Chromium, in units."""
    drawn = [(kind, look) for kind in KINDS.values() for look in variants(kind)]
    places = [((n % COLUMNS + 0.5) * CELL, (n // COLUMNS + 0.5) * CELL) for n in range(len(drawn))]
    groups = "".join(
        f'<g style="translate:{x}px {y}px;scale:.5">{kind.svg(look)}</g>'
        for (kind, look), (x, y) in zip(drawn, places, strict=True)
    )
    sheet = f'<body style="margin:0"><svg id="sheet" width="1280" height="4000" text-anchor="middle">{groups}</svg>'
    found = live.ask(f"<!DOCTYPE html><html>{sheet}", BOXES)
    return {
        (kind.name, look): tuple((edge - middle) / 0.5 for edge, middle in zip(box, (x, y, x, y), strict=True))
        for (kind, look), (x, y), box in zip(drawn, places, found, strict=True)
    }


def test_there_are_at_least_as_many_kinds_as_ever() -> None:
    assert len(KINDS) >= 114
    assert sum(bool(kind.states) for kind in KINDS.values()) >= 34
    assert sum(kind.counted is not None for kind in KINDS.values()) >= 19
    assert sum(kind.label is not None for kind in KINDS.values()) >= 23
    assert len({kind.group for kind in KINDS.values()} - {""}) >= 9


def test_every_kind_stays_within_its_bounds_in_all_its_states(boxes: dict[tuple[str, Look], tuple[float, ...]]) -> None:
    for (name, look), (left, top, right, bottom) in boxes.items():
        low, high, far, deep = KINDS[name].bounds
        assert low - 4 <= left and high - 4 <= top and right <= far + 4 and bottom <= deep + 4, (name, look)


def test_bounds_are_no_larger_than_what_a_kind_fills(boxes: dict[tuple[str, Look], tuple[float, ...]]) -> None:
    for name, kind in KINDS.items():
        filled = [box for (other, _), box in boxes.items() if other == name]
        width = max(box[2] for box in filled) - min(box[0] for box in filled)
        height = max(box[3] for box in filled) - min(box[1] for box in filled)
        left, top, right, bottom = kind.bounds
        assert right - left <= 1.25 * width and bottom - top <= 1.25 * height, name


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_variant_of_a_kind_looks_different(name: str) -> None:
    kind = KINDS[name]
    drawn = [kind.svg(look) for look in variants(kind)]
    assert len(set(drawn)) == len(drawn)
    assert kind.colors == () or "currentColor" in drawn[0], "its color is nowhere to be seen"
    for pattern in filter(None, kind.patterns):
        assert f"url(#{pattern})" in kind.svg(example(kind, pattern=pattern))


def test_the_table_of_kinds_is_sound() -> None:
    for kind in KINDS.values():
        assert set(kind.colors) <= set(PALETTES["clear"]), kind.name
        assert not (kind.turns and (kind.states or kind.label)), f"{kind.name} varies along two axes in one category"
        assert len(kind.states) != 1 and len(set(kind.states)) == len(kind.states), kind.name
        assert kind.name == kind.name.lower() and kind.px[0] < kind.px[1]
    nouns = [kind.noun for kind in KINDS.values()]
    assert len(set(nouns)) == len(nouns)


@pytest.mark.parametrize("palette", PALETTES)
def test_anybody_calls_a_color_of_a_palette_by_its_name(palette: str) -> None:
    for name, value in PALETTES[palette].items():
        assert color_word(css_color(value)) == name


def test_every_text_stays_on_its_plate(live: Live) -> None:
    texts = [
        (kind.name, template.replace("#", "8").replace("@", "M"), kind.label)
        for kind in KINDS.values() if kind.label for template in kind.label.templates
    ]  # fmt: skip
    rows = "".join(
        f'<span style="position:absolute;white-space:nowrap;font-size:{label.em * 4:g}px">{text}</span>'
        for _, text, label in texts
    )
    style = "<style>span{font-family:Inter,sans-serif;font-weight:700}</style>"
    html = f"<!DOCTYPE html><html><head>{style}</head><body><p>A</p>{rows}</body></html>"
    (page,) = stored([RawPage("texts", "texts", html)])
    assert page.html
    widths = live.ask(page.html, "() => [...document.querySelectorAll('span')].map((el) => el.offsetWidth / 4)")
    for (name, text, label), width in zip(texts, widths, strict=True):
        assert width <= label.width + 1, (name, text, width)


@pytest.mark.parametrize("drawing", ["circle m 0,0 3", "oval", "oval m 0,0 3; disc m", "?x oval m 0,0 3"])
def test_what_is_not_in_the_notation_is_named(drawing: str) -> None:
    with pytest.raises(ValueError, match="not a shape"):
        notation.svg(drawing)


def test_marks_of_the_notation() -> None:
    assert notation.svg("|oval m 10,0 3").count("<circle") == 2
    assert notation.svg("*c@0,0 line m 1 0,5 0,9", count=5).count("rotate(") == 4
    assert [notation.svg("#3+ oval m 0,0 3", count=count) != "" for count in (2, 3, 4)] == [False, True, True]
    assert [notation.svg("?1 oval m 0,0 3", state=state) != "" for state in (0, 1)] == [False, True]
    assert 'stroke="none"' in notation.svg("-box #abc 0,0 9,9") and 'rx="2"' in notation.svg("box #abc 0,0 9,9 2")
    assert "color-mix(in srgb,currentColor,#fff 40%)" in notation.svg("oval m+40 0,0 3")
    assert 'fill-opacity="0.3"' in notation.svg("oval white@30 0,0 3")
    assert "A &amp; B" in notation.svg("text #000 0,0", text="A & B")
