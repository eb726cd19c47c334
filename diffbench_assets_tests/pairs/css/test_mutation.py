"""A record alone replays its mutation exactly, on stored HTML as on the live page; groups of tiers are ordered."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from diffbench_assets.browser.gate import decode
from diffbench_assets.pages.generator import generate_page
from diffbench_assets.pages.ladders import TAILWIND_SCALES
from diffbench_assets.pages.scales import token
from diffbench_assets.pages.sources import RawPage
from diffbench_assets.pairs.css.operators import OPERATORS
from diffbench_assets.pairs.css.operators.base import TIERS, Element, OwnText
from diffbench_assets.pairs.css.search import Search, search_page
from diffbench_assets.pairs.edits import Edit, UnresolvedSelector, apply_to_html
from diffbench_assets.pairs.record import Mutation, dumps, edited, loads
from diffbench_assets_tests.live import Live
from diffbench_assets_tests.small_pages import page, stored
from diffbench_assets_tests.stored import stored as ingested

# Random documents and mutations of one of their elements

TOKENS = st.sampled_from(
    ["p-4", "p-44", "hover:p-4", "sm:p-4", "rounded", "rounded-lg", "text-blue-500", "w-1/2", "é", "p-4!"]
)
WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=12)
STYLES = st.sampled_from(["", "color:red", "color:red;", "background:url('a;b') ; margin:0 ;", "--x:{a;b}"])


@st.composite
def nodes(draw: st.DrawFn, depth: int = 3) -> str:
    """HTML of an element with text around and between its children."""
    tag = draw(st.sampled_from(["div", "p", "section", "span", "li", "table", "h2"]))
    classes, style = " ".join(draw(st.lists(TOKENS, max_size=4))), draw(STYLES)
    parts = [_escaped(draw(WORDS)) if draw(st.booleans()) else ""]
    for _ in range(draw(st.integers(0, 3)) if depth else 0):
        parts += [
            draw(nodes(depth - 1)),
            _escaped(draw(WORDS)) if draw(st.booleans()) else "",
            "<br>" * draw(st.integers(0, 1)),
        ]
    return f'<{tag} class="{classes}" style="{style}">{"".join(parts)}</{tag}>'


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def selector_of(node: LexborNode) -> str:
    parts: list[str] = []
    while node.tag != "body":
        place, before = 1, node.prev
        while before is not None:
            place += not before.tag.startswith("-")
            before = before.prev
        parts.insert(0, f"{node.tag}:nth-child({place})")
        assert node.parent is not None
        node = node.parent
    return " > ".join(["body", *parts])


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, Mutation]:
    """A stored page, and a mutation of one of its elements."""
    html = page("".join(draw(st.lists(nodes(), min_size=1, max_size=3))))
    elements = LexborHTMLParser(html).css("body *")
    node = draw(st.sampled_from(elements))
    selector = selector_of(node)
    edits = [Edit(selector, "style", "translate", draw(st.sampled_from(["4px", "rgb(1, 2, 3)", "0px 4px"])))]
    classes = (node.attributes.get("class") or "").split()
    if classes:
        edits.append(Edit(selector, "class", draw(st.sampled_from(classes)), draw(TOKENS)))
    texts = [
        place
        for place, child in enumerate(node.iter(include_text=True))
        if child.is_text_node and (child.text_content or "").strip()
    ]
    if texts:
        edits.append(Edit(selector, "text", "", draw(WORDS), draw(st.sampled_from(texts)), 0, 0))
    chosen = draw(st.lists(st.sampled_from(edits), min_size=1, max_size=2, unique=True))
    return html, Mutation(
        "rounded",
        "hard",
        selector,
        "inline",
        tuple(chosen),
        "x",
        "<&\"'é",
        "b",
        -1,
        0.06,
        "em",
        {"tag": node.tag},
    )


@given(documents())
@settings(max_examples=100)
def test_a_record_replays_to_the_same_page_every_time(document: tuple[str, Mutation]) -> None:
    html, mutation = document
    (again,) = loads(dumps([mutation]))
    assert again == mutation
    assert dumps([again]) == dumps([mutation])
    assert apply_to_html(html, again.edits) == apply_to_html(html, mutation.edits)


@given(documents())
@settings(max_examples=100)
def test_only_the_target_changes_and_the_result_is_stored_form(document: tuple[str, Mutation]) -> None:
    html, mutation = document
    after = apply_to_html(html, mutation.edits)
    assert stored(after) == after
    before_nodes, after_nodes = (LexborHTMLParser(text).css("*") for text in (html, after))
    assert [node.tag for node in before_nodes] == [node.tag for node in after_nodes]
    differing = [
        selector_of(old)
        for old, new in zip(before_nodes, after_nodes, strict=True)
        if old.tag not in ("html", "head", "body", "style")
        and (old.attributes != new.attributes or own(old) != own(new))
    ]
    assert set(differing) <= {mutation.selector}


def own(node: LexborNode) -> list[str]:
    return [child.text_content or "" for child in node.iter(include_text=True) if child.is_text_node]


@given(documents())
@settings(max_examples=30)
def test_a_class_swap_touches_equal_tokens_only(document: tuple[str, Mutation]) -> None:
    html, mutation = document
    for edit in mutation.edits:
        if edit.kind == "class":
            old, new = (
                (LexborHTMLParser(text).css_first(mutation.selector).attributes["class"] or "").split()
                for text in (html, apply_to_html(html, [edit]))
            )
            assert new == [edit.value if name == edit.name else name for name in old]


# Errors


@pytest.mark.parametrize("selector", ["body > p", "body > div:nth-child(9)", "div"])
def test_a_selector_that_finds_none_or_several_is_unresolved(selector: str) -> None:
    with pytest.raises(UnresolvedSelector, match="expected 1"):
        apply_to_html(page("<div>a</div><div>b</div>"), [Edit(selector, "style", "color", "red")])


@pytest.mark.parametrize(
    "edit",
    [
        Edit("body > div", "class", "p-44", "b"),
        Edit("body > div", "text", value="x", node=5),
        Edit("body > div", "text", value="x", node=1),
    ],
)
def test_an_edit_without_its_class_or_text_is_unresolved(edit: Edit) -> None:
    with pytest.raises(UnresolvedSelector):
        apply_to_html(page('<div class="p-4">a<br>b</div>'), [edit])


# Live and static


def generated(index: int) -> str:
    raw = RawPage(f"generator-{index}", f"generator:7/{index}", generate_page(7, index).html)
    done = ingested([raw])[0]
    assert done.html, done.drop_reason
    return done.html


@pytest.mark.parametrize("index", range(3))
def test_live_and_static_application_give_the_same_pixels(index: int, live: Live) -> None:
    html = generated(index)

    async def work() -> list[tuple[str, bool]]:
        async with live.renderer.tab() as tab, live.renderer.tab() as other:
            await tab.load(html)
            search: Search = await search_page(tab, f"page-{index}", "", seed=index)
            dice = random.Random(index)
            results = []
            for cell in dice.sample(sorted(cell for cell, found in search.survivors.items() if found), 13):
                survivor = dice.choice(search.survivors[cell])
                mutation = survivor.mutation
                shot = await tab.mutated(
                    [
                        {
                            "element": survivor.element.index,
                            "edits": [vars(e) for e in mutation.edits],
                            "box": survivor.box_after,
                        }
                    ]
                )
                await other.load(edited(loads(dumps([mutation])), html))
                replayed = await other.settled()
                results.append(
                    (
                        f"{cell} {mutation.selector}",
                        shot is not None and bool(np.array_equal(decode(shot), decode(replayed))),
                    )
                )
            await other.load(html)
            results.append(("undone", bool(np.array_equal(decode(await tab.capture()), decode(await other.settled())))))
            return results

    assert [name for name, same in live.run(work()) if not same] == []


def test_a_live_mutation_that_is_undone_leaves_no_attribute_behind(live: Live) -> None:
    html = page('<div>a</div><p class="p-4" style="color:red">b</p>')

    async def work() -> str:
        async with live.renderer.tab() as tab:
            await tab.load(html)
            await search_page(tab, "page", "", seed=0)
            return await tab.evaluate("() => document.body.outerHTML")

    assert live.run(work()) == html[html.index("<body>") : html.index("</html>")]


# Groups of tiers

COLORS = st.tuples(*[st.integers(0, 255)] * 3).map(lambda c: f"rgb({c[0]}, {c[1]}, {c[2]})")
LENGTHS = st.sampled_from(["0px", "1px", "3.5px", "8px", "17px", "40px", "96px", "400px"])
CLASSES = st.sampled_from([token(prefix, suffix) for prefix, steps in TAILWIND_SCALES.items() for suffix, _ in steps])


@st.composite
def snapshots(draw: st.DrawFn) -> Element:
    """Elements such as the page reports them, with any values."""
    lengths = ["letter-spacing", "line-height", "top", "left", "border-width", "border-radius"]
    lengths += [
        "padding-top",
        "padding-left",
        "padding-bottom",
        "padding-right",
        "padding",
        "gap",
        "column-gap",
        "row-gap",
    ]
    lengths += ["right", "bottom", "inset", "inset-inline", "inset-block", "padding-inline", "padding-block"]
    lengths += [f"border-{side}-width" for side in ("top", "right", "bottom", "left")]
    style = {name: draw(LENGTHS) for name in lengths}
    style |= {
        "font-weight": draw(st.sampled_from(["100", "350", "400", "700", "900"])),
        "font-size": draw(st.sampled_from(["0px", "11.2px", "16px", "30px", "200px"])),
        "color": draw(COLORS),
        "background-color": draw(st.one_of(COLORS, st.just("rgba(0, 0, 0, 0)"), st.just("rgba(4, 5, 6, 0.4)"))),
        "background-image": draw(
            st.one_of(st.just("none"), COLORS.map(lambda c: f"linear-gradient({c}, rgb(9, 9, 9) 40%, {c})"))
        ),
        "background-clip": "border-box",
        "opacity": draw(st.sampled_from(["1", "0.83", "0.05", "0.5"])),
        "position": draw(st.sampled_from(["static", "relative", "absolute"])),
        "translate": draw(st.sampled_from(["none", "3px"])),
        "display": draw(st.sampled_from(["block", "flex", "grid"])),
        "justify-content": draw(
            st.sampled_from(["normal", "center", "space-between", "end", "space-evenly", "stretch"])
        ),
        "border-top-style": draw(st.sampled_from(["none", "solid"])),
        "border-top-color": "rgb(17, 24, 39)",
        "direction": "ltr",
        "flex-direction": "row",
    }
    text = draw(st.text(min_size=1, max_size=30).filter(str.strip))
    box = (10.0, 10.0, draw(st.floats(4, 1200)), draw(st.floats(4, 700)))
    own = (OwnText(0, text, box),) if draw(st.booleans()) else ()
    return Element(
        0,
        "body > div",
        "div",
        "",
        text,
        tuple(draw(st.lists(CLASSES, max_size=6))),
        box,
        box,
        5,
        own,
        draw(st.integers(0, 3)),
        style,
    )


@given(snapshots(), st.sampled_from(sorted(OPERATORS)), st.integers(0, 99))
@settings(max_examples=300)
def test_tiers_of_every_group_share_target_and_direction_and_are_strictly_ordered(
    element: Element, name: str, seed: int
) -> None:
    operator = OPERATORS[name]
    for group in operator.groups(operator, element, random.Random(seed)):
        found = [group[tier].mutation for tier in reversed(TIERS) if tier in group]
        assert found
        assert len({(m.selector, m.property, m.direction, m.mechanism, m.before) for m in found}) == 1
        magnitudes = [m.magnitude for m in found]
        assert magnitudes == sorted(set(magnitudes))
        for mutation in found:
            least, most = operator.tiers[mutation.tier]
            assert least <= mutation.magnitude <= most
            assert loads(dumps([mutation])) == (mutation,)
        assert len({m.after for m in found}) == len(found) or name == "text"


def test_a_group_is_a_function_of_its_dice() -> None:
    own = (OwnText(0, "Quarterly revenue", (0, 0, 9, 9)),)
    style = {"font-size": "16px", "letter-spacing": "normal"}
    element = Element(0, "body > p", "p", "", "", (), (0, 0, 9, 9), (0, 0, 9, 9), 5, own, 0, style)
    first, second = (list(OPERATORS["text"].groups(OPERATORS["text"], element, random.Random("a"))) for _ in range(2))
    assert first == second
