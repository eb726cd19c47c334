"""Length, dynamic elements, blank renders and missing glyphs; and the table of filters as a whole."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from diffbench_assets.corpus.filters import (
    FILTERS,
    Bounds,
    Settings,
    body_length,
    count_findings,
    drop_reason,
    findings,
    length_bounds,
    page_text,
)
from diffbench_assets.pages.describe import visible_text
from diffbench_assets.pages.dom import parse
from diffbench_assets.pages.generator import generate_page
from diffbench_assets.pages.sources import RawPage
from diffbench_assets_tests.stored import stored


def page(body: str, head: str = "") -> str:
    return f"<html><head>{head}</head><body>{body}</body></html>"


def found(html: str, screenshot: bytes | None = None, **settings) -> list[str]:
    return findings(html, visible_text(parse(html)), screenshot, Settings(**settings))


@pytest.mark.parametrize("tag", ["iframe", "video", "canvas", "embed", "object"])
def test_a_visible_dynamic_element_is_found(tag: str) -> None:
    assert found(page(f"<p>x</p><{tag}></{tag}><{tag}></{tag}>")) == [f"dynamic:{tag}×2"]


@pytest.mark.parametrize(
    "body",
    [
        "<noscript><iframe src='//tags.test/ns.html' height=0 width=0></iframe></noscript>",
        "<iframe width=1 height=1></iframe>", "<iframe style='display:none'></iframe>", "<iframe hidden></iframe>",
        "<div style='display: none'><video></video></div>", "<canvas style='width:0;height:0'></canvas>",
        "<template><video></video></template>", "<audio src=a.mp3></audio>", "<p>iframe, video and canvas</p>",
    ],
)  # fmt: skip
def test_a_dynamic_element_that_nobody_sees_does_not_count(body: str) -> None:
    assert found(page(body)) == []


@given(st.lists(st.integers(0, 10**7), min_size=20, max_size=200))
def test_length_bounds_keep_what_lies_between_the_quantiles(lengths: list[int]) -> None:
    bounds = length_bounds(lengths, 0.05, 0.95)
    assert bounds is not None
    kept = [length for length in lengths if bounds.low <= length <= bounds.high]
    assert min(lengths) <= bounds.low <= bounds.high <= max(lengths)
    assert len(kept) >= 0.85 * len(lengths)


def test_few_pages_have_no_usual_length() -> None:
    assert length_bounds([10, 20, 5_000_000]) is None


@pytest.mark.parametrize(("low", "high"), [(0.9, 0.1), (-0.1, 0.9), (0.1, 1.1), (0.5, 0.5)])
def test_quantiles_in_the_wrong_order_are_an_error(low: float, high: float) -> None:
    with pytest.raises(ValueError, match="low < high"):
        length_bounds([1] * 30, low, high)


def test_a_page_outside_the_bounds_is_short_or_long() -> None:
    html = page("<p>" + "x" * 1000 + "</p>")
    assert found(html, length=Bounds(10, 2000)) == []
    assert found(html, length=Bounds(5000, 9000)) == ["length:short"]
    assert found(html, length=Bounds(1, 100)) == ["length:long"]


def test_scripts_styles_and_embedded_files_have_no_length() -> None:
    plain = body_length(parse(page("<p>Hello</p><img src=''>")))
    picture = f"<img src='data:image/png;base64,{'A' * 5000}'>"
    heavy = page(f"<p>Hello</p>{picture}<style>{'a{}' * 500}</style><script>1</script>")
    assert abs(body_length(parse(heavy)) - plain) < 20


def png(*marks: tuple[int, int, int, int], color: str = "white") -> bytes:
    image = Image.new("RGB", (1280, 800), color)
    for mark in marks:
        ImageDraw.Draw(image).rectangle(mark, fill="black")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize("shot", [png(), png(color="#123456"), png((10, 10, 30, 40))])
def test_a_picture_of_one_colour_is_found(shot: bytes) -> None:
    assert found(page("<p>Hello</p>"), shot) == ["render:one_colour"]


def test_a_picture_with_a_line_of_text_is_no_blank() -> None:
    assert found(page("<p>Hello</p>"), png((10, 10, 200, 24))) == []


def test_a_screenshot_that_is_no_image_is_an_error() -> None:
    with pytest.raises(ValueError, match="no image"):
        found(page("<p>Hello</p>"), b"not a picture")


def test_glyphs_that_no_packaged_font_has_are_counted_on_any_page() -> None:
    assert found(page("<p>Hello 世界 हिन्दी \U0001f600</p>")) == []
    assert found(page("<p>Hello ᚠ\U000f1234</p>")) == ["glyphs:missing×2"]


def test_a_stored_page_says_itself_what_no_font_has() -> None:
    clean, lacking = (
        done.html for done in stored([RawPage("p", "p", page(f"<p>{text}</p>")) for text in ("Grüße", "ᚠᚢ")])
    )
    assert clean is not None and lacking is not None
    assert found(clean) == []
    assert found(lacking) == ["glyphs:missing×2"]


def test_findings_of_a_version_are_those_of_its_filters() -> None:
    html = page("<iframe></iframe><p>jane.doe@acme-corp.com</p>")
    text = visible_text(parse(html))
    assert findings(html, text, None, Settings(), version="original") == ["dynamic:iframe×1"]
    assert findings(html, text, None, Settings(), version="made") == ["pii:email×1"]


def test_the_first_filter_of_the_table_names_the_reason() -> None:
    several = ["pii:email×2", "pii:phone×1", "dynamic:video×1"]
    assert drop_reason(several, Settings()) == "dynamic: video×1"
    assert drop_reason(several, Settings(kept=frozenset({"dynamic"}))) == "pii: email×2, phone×1"
    assert drop_reason(several, Settings(kept=frozenset({"dynamic", "pii"}))) is None
    assert drop_reason([], Settings()) is None


def test_a_finding_of_no_filter_is_an_error() -> None:
    with pytest.raises(ValueError, match="no finding"):
        drop_reason(["weather:rain"], Settings())


def test_pages_are_counted_once_for_each_kind() -> None:
    counts = count_findings([["pii:email×2", "dynamic:video×1"], ["pii:email×9"], []])
    assert counts == {"pii:email": 2, "dynamic:video": 1}


def test_every_filter_says_what_it_looks_for() -> None:
    names = [rule.name for rule in FILTERS]
    assert len(set(names)) == len(names)
    assert all(rule.sentence.endswith(".") and rule.versions for rule in FILTERS)


def test_a_page_that_nests_too_deeply_is_unusable() -> None:
    html = page("<div>" * 6000)
    assert findings(html, "", None, Settings()) == ["unusable:too_deep"]
    assert drop_reason(["unusable:too_deep"], Settings()) == "unusable: too_deep"


@pytest.mark.parametrize("seed", [3, 4])
def test_generated_pages_are_clean(seed: int) -> None:
    pages = [generate_page(seed, index).html for index in range(15)]
    dropped = [drop_reason(found(html), Settings()) for html in pages]
    assert dropped == [None] * len(pages)


@given(st.text(max_size=300))
def test_any_markup_can_be_filtered(markup: str) -> None:
    found_here = findings(markup, markup, None, Settings(length=Bounds(1, 50)))
    assert drop_reason(found_here, Settings()) is None or found_here


def test_the_text_of_a_crawled_page_is_what_a_visitor_reads() -> None:
    html = page(
        "<p>Hello</p><script>var mail = 'jane.doe@acme-corp.com'</script><noscript><b>Turn it on</b></noscript>you"
    )
    assert page_text(html) == "Hello you"
    assert page_text(page("<div>" * 6000)) == ""
